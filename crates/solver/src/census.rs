//! How large a query is, and of which kind: what decides where it is answered and how long a session lives.

use osier_term::{ArrayNode, BvOp, Node, Pool, Term};
use rustc_hash::FxHashMap;

/// Terms that are remembered before all are forgotten; only memory is at stake.
const REMEMBERED: usize = 1 << 20;

/// What a walk over a query has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// About how many of a backend's terms the query becomes.
    pub weight: usize,
    /// Whether two unknowns are multiplied or divided: there a solver's preprocessing sees in a moment what search
    /// would not see in hours, and elsewhere it costs more than it gives.
    pub needs_algebra: bool,
}

/// Walks queries. Remembers in which query it last met a term, so that a walk needs no set of its own.
#[derive(Default)]
pub struct Census {
    met_in: FxHashMap<Term, u64>,
    query: u64,
}

impl Census {
    pub fn count(&mut self, pool: &Pool, constraints: &[Term]) -> Count {
        if self.met_in.len() > REMEMBERED {
            self.met_in.clear();
        }
        self.query += 1;
        let mut count = Count { weight: 0, needs_algebra: false };
        let mut open = constraints.to_vec();
        while let Some(t) = open.pop() {
            if self.met_in.insert(t, self.query) == Some(self.query) {
                continue;
            }
            count.weight += term_weight(pool, t);
            count.needs_algebra |= is_algebra(pool, t);
            pool.for_each_child(t, |child| open.push(child));
        }
        count
    }
}

/// About how many of a backend's terms this one becomes, without its children.
pub fn term_weight(pool: &Pool, t: Term) -> usize {
    let Node::Select { mut array, index } = pool.node(t) else { return 1 };
    let mut stores = 0;
    while let ArrayNode::Store { array: older, .. } = pool.array_node(array) {
        stores += 1;
        array = older;
    }
    let leaves = match pool.array_node(array) {
        ArrayNode::Input { .. } | ArrayNode::Table { .. } if pool.as_const(index).is_some() => 1,
        ArrayNode::Input { size, .. } => size as usize,
        ArrayNode::Table { bytes } => bytes.len(),
        ArrayNode::Store { .. } => unreachable!("the loop above ends below all stores"),
    };
    stores + leaves
}

fn is_algebra(pool: &Pool, t: Term) -> bool {
    match pool.node(t) {
        Node::Bin { op: BvOp::Mul | BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem, a, b } => {
            pool.as_const(a).is_none() && pool.as_const(b).is_none()
        }
        Node::Bin { .. }
        | Node::Const { .. }
        | Node::Select { .. }
        | Node::Cmp { .. }
        | Node::Not(_)
        | Node::Concat { .. }
        | Node::Extract { .. }
        | Node::ZExt { .. }
        | Node::SExt { .. }
        | Node::Ite { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_terms_count_once_and_each_query_is_counted_anew() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (x, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let (sum, product) = (pool.add(x, y), pool.mul(x, y));
        let (a, b) = (pool.ult(sum, x), pool.ult(product, x));
        let mut census = Census::default();
        let first = census.count(&pool, &[a]);
        // The comparison, the sum, two reads and their two indices.
        assert_eq!(first, Count { weight: 6, needs_algebra: false });
        assert_eq!(census.count(&pool, &[a]), first);
        assert_eq!(census.count(&pool, &[a, b]), Count { weight: 8, needs_algebra: true });
    }
}
