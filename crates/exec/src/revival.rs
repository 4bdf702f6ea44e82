//! The pending states of a run: which of them is asked about next, and which go when memory is short.

use crate::fork::Soon;
use crate::pending::{Revival, ask_soon, is_worth_reviving, revive};
use crate::searcher::Searcher;
use crate::sensitive::ByDistance;
use crate::state::StateTable;
use crate::view::View;
use crate::{Context, EngineError, Leaves, Program, RevivalOrder, State, StateId};
use osier_base::Random;
use osier_solver::May;
use osier_term::Patch;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

pub(crate) struct PendingStates {
    states: StateTable,
    searcher: Box<dyn Searcher>,
    /// Those whose branch had never gone their way when they were left behind.
    fresh: BTreeSet<StateId>,
    /// How often a state on its way to a coverage point was infeasible.
    refused: FxHashMap<usize, u32>,
    /// Whether the strategy chooses next.
    strategy_next: bool,
    by_distance: ByDistance,
    /// Those that were too hard, by how often: asked about when there are no others.
    hard: BTreeSet<(u32, StateId)>,
}

/// A branch that was infeasible so often does not go before others any more.
const MOST_REFUSALS: u32 = 3;
/// So long infeasible states are looked for when memory is short, before others are dropped.
const LOOK_FOR_INFEASIBLE: Duration = Duration::from_secs(1);

