//! What every backend must be able to do.

use osier_solver_z3::{Z3, Z3Config};

osier_solver_testing::backend_cases!(|interrupt| Box::new(Z3::new(Z3Config { interrupt })));
