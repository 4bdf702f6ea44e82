//! The one place where backends are made, for exploration and for files of queries alike.

use crate::{Error, Interrupter};
use osier_solver::{Combinations, SecondOpinion, Solver, SolverError, Tiers};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig, answer_script};
use osier_solver_process::{Isolated, Race, WorkerCommand, end_with_parent, limit_memory, serve};
use osier_solver_sat::{Sat, SatConfig};
use osier_solver_smtlib::{Dialogue, DialogueConfig, SmtLib, SmtLibConfig};
use osier_solver_z3::{Z3, Z3Config};
use std::ffi::OsString;
use std::fmt;
use std::io::Write;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OneSolver {
    #[default]
    Bitwuzla,
    Z3,
    /// A program that reads SMT-LIB 2, and its arguments.
    SmtLib(String),
}

/// Who answers what the chain leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolverChoice {
    One(OneSolver),
    /// All at once, each in a process of its own; the first answer counts.
    Race(Vec<OneSolver>),
}

impl Default for SolverChoice {
    fn default() -> Self {
        SolverChoice::One(OneSolver::default())
    }
}

impl FromStr for OneSolver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("smtlib:").map(str::trim)) {
            ("bitwuzla", _) => Ok(OneSolver::Bitwuzla),
            ("z3", _) => Ok(OneSolver::Z3),
            (_, Some("")) => Err("a command goes behind smtlib:, as in 'smtlib:cvc5 --incremental'".into()),
            (_, Some(command)) => Ok(OneSolver::SmtLib(command.into())),
            (_, None) => {
                Err("there is no such solver; there are bitwuzla, z3, smtlib:COMMAND, race and race:A,B".into())
            }
        }
    }
}

impl FromStr for SolverChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let runners = match text.strip_prefix("race") {
            Some("") => return Ok(SolverChoice::Race(vec![OneSolver::Bitwuzla, OneSolver::Z3])),
            Some(rest) => rest.strip_prefix(':'),
            None => None,
        };
        let Some(runners) = runners else { return text.parse().map(SolverChoice::One) };
        let runners: Vec<OneSolver> = runners.split(',').map(str::parse).collect::<Result<_, _>>()?;
        if runners.len() < 2 {
            return Err("a race takes two solvers or more, as in race:bitwuzla,z3".into());
        }
        Ok(SolverChoice::Race(runners))
    }
}

impl fmt::Display for OneSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OneSolver::Bitwuzla => write!(f, "bitwuzla"),
            OneSolver::Z3 => write!(f, "z3"),
            OneSolver::SmtLib(command) => write!(f, "smtlib:{command}"),
        }
    }
}

/// Everything about backends that a user can set; what holds for the chain is in `ChainConfig`.
#[derive(Clone, Debug)]
pub struct BackendConfig {
    pub solver: SolverChoice,
    /// Our own bit-blaster is asked first, and the solver only about what that finds hard.
    pub first_tier: bool,
    /// The solver runs in a process of its own, so that its end is not ours.
    pub isolate: bool,
    /// That there is no solution is asked a second solver, too.
    pub check_unsat: bool,
    /// What a solver in a process of its own may allocate, in bytes.
    pub memory: Option<u64>,
    /// Starts a worker: a program that calls [`serve_worker`] with the arguments that follow.
    pub worker: Option<Vec<OsString>>,
}

impl Default for BackendConfig {
    fn default() -> Self {
        BackendConfig {
            solver: SolverChoice::default(),
            first_tier: true,
            isolate: false,
            check_unsat: false,
            memory: Some(4 << 30),
            worker: None,
        }
    }
}

/// A backend as configured. The interrupter ends a query that is under way.
pub fn backend(config: &BackendConfig, interrupter: &Interrupter) -> Result<Box<dyn Solver>, Error> {
    let flag = Some(interrupter.flag());
    let solver: Box<dyn Solver> = match &config.solver {
        // Such a solver is a process already.
        SolverChoice::One(solver @ OneSolver::SmtLib(_)) => in_process(solver, config.memory, flag)?,
        SolverChoice::One(solver) if config.isolate => Box::new(Isolated::new(worker(config, solver)?, flag)),
        SolverChoice::One(solver) => in_process(solver, config.memory, flag)?,
        SolverChoice::Race(solvers) => {
            let commands: Result<Vec<_>, Error> = solvers.iter().map(|solver| worker(config, solver)).collect();
            Box::new(Race::new(commands?, flag))
        }
    };
    if !config.first_tier {
        return Ok(solver);
    }
    let first = Sat::new(SatConfig { interrupt: Some(interrupter.flag()), ..SatConfig::default() });
    let second = Combinations::if_hard(solver, Some(interrupter.flag()));
    Ok(Box::new(Tiers::new(Box::new(first), second)))
}

/// Somebody else to ask, if that is wanted: Z3 where Bitwuzla answers, Bitwuzla in all other cases.
pub fn second_opinion(config: &BackendConfig, interrupter: &Interrupter) -> Result<Option<SecondOpinion>, Error> {
    if !config.check_unsat {
        return Ok(None);
    }
    let other = match &config.solver {
        SolverChoice::One(OneSolver::Bitwuzla) => OneSolver::Z3,
        SolverChoice::One(OneSolver::Z3 | OneSolver::SmtLib(_)) | SolverChoice::Race(_) => OneSolver::Bitwuzla,
    };
    let other = in_process(&other, config.memory, Some(interrupter.flag()))?;
    Ok(Some(SecondOpinion::of(other)))
}

