//! What a process of its own costs: the same queries in this process, in a worker, and in a race of two workers.
//!
//!     cargo run --release -p osier-solver-process --example overhead -- PATH_OF_OSIER [QUERIES]

use std::time::{Duration, Instant};

use osier_solver::{Answer, Query, Solver};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_process::{Isolated, Race, WorkerCommand};
use osier_term::{Pool, Term};

/// Paths of comparisons between the bytes of one input, each query a path and one more condition.
fn queries(pool: &mut Pool, count: usize) -> Vec<Vec<Term>> {
    let input = pool.input("data", 8);
    let mut state = 1u64;
    let mut next = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let (mut path, mut made) = (Vec::new(), Vec::new());
    for _ in 0..count {
        if path.len() > 12 {
            path.clear();
        }
        let (a, b) = (pool.select_at(input, next(8)), pool.select_at(input, next(8)));
        let sum = pool.add(a, b);
        let bound = pool.constant(8, next(256).into());
        let condition = pool.ult(sum, bound);
        path.push(if next(2) == 0 { pool.not(condition) } else { condition });
        made.push(path.clone());
    }
    made
}

fn measure(name: &str, mut solver: Box<dyn Solver>, count: usize) {
    let mut pool = Pool::new();
    let queries = queries(&mut pool, count);
    let begin = Instant::now();
    solver.check(&mut pool, &Query::of(&queries[0][..1])).expect("the solver works");
    let first = begin.elapsed();
    let mut times: Vec<Duration> = Vec::new();
    let mut sat = 0;
    for query in &queries {
        let start = Instant::now();
        let answer = solver.check(&mut pool, &Query::of(query)).expect("the solver works");
        times.push(start.elapsed());
        sat += u32::from(matches!(answer, Answer::Sat(_)));
    }
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    println!("{name:18} mean {mean:>9.1?}  median {:>9.1?}  first {first:>9.1?}  ({sat} sat)", times[times.len() / 2]);
}

fn main() {
    let mut words = std::env::args().skip(1);
    let (Some(program), count) = (words.next(), words.next().and_then(|n| n.parse().ok()).unwrap_or(2000)) else {
        eprintln!("usage: overhead PATH_OF_OSIER [QUERIES]");
        std::process::exit(2);
    };
    let worker = |solver: &str| WorkerCommand {
        program: program.clone().into(),
        arguments: vec!["solver-worker".into(), format!("--solver={solver}").into()],
        solver: "worker",
    };
    measure("in this process", Box::new(Bitwuzla::new(BitwuzlaConfig::default())), count);
    measure("in a worker", Box::new(Isolated::new(worker("bitwuzla"), None)), count);
    measure("Z3 in a worker", Box::new(Isolated::new(worker("z3"), None)), count);
    measure("race of the two", Box::new(Race::new(vec![worker("bitwuzla"), worker("z3")], None)), count);
}
