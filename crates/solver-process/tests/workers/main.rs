//! Workers that answer, die, hang and are told to stop. This program is its own worker: see `roles.rs`.

mod roles;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Trial};
use osier_solver::{Answer, Query, Reason, Solver};
use osier_solver_process::{Isolated, Race};
use osier_term::{Array, Pool, Term, eval};
use roles::{Role, command};

fn main() {
    if let Some(role) = Role::of_this_process() {
        return role.play();
    }
    let tests: &[(&str, fn())] = &[
        ("a_worker_answers_as_the_solver_would", a_worker_answers_as_the_solver_would),
        ("a_worker_that_is_killed_costs_no_more_than_one_query", a_worker_that_is_killed_costs_no_more_than_one_query),
        ("a_worker_that_crashes_costs_its_query", a_worker_that_crashes_costs_its_query),
        ("a_worker_without_memory_says_so", a_worker_without_memory_says_so),
        ("a_worker_that_never_starts_is_an_error", a_worker_that_never_starts_is_an_error),
        ("a_timeout_holds", a_timeout_holds),
        ("a_worker_that_is_a_little_late_is_not_lost", a_worker_that_is_a_little_late_is_not_lost),
        ("an_interrupt_ends_a_query", an_interrupt_ends_a_query),
        ("what_a_library_prints_is_no_answer", what_a_library_prints_is_no_answer),
        ("the_first_of_a_race_counts", the_first_of_a_race_counts),
        ("a_race_survives_a_runner_that_dies", a_race_survives_a_runner_that_dies),
        ("a_race_is_unknown_only_if_all_are", a_race_is_unknown_only_if_all_are),
    ];
    let trials = tests.iter().map(|&(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn word(pool: &mut Pool, input: Array, size: u64) -> Term {
    let first = pool.select_at(input, 0);
    (1..size).fold(first, |word, at| {
        let byte = pool.select_at(input, at);
        pool.concat(byte, word)
    })
}

/// Two factors of a product of two primes of 32 bits.
fn hard(pool: &mut Pool) -> Vec<Term> {
    let (p, q) = (pool.input("p", 4), pool.input("q", 4));
    let (p, q) = (word(pool, p, 4), word(pool, q, 4));
    let (wide_p, wide_q) = (pool.zext(p, 64), pool.zext(q, 64));
    let product = pool.mul(wide_p, wide_q);
    let semiprime = pool.constant(64, 3_037_000_493 * 2_654_435_761);
    vec![pool.eq(product, semiprime), pool.ult(p, q)]
}

/// Queries of which every second one has no solution.
fn easy(pool: &mut Pool, count: u32) -> Vec<(Vec<Term>, bool)> {
    let input = pool.input("data", 6);
    let table = pool.table(&[9, 8, 7, 6, 5]);
    let mut queries = Vec::new();
    for n in 0..count {
        let at = pool.select_at(input, u64::from(n % 5));
        let index = pool.zext(at, 64);
        let read = pool.select(table, index);
        let stored = pool.store(input, index, read);
        let again = pool.select(stored, index);
        let (five, value) = (pool.constant(8, 5), pool.constant(8, u128::from(5 + n % 5)));
        let (inside, found) = (pool.ult(at, five), pool.eq(again, value));
        let mut query = vec![inside, found];
        if n % 2 == 1 {
            let other = pool.constant(8, u128::from(9 - n % 5));
            query.push(pool.ult(other, at));
            let place = pool.constant(8, u128::from(4 - n % 5));
            query.push(pool.ne(at, place));
        }
        queries.push((query, n % 2 == 0));
    }
    queries
}

fn is_sat(solver: &mut dyn Solver, pool: &mut Pool, query: &[Term]) -> Result<bool, Reason> {
    match solver.check(pool, &Query::of(query)).unwrap() {
        Answer::Sat(model) => {
            for &c in query {
                assert_eq!(eval(pool, c, &model), 1, "{} does not hold", pool.display(c));
            }
            Ok(true)
        }
        Answer::Unsat => Ok(false),
        Answer::Unknown(reason) => Err(reason),
    }
}

fn a_worker_answers_as_the_solver_would() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::Bitwuzla), None);
    for (query, expected) in easy(&mut pool, 40) {
        assert_eq!(is_sat(&mut solver, &mut pool, &query), Ok(expected));
    }
}

fn a_worker_that_is_killed_costs_no_more_than_one_query() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::Bitwuzla), None);
    let mut unknown = 0;
    for (n, (query, expected)) in easy(&mut pool, 60).into_iter().enumerate() {
        if n % 20 == 10 {
            let process = solver.process_id().unwrap().to_string();
            assert!(std::process::Command::new("kill").args(["-9", &process]).status().unwrap().success());
        }
        match is_sat(&mut solver, &mut pool, &query) {
            Ok(found) => assert_eq!(found, expected),
            Err(reason) => {
                assert!(reason.to_string().contains("signal 9"), "{reason}");
                unknown += 1;
            }
        }
    }
    assert_eq!(unknown, 3);
    // In the middle of a query.
    let query = hard(&mut pool);
    let process = solver.process_id().unwrap().to_string();
    let killer = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        std::process::Command::new("kill").args(["-9", &process]).status()
    });
    let lost = is_sat(&mut solver, &mut pool, &query).unwrap_err();
    assert!(lost.to_string().contains("signal 9"), "{lost}");
    assert!(killer.join().unwrap().unwrap().success());
    assert_eq!(is_sat(&mut solver, &mut pool, &query[1..]), Ok(true));
}

