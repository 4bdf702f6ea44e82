//! What every backend must be able to do.

use osier_solver_sat::{Sat, SatConfig};

osier_solver_testing::backend_cases!(|interrupt| Box::new(Sat::new(SatConfig { interrupt, conflicts: None })));
