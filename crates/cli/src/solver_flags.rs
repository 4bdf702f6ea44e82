//! The options about solving, which all commands that solve have alike.

use crate::failure::{Done, FOUND, Failure};
use crate::flags::{duration, size};
use clap::Args;
use osier::solver::ChainConfig;
use osier::{BackendConfig, OneSolver, SolverChoice};
use std::time::Duration;

#[derive(Args, Clone)]
pub struct SolverFlags {
    /// Give up on a query after this time.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Solver")]
    pub solver_timeout: Option<Duration>,
    /// Put every query that reaches a backend straight to the solver, not to the built-in bit-blaster first.
    #[arg(long, help_heading = "Solver")]
    pub no_first_tier: bool,
    /// Who answers hard queries: bitwuzla, z3, smtlib:COMMAND for a program that reads SMT-LIB 2, or race:A,B for
    /// several at once, of which the first answer counts (race is race:bitwuzla,z3).
    #[arg(long, value_name = "SOLVER", default_value = "bitwuzla", help_heading = "Solver")]
    pub solver: SolverChoice,
    /// Run the solver in Osier's own process: a tenth of a millisecond less for a query, but if it crashes, all is lost.
    #[arg(long, help_heading = "Solver")]
    pub solver_in_process: bool,
    /// The most memory of a solver in a process of its own: 800M, 4G, a plain number is MiB. 0 is no limit.
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size, help_heading = "Solver")]
    pub solver_memory: u64,
    /// Check every model by evaluation, and that there is no solution by a second solver.
    #[arg(long, help_heading = "Solver")]
    pub check_answers: bool,
    /// Let slices and caches alone stand before the solver, to see what they do by themselves.
    #[arg(long, help_heading = "Solver")]
    pub caches_only: bool,
}

/// What a process that only solves is told; see `main.rs`.
#[derive(Args, Clone)]
pub struct WorkerFlags {
    #[arg(long)]
    pub solver: OneSolver,
    /// In bytes.
    #[arg(long)]
    pub memory: Option<u64>,
    /// Read a script instead of queries.
    #[arg(long)]
    pub script: bool,
}

/// The hidden subcommand that [`WorkerFlags`] belong to.
pub const WORKER: &str = "solver-worker";

impl SolverFlags {
    pub fn apply(&self, chain: &mut ChainConfig, backend: &mut BackendConfig) {
        let SolverFlags {
            solver_timeout,
            no_first_tier,
            solver,
            solver_in_process,
            solver_memory,
            check_answers,
            caches_only,
        } = self;
        chain.timeout = *solver_timeout;
        chain.check_models = *check_answers;
        chain.caches_only = *caches_only;
        backend.first_tier = !no_first_tier;
        backend.solver = solver.clone();
        backend.isolate = !solver_in_process;
        backend.memory = (*solver_memory > 0).then_some(*solver_memory);
        backend.check_unsat = *check_answers;
        // Ourselves once more, from the file that we run from, even if it was replaced meanwhile.
        backend.worker = Some(vec!["/proc/self/exe".into(), WORKER.into()]);
    }
}

/// Answers queries until nobody asks any more.
pub fn work(flags: &WorkerFlags) -> Done {
    if flags.script {
        let good = osier::serve_script(flags.memory).map_err(|error| Failure::broken(error.to_string()))?;
        return Ok(if good { 0 } else { FOUND });
    }
    osier::serve_worker(&flags.solver, flags.memory).map_err(|error| Failure::broken(error.to_string()))?;
    Ok(0)
}
