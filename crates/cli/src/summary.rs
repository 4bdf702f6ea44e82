//! The run's numbers in the form of `summary.json`.

use osier::outcome::{Ending, Fault};
use osier::report::lcov;
use osier::report::summary::{ArrayReads, ErrorEntry, Memory, Paths, Queries, Resolution, Summary};
use osier::{Exploration, Totals, covered};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is collected while paths finish.
#[derive(Default)]
pub struct Findings {
    pub exits: BTreeMap<i32, u64>,
    pub errors: Vec<ErrorEntry>,
    pub tests: u64,
    /// The number of the last test, which is more than there are if a run that was cut short had left some.
    pub last_test: u32,
    /// What earlier runs did that this one goes on from.
    pub before: Before,
}

/// What earlier runs add to the numbers.
#[derive(Default)]
pub struct Before {
    pub completed: u64,
    pub partial: u64,
    pub instructions: u64,
    pub seconds: f64,
}

impl Before {
    pub fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }
}

impl Findings {
    /// Counts an ending. True if it is an error that had not been seen.
    pub fn count(&mut self, ending: &Ending, test: Option<&str>) -> bool {
        match ending {
            Ending::Exit(status) => *self.exits.entry(*status).or_default() += 1,
            Ending::Fault(fault) => return self.count_fault(fault, test),
            Ending::Cut(_) => {}
        }
        false
    }

    fn count_fault(&mut self, fault: &Fault, test: Option<&str>) -> bool {
        let Fault { kind, message, place, notes: _, stack: _ } = fault;
        let same = |e: &&mut ErrorEntry| e.kind == kind.name() && e.file == place.file && e.line == place.line;
        if let Some(entry) = self.errors.iter_mut().find(same) {
            entry.count += 1;
            return false;
        }
        self.errors.push(ErrorEntry {
            kind: kind.name().into(),
            file: place.file.clone(),
            line: place.line,
            function: place.function.clone(),
            message: message.clone(),
            count: 1,
            test: test.map(str::to_owned),
            confirmed: None,
        });
        true
    }
}

/// The summary of a run that has ended, and its coverage by file.
pub fn summarise(program: String, exploration: &Exploration, findings: Findings) -> (Summary, lcov::Coverage) {
    let Totals { counters, queries, states, pending, seconds, memory_peak, stopped } = exploration.totals();
    let (by_file, coverage) = covered(exploration.program(), exploration.coverage());
    let stopped = match stopped {
        Some(why) => why.name(),
        None if counters.states_dropped > 0 => "max-memory",
        None => "finished",
    };
    let before = findings.before;
    let paths = Paths {
        completed: counters.completed + before.completed,
        partial: counters.partial + before.partial,
        pending: (states + pending) as u64,
    };
    let summary = Summary {
        osier: env!("CARGO_PKG_VERSION").into(),
        program,
        seconds: seconds + before.seconds,
        stopped: stopped.into(),
        instructions: counters.instructions + before.instructions,
        paths,
        tests: findings.tests,
        exits: findings.exits,
        errors: findings.errors,
        coverage,
        queries: Queries {
            asked: queries.asked,
            sliced: queries.sliced,
            cached: queries.cached
                + queries.stored
                + queries.by_bytes
                + queries.by_reasoning
                + queries.by_domains
                + queries.by_combinations,
            stored: queries.stored,
            lookups: queries.lookups,
            missed: queries.missed,
            lookup_seconds: queries.lookup_seconds,
            by_witness: queries.by_witness,
            solved: queries.solved,
            arrays: ArrayReads {
                theory: queries.arrays.theory,
                tree: queries.arrays.tree,
                choice: queries.arrays.choice,
            },
            sat: queries.sat,
            unsat: queries.unsat,
            unknown: queries.unknown,
            put_off: queries.put_off,
            seconds: queries.seconds,
            unsat_seconds: queries.unsat_seconds,
        },
        resolution: Resolution {
            concrete: counters.concrete_accesses,
            single: counters.single_accesses,
            multiple: counters.multiple_accesses,
            forks: counters.access_forks,
            queries: counters.access_queries,
            segments: counters.segments,
            max_segment_bytes: counters.max_segment_bytes,
        },
        memory: Memory {
            peak_bytes: memory_peak,
            states_peak: counters.states_peak,
            states_dropped: counters.states_dropped,
        },
    };
    (summary, by_file)
}
