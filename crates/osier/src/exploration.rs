//! A run as an iterator over its finished paths.

use crate::backends::{backend, second_opinion};
use crate::interrupt::{Alarm, Interrupter};
use crate::segments::{kept, known_segments};
use crate::{CacheFile, Error, Loaded, Options};
use osier_exec::outcome::Finished;
use osier_exec::{Coverage, Engine, History, MemoryConfig, Model, Program, Stopped, Strategies, Totals};
use osier_linux::Linux;
use osier_report::SegmentsFile;
use osier_search::Batching;
use osier_solver::{Oracle, Store};
use osier_solver_store::SharedStore;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// An exploration under way.
pub struct Exploration {
    engine: Engine,
    interrupter: Interrupter,
    /// The time limit and when it began; the engine looks at it between queries, the alarm during them.
    limit: Option<(Instant, Duration)>,
    _alarm: Option<Alarm>,
    /// For deferred checks at the end, if there can be some.
    check_budget: Option<Duration>,
    cache: Option<SharedStore>,
    memory: MemoryConfig,
}

impl Exploration {
    pub fn new(program: Loaded, options: Options) -> Result<Self, Error> {
        let Options {
            mut config,
            world,
            mut solver,
            backend: backend_config,
            search,
            checks,
            batch_instructions,
            cache,
        } = options;
        let mut running = osier_search::make(&search).map_err(Error::Search)?;
        let reviving = osier_search::make_reviving(&search).map_err(Error::Search)?;
        if let Some(instructions) = batch_instructions {
            running = Box::new(Batching::new(running, instructions));
        }
        let strategies = Strategies { running, reviving };
        let monitors = osier_detect::monitors(&checks).map_err(Error::Check)?;
        config.track_uninitialised |= monitors.iter().any(|monitor| monitor.name() == "uninitialised");
        let interrupter = Interrupter::default();
        let cache = cache.as_ref().map(CacheFile::open).transpose()?;
        let store = cache.clone().map(|store| Box::new(store) as Box<dyn Store>);
        solver.second_opinion = second_opinion(&backend_config, &interrupter)?;
        solver.interrupt = Some(interrupter.flag());
        let oracle = Oracle::with_store(solver, backend(&backend_config, &interrupter)?, store);
        if config.memory.model == Model::Segmented && config.memory.segments.is_none() {
            config.memory.segments = known_segments(&program.module, &config.entry);
        }
        let memory = config.memory.clone();
        let check_budget = config.pending.as_ref().map(|pending| pending.check_budget);
        let limit = config.limits.time.map(|time| (Instant::now(), time));
        let engine = Engine::new(program.module, config, oracle, strategies, monitors, Rc::new(Linux::new(world)))?;
        let alarm = limit.and_then(|(_, time)| Alarm::after(time, interrupter.clone()));
        Ok(Exploration { engine, interrupter, limit, _alarm: alarm, check_budget, cache, memory })
    }

    /// A handle by which another thread ends the run.
    pub fn interrupter(&self) -> Interrupter {
        self.interrupter.clone()
    }

    /// How to find out the bytes that the process uses, for the memory limit.
    pub fn set_memory_probe(&mut self, probe: Box<dyn Fn() -> u64>) {
        self.engine.set_memory_probe(probe);
    }

    /// Runs until a path ends; nothing when all have.
    pub fn next_path(&mut self) -> Result<Option<Finished>, Error> {
        loop {
            if let Some(finished) = self.engine.take_finished() {
                return Ok(Some(finished));
            }
            if !self.advance()? {
                return Ok(self.engine.take_finished());
            }
        }
    }

    /// Runs one state for a while, for callers that have other things to do in between. False when all is done and no
    /// finished path waits to be taken.
    pub fn advance(&mut self) -> Result<bool, Error> {
        if self.interrupter.is_wanted() {
            self.engine.stop(Stopped::Interrupted);
        } else if self.interrupter.is_set() || self.limit.is_some_and(|(start, time)| start.elapsed() >= time) {
            self.engine.stop(Stopped::MaxTime);
            // Deferred checks are made after the time of the run, in a time of their own.
            if let Some(budget) = self.check_budget.take() {
                self.interrupter.allow_queries();
                self._alarm = Alarm::after(budget, self.interrupter.clone());
            }
        }
        Ok(self.engine.advance()?)
    }

    /// A path that has ended already, if there is one.
    pub fn take_finished(&mut self) -> Option<Finished> {
        self.engine.take_finished()
    }

    /// A warning of Osier's, or what the program said through an intrinsic.
    pub fn take_message(&mut self) -> Option<String> {
        self.engine.take_message()
    }

    /// Ends the run in order: paths under way become partial ones.
    pub fn stop(&mut self, why: Stopped) {
        self.engine.stop(why);
    }

    /// Ends with the process: leaves to the system what takes long to take apart.
    pub fn leave(self) {
        self.engine.leave();
    }

    /// Brings the answers that are kept for other runs into their file, and says what went wrong with it.
    pub fn finish_cache(&self) -> Vec<String> {
        self.cache.as_ref().map(SharedStore::finish).unwrap_or_default()
    }

    /// Goes on where earlier runs of the same program with the same options have ended. To be called before anything runs.
    pub fn resume(&mut self, history: History) {
        self.engine.resume(history);
    }

    /// What has been recorded of the paths since the last time, if at least so many bytes wait. It says that paths have
    /// ended, so the finished ones have to be taken and kept before.
    pub fn take_record(&mut self, least: usize) -> Vec<u8> {
        self.engine.take_record(least)
    }

    /// How often a state of an earlier run was seen to part by another condition than then.
    pub fn strays(&self) -> u64 {
        self.engine.strays()
    }

    /// Which objects have met in accesses so far, if [`MemoryConfig::learn`] asks for it; `fingerprint` is what tells the
    /// program from others.
    pub fn learnt_segments(&mut self, fingerprint: String) -> SegmentsFile {
        let learnt = self.engine.learnt_segments();
        kept(&self.program().module, &self.memory, fingerprint, learnt)
    }

    pub fn totals(&self) -> Totals {
        self.engine.totals()
    }

    pub fn program(&self) -> &Program {
        self.engine.program()
    }

    pub fn coverage(&self) -> &Coverage {
        self.engine.coverage()
    }
}
