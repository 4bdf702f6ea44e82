//! Descends the execution tree from its root and throws a coin at each fork, as KLEE does (Cadar, Dunbar, Engler,
//! "KLEE", OSDI 2008, section 3.4): a state high in the tree is chosen more often, and a loop that forks at each turn
//! gets half of the time, not nearly all of it.

use osier_base::Random;
use osier_exec::{Searcher, Standing, StateId, States};

/// Keeps nothing: the leaves of the tree are the states.
struct RandomPath;

pub(crate) fn make() -> Box<dyn Searcher> {
    Box::new(RandomPath)
}

impl Searcher for RandomPath {
    fn select(&mut self, states: &dyn States, random: &mut Random) -> StateId {
        let (tree, leaves) = states.tree();
        let mut node = tree.root(leaves).expect("a searcher is asked only while there are states");
        loop {
            node = match tree.at(node, leaves) {
                Standing::State(state) => return state,
                Standing::Fork { left: Some(left), right: Some(right) } => {
                    if random.coin() {
                        left
                    } else {
                        right
                    }
                }
                Standing::Fork { left: Some(only), right: None } | Standing::Fork { left: None, right: Some(only) } => {
                    only
                }
                Standing::Fork { left: None, right: None } => unreachable!("{node} has nothing below"),
            };
        }
    }

    fn update(&mut self, _states: &dyn States, _current: Option<StateId>, _added: &[StateId], _removed: &[StateId]) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, shares};

    #[test]
    fn each_fork_halves() {
        let mut fake = Fake::new();
        // s0 forks s1, then again and again: s1 stays at depth 1, s2 at depth 2, s3 at 3, and s0 beside it.
        for _ in 0..3 {
            fake.fork(fake.first());
        }
        let mut searcher = make();
        let expected = [(StateId(0), 0.125), (StateId(1), 0.5), (StateId(2), 0.25), (StateId(3), 0.125)];
        for ((state, share), (expected_state, expected_share)) in
            shares(searcher.as_mut(), &fake, 20_000).into_iter().zip(expected)
        {
            assert_eq!(state, expected_state);
            assert!((share - expected_share).abs() < 0.02, "{state} has {share}");
        }
        // With s1 gone, the fork above it is no choice any more.
        fake.end(StateId(1));
        assert!((shares(searcher.as_mut(), &fake, 20_000)[&StateId(2)] - 0.5).abs() < 0.02);
    }
}
