//! Who answers: the chain that exploration uses, or a backend of its own for each query.

use crate::failure::Failure;
use osier::solver::term::{Pool, Term};
use osier::solver::{Answer, ChainConfig, Query, Reason, Solver, Statistics, Store, chain_with_store, plain};
use osier::{BackendConfig, CacheFile, Dialogue, Interrupter, SharedStore};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub struct Asker {
    chain_config: ChainConfig,
    backend_config: BackendConfig,
    interrupter: Interrupter,
    cache: Option<SharedStore>,
    /// Nothing if each query has a backend of its own.
    chain: Option<Box<dyn Solver>>,
    /// Of chains that were given up, and of backends that had one query.
    counted: Statistics,
    /// Set while a query is under way.
    busy: Arc<AtomicBool>,
    /// Set by a request to end.
    interrupted: Arc<AtomicBool>,
}

impl Asker {
    pub fn new(
        chain_config: ChainConfig,
        backend_config: BackendConfig,
        cache: Option<CacheFile>,
        plain: bool,
    ) -> Result<Asker, Failure> {
        let cache = cache.as_ref().map(CacheFile::open).transpose().map_err(Failure::usage)?;
        let mut asker = Asker {
            chain_config,
            backend_config,
            interrupter: Interrupter::default(),
            cache,
            chain: None,
            counted: Statistics::default(),
            busy: Arc::default(),
            interrupted: Arc::default(),
        };
        asker.chain_config.second_opinion =
            osier::second_opinion(&asker.backend_config, &asker.interrupter).map_err(Failure::usage)?;
        // Made now in any case: what is wrong with it is told before anything is read.
        let chain = asker.new_chain()?;
        asker.chain = (!plain).then_some(chain);
        asker.watch_interrupts();
        Ok(asker)
    }

    fn backend(&self) -> Result<Box<dyn Solver>, Failure> {
        osier::backend(&self.backend_config, &self.interrupter).map_err(Failure::usage)
    }

    fn new_chain(&self) -> Result<Box<dyn Solver>, Failure> {
        let store = self.cache.clone().map(|store| Box::new(store) as Box<dyn Store>);
        Ok(chain_with_store(&self.chain_config, self.backend()?, store))
    }

    /// A request to end gives up the query under way, and ends the process at once if there is none.
    fn watch_interrupts(&self) {
        let (busy, interrupted) = (Arc::clone(&self.busy), Arc::clone(&self.interrupted));
        let interrupter = self.interrupter.clone();
        let log = self.chain_config.log.clone();
        let _ = ctrlc::set_handler(move || {
            interrupter.interrupt();
            if interrupted.swap(true, Ordering::Relaxed) || !busy.load(Ordering::Relaxed) {
                if let Some(log) = &log {
                    let _ = log.flush();
                }
                std::process::exit(130);
            }
        });
    }

    pub fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Can the conditions hold together? Pools must not change between queries. A solver that fails costs its query,
    /// and what it had remembered.
    pub fn ask(&mut self, pool: &mut Pool, constraints: &[Term]) -> Answer {
        self.busy.store(true, Ordering::Relaxed);
        let answer = match &mut self.chain {
            Some(chain) => chain.check(pool, &Query::of(constraints)).map_err(|error| error.to_string()),
            None => self.ask_plainly(pool, constraints),
        };
        self.busy.store(false, Ordering::Relaxed);
        answer.unwrap_or_else(|message| {
            if let Some(failed) = self.chain.take() {
                failed.statistics(&mut self.counted);
                self.chain = self.new_chain().ok();
            }
            Answer::Unknown(Reason::Incomplete(message))
        })
    }

    fn ask_plainly(&mut self, pool: &mut Pool, constraints: &[Term]) -> Result<Answer, String> {
        let backend = self.backend().map_err(|failure| failure.message)?;
        let mut backend = plain(&self.chain_config, backend);
        let start = Instant::now();
        let answer = backend.check(pool, &Query::of(constraints));
        self.counted.seconds += start.elapsed().as_secs_f64();
        self.counted.asked += 1;
        match &answer {
            Ok(Answer::Sat(_)) => self.counted.sat += 1,
            Ok(Answer::Unsat) => self.counted.unsat += 1,
            Ok(Answer::Unknown(_)) | Err(_) => self.counted.unknown += 1,
        }
        backend.statistics(&mut self.counted);
        answer.map_err(|error| error.to_string())
    }

    /// Somebody who answers scripts as text, or why there is nobody.
    pub fn script_solver(&self) -> Result<Dialogue, String> {
        osier::script_solver(&self.backend_config, &self.interrupter).map_err(|error| error.to_string())
    }

    /// The time that a question may take.
    pub fn timeout(&self) -> Option<Duration> {
        self.chain_config.timeout
    }

    /// Does something that a request to end gives up.
    pub fn busy<T>(&self, work: impl FnOnce() -> T) -> T {
        self.busy.store(true, Ordering::Relaxed);
        let done = work();
        self.busy.store(false, Ordering::Relaxed);
        done
    }

    /// Counts a question that went as text: whether there is a solution, if that is known.
    pub fn count_script(&mut self, took: Duration, found: Option<bool>) {
        let counted = &mut self.counted;
        counted.asked += 1;
        counted.solved += 1;
        counted.seconds += took.as_secs_f64();
        match found {
            Some(true) => counted.sat += 1,
            Some(false) => counted.unsat += 1,
            None => counted.unknown += 1,
        }
    }

    /// Brings answers that are kept for others into their file, and says what went wrong with it.
    pub fn finish_cache(&self) -> Vec<String> {
        self.cache.as_ref().map(SharedStore::finish).unwrap_or_default()
    }

    pub fn statistics(&self) -> Statistics {
        let mut all = self.counted.clone();
        if let Some(chain) = &self.chain {
            chain.statistics(&mut all);
        }
        all
    }
}