fn in_process(
    solver: &OneSolver,
    memory: Option<u64>,
    interrupt: Option<Arc<AtomicBool>>,
) -> Result<Box<dyn Solver>, Error> {
    Ok(match solver {
        OneSolver::Bitwuzla => Box::new(Bitwuzla::new(BitwuzlaConfig { interrupt })),
        OneSolver::Z3 => Box::new(Z3::new(Z3Config { interrupt })),
        OneSolver::SmtLib(command) => {
            let config = SmtLibConfig { command: command.clone(), interrupt, memory };
            Box::new(SmtLib::new(config).map_err(Error::Solver)?)
        }
    })
}

fn worker(config: &BackendConfig, solver: &OneSolver) -> Result<WorkerCommand, Error> {
    let name = match solver {
        OneSolver::Bitwuzla => "Bitwuzla",
        OneSolver::Z3 => "Z3",
        OneSolver::SmtLib(_) => "subprocess",
    };
    let failed = |message: &str| Error::Solver(SolverError::Backend { backend: name, message: message.into() });
    let command = config.worker.as_deref().ok_or_else(|| failed("there is no program to start its process with"))?;
    let (program, before) = command.split_first().ok_or_else(|| failed("the program for its process has no name"))?;
    let mut arguments = before.to_vec();
    arguments.push(format!("--solver={solver}").into());
    if let Some(memory) = config.memory {
        arguments.push(format!("--memory={memory}").into());
    }
    Ok(WorkerCommand { program: program.clone(), arguments, solver: name })
}

/// The other end: answers queries from standard input by this solver, with at most so many bytes, until that ends.
pub fn serve_worker(solver: &OneSolver, memory: Option<u64>) -> std::io::Result<()> {
    if let Some(bytes) = memory {
        limit_memory(bytes)?;
    }
    serve(|flag| in_process(solver, memory, Some(flag)))
}

/// Who answers scripts as text, with what our terms do not have: Bitwuzla by its own parser, in a process of its own, or a
/// program that reads SMT-LIB. Of several that race, the first that can.
pub fn script_solver(config: &BackendConfig, interrupter: &Interrupter) -> Result<Dialogue, Error> {
    let solvers = match &config.solver {
        SolverChoice::One(solver) => std::slice::from_ref(solver),
        SolverChoice::Race(solvers) => solvers,
    };
    let failed = |backend, message: String| Error::Solver(SolverError::Backend { backend, message });
    let interrupt = Some(interrupter.flag());
    for solver in solvers {
        let (backend, command) = match solver {
            OneSolver::Bitwuzla => {
                let WorkerCommand { program, mut arguments, solver } = worker(config, solver)?;
                arguments.push("--script".into());
                (solver, DialogueConfig { program, arguments, memory: None, interrupt })
            }
            OneSolver::Z3 => continue,
            OneSolver::SmtLib(command) => {
                let split = DialogueConfig::of_command(command, config.memory, interrupt);
                ("subprocess", split.ok_or_else(|| failed("subprocess", format!("`{command}` is no command line")))?)
            }
        };
        return Dialogue::start(command).map_err(|error| failed(backend, format!("cannot start it: {error}")));
    }
    Err(failed("Z3", "it is not given scripts as text; --solver='smtlib:z3 -in' does that".into()))
}

/// The other end, if it is Bitwuzla: answers a script from standard input until its end or its first error. True if there
/// was none.
pub fn serve_script(memory: Option<u64>) -> std::io::Result<bool> {
    if let Some(bytes) = memory {
        limit_memory(bytes)?;
    }
    end_with_parent()?;
    let result = answer_script();
    if let Err(message) = &result {
        writeln!(std::io::stdout(), "(error \"{}\")", message.replace('"', "\"\""))?;
    }
    Ok(result.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solvers_are_named_in_one_word_or_with_a_command() {
        let one = |solver| Ok(SolverChoice::One(solver));
        assert_eq!("bitwuzla".parse(), one(OneSolver::Bitwuzla));
        assert_eq!("z3".parse(), one(OneSolver::Z3));
        assert_eq!("smtlib:race: a,b".parse(), one(OneSolver::SmtLib("race: a,b".into())));
        let pair = |a, b| Ok(SolverChoice::Race(vec![a, b]));
        assert_eq!("race".parse(), pair(OneSolver::Bitwuzla, OneSolver::Z3));
        assert_eq!("race:z3,smtlib:z3 -in".parse(), pair(OneSolver::Z3, OneSolver::SmtLib("z3 -in".into())));
        for bad in ["", "Z3", "smtlib:", "smtlib: ", "race:", "race:z3", "race:z3,", "racez3", "race:z3,race"] {
            assert!(bad.parse::<SolverChoice>().is_err(), "{bad}");
        }
    }

    #[test]
    fn what_runs_elsewhere_needs_a_program_to_run() {
        let config = BackendConfig { isolate: true, ..BackendConfig::default() };
        assert!(backend(&config, &Interrupter::default()).is_err());
        let missing = OneSolver::SmtLib("/no/such/solver".into());
        let config = BackendConfig { solver: SolverChoice::One(missing), ..BackendConfig::default() };
        let message = backend(&config, &Interrupter::default()).err().map(|error| error.to_string());
        assert!(message.as_ref().is_some_and(|text| text.contains("/no/such/solver")), "{message:?}");
    }
}
