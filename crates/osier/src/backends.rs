//! The one place where backends are made, for exploration and for files of queries alike.

use crate::{Error, Interrupter};
use osier_solver::{Solver, Tiers};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_solver_sat::{Sat, SatConfig};

/// Who answers what the chain leaves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum SolverChoice {
    #[default]
    Bitwuzla,
}

/// Everything about backends that a user can set; what holds for the chain is in `ChainConfig`.
#[derive(Clone, Debug)]
pub struct BackendConfig {
    pub solver: SolverChoice,
    /// Our own bit-blaster is asked first, and the solver only about what that finds hard.
    pub first_tier: bool,
}

impl Default for BackendConfig {
    fn default() -> Self {
        BackendConfig { solver: SolverChoice::default(), first_tier: true }
    }
}

/// A backend as configured. The interrupter ends a query that is under way.
pub fn backend(config: &BackendConfig, interrupter: &Interrupter) -> Result<Box<dyn Solver>, Error> {
    let solver: Box<dyn Solver> = match config.solver {
        SolverChoice::Bitwuzla => Box::new(Bitwuzla::new(BitwuzlaConfig { interrupt: Some(interrupter.flag()) })),
    };
    if !config.first_tier {
        return Ok(solver);
    }
    let first = Sat::new(SatConfig { interrupt: Some(interrupter.flag()), ..SatConfig::default() });
    Ok(Box::new(Tiers::new(Box::new(first), solver)))
}
