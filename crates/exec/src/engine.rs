//! A run: the live states, the choice of the next one, and the limits.

use crate::builtins::{self, Builtin};
use crate::context::{Context, Counters, Stopped};
use crate::families::Families;
use crate::fault;
use crate::globals::{allocate_globals, fill_globals};
use crate::journal::{self, Journal};
use crate::merge::Waiting;
use crate::outcome::{Cut, Finished};
use crate::revival::PendingStates;
use crate::searcher::Searcher;
use crate::splitting::Splitting;
use crate::state::{Agendum, StateTable};
use crate::step::{self, Step};
use crate::turns::Turns;
use crate::view::View;
use crate::{
    Config, Coverage, EngineError, Environment, History, LearntSegment, Leaves, Monitor, Program, RevivalOrder, State,
    StateId, Tree,
};
use crate::{pending, seeds};
use osier_base::Random;
use osier_ir::Module;
use osier_memory::Memory;
use osier_solver::{Oracle, Statistics};
use osier_term::Pool;
use rustc_hash::FxHashMap;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Instant;

/// Explores a program. Call [`Engine::advance`] until it says that nothing is left, and take finished paths and
/// messages as they come.
pub struct Engine {
    program: Program,
    cx: Context,
    live: StateTable,
    /// Those that were alive when a limit ended the run: to take hundreds of thousands apart takes seconds.
    left: Option<StateTable>,
    /// Those of the live states that follow a seed: they run first, the newest before the others.
    seeded: BTreeSet<StateId>,
    pending: PendingStates,
    waiting: Waiting,
    searcher: Box<dyn Searcher>,
    random: Random,
    started: Instant,
    memory_in_use: Option<Box<dyn Fn() -> u64>>,
    memory_peak: u64,
    advances: u64,
    turns: Turns,
}

/// Who chooses among the running states, and who among the pending ones.
pub struct Strategies {
    pub running: Box<dyn Searcher>,
    pub reviving: Box<dyn Searcher>,
}

/// The numbers of a run so far.
#[derive(Clone, Debug)]
pub struct Totals {
    pub counters: Counters,
    pub queries: Statistics,
    pub states: usize,
    /// States that nobody knows yet to be feasible.
    pub pending: usize,
    pub seconds: f64,
    pub memory_peak: u64,
    pub stopped: Option<Stopped>,
}

/// How often, in advances, the process's memory is looked at: reading it costs some microseconds.
const MEMORY_EVERY: u64 = 256;

/// What a fork counts, in instructions.
const FORK: u64 = 200;
/// What a question counts that came to a backend. (Without, sqlite3 of 20 open bytes followed one state at 50 instructions
/// a second, and 230,000 waited.)
const HARD: u64 = 5000;

