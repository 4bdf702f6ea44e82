//! One query, many opinions.

use std::time::Duration;

use osier_base::Random;
use osier_solver::{Answer, ChainConfig, Query, Solver, chain};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_sat::{Sat, SatConfig};
use osier_solver_z3::{Z3, Z3Config};
use osier_term::{Assignment, Evaluator, Pool, Term};

use crate::terms::Garden;

/// Queries over one set of terms, so that solvers are used as in a run: again and again.
pub const QUERIES_OF_A_GARDEN: usize = 40;

#[derive(Debug, Default)]
pub struct Tally {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Nobody knew.
    pub unknown: u64,
    /// Of each solver in turn: how often it did not know.
    pub silent: [u64; 4],
}

pub const NAMES: [&str; 4] = ["Bitwuzla", "Z3", "the bit-blaster", "the chain"];

/// Asks everybody one garden's queries. An error tells who is wrong or disagrees about what.
pub fn compare(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut pool = Pool::new();
    let size = 10 + random.below(50);
    let garden = Garden::plant(&mut pool, &mut random, size);
    let config = ChainConfig { kept_answers: 1000, ..ChainConfig::default() };
    let mut solvers: [Box<dyn Solver>; 4] = [
        Box::new(Bitwuzla::new(BitwuzlaConfig::default())),
        Box::new(Z3::new(Z3Config::default())),
        Box::new(Sat::new(SatConfig { interrupt: None, conflicts: Some(2000) })),
        chain(&config, Box::new(Bitwuzla::new(BitwuzlaConfig::default()))),
    ];
    for solver in &mut solvers {
        solver.set_timeout(Some(Duration::from_secs(1)));
    }
    // What the last question that had a solution left: as in a run, some of the next one's conditions hold there.
    let mut near = Assignment::new();
    for number in 0..QUERIES_OF_A_GARDEN {
        let query = garden.query(&mut pool, &mut random);
        if query.is_empty() {
            return Ok(());
        }
        tally.queries += 1;
        let mut verdict: Option<(bool, usize)> = None;
        let mut solution = None;
        for (who, solver) in solvers.iter_mut().enumerate() {
            let complain = |pool: &Pool, what: String| {
                let text = osier_solver::formats::smt2(pool, &query, &[]);
                Err(format!("seed {seed}, query {number}: {what}\n{text}"))
            };
            let found = match solver.check(&mut pool, &Query { constraints: &query, near: Some(&near) }) {
                Ok(Answer::Sat(model)) => {
                    if let Some(broken) = broken_by(&pool, &query, &model) {
                        let broken = pool.display(broken).to_string();
                        return complain(&pool, format!("the model of {} does not satisfy {broken}", NAMES[who]));
                    }
                    solution = Some(model);
                    true
                }
                Ok(Answer::Unsat) => false,
                Ok(Answer::Unknown(_)) => {
                    tally.silent[who] += 1;
                    continue;
                }
                Err(error) => return complain(&pool, format!("{} failed: {error}", NAMES[who])),
            };
            match verdict {
                Some((expected, other)) if expected != found => {
                    let says = |sat| if sat { "sat" } else { "unsat" };
                    let (a, b) = (NAMES[other], NAMES[who]);
                    return complain(&pool, format!("{a} says {}, {b} says {}", says(expected), says(found)));
                }
                Some(_) => {}
                None => verdict = Some((found, who)),
            }
        }
        near = solution.unwrap_or(near);
        match verdict {
            Some((true, _)) => tally.sat += 1,
            Some((false, _)) => tally.unsat += 1,
            None => tally.unknown += 1,
        }
    }
    Ok(())
}

fn broken_by(pool: &Pool, query: &[Term], model: &Assignment) -> Option<Term> {
    let mut evaluator = Evaluator::new(pool, model);
    query.iter().copied().find(|&c| evaluator.eval(c) == 0)
}
