//! Solvers that hang, print rubbish, die, lie or are slow: each costs its query and no more. They are shell scripts.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use osier_solver::{Answer, ChainConfig, Query, Reason, Solver, SolverError, Statistics, plain};
use osier_solver_smtlib::{SmtLib, SmtLibConfig};
use osier_term::{Pool, Term};

/// A solver that does this at each `check-sat` and each `get-value`.
fn fake(at_check: &str, at_values: &str) -> SmtLibConfig {
    let script = format!(
        "while read -r line; do case \"$line\" in *check-sat*) {at_check};; *get-value*) {at_values};; esac; done"
    );
    command(&script)
}

fn command(script: &str) -> SmtLibConfig {
    SmtLibConfig { command: format!("sh -c {}", shlex::try_quote(script).unwrap()), ..SmtLibConfig::default() }
}

/// That a byte is seven.
fn query(pool: &mut Pool) -> Vec<Term> {
    let input = pool.input("x", 1);
    let byte = pool.select_at(input, 0);
    let seven = pool.constant(8, 7);
    vec![pool.eq(byte, seven)]
}

fn ask(solver: &mut dyn Solver) -> Result<Answer, SolverError> {
    let mut pool = Pool::new();
    let query = query(&mut pool);
    solver.check(&mut pool, &Query::of(&query))
}

/// Asks a few times and gives the reasons why there is no answer.
fn reasons(config: SmtLibConfig, times: u32) -> Vec<String> {
    let mut solver = SmtLib::new(config).unwrap();
    solver.set_timeout(Some(Duration::from_secs(20)));
    let (mut pool, mut reasons) = (Pool::new(), Vec::new());
    let query = query(&mut pool);
    for _ in 0..times {
        match solver.check(&mut pool, &Query::of(&query)).unwrap() {
            Answer::Unknown(Reason::Incomplete(why)) => reasons.push(why),
            other => panic!("{other:?}"),
        }
    }
    let mut counted = Statistics::default();
    solver.statistics(&mut counted);
    assert_eq!((counted.solved, counted.lost_processes), (times.into(), times.into()));
    reasons
}

#[test]
fn answers_and_values_are_read() {
    for values in
        ["echo '(((select x #x0) #x07))'", "echo '(((select x #x0) (_ bv7 8)))'", "printf '(\\n((s) #b00000111))\\n'"]
    {
        let answer = ask(&mut SmtLib::new(fake("echo sat", values)).unwrap()).unwrap();
        let Answer::Sat(model) = answer else { panic!("{answer:?}") };
        assert_eq!(model.iter().map(|(_, bytes)| bytes.to_vec()).collect::<Vec<_>>(), [[7]]);
    }
    assert!(matches!(ask(&mut SmtLib::new(fake("echo unsat", "")).unwrap()), Ok(Answer::Unsat)));
    let slow = fake("printf s; sleep 0.05; printf a; sleep 0.05; printf 't\\n'", "sleep 0.1; echo '((x #x07))'");
    assert!(matches!(ask(&mut SmtLib::new(slow).unwrap()), Ok(Answer::Sat(_))));
    let chatty = fake("echo success; echo success; echo unsat", "");
    assert!(matches!(ask(&mut SmtLib::new(chatty).unwrap()), Ok(Answer::Unsat)));
}

#[test]
fn one_that_does_not_know_is_kept() {
    let mut solver = SmtLib::new(fake("echo unknown", "")).unwrap();
    let process = solver.process_id();
    for _ in 0..5 {
        assert!(matches!(ask(&mut solver), Ok(Answer::Unknown(Reason::Incomplete(_)))));
    }
    assert_eq!(solver.process_id(), process);
}

#[test]
fn rubbish_costs_its_query() {
    for (at_check, at_values, complaint) in [
        ("echo 'Segmentation fault'", "", "`Segmentation`"),
        ("echo '(error \"no memory\")'", "", "no memory"),
        ("head -c 100 /dev/urandom; echo", "", "no answer"),
        ("echo sat", "echo nothing", "`nothing`"),
        ("echo sat", "echo '((x #x07) (y #x08))'", "not those"),
        ("echo sat", "echo '((x #x0777))'", "not those"),
        ("echo sat", "echo sat", "not asked for"),
    ] {
        for reason in reasons(fake(at_check, at_values), 4) {
            let unprintable = at_check.contains("urandom");
            assert!(reason.contains(complaint) || unprintable, "{at_check}: {reason}");
        }
    }
}

