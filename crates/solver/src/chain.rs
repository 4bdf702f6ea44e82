//! The way of a query, on one page.

use std::time::Duration;

use crate::answers::AnswerCache;
use crate::bytesets::ByteSets;
use crate::checked::Checked;
use crate::domains::Domains;
use crate::models::ModelReuse;
use crate::query::Solver;
use crate::simplify::Simplify;
use crate::slices::Slices;

/// What the user can set.
#[derive(Clone, Debug)]
pub struct ChainConfig {
    /// The time that one query may take in the backend; `None` lets it run for ever.
    pub timeout: Option<Duration>,
    /// Evaluate every model that the backend gives; a wrong one becomes an error instead of a wrong path.
    pub check_models: bool,
    /// How many recent models are tried on a new query before the backend is asked.
    pub kept_models: usize,
    /// How many answers the exact cache and the subset index hold before the older half is dropped.
    pub kept_answers: usize,
}

impl Default for ChainConfig {
    fn default() -> Self {
        ChainConfig { timeout: None, check_models: false, kept_models: 64, kept_answers: 1 << 18 }
    }
}

/// From the backend outwards. A query enters at the last line.
pub fn chain(config: &ChainConfig, mut backend: Box<dyn Solver>) -> Box<dyn Solver> {
    backend.set_timeout(config.timeout);
    // Nearest the backend: tests its word, and no cached answer is tested twice.
    let s = Checked::wrap_if(config.check_models, backend);
    // Costs an evaluation per kept model, so it comes after all that costs a lookup.
    let s = ModelReuse::wrap(s, config.kept_models, config.kept_answers);
    // Search by sets of byte values: tens of microseconds where a backend takes milliseconds.
    let s = Domains::wrap(s, config.kept_answers);
    // One lookup by the exact set of constraints.
    let s = AnswerCache::wrap(s, config.kept_answers);
    // Before the caches: a part over one byte is decided faster than its key can be looked up, and would fill them.
    let s = ByteSets::wrap(s, config.kept_answers);
    // Everything below sees one independent part at a time: small keys, many hits.
    let s = Slices::wrap(s);
    // Outermost: conjunctions are flat and duplicates gone before anything is compared. Counts and times the whole.
    Simplify::wrap(s)
}
