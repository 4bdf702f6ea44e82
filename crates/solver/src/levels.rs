//! What an incremental backend holds from one query to the next, so that it follows a path by push and pop.
//!
//! A query is mostly the one before it with something more at its end, or with its last condition turned round; after a
//! jump of the search it still begins as an earlier one does. What stays on the backend's stack keeps all that was
//! learnt about it. (bc by depth-first search with Bitwuzla alone: 30 s when each query is asserted anew, 15.5 s so.)

/// The conditions that are asserted, a group for each level of the backend's stack.
#[derive(Clone, Debug)]
pub struct Levels<C> {
    groups: Vec<Vec<C>>,
}

impl<C> Default for Levels<C> {
    fn default() -> Self {
        Levels { groups: Vec::new() }
    }
}

/// What to do with the backend's stack: first pop, then push a level for each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'a, C> {
    pub pop: usize,
    pub push: Vec<&'a [C]>,
}

impl<C: Clone + PartialEq> Levels<C> {
    /// Keeps the levels with which the query begins. Its last condition gets a level of its own, since the next query
    /// often has its opposite.
    pub fn turn_to<'a>(&mut self, query: &'a [C]) -> Change<'a, C> {
        let mut rest = query;
        let mut kept = 0;
        while let Some(after) = self.groups.get(kept).and_then(|group| rest.strip_prefix(group.as_slice())) {
            rest = after;
            kept += 1;
        }
        let pop = self.groups.len() - kept;
        self.groups.truncate(kept);
        let (before, last) = rest.split_at(rest.len().saturating_sub(1));
        let push: Vec<&[C]> = [before, last].into_iter().filter(|group| !group.is_empty()).collect();
        self.groups.extend(push.iter().map(|group| group.to_vec()));
        Change { pop, push }
    }

    /// How many levels to pop before something is asserted for good.
    pub fn leave_all(&mut self) -> usize {
        std::mem::take(&mut self.groups).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_two_queries_begin_with_stays() {
        let mut levels = Levels::default();
        assert_eq!(levels.turn_to(&[1, 2, 3]), Change { pop: 0, push: vec![&[1, 2][..], &[3]] });
        assert_eq!(levels.turn_to(&[1, 2, -3]), Change { pop: 1, push: vec![&[-3][..]] });
        assert_eq!(levels.turn_to(&[1, 2, -3, 4]), Change { pop: 0, push: vec![&[4][..]] });
        assert_eq!(levels.turn_to(&[1, 2]), Change { pop: 2, push: vec![] });
        assert_eq!(levels.turn_to(&[1]), Change { pop: 1, push: vec![&[1][..]] });
        assert_eq!(levels.leave_all(), 1);
        assert_eq!(levels.turn_to(&[]), Change { pop: 0, push: vec![] });
    }

    proptest! {
        #[test]
        fn the_stack_holds_the_query(queries in prop::collection::vec(prop::collection::vec(0u8..3, 0..6), 1..20)) {
            let mut levels = Levels::default();
            let mut stack: Vec<Vec<u8>> = Vec::new();
            for query in &queries {
                let change = levels.turn_to(query);
                stack.truncate(stack.len() - change.pop);
                stack.extend(change.push.iter().map(|group| group.to_vec()));
                prop_assert_eq!(&stack.concat(), query);
            }
        }
    }
}
