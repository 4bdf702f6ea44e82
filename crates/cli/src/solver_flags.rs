//! The options about solving, which all commands that solve have alike.

use crate::flags::duration;
use clap::Args;
use osier::BackendConfig;
use osier::solver::ChainConfig;
use std::time::Duration;

#[derive(Args, Clone)]
pub struct SolverFlags {
    /// Give up on a query after this time.
    #[arg(long, value_name = "TIME", value_parser = duration, help_heading = "Solver")]
    pub solver_timeout: Option<Duration>,
    /// Put every query that reaches a backend straight to the solver, not to the built-in bit-blaster first.
    #[arg(long, help_heading = "Solver")]
    pub no_first_tier: bool,
    /// Check every model that the solver gives by evaluation.
    #[arg(long, help_heading = "Solver")]
    pub check_answers: bool,
}

impl SolverFlags {
    pub fn apply(&self, chain: &mut ChainConfig, backend: &mut BackendConfig) {
        let SolverFlags { solver_timeout, no_first_tier, check_answers } = self;
        chain.timeout = *solver_timeout;
        chain.check_models = *check_answers;
        backend.first_tier = !no_first_tier;
    }
}
