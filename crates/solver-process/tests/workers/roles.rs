//! What a worker can be like.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Reason, Solver, SolverError, Statistics};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_process::{WorkerCommand, limit_memory, serve};
use osier_term::Pool;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Bitwuzla,
    CrashesEveryThird,
    TakesAllMemory,
    DoesNotStart,
    /// And does not listen.
    Hangs,
    /// For some time, unless it is told to stop.
    SlowThenBitwuzla,
    Prints,
    /// Its second answer comes after its time.
    Late,
}

/// How long a late answer takes.
const LATE: Duration = Duration::from_millis(1050);

const ROLES: [Role; 8] = [
    Role::Bitwuzla,
    Role::CrashesEveryThird,
    Role::TakesAllMemory,
    Role::DoesNotStart,
    Role::Hangs,
    Role::SlowThenBitwuzla,
    Role::Prints,
    Role::Late,
];

/// Starts this very program in a role.
pub fn command(role: Role) -> WorkerCommand {
    let arguments: Vec<OsString> = vec!["worker".into(), format!("{role:?}").into()];
    WorkerCommand { program: std::env::current_exe().unwrap().into(), arguments, solver: "Bitwuzla" }
}

impl Role {
    pub fn of_this_process() -> Option<Role> {
        let words: Vec<String> = std::env::args().collect();
        let [_, worker, name] = words.as_slice() else { return None };
        (worker == "worker").then(|| ROLES.into_iter().find(|role| format!("{role:?}") == *name))?
    }

    pub fn play(self) {
        if self == Role::DoesNotStart {
            eprintln!("no licence");
            std::process::exit(1);
        }
        limit_memory(1 << 30).unwrap();
        let make = |flag: Arc<AtomicBool>| -> Result<Box<dyn Solver>, SolverError> {
            let inner = Bitwuzla::new(BitwuzlaConfig { interrupt: Some(Arc::clone(&flag)) });
            Ok(Box::new(Actor { role: self, inner, flag, asked: 0 }))
        };
        serve(make).unwrap();
    }
}

struct Actor {
    role: Role,
    inner: Bitwuzla,
    flag: Arc<AtomicBool>,
    asked: u32,
}

impl Solver for Actor {
    fn check(&mut self, pool: &mut Pool, query: &Query) -> Result<Answer, SolverError> {
        self.asked += 1;
        match self.role {
            Role::Bitwuzla | Role::DoesNotStart => {}
            Role::CrashesEveryThird if self.asked.is_multiple_of(3) => std::process::abort(),
            Role::CrashesEveryThird => {}
            Role::TakesAllMemory => drop(std::hint::black_box(vec![1u8; 8 << 30])),
            Role::Hangs => std::thread::sleep(Duration::from_secs(1000)),
            Role::SlowThenBitwuzla => {
                let end = Instant::now() + Duration::from_secs(1000);
                while Instant::now() < end {
                    if self.flag.load(Ordering::Relaxed) {
                        return Ok(Answer::Unknown(Reason::Interrupted));
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
            Role::Prints => println!("some library says hello"),
            Role::Late if self.asked == 2 => std::thread::sleep(LATE),
            Role::Late => {}
        }
        self.inner.check(pool, query)
    }

    fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.inner.set_timeout(timeout);
    }

    fn statistics(&self, _: &mut Statistics) {}
}