#[test]
fn death_costs_its_query_and_the_next_one_is_answered() {
    // Answers once, then dies with its next question.
    let mut solver =
        SmtLib::new(fake("if [ -n \"$done\" ]; then echo oh >&2; exit 3; fi; done=1; echo unsat", "")).unwrap();
    for n in 0..10 {
        match ask(&mut solver) {
            Ok(Answer::Unsat) if n % 2 == 0 => {}
            Ok(Answer::Unknown(Reason::Incomplete(why))) if n % 2 == 1 => {
                assert!(why.contains("status 3: oh") || why.contains("closed its pipe"), "{why}");
            }
            other => panic!("{n}: {other:?}"),
        }
    }
    let killed = reasons(fake("echo sat", "kill -9 $$"), 4);
    assert!(killed.iter().all(|why| why.contains("gone")), "{killed:?}");
    let closed = reasons(fake("echo sat", "exec >&-; sleep 1000"), 4);
    assert!(closed.iter().all(|why| why.contains("closed its pipe")), "{closed:?}");
}

#[test]
fn one_that_never_answers_anything_is_an_error_that_names_it() {
    let mut solver = SmtLib::new(command("echo 'no licence' >&2")).unwrap();
    assert!(matches!(ask(&mut solver), Ok(Answer::Unknown(_))));
    assert!(matches!(ask(&mut solver), Ok(Answer::Unknown(_))));
    let error = ask(&mut solver).unwrap_err().to_string();
    assert!(error.contains("sh -c") && error.contains("no licence"), "{error}");
    for bad in ["/no/such/solver --fast", "", "  ", "z3 'unclosed"] {
        let config = SmtLibConfig { command: bad.to_owned(), ..SmtLibConfig::default() };
        let error = SmtLib::new(config).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|text| text.contains(bad)), "{error:?}");
    }
}

#[test]
fn a_timeout_holds() {
    let hanging =
        [command("sleep 1000"), fake("sleep 1000", ""), fake("echo sat", "sleep 1000"), command("cat /dev/zero")];
    for config in hanging {
        let name = config.command.clone();
        let mut solver = SmtLib::new(config).unwrap();
        let limit = Duration::from_millis(300);
        solver.set_timeout(Some(limit));
        for _ in 0..2 {
            let start = Instant::now();
            let answer = ask(&mut solver).unwrap();
            let taken = start.elapsed();
            assert!(matches!(answer, Answer::Unknown(Reason::Timeout)), "{name}: {answer:?}");
            assert!(taken >= limit && taken < limit + Duration::from_secs(5), "{name} took {taken:?}");
        }
    }
}

#[test]
fn an_interrupt_ends_a_query() {
    let flag = Arc::new(AtomicBool::new(false));
    let config = SmtLibConfig { interrupt: Some(Arc::clone(&flag)), ..command("sleep 1000") };
    let mut solver = SmtLib::new(config).unwrap();
    let setter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        flag.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    let answer = ask(&mut solver).unwrap();
    assert!(matches!(answer, Answer::Unknown(Reason::Interrupted)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
    setter.join().unwrap();
}

#[test]
fn a_lie_is_found_out_where_answers_are_checked() {
    let config = ChainConfig { check_models: true, ..ChainConfig::default() };
    let liar = SmtLib::new(fake("echo sat", "echo '((x #x08))'")).unwrap();
    let error = ask(&mut *plain(&config, Box::new(liar))).unwrap_err();
    assert!(matches!(error, SolverError::WrongModel { .. }), "{error:?}");
}

#[test]
fn memory_is_bounded() {
    let config = SmtLibConfig {
        memory: Some(64 << 20),
        ..fake("head -c 200000000 /dev/zero | tail -c 200000000 >/dev/null && echo unsat || echo unknown", "")
    };
    assert!(matches!(ask(&mut SmtLib::new(config).unwrap()), Ok(Answer::Unknown(_))));
}