impl Engine {
    pub fn new(
        module: Module,
        config: Config,
        oracle: Oracle,
        strategies: Strategies,
        monitors: Vec<Box<dyn Monitor>>,
        environment: Rc<dyn Environment>,
    ) -> Result<Self, EngineError> {
        let no_entry = || EngineError::NoEntry { name: config.entry.clone() };
        let entry = module.function_named(&config.entry).ok_or_else(no_entry)?;
        if module.functions[entry].body.is_none() {
            return Err(no_entry());
        }
        let mut program = Program::new(module, entry);
        let mut pool = Pool::new();
        let mut memory = Memory::new();
        let addresses = allocate_globals(&program, &mut pool, &mut memory);
        program.link(&mut pool, addresses);
        fill_globals(&mut program, &mut memory);
        let bound = builtins::bind(&program, &rows(&*environment));
        program.find_plain_calls(|function| bound[function.0 as usize].is_some());
        let mut families = Families::new(&config.memory);
        families.join_globals(&mut memory);
        let first = StateId(0);
        let (tree, node) = Tree::new(first);
        let coverage = Coverage::new(&program);
        let random = Random::new(config.seed);
        let watch_overflow = monitors.iter().any(|monitor| monitor.watches_overflow());
        let journal = Journal::new(config.record);
        let mut cx = Context {
            pool,
            oracle,
            config,
            coverage,
            monitors,
            tree,
            counters: Counters::default(),
            forked: Vec::new(),
            deferred: Vec::new(),
            finished: VecDeque::new(),
            messages: VecDeque::new(),
            stop: None,
            keep_only: None,
            park: None,
            next_scope: 0,
            bound,
            watch_overflow,
            uninitialised: FxHashMap::default(),
            reported: Default::default(),
            said: Default::default(),
            next_state: 1,
            spare_frames: Vec::new(),
            families,
            splitting: Splitting::default(),
            sensitive: Default::default(),
            stored_pointers: Default::default(),
            patience: Default::default(),
            journal,
            environment,
        };
        let mut agenda = vec![Agendum::Entry(entry)];
        agenda.extend(program.module.constructors.iter().rev().map(|f| Agendum::Constructor(*f)));
        agenda.push(Agendum::Surroundings);
        let mut state = State::new(first, node, memory, agenda);
        state.seeds = seeds::first(&cx.config.seeds);
        cx.counters.states_peak = 1;
        let mut engine = Engine {
            program,
            cx,
            live: StateTable::default(),
            left: None,
            seeded: BTreeSet::new(),
            pending: PendingStates::new(strategies.reviving),
            waiting: Waiting::default(),
            searcher: strategies.running,
            random,
            started: Instant::now(),
            memory_in_use: None,
            memory_peak: 0,
            advances: 0,
            turns: Turns::default(),
        };
        engine.insert(Box::new(state));
        engine.tell_searcher(None, &[first], &[]);
        Ok(engine)
    }

    /// How to find out the bytes that the process uses, for `--max-memory`.
    pub fn set_memory_probe(&mut self, probe: Box<dyn Fn() -> u64>) {
        self.memory_in_use = Some(probe);
    }

    /// Goes on where earlier runs of the same program with the same options have ended. To be called before anything runs.
    pub fn resume(&mut self, history: History) {
        let Some(trail) = journal::resume(&mut self.cx, history) else {
            let ids: Vec<StateId> = self.live.keys().copied().collect();
            for id in &ids {
                let state = self.take(*id);
                self.cx.tree.remove(state.node);
            }
            self.tell_searcher(None, &[], &ids);
            return;
        };
        for state in self.live.values_mut() {
            state.trail = trail;
        }
    }

    /// What has been recorded of the paths since the last time, if at least so many bytes wait. It says that paths have
    /// ended, so the finished ones have to be taken and kept before.
    pub fn take_record(&mut self, least: usize) -> Vec<u8> {
        if self.cx.journal.waiting() < least.max(1) {
            return Vec::new();
        }
        let milliseconds = self.started.elapsed().as_millis() as u64;
        self.cx.journal.take(self.cx.counters.instructions, milliseconds)
    }

    /// How often a state of an earlier run was seen to part by another condition than then.
    pub fn strays(&self) -> u64 {
        self.cx.journal.strays
    }

