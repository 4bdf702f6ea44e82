//! Terms as text: s-expressions in the manner of SMT-LIB, with `let` for parts that occur more than once.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::node::{Array, ArrayNode, BvOp, CmpOp, Node, Term};
use crate::pool::Pool;

/// Prints a term; made by [`Pool::display`].
struct Text<'a> {
    pool: &'a Pool,
    term: Term,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Item {
    Term(Term),
    Array(Array),
}

/// What is still to be printed.
enum Piece {
    Item(Item),
    Text(&'static str),
}

impl Pool {
    /// The term as an s-expression. Its length is linear in the number of different subterms: what occurs more than
    /// once, and is not a leaf, is bound by `let` and named by its id.
    pub fn display(&self, t: Term) -> impl fmt::Display {
        Text { pool: self, term: t }
    }
}

impl BvOp {
    /// The name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            BvOp::Add => "bvadd",
            BvOp::Sub => "bvsub",
            BvOp::Mul => "bvmul",
            BvOp::UDiv => "bvudiv",
            BvOp::SDiv => "bvsdiv",
            BvOp::URem => "bvurem",
            BvOp::SRem => "bvsrem",
            BvOp::Shl => "bvshl",
            BvOp::LShr => "bvlshr",
            BvOp::AShr => "bvashr",
            BvOp::And => "bvand",
            BvOp::Or => "bvor",
            BvOp::Xor => "bvxor",
        }
    }
}

impl CmpOp {
    /// The name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            CmpOp::Eq => "=",
            CmpOp::Ult => "bvult",
            CmpOp::Ule => "bvule",
            CmpOp::Slt => "bvslt",
            CmpOp::Sle => "bvsle",
        }
    }
}

