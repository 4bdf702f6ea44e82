//! What every backend must be able to do.

use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};

osier_solver_testing::backend_cases!(|interrupt| Box::new(Bitwuzla::new(BitwuzlaConfig { interrupt })));