fn a_worker_that_crashes_costs_its_query() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::CrashesEveryThird), None);
    // More deaths than false starts are allowed: these have started well.
    let answers: Vec<_> = easy(&mut pool, 30)
        .iter()
        .map(|(query, expected)| (is_sat(&mut solver, &mut pool, query), *expected))
        .collect();
    assert_eq!(answers.iter().filter(|(found, _)| found.is_err()).count(), 10);
    assert!(answers.iter().all(|(found, expected)| found.as_ref().is_ok_and(|f| f == expected) || found.is_err()));
    let mut counted = osier_solver::Statistics::default();
    solver.statistics(&mut counted);
    assert_eq!((counted.solved, counted.lost_processes), (30, 10));
}

fn a_worker_without_memory_says_so() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::TakesAllMemory), None);
    let (query, _) = easy(&mut pool, 1).remove(0);
    assert_eq!(is_sat(&mut solver, &mut pool, &query), Err(Reason::Memory));
}

fn a_worker_that_never_starts_is_an_error() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::DoesNotStart), None);
    let (query, _) = easy(&mut pool, 1).remove(0);
    assert!(is_sat(&mut solver, &mut pool, &query).is_err());
    assert!(is_sat(&mut solver, &mut pool, &query).is_err());
    let error = solver.check(&mut pool, &Query::of(&query)).unwrap_err().to_string();
    assert!(error.contains("no licence"), "{error}");
    let mut missing = command(Role::Bitwuzla);
    missing.program = "/no/such/program".into();
    let error = Isolated::new(missing, None).check(&mut pool, &Query::of(&query)).unwrap_err().to_string();
    assert!(error.contains("/no/such/program"), "{error}");
}

fn a_timeout_holds() {
    let mut pool = Pool::new();
    let query = hard(&mut pool);
    for role in [Role::Bitwuzla, Role::Hangs] {
        let mut solver = Isolated::new(command(role), None);
        let limit = Duration::from_millis(300);
        solver.set_timeout(Some(limit));
        let start = Instant::now();
        assert_eq!(is_sat(&mut solver, &mut pool, &query), Err(Reason::Timeout));
        let taken = start.elapsed();
        assert!(taken >= limit && taken < limit + Duration::from_secs(5), "{role:?} took {taken:?}");
    }
}

fn a_worker_that_is_a_little_late_is_not_lost() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::Late), None);
    let queries = easy(&mut pool, 2);
    assert_eq!(is_sat(&mut solver, &mut pool, &queries[0].0), Ok(queries[0].1));
    let limit = Duration::from_secs(1);
    solver.set_timeout(Some(limit));
    let start = Instant::now();
    let answer = is_sat(&mut solver, &mut pool, &queries[1].0);
    let taken = start.elapsed();
    assert!(taken >= limit);
    let mut counted = osier_solver::Statistics::default();
    solver.statistics(&mut counted);
    // A machine that holds the answer up for as long as the limit again makes it more than a little late.
    if taken < 2 * limit {
        assert_eq!((answer, counted.lost_processes), (Ok(queries[1].1), 0));
    }
}

fn an_interrupt_ends_a_query() {
    for role in [Role::Bitwuzla, Role::Hangs] {
        let mut pool = Pool::new();
        let query = hard(&mut pool);
        let flag = Arc::new(AtomicBool::new(false));
        let mut solver = Isolated::new(command(role), Some(Arc::clone(&flag)));
        let setter = std::thread::spawn({
            let flag = Arc::clone(&flag);
            move || {
                std::thread::sleep(Duration::from_millis(200));
                flag.store(true, Ordering::Relaxed);
            }
        });
        let start = Instant::now();
        assert_eq!(is_sat(&mut solver, &mut pool, &query), Err(Reason::Interrupted));
        assert!(start.elapsed() < Duration::from_secs(5), "{role:?} took {:?}", start.elapsed());
        setter.join().unwrap();
    }
}

fn what_a_library_prints_is_no_answer() {
    let mut pool = Pool::new();
    let mut solver = Isolated::new(command(Role::Prints), None);
    for (query, expected) in easy(&mut pool, 4) {
        assert_eq!(is_sat(&mut solver, &mut pool, &query), Ok(expected));
    }
}

fn the_first_of_a_race_counts() {
    let mut pool = Pool::new();
    let mut race = Race::new(vec![command(Role::Hangs), command(Role::Bitwuzla)], None);
    let start = Instant::now();
    for (query, expected) in easy(&mut pool, 10) {
        assert_eq!(is_sat(&mut race, &mut pool, &query), Ok(expected));
    }
    assert!(start.elapsed() < Duration::from_secs(10), "took {:?}", start.elapsed());
    // The loser can be stopped here, and goes on with what comes next.
    let mut race = Race::new(vec![command(Role::SlowThenBitwuzla), command(Role::Bitwuzla)], None);
    for (query, expected) in easy(&mut pool, 20) {
        assert_eq!(is_sat(&mut race, &mut pool, &query), Ok(expected));
    }
}

fn a_race_survives_a_runner_that_dies() {
    let mut pool = Pool::new();
    let mut race = Race::new(vec![command(Role::CrashesEveryThird), command(Role::Bitwuzla)], None);
    for (query, expected) in easy(&mut pool, 30) {
        assert_eq!(is_sat(&mut race, &mut pool, &query), Ok(expected));
    }
}

fn a_race_is_unknown_only_if_all_are() {
    let mut pool = Pool::new();
    let query = hard(&mut pool);
    let mut race = Race::new(vec![command(Role::Bitwuzla), command(Role::Hangs)], None);
    let limit = Duration::from_millis(300);
    race.set_timeout(Some(limit));
    let start = Instant::now();
    assert_eq!(is_sat(&mut race, &mut pool, &query), Err(Reason::Timeout));
    assert!(start.elapsed() < limit + Duration::from_secs(5), "took {:?}", start.elapsed());
}
