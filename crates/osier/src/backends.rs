//! The one place where backends are made, for exploration and for files of queries alike.

use crate::{Error, Interrupter};
use osier_solver::Solver;
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};

/// Who answers what the chain leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SolverChoice {
    #[default]
    Bitwuzla,
}

/// Everything about backends that a user can set; what holds for the chain is in `ChainConfig`.
#[derive(Clone, Debug, Default)]
pub struct BackendConfig {
    pub solver: SolverChoice,
}

/// A backend as configured. The interrupter ends a query that is under way.
pub fn backend(config: &BackendConfig, interrupter: &Interrupter) -> Result<Box<dyn Solver>, Error> {
    Ok(match config.solver {
        SolverChoice::Bitwuzla => Box::new(Bitwuzla::new(BitwuzlaConfig { interrupt: Some(interrupter.flag()) })),
    })
}
