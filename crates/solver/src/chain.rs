//! The way of a query, on one page.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::answers::AnswerCache;
use crate::bytesets::ByteSets;
use crate::checked::Checked;
use crate::combinations::Combinations;
use crate::domains::Domains;
use crate::interrupt::Interrupt;
use crate::log::{LogPoint, Logging, QueryLog};
use crate::models::ModelReuse;
use crate::query::Solver;
use crate::reasoning::Reasoning;
use crate::renamed::Renamed;
use crate::second_opinion::{CrossChecked, SecondOpinion};
use crate::set_table::SetTable;
use crate::simplify::Simplify;
use crate::slices::Slices;
use crate::store::Store;
use crate::wide::WideLast;

/// What the user can set.
#[derive(Clone, Debug)]
pub struct ChainConfig {
    /// The time that one query may take in the backend; `None` lets it run for ever.
    pub timeout: Option<Duration>,
    /// Evaluate every model that the backend gives; a wrong one becomes an error instead of a wrong path.
    pub check_models: bool,
    /// Test every answer of the chain: models by evaluation, that there is no solution by this backend.
    pub second_opinion: Option<SecondOpinion>,
    /// How many recent models are tried on a new query before the backend is asked.
    pub kept_models: usize,
    /// How many answers the exact cache and the subset index hold before the older half is dropped.
    pub kept_answers: usize,
    /// Nothing but slices and caches before the backend, to see what they do by themselves.
    pub caches_only: bool,
    /// Set from outside, it ends the query under way, and those that come after it: they are unknown because
    /// interrupted. The backend must look at the same flag.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Writes queries down as they are answered.
    pub log: Option<QueryLog>,
}

impl Default for ChainConfig {
    fn default() -> Self {
        ChainConfig {
            timeout: None,
            check_models: false,
            second_opinion: None,
            kept_models: 64,
            kept_answers: 1 << 18,
            caches_only: false,
            interrupt: None,
            log: None,
        }
    }
}

/// A chain whose answers end with it.
pub fn chain(config: &ChainConfig, backend: Box<dyn Solver>) -> Box<dyn Solver> {
    chain_with_store(config, backend, None)
}

/// Nothing but the backend and what looks at it: what a chain is measured against.
pub fn plain(config: &ChainConfig, mut backend: Box<dyn Solver>) -> Box<dyn Solver> {
    backend.set_timeout(config.timeout);
    let s = Checked::wrap_if(config.check_models, backend);
    CrossChecked::wrap_if(config.second_opinion.as_ref(), config.timeout, s, config.kept_answers)
}

/// From the backend outwards. A query enters at the last line.
pub fn chain_with_store(
    config: &ChainConfig,
    mut backend: Box<dyn Solver>,
    store: Option<Box<dyn Store>>,
) -> Box<dyn Solver> {
    backend.set_timeout(config.timeout);
    let deciding = !config.caches_only;
    let interrupt = Interrupt::new(config.interrupt.clone());
    let sets = SetTable::new(config.kept_answers);
    // Nearest the backend: tests its word, and no cached answer is tested twice.
    let s = Checked::wrap_if(config.check_models, backend);
    let s = Logging::wrap_at(LogPoint::Backend, config.log.as_ref(), s);
    // Hard for a backend and milliseconds here; what is easy for both has mostly been decided before.
    let s = if deciding { Combinations::wrap(s, sets.clone(), interrupt.clone(), config.timeout) } else { s };
    // Costs an evaluation per kept model, so it comes after all that costs a lookup.
    let s = ModelReuse::wrap(s, config.kept_models, config.kept_answers);
    // Search by sets of byte values: tens of microseconds where a backend takes milliseconds.
    let s = if deciding { Domains::wrap(s, sets.clone(), interrupt.clone()) } else { s };
    // Before the search, which is slow where there is no solution: most questions that come this far have none.
    let s = if deciding { Reasoning::wrap(s, config.kept_answers, sets.clone(), interrupt) } else { s };
    // One lookup by what the part says, whatever its bytes are called: here, then in what other runs left. Before all
    // that works for an answer, so that the work is done once for all names, and by one run for all.
    let s = Renamed::wrap(s, config.kept_answers, sets.clone(), store);
    // One lookup by the exact set of constraints.
    let s = AnswerCache::wrap(s, config.kept_answers);
    // What falls apart without conditions over many bytes: what it falls into is looked up in the caches.
    let s = if deciding { WideLast::wrap(s, config.kept_answers) } else { s };
    // Before the caches: a part over one byte is decided faster than its key can be looked up, and would fill them.
    let s = if deciding { ByteSets::wrap(s, sets) } else { s };
    // Around everything that decides: each part that has no solution is asked once more, elsewhere.
    let s = CrossChecked::wrap_if(config.second_opinion.as_ref(), config.timeout, s, config.kept_answers);
    // Everything below sees one independent part at a time: small keys, many hits.
    let s = Slices::wrap(s);
    // Outermost: conjunctions are flat and duplicates gone before anything is compared. Counts and times the whole.
    let s = Simplify::wrap(s);
    // Sees every query as it was asked.
    Logging::wrap_at(LogPoint::Entrance, config.log.as_ref(), s)
}