impl Text<'_> {
    /// The parts of an item in the order in which they are printed.
    fn parts(&self, item: Item) -> Vec<Item> {
        match item {
            Item::Term(t) => match self.pool.node(t) {
                Node::Const { .. } => vec![],
                Node::Select { array, index } => vec![Item::Array(array), Item::Term(index)],
                Node::Bin { a, b, .. } | Node::Cmp { a, b, .. } => vec![Item::Term(a), Item::Term(b)],
                Node::Concat { high, low } => vec![Item::Term(high), Item::Term(low)],
                Node::Not(term) | Node::Extract { term, .. } | Node::ZExt { term, .. } | Node::SExt { term, .. } => {
                    vec![Item::Term(term)]
                }
                Node::Ite { cond, then, other } => vec![Item::Term(cond), Item::Term(then), Item::Term(other)],
            },
            Item::Array(array) => match self.pool.array_node(array) {
                ArrayNode::Input { .. } | ArrayNode::Table { .. } => vec![],
                ArrayNode::Store { array, index, value } => {
                    vec![Item::Array(array), Item::Term(index), Item::Term(value)]
                }
            },
        }
    }

    /// Items that get a `let`, parts first, so that each binding names only earlier ones.
    fn shared(&self) -> Vec<Item> {
        let mut uses: FxHashMap<Item, u32> = FxHashMap::default();
        let mut finished = Vec::new();
        let mut pending = vec![(Item::Term(self.term), false)];
        while let Some((item, done)) = pending.pop() {
            if done {
                finished.push(item);
                continue;
            }
            let count = uses.entry(item).or_insert(0);
            *count += 1;
            if *count > 1 {
                continue;
            }
            let parts = self.parts(item);
            if !parts.is_empty() {
                pending.push((item, true));
                pending.extend(parts.into_iter().rev().map(|part| (part, false)));
            }
        }
        finished.retain(|item| uses[item] > 1 && !self.is_small(*item));
        finished
    }

    /// A read of an input or table at a constant is as short as a name.
    fn is_small(&self, item: Item) -> bool {
        match item {
            Item::Term(t) => match self.pool.node(t) {
                Node::Select { array, index } => {
                    !matches!(self.pool.array_node(array), ArrayNode::Store { .. })
                        && self.pool.as_const(index).is_some()
                }
                _ => false,
            },
            Item::Array(_) => false,
        }
    }

    /// The opening of an item that has parts, or all of one that has none.
    fn head(&self, f: &mut fmt::Formatter<'_>, item: Item) -> fmt::Result {
        let extended = |term, width| width - self.pool.width(term);
        match item {
            Item::Term(t) => match self.pool.node(t) {
                Node::Const { width, value } if width.is_multiple_of(4) => {
                    write!(f, "#x{value:0digits$x}", digits = width as usize / 4)
                }
                Node::Const { width, value } => write!(f, "#b{value:0digits$b}", digits = width as usize),
                Node::Select { .. } => f.write_str("(select"),
                Node::Bin { op, .. } => write!(f, "({}", op.name()),
                Node::Cmp { op, .. } => write!(f, "({}", op.name()),
                Node::Not(_) => f.write_str("(bvnot"),
                Node::Concat { .. } => f.write_str("(concat"),
                Node::Extract { low, width, .. } => write!(f, "((_ extract {} {low})", low + width - 1),
                Node::ZExt { term, width } => write!(f, "((_ zero_extend {})", extended(term, width)),
                Node::SExt { term, width } => write!(f, "((_ sign_extend {})", extended(term, width)),
                Node::Ite { .. } => f.write_str("(ite"),
            },
            Item::Array(array) => match self.pool.array_node(array) {
                ArrayNode::Input { name, .. } => f.write_str(name),
                ArrayNode::Table { .. } => write!(f, "{array}"),
                ArrayNode::Store { .. } => f.write_str("(store"),
            },
        }
    }

    /// One item in full, except that items in `named` are written as their ids.
    fn write(&self, f: &mut fmt::Formatter<'_>, item: Item, named: &FxHashSet<Item>) -> fmt::Result {
        let mut pending = vec![Piece::Item(item)];
        while let Some(piece) = pending.pop() {
            let next = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Item(next) => next,
            };
            if named.contains(&next) {
                match next {
                    Item::Term(t) => write!(f, "{t}")?,
                    Item::Array(array) => write!(f, "{array}")?,
                }
                continue;
            }
            self.head(f, next)?;
            let parts = self.parts(next);
            if !parts.is_empty() {
                pending.push(Piece::Text(")"));
            }
            for part in parts.into_iter().rev() {
                pending.push(Piece::Item(part));
                pending.push(Piece::Text(" "));
            }
        }
        Ok(())
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = self.shared();
        let mut named = FxHashSet::default();
        for &item in &shared {
            match item {
                Item::Term(t) => write!(f, "(let (({t} ")?,
                Item::Array(array) => write!(f, "(let (({array} ")?,
            }
            self.write(f, item, &named)?;
            f.write_str(")) ")?;
            named.insert(item);
        }
        self.write(f, Item::Term(self.term), &named)?;
        shared.iter().try_for_each(|_| f.write_str(")"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_read_like_smt_lib() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (a, b) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let quotient = pool.bin(BvOp::UDiv, a, b);
        let three = pool.constant(8, 3);
        let less = pool.ult(quotient, three);
        assert_eq!(
            pool.display(less).to_string(),
            "(bvult (bvudiv (select x #x0000000000000000) (select x #x0000000000000001)) #x03)"
        );
        let odd = pool.constant(7, 5);
        assert_eq!(pool.display(odd).to_string(), "#b0000101");
    }

    #[test]
    fn what_occurs_twice_is_bound_once() {
        let mut pool = Pool::new();
        let x = pool.input("x", 1);
        let a = pool.select_at(x, 0);
        let three = pool.constant(8, 3);
        let quotient = pool.bin(BvOp::UDiv, three, a);
        let twice = pool.bin(BvOp::URem, a, quotient);
        let thrice = pool.bin(BvOp::UDiv, twice, quotient);
        let text = pool.display(thrice).to_string();
        let read = "(select x #x0000000000000000)";
        assert_eq!(
            text,
            format!("(let (({quotient} (bvudiv #x03 {read}))) (bvudiv (bvurem {read} {quotient}) {quotient}))")
        );
    }

    #[test]
    fn a_term_of_great_depth_is_printed() {
        let mut pool = Pool::new();
        let x = pool.input("x", 2);
        let (a, b) = (pool.select_at(x, 0), pool.select_at(x, 1));
        let deep = (0..100_000).fold(a, |t, _| pool.bin(BvOp::UDiv, b, t));
        assert_eq!(pool.display(deep).to_string().matches("bvudiv").count(), 100_000);
    }
}