    /// What the accesses so far say about which objects belong together, if [`crate::MemoryConfig::learn`] asks for it.
    pub fn learnt_segments(&mut self) -> Vec<LearntSegment> {
        self.cx.families.learnt()
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn coverage(&self) -> &Coverage {
        &self.cx.coverage
    }

    /// The next finished path that nobody has taken.
    pub fn take_finished(&mut self) -> Option<Finished> {
        self.cx.finished.pop_front()
    }

    pub fn take_message(&mut self) -> Option<String> {
        self.cx.messages.pop_front()
    }

    pub fn totals(&self) -> Totals {
        Totals {
            counters: self.cx.counters,
            queries: self.cx.oracle.statistics(),
            states: self.live.len(),
            pending: self.pending.len(),
            seconds: self.started.elapsed().as_secs_f64(),
            memory_peak: self.memory_peak,
            stopped: self.cx.stop,
        }
    }

    /// Ends the run in order: every live state becomes a partial path.
    pub fn stop(&mut self, why: Stopped) {
        self.cx.stop.get_or_insert(why);
    }

    /// For a process that is about to end: the system takes hundreds of thousands of states back faster than they can be
    /// taken apart here.
    pub fn leave(self) {
        let Engine { live, left, pending, .. } = self;
        std::mem::forget((live, left, pending));
    }

    /// Lets one state run for a slice, or asks whether a pending one can. False when no state is left.
    pub fn advance(&mut self) -> Result<bool, EngineError> {
        self.advances += 1;
        self.look_at_limits()?;
        if let Some(why) = self.cx.stop {
            if self.left.is_none() {
                if why != Stopped::Interrupted {
                    self.pay_checks()?;
                }
                self.end_all();
            }
            return Ok(!self.cx.finished.is_empty());
        }
        if !self.pending.is_empty() && self.wants_another() {
            self.revive_one()?;
            return Ok(true);
        }
        if self.live.is_empty() {
            return Ok(false);
        }
        let chosen = self.select();
        self.run(chosen)?;
        if let Some(kept) = self.cx.keep_only.take() {
            self.end_others(kept);
        }
        if !self.waiting.is_empty() {
            self.release_merged();
        }
        Ok(!self.live.is_empty() || !self.pending.is_empty() || !self.cx.finished.is_empty())
    }

    fn select(&mut self) -> StateId {
        if let Some(newest) = self.seeded.last() {
            return *newest;
        }
        let done = self.done();
        let Engine { live, searcher, turns, random, program, cx, .. } = self;
        if let Some(followed) = turns.followed(cx.coverage.version, done, |state| live.contains_key(&state)) {
            return followed;
        }
        searcher.select(&View { states: live, leaves: Leaves::Running, program, cx }, random)
    }

    fn insert(&mut self, state: Box<State>) {
        match state.seeds.is_empty() {
            true => self.seeded.remove(&state.id),
            false => self.seeded.insert(state.id),
        };
        self.live.insert(state.id, state);
    }

    fn take(&mut self, id: StateId) -> Box<State> {
        self.seeded.remove(&id);
        self.live.remove(&id).expect("ids name live states")
    }

    /// Runs a state for a slice and takes over what comes of it.
    fn run(&mut self, chosen: StateId) -> Result<(), EngineError> {
        let mut state = self.take(chosen);
        let slice = self.slice();
        self.cx.journal.gone = false;
        self.cx.splitting.begin(state.trial);
        let step = step::run(&self.program, &mut self.cx, &mut state, slice)?;
        self.cx.splitting.end();
        if !self.cx.coverage.fresh.is_empty() {
            let Context { coverage, journal, .. } = &mut self.cx;
            journal.covered(state.trail, &coverage.fresh);
            coverage.fresh.clear();
        }
        let mut added = Vec::new();
        let mut survived = false;
        let mut stays = None;
        if step == Step::Ended {
            self.cx.counters.instructions -= fault::unexecuted(&self.program, &state);
            if let Some(frame) = state.frames.last() {
                self.cx.coverage.stop(frame.function, frame.pc + 1);
            }
            self.cx.journal.end(state.trail);
            self.cx.tree.remove(state.node);
        } else if let Some(scope) = self.cx.park.take() {
            self.cx.tree.remove(state.node);
            self.waiting.park(&self.program, &mut self.cx, scope, *state);
        } else {
            stays = Some(state);
        }
        let mut forked = std::mem::take(&mut self.cx.forked);
        for state in forked.drain(..).map(Box::new).chain(stays) {
            if state.trail.gone {
                self.forget(&state);
                continue;
            }
            if self.cx.config.limits.depth.is_some_and(|most| state.depth > most) {
                fault::end_with_cut(&self.program, &mut self.cx, &state, Cut::Depth);
                self.cx.journal.end(state.trail);
                self.forget(&state);
                continue;
            }
            if self.cx.config.other_sides && state.seeds.is_empty() {
                fault::end_with_cut(&self.program, &mut self.cx, &state, Cut::Silent);
                self.forget(&state);
                continue;
            }
            if self.is_beyond_bound(&state) {
                pending::set_aside(&mut self.cx, *state);
                continue;
            }
            match state.id == chosen {
                true => survived = true,
                false => added.push(state.id),
            }
            self.insert(state);
        }
        // Its room serves the next step; the other one is empty.
        self.cx.forked = forked;
        let all = self.live.len() + self.pending.len() + self.cx.deferred.len();
        self.cx.counters.states_peak = self.cx.counters.states_peak.max(all as u64);
        let removed: &[StateId] = if survived { &[] } else { &[chosen] };
        self.tell_searcher(survived.then_some(chosen), &added, removed);
        if !self.cx.deferred.is_empty() {
            let Engine { pending, program, cx, .. } = self;
            pending.take_over(program, cx);
        }
        Ok(())
    }

    /// A state that does not go on from where it was made, for example since an earlier run has been there.
    fn forget(&mut self, state: &State) {
        if let Some(frame) = state.frames.last() {
            self.cx.coverage.stop(frame.function, frame.pc);
        }
        self.cx.tree.remove(state.node);
    }

    /// Whether a state has run long enough since it was revived, and others have their turn.
    fn is_beyond_bound(&self, state: &State) -> bool {
        match self.cx.config.pending.as_ref().map(|pending| pending.order) {
            Some(RevivalOrder::Sensitive { bound }) => {
                state.seeds.is_empty() && state.depth > state.revived_at.saturating_add(bound)
            }
            Some(RevivalOrder::Strategy) | None => false,
        }
    }

    /// How much has been done, in instructions; a loop that forks at each turn is not followed as long as others, nor is a
    /// state of which every step is a hard question.
    fn done(&self) -> u64 {
        let Counters { instructions, forks, .. } = self.cx.counters;
        instructions + FORK * forks + HARD * self.cx.oracle.hard_questions()
    }

    /// Whether a pending state should be asked about.
    fn wants_another(&self) -> bool {
        self.live.is_empty()
            || (self.pending.has_easy() && self.seeded.is_empty() && self.turns.is_pending_next(self.done()))
    }

    /// Asks whether the next pending state can run.
    fn revive_one(&mut self) -> Result<(), EngineError> {
        let done = self.done();
        self.turns.ask(done);
        let Engine { pending, program, cx, random, .. } = self;
        let Some(state) = pending.next(program, cx, random)? else { return Ok(()) };
        if cx.config.limits.depth.is_some_and(|most| state.depth > most) {
            fault::end_with_cut(program, cx, &state, Cut::Depth);
            cx.journal.end(state.trail);
            self.forget(&state);
            return Ok(());
        }
        let id = state.id;
        if !self.live.is_empty() {
            self.turns.follow(id, done);
        }
        self.insert(state);
        self.tell_searcher(None, &[id], &[]);
        Ok(())
    }

    /// Makes the deferred checks that promise most, for as long as they are given.
    fn pay_checks(&mut self) -> Result<(), EngineError> {
        let relaxed = self.cx.config.pending.as_ref().filter(|pending| pending.relaxed_checks);
        let Some(budget) = relaxed.map(|pending| pending.check_budget) else { return Ok(()) };
        let until = Instant::now() + budget;
        for id in self.pending.checks(&self.program, &self.cx) {
            if Instant::now() >= until {
                break;
            }
            let Engine { pending, program, cx, .. } = self;
            let Some(state) = pending.revive(program, cx, id)? else { continue };
            self.insert(state);
            self.tell_searcher(None, &[id], &[]);
            // It stands before the operation whose check fails.
            self.run(id)?;
        }
        Ok(())
    }

    /// Lets the states go on whose regions are closed for all.
    fn release_merged(&mut self) {
        let released = self.waiting.release(self.live.values().map(Box::as_ref).chain(self.pending.states()));
        let mut added = Vec::with_capacity(released.len());
        for mut state in released {
            state.node = self.cx.tree.graft(state.id);
            added.push(state.id);
            self.insert(Box::new(state));
        }
        self.tell_searcher(None, &added, &[]);
    }

    fn slice(&self) -> u64 {
        let left = self.cx.config.limits.instructions.map(|most| most.saturating_sub(self.cx.counters.instructions));
        self.cx.config.slice.min(left.unwrap_or(u64::MAX)).max(1)
    }

    fn tell_searcher(&mut self, current: Option<StateId>, added: &[StateId], removed: &[StateId]) {
        let Engine { live, searcher, program, cx, .. } = self;
        searcher.update(&View { states: live, leaves: Leaves::Running, program, cx }, current, added, removed);
    }

    fn look_at_limits(&mut self) -> Result<(), EngineError> {
        let limits = &self.cx.config.limits;
        if limits.instructions.is_some_and(|most| self.cx.counters.instructions >= most) {
            self.cx.stop.get_or_insert(Stopped::MaxInstructions);
        }
        if limits.time.is_some_and(|most| self.started.elapsed() >= most) {
            self.cx.stop.get_or_insert(Stopped::MaxTime);
        }
        if self.advances.is_multiple_of(MEMORY_EVERY) || self.advances == 1 {
            self.look_at_memory()?;
        }
        Ok(())
    }

    /// Policy at the memory limit: drop as many states as the share of memory that is too much. Of pending states those
    /// that turn out infeasible go first, then others; of the rest those that have gone longest without covering
    /// anything new.
    fn look_at_memory(&mut self) -> Result<(), EngineError> {
        let Some(probe) = &self.memory_in_use else { return Ok(()) };
        let used = probe();
        self.memory_peak = self.memory_peak.max(used);
        let Some(limit) = self.cx.config.limits.memory else { return Ok(()) };
        let target = limit / 10 * 9;
        let states = self.live.len() + self.pending.len();
        if used <= target || states <= 1 {
            return Ok(());
        }
        let excess = (used - target) as f64 / used as f64;
        let mut count = ((states as f64 * excess).ceil() as usize).clamp(1, states - 1);
        if !self.pending.is_empty() {
            let Engine { pending, program, cx, random, .. } = self;
            count -= pending.release(program, cx, random, count)?;
        }
        let mut order: Vec<(u64, StateId)> =
            self.live.values().map(|state| (state.instructions - state.covered_at, state.id)).collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        let dropped: Vec<StateId> = order.into_iter().take(count).map(|(_, id)| id).collect();
        if dropped.is_empty() {
            return Ok(());
        }
        self.cx.counters.states_dropped += dropped.len() as u64;
        self.cx.say_once("the memory limit is reached: states that covered nothing new for longest are dropped".into());
        self.end(&dropped, Cut::Memory);
        Ok(())
    }

    fn end(&mut self, ids: &[StateId], cut: Cut) {
        for id in ids {
            let state = self.take(*id);
            self.end_one(&state, cut);
            if cut == Cut::Silent {
                self.cx.journal.end(state.trail);
            }
            self.cx.tree.remove(state.node);
        }
        self.tell_searcher(None, &[], ids);
    }

    fn end_all(&mut self) {
        for state in self.waiting.drain() {
            fault::end_with_cut(&self.program, &mut self.cx, &state, Cut::RunEnded);
        }
        self.seeded.clear();
        let live = std::mem::take(&mut self.live);
        let mut ids: Vec<StateId> = live.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            self.end_one(&live[&id], Cut::RunEnded);
        }
        self.left = Some(live);
    }

    fn end_one(&mut self, state: &State, cut: Cut) {
        if let Some(frame) = state.frames.last() {
            self.cx.coverage.stop(frame.function, frame.pc);
        }
        fault::end_with_cut(&self.program, &mut self.cx, state, cut);
    }

    fn end_others(&mut self, kept: StateId) {
        for state in self.waiting.drain() {
            fault::end_with_cut(&self.program, &mut self.cx, &state, Cut::Silent);
        }
        let mut ids: Vec<StateId> = self.live.keys().copied().filter(|id| *id != kept).collect();
        ids.sort_unstable();
        self.end(&ids, Cut::Silent);
        self.pending.clear(&self.program, &mut self.cx);
    }
}

fn rows(environment: &dyn Environment) -> Vec<&'static Builtin> {
    builtins::TABLES.iter().copied().chain([environment.builtins()]).flatten().collect()
}