impl PendingStates {
    pub fn new(searcher: Box<dyn Searcher>) -> Self {
        PendingStates {
            states: StateTable::default(),
            searcher,
            fresh: BTreeSet::new(),
            refused: FxHashMap::default(),
            strategy_next: false,
            by_distance: ByDistance::default(),
            hard: BTreeSet::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether there are some that were not too hard yet.
    pub fn has_easy(&self) -> bool {
        self.hard.len() < self.states.len()
    }

    pub fn states(&self) -> impl Iterator<Item = &State> + Clone {
        self.states.values().map(Box::as_ref)
    }

    /// Takes over the states that the last slice left behind.
    pub fn take_over(&mut self, program: &Program, cx: &mut Context) {
        let mut deferred = std::mem::take(&mut cx.deferred);
        let mut added = Vec::with_capacity(deferred.len());
        for state in deferred.drain(..) {
            let pending = state.pending.as_ref().expect("deferred states are pending");
            if pending.tries > 0 {
                self.hard.insert((pending.tries, state.id));
                self.states.insert(state.id, Box::new(state));
                continue;
            }
            added.push(state.id);
            if pending.toward.is_some_and(|point| !cx.coverage.is_covered(point)) {
                self.fresh.insert(state.id);
            }
            self.by_distance.add(state.id);
            self.states.insert(state.id, Box::new(state));
        }
        cx.deferred = deferred;
        self.tell(program, cx, &added, &[]);
    }

    fn tell(&mut self, program: &Program, cx: &Context, added: &[StateId], removed: &[StateId]) {
        let PendingStates { states, searcher, .. } = self;
        searcher.update(&View { states, leaves: Leaves::Pending, program, cx }, None, added, removed);
    }

    /// Asks about the state whose turn it is. Gives it if it is feasible; if not, it is gone.
    pub fn next(
        &mut self,
        program: &Program,
        cx: &mut Context,
        random: &mut Random,
    ) -> Result<Option<Box<State>>, EngineError> {
        if !self.has_easy() {
            let (_, easiest) = *self.hard.first().expect("there are pending states");
            return self.revive(program, cx, easiest);
        }
        let id = match cx.config.pending.as_ref().map(|pending| pending.order) {
            Some(RevivalOrder::Sensitive { .. }) => self.by_distance.nearest(&cx.sensitive, &self.states),
            Some(RevivalOrder::Strategy) | None => self.by_turns(program, cx, random),
        };
        self.revive(program, cx, id)
    }

    /// The first of those that would cover something new, and what the strategy wants, turn by turn.
    fn by_turns(&mut self, program: &Program, cx: &Context, random: &mut Random) -> StateId {
        if !self.strategy_next
            && let Some(first) = self.first_fresh(cx)
        {
            self.strategy_next = true;
            return first;
        }
        self.strategy_next = false;
        let PendingStates { states, searcher, .. } = self;
        searcher.select(&View { states, leaves: Leaves::Pending, program, cx }, random)
    }

    fn first_fresh(&mut self, cx: &Context) -> Option<StateId> {
        while let Some(first) = self.fresh.first().copied() {
            let point = self.states.get(&first).and_then(|state| state.pending.as_ref()?.toward);
            let promising = point.is_some_and(|point| {
                !cx.coverage.is_covered(point) && self.refused.get(&point).is_none_or(|times| *times < MOST_REFUSALS)
            });
            if promising {
                return Some(first);
            }
            self.fresh.pop_first();
        }
        None
    }

    /// Asks about one of them. Gives it if it is feasible; if not, it is gone.
    pub fn revive(
        &mut self,
        program: &Program,
        cx: &mut Context,
        id: StateId,
    ) -> Result<Option<Box<State>>, EngineError> {
        let mut state = self.take(program, cx, id);
        let pending = state.pending.as_ref().expect("pending states are pending");
        let toward = pending.toward;
        if !is_worth_reviving(program, cx, pending) {
            cx.journal.end(state.trail);
            cx.tree.remove(state.node);
            return Ok(None);
        }
        match revive(cx, &mut state)? {
            Revival::Runs => return Ok(Some(state)),
            Revival::Infeasible => {
                cx.journal.end(state.trail);
                if let Some(point) = toward {
                    *self.refused.entry(point).or_insert(0) += 1;
                }
            }
            Revival::TooHard => {
                let tries = state.pending.as_ref().expect("it waits on").tries;
                self.hard.insert((tries, id));
                self.states.insert(id, state);
                return Ok(None);
            }
            Revival::Unknown => crate::fault::end_with_cut(program, cx, &state, crate::outcome::Cut::SolverUnknown),
        }
        cx.tree.remove(state.node);
        Ok(None)
    }

    /// The deferred checks whose error would be news, those of different places first, and of these the shallow ones.
    pub fn checks(&self, program: &Program, cx: &Context) -> Vec<StateId> {
        let mut checks: Vec<(u32, StateId)> = Vec::new();
        for state in self.states.values() {
            let pending = state.pending.as_ref().expect("pending states are pending");
            if pending.check.is_some() && is_worth_reviving(program, cx, pending) {
                checks.push((state.depth, state.id));
            }
        }
        checks.sort_unstable();
        let mut places = FxHashSet::default();
        let (mut first, mut others) = (Vec::new(), Vec::new());
        for (_, id) in checks {
            let place = self.states[&id].pending.as_ref().and_then(|pending| pending.check);
            if places.insert(place) { &mut first } else { &mut others }.push(id);
        }
        first.append(&mut others);
        first
    }

    /// Drops so many states, or all: infeasible ones as long as there are others beyond those that have to go anyway.
    /// Gives how many went.
    pub fn release(
        &mut self,
        program: &Program,
        cx: &mut Context,
        random: &mut Random,
        count: usize,
    ) -> Result<usize, EngineError> {
        let until = Instant::now() + LOOK_FOR_INFEASIBLE;
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        let mut gone = 0;
        while gone < count && ids.len() > count - gone && Instant::now() < until {
            let id = ids.swap_remove(random.below(ids.len()));
            let state = self.states.get_mut(&id).expect("ids name pending states");
            let pending = state.pending.as_ref().expect("pending states are pending");
            if pending.ready.is_some() || pending.tries > 0 {
                continue;
            }
            let condition = pending.condition;
            match ask_soon(cx, state, condition)? {
                Soon::Answer(May::Yes(witness)) => {
                    let ready = Some(Patch::new(&state.witness, witness));
                    state.pending.as_mut().expect("pending states are pending").ready = ready;
                }
                Soon::Answer(May::No) => {
                    cx.journal.end(state.trail);
                    self.drop_one(program, cx, id);
                    gone += 1;
                }
                Soon::Answer(May::Unknown(_)) | Soon::TooHard => {}
            }
        }
        while gone < count && !ids.is_empty() {
            let id = ids.swap_remove(random.below(ids.len()));
            self.drop_one(program, cx, id);
            cx.counters.states_dropped += 1;
            gone += 1;
        }
        cx.say_once("the memory limit is reached: pending states are dropped, infeasible ones first".into());
        Ok(gone)
    }

    fn drop_one(&mut self, program: &Program, cx: &mut Context, id: StateId) {
        let state = self.take(program, cx, id);
        cx.tree.remove(state.node);
    }

    /// Takes a state out.
    fn take(&mut self, program: &Program, cx: &Context, id: StateId) -> Box<State> {
        let state = self.states.remove(&id).expect("ids name pending states");
        let tries = state.pending.as_ref().expect("pending states are pending").tries;
        if tries > 0 {
            self.hard.remove(&(tries, id));
        } else {
            self.fresh.remove(&id);
            self.by_distance.remove(id);
            self.tell(program, cx, &[], &[id]);
        }
        state
    }

    pub fn clear(&mut self, program: &Program, cx: &mut Context) {
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            cx.journal.end(self.states[&id].trail);
            self.drop_one(program, cx, id);
        }
    }
}
