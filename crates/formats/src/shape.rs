//! The shape of a set of terms: what is below what, what is shared, which arrays are read.

use osier_term::{Array, ArrayNode, Node, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// The array that a chain of stores begins with.
pub(crate) fn base(pool: &Pool, mut array: Array) -> Array {
    while let ArrayNode::Store { array: older, .. } = pool.array_node(array) {
        array = older;
    }
    array
}

/// All terms below `roots`, children before parents, and how often each is mentioned.
pub(crate) struct Shape {
    pub(crate) order: Vec<Term>,
    pub(crate) uses: FxHashMap<Term, u32>,
}

impl Shape {
    pub(crate) fn of(pool: &Pool, roots: &[Term]) -> Self {
        let mut order = Vec::new();
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        let mut done = FxHashSet::default();
        for &root in roots {
            *uses.entry(root).or_default() += 1;
            let mut open = vec![(root, false)];
            while let Some((t, children_done)) = open.pop() {
                if children_done {
                    order.push(t);
                } else if done.insert(t) {
                    open.push((t, true));
                    let at = open.len();
                    pool.for_each_child(t, |child| {
                        *uses.entry(child).or_default() += 1;
                        open.push((child, false));
                    });
                    open[at..].reverse();
                }
            }
        }
        Shape { order, uses }
    }

    /// The base arrays to declare: `first`, then all others that are read, in order of their first mention.
    pub(crate) fn arrays(&self, pool: &Pool, first: &[Array]) -> Vec<Array> {
        let mut seen = FxHashSet::default();
        let read = self.order.iter().filter_map(|&t| match pool.node(t) {
            Node::Select { array, .. } => Some(base(pool, array)),
            Node::Const { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. }
            | Node::Ite { .. } => None,
        });
        first.iter().copied().chain(read).filter(|&array| seen.insert(array)).collect()
    }
}
