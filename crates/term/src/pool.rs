//! The pool: where terms and arrays live, and how equal ones become one.

use std::rc::Rc;

use hashbrown::HashTable;
use osier_base::{EntityVec, Id};
use rustc_hash::FxHashMap;

use crate::arrays::{ArrayData, Block};
use crate::bits::mask;
use crate::node::{Array, ArrayNode, Kind, Node, Packed, Term};
use crate::recent_values::RecentValues;
use crate::support::SupportCache;
use crate::values::ValuesCache;

/// How deep a rule may build through other rules before terms are taken as they are.
const RULE_DEPTH: u32 = 48;

/// How many terms the rules may build for one that a caller builds.
const RULE_WORK: u32 = 10_000;

/// Owns terms and arrays. Terms are only added; an id stays valid as long as the pool.
pub struct Pool {
    nodes: Vec<Packed>,
    /// Every node's id, found by the node's content.
    unique: HashTable<u32>,
    wide_values: Vec<u128>,
    wide_ids: FxHashMap<u128, u32>,
    pub(crate) arrays: EntityVec<Array, ArrayData>,
    pub(crate) table_ids: FxHashMap<Rc<[u8]>, Array>,
    pub(crate) store_ids: FxHashMap<(Array, Term, Term), Array>,
    pub(crate) blocks: FxHashMap<Array, Block>,
    pub(crate) input_bytes: u32,
    pub(crate) supports: SupportCache,
    pub(crate) values: ValuesCache,
    pub(crate) recent: RecentValues,
    rule_depth: u32,
    rule_work: u32,
}

impl Pool {
    pub(crate) const FALSE: Term = Term(0);
    pub(crate) const TRUE: Term = Term(1);

    pub fn new() -> Self {
        let mut pool = Pool {
            nodes: Vec::new(),
            unique: HashTable::new(),
            wide_values: Vec::new(),
            wide_ids: FxHashMap::default(),
            arrays: EntityVec::new(),
            table_ids: FxHashMap::default(),
            store_ids: FxHashMap::default(),
            blocks: FxHashMap::default(),
            input_bytes: 0,
            supports: SupportCache::default(),
            values: ValuesCache::default(),
            recent: RecentValues::default(),
            rule_depth: 0,
            rule_work: 0,
        };
        let falsity = pool.constant(1, 0);
        let truth = pool.constant(1, 1);
        debug_assert_eq!((falsity, truth), (Pool::FALSE, Pool::TRUE));
        pool
    }

    /// The constant `value`, cut to `width` bits.
    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        assert!((1..=128).contains(&width), "width {width} is not in 1..=128");
        let value = value & mask(width);
        if width <= 64 {
            let (a, b) = (value as u32, (value >> 32) as u32);
            return self.intern(Packed { kind: Kind::Const, width: width as u8, a, b, c: 0 });
        }
        let next = self.wide_values.len() as u32;
        let a = *self.wide_ids.entry(value).or_insert(next);
        if a == next {
            self.wide_values.push(value);
        }
        self.intern(Packed { kind: Kind::WideConst, width: width as u8, a, b: 0, c: 0 })
    }

    pub fn truth(&mut self, value: bool) -> Term {
        if value { Pool::TRUE } else { Pool::FALSE }
    }

    #[inline]
    pub(crate) fn intern(&mut self, node: Packed) -> Term {
        let Pool { nodes, unique, .. } = self;
        let hash = node.hash();
        let slot = unique.entry(hash, |&id| nodes[id as usize] == node, |&id| nodes[id as usize].hash());
        match slot {
            hashbrown::hash_table::Entry::Occupied(found) => Term(*found.get()),
            hashbrown::hash_table::Entry::Vacant(free) => {
                let id = Term::new(nodes.len());
                nodes.push(node);
                free.insert(id.0);
                id
            }
        }
    }

    /// Runs rules that build further terms. Refuses when rules are already nested deeply, so that rules which look
    /// into their operands cannot recurse over the depth of a term, or have built very much, so that they cannot
    /// unfold what is shared: the term is then kept as it stands.
    #[inline]
    pub(crate) fn simplify(&mut self, rules: impl FnOnce(&mut Pool) -> Option<Term>) -> Option<Term> {
        if self.rule_depth == 0 {
            self.rule_work = 0;
        }
        if self.rule_depth >= RULE_DEPTH || self.rule_work >= RULE_WORK {
            return None;
        }
        self.rule_work += 1;
        self.rule_depth += 1;
        let result = rules(self);
        self.rule_depth -= 1;
        result
    }

    #[inline]
    pub(crate) fn packed(&self, t: Term) -> Packed {
        self.nodes[t.index()]
    }

    #[inline]
    fn const_value(&self, p: Packed) -> u128 {
        match p.kind {
            Kind::WideConst => self.wide_values[p.a as usize],
            _ => u128::from(p.a) | u128::from(p.b) << 32,
        }
    }

    pub fn node(&self, t: Term) -> Node {
        let p = self.packed(t);
        let (a, b, width) = (Term(p.a), Term(p.b), u32::from(p.width));
        match p.kind {
            Kind::Const | Kind::WideConst => Node::Const { width, value: self.const_value(p) },
            Kind::Select => Node::Select { array: Array(p.a), index: b },
            Kind::Not => Node::Not(a),
            Kind::Concat => Node::Concat { high: a, low: b },
            Kind::Extract => Node::Extract { term: a, low: p.b, width },
            Kind::ZExt => Node::ZExt { term: a, width },
            Kind::SExt => Node::SExt { term: a, width },
            Kind::Ite => Node::Ite { cond: a, then: b, other: Term(p.c) },
            Kind::Bin(op) => Node::Bin { op, a, b },
            Kind::Cmp(op) => Node::Cmp { op, a, b },
        }
    }

    pub fn array_node(&self, array: Array) -> ArrayNode<'_> {
        match &self.arrays[array] {
            ArrayData::Input { name, size, first_byte } => {
                ArrayNode::Input { name, size: *size, first_byte: *first_byte }
            }
            ArrayData::Table { bytes, .. } => ArrayNode::Table { bytes },
            ArrayData::Store(s) => ArrayNode::Store { array: s.array, index: s.index, value: s.value },
        }
    }

    /// The terms that a term is made of; for a read also the indices and values of the stores below it.
    pub fn for_each_child(&self, term: Term, mut each: impl FnMut(Term)) {
        match self.node(term) {
            Node::Const { .. } => {}
            Node::Select { mut array, index } => {
                each(index);
                while let ArrayNode::Store { array: older, index, value } = self.array_node(array) {
                    each(index);
                    each(value);
                    array = older;
                }
            }
            Node::Bin { a, b, .. } | Node::Cmp { a, b, .. } => {
                each(a);
                each(b);
            }
            Node::Concat { high, low } => {
                each(high);
                each(low);
            }
            Node::Not(term) | Node::Extract { term, .. } | Node::ZExt { term, .. } | Node::SExt { term, .. } => {
                each(term)
            }
            Node::Ite { cond, then, other } => {
                each(cond);
                each(then);
                each(other);
            }
        }
    }

    #[inline]
    pub fn width(&self, t: Term) -> u32 {
        u32::from(self.packed(t).width)
    }

    #[inline]
    pub fn as_const(&self, t: Term) -> Option<u128> {
        let p = self.packed(t);
        match p.kind {
            Kind::Const | Kind::WideConst => Some(self.const_value(p)),
            _ => None,
        }
    }

    #[inline]
    pub fn is_true(&self, t: Term) -> bool {
        t == Pool::TRUE
    }

    #[inline]
    pub fn is_false(&self, t: Term) -> bool {
        t == Pool::FALSE
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: true and false are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An estimate of the memory that terms, arrays and memoised facts take.
    pub fn bytes(&self) -> usize {
        const MAP_ENTRY: usize = 40;
        self.nodes.capacity() * size_of::<Packed>()
            + self.unique.capacity() * (size_of::<u32>() + 1)
            + self.wide_values.len() * (size_of::<u128>() + MAP_ENTRY)
            + self.arrays.values().map(ArrayData::bytes).sum::<usize>()
            + (self.table_ids.len() + self.store_ids.len()) * MAP_ENTRY
            + self.blocks.values().map(Block::bytes).sum::<usize>()
            + self.supports.bytes()
            + self.values.bytes()
            + self.recent.bytes()
    }
}

impl Default for Pool {
    fn default() -> Self {
        Pool::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::BvOp;

    #[test]
    fn equal_terms_have_equal_ids() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (x, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let (first, second) = (pool.bin(BvOp::UDiv, x, y), pool.bin(BvOp::UDiv, x, y));
        assert_eq!(first, second);
        assert_ne!(first, pool.bin(BvOp::UDiv, y, x));
        assert_ne!(first, pool.bin(BvOp::URem, x, y));
    }

    #[test]
    fn constants_are_cut_to_their_width_and_kept_exactly() {
        let mut pool = Pool::new();
        for width in [1, 7, 8, 31, 32, 33, 63, 64, 65, 80, 127, 128] {
            let all = pool.constant(width, u128::MAX);
            assert_eq!(pool.as_const(all), Some(mask(width)));
            assert_eq!(pool.width(all), width);
            assert_eq!(pool.constant(width, mask(width)), all);
            assert_eq!(pool.node(all), Node::Const { width, value: mask(width) });
        }
        assert_ne!(pool.constant(80, 1), pool.constant(81, 1));
    }

    #[test]
    fn inputs_are_fresh_and_tables_are_interned() {
        let mut pool = Pool::new();
        assert_ne!(pool.input("x", 4), pool.input("x", 4));
        assert_eq!(pool.table(b"abc"), pool.table(b"abc"));
        assert_ne!(pool.table(b"abc"), pool.table(b"abd"));
    }

    #[test]
    fn input_bytes_are_numbered_consecutively() {
        let mut pool = Pool::new();
        pool.input("x", 4);
        let y = pool.input("y", 2);
        assert_eq!(pool.array_node(y), ArrayNode::Input { name: "y", size: 2, first_byte: 4 });
    }
}
