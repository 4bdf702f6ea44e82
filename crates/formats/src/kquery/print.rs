//! Writing KQuery.
//!
//! Its arrays have 32-bit indices where ours have 64, so indices are cut to 32 bits; an array that KLEE could hold is
//! never larger.

use std::fmt::Write;

use osier_term::{Array, ArrayNode, BvOp, CmpOp, Node, Pool, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::Names;
use crate::question::Question;
use crate::shape::{Shape, base};

/// A query that asks whether the constraints contradict each other, and if not for the bytes of `inputs`.
pub fn kquery(pool: &Pool, constraints: &[Term], inputs: &[Array]) -> String {
    question(pool, &Question { constraints, values: &[], inputs })
}

/// As a query with the goal `false`, which is valid exactly if the constraints contradict each other.
pub fn question(pool: &Pool, question: &Question) -> String {
    let &Question { constraints, values, inputs } = question;
    let roots = [constraints, values].concat();
    let shape = Shape::of(pool, &roots);
    let arrays = shape.arrays(pool, inputs);
    let names = Names::new(pool, &arrays);
    let mut out = String::new();
    for &array in &arrays {
        declare(&mut out, pool, array, names.get(array));
    }
    let mut printer = Printer::new(pool, &names, &roots);
    out.push_str("(query [");
    for (i, &constraint) in constraints.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { "\n        " });
        printer.print(&mut out, Piece::Term(constraint));
    }
    out.push_str("]\n       false [");
    for (i, &value) in values.iter().enumerate() {
        out.push_str(if i == 0 { "" } else { "\n        " });
        printer.print(&mut out, Piece::Term(value));
    }
    let wanted: Vec<&str> = inputs.iter().map(|&array| names.get(array)).collect();
    let _ = writeln!(out, "]\n       [{}])", wanted.join(" "));
    out
}

fn declare(out: &mut String, pool: &Pool, array: Array, name: &str) {
    let _ = match pool.array_node(array) {
        ArrayNode::Input { size, .. } => writeln!(out, "array {name}[{size}] : w32 -> w8 = symbolic"),
        ArrayNode::Table { bytes } => {
            let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
            writeln!(out, "array {name}[{}] : w32 -> w8 = [{}]", bytes.len(), list.join(" "))
        }
        ArrayNode::Store { .. } => unreachable!("only base arrays are declared"),
    };
}

/// What is still to be written. A term is taken apart into pieces, so that printing needs no recursion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Piece {
    Text(String),
    Term(Term),
    /// A 64-bit index, cut to 32 bits.
    Index(Term),
    /// An array with the stores on it.
    Version(Array),
}

struct Printer<'a> {
    pool: &'a Pool,
    names: &'a Names,
    /// Pieces with parts that are mentioned more than once; they get a label where they are first written. `None`
    /// while they are being found.
    shared: Option<FxHashSet<Piece>>,
    labels: FxHashMap<Piece, String>,
    terms_labelled: usize,
    versions_labelled: usize,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a Pool, names: &'a Names, roots: &[Term]) -> Self {
        let mut printer = Printer {
            pool,
            names,
            shared: None,
            labels: FxHashMap::default(),
            terms_labelled: 0,
            versions_labelled: 0,
        };
        printer.shared = Some(printer.find_shared(roots));
        printer
    }

    fn find_shared(&self, roots: &[Term]) -> FxHashSet<Piece> {
        let mut seen = FxHashSet::default();
        let mut shared = FxHashSet::default();
        let mut open: Vec<Piece> = roots.iter().map(|&t| Piece::Term(t)).collect();
        while let Some(piece) = open.pop() {
            if matches!(piece, Piece::Text(_)) {
                continue;
            }
            if !seen.insert(piece.clone()) {
                shared.insert(piece);
                continue;
            }
            open.extend(self.parts(&piece));
        }
        shared.retain(|piece| self.parts(piece).len() > 1);
        shared
    }

    fn print(&mut self, out: &mut String, root: Piece) {
        let mut open = vec![root];
        while let Some(piece) = open.pop() {
            if let Piece::Text(text) = &piece {
                out.push_str(text);
                continue;
            }
            if let Some(label) = self.labels.get(&piece) {
                out.push_str(label);
                continue;
            }
            let parts = self.parts(&piece);
            if self.is_shared(&piece) {
                let label = self.fresh_label(&piece);
                let _ = write!(out, "{label}:");
                self.labels.insert(piece, label);
            }
            open.extend(parts.into_iter().rev());
        }
    }

    fn is_shared(&self, piece: &Piece) -> bool {
        self.shared.as_ref().is_none_or(|shared| shared.contains(piece))
    }

    fn fresh_label(&mut self, piece: &Piece) -> String {
        let (letter, counter) = match piece {
            Piece::Version(_) => ("U", &mut self.versions_labelled),
            Piece::Text(_) | Piece::Term(_) | Piece::Index(_) => ("N", &mut self.terms_labelled),
        };
        *counter += 1;
        format!("{letter}{}", *counter - 1)
    }

    /// What a piece consists of. A single part means that the piece is written as that part, or as it stands.
    fn parts(&self, piece: &Piece) -> Vec<Piece> {
        match piece {
            Piece::Text(_) => vec![],
            Piece::Term(t) => self.term_parts(*t),
            Piece::Index(t) => self.index_parts(*t),
            Piece::Version(array) => self.version_parts(*array),
        }
    }

    fn term_parts(&self, t: Term) -> Vec<Piece> {
        let width = self.pool.width(t);
        match self.pool.node(t) {
            Node::Const { width: 1, value } => vec![text((value == 1).to_string())],
            Node::Const { width, value } => vec![text(format!("(w{width} {value})"))],
            Node::Select { array, index } => call("Read w8".into(), vec![Piece::Index(index), self.version(array)]),
            Node::Bin { op, a, b } => call(format!("{} w{width}", bin_name(op)), vec![Piece::Term(a), Piece::Term(b)]),
            Node::Cmp { op, a, b } => call(cmp_name(op).into(), vec![Piece::Term(a), Piece::Term(b)]),
            Node::Not(a) => call(format!("Not w{width}"), vec![Piece::Term(a)]),
            Node::Concat { high, low } => match self.consecutive_reads(t) {
                Some((array, index)) => {
                    call(format!("ReadLSB w{width}"), vec![Piece::Index(index), self.version(array)])
                }
                None => call(format!("Concat w{width}"), vec![Piece::Term(high), Piece::Term(low)]),
            },
            Node::Extract { term, low, width } => {
                call(format!("Extract w{width}"), vec![text(low.to_string()), Piece::Term(term)])
            }
            Node::ZExt { term, width } => call(format!("ZExt w{width}"), vec![Piece::Term(term)]),
            Node::SExt { term, width } => call(format!("SExt w{width}"), vec![Piece::Term(term)]),
            Node::Ite { cond, then, other } => {
                call(format!("Select w{width}"), vec![Piece::Term(cond), Piece::Term(then), Piece::Term(other)])
            }
        }
    }

    fn index_parts(&self, index: Term) -> Vec<Piece> {
        match self.pool.node(index) {
            Node::Const { value, .. } => vec![text(format!("(w32 {})", value as u32))],
            Node::ZExt { term, .. } if self.pool.width(term) == 32 => vec![Piece::Term(term)],
            Node::ZExt { term, .. } if self.pool.width(term) < 32 => call("ZExt w32".into(), vec![Piece::Term(term)]),
            Node::ZExt { term, .. } => call("Extract w32 0".into(), vec![Piece::Term(term)]),
            Node::SExt { term, .. } if self.pool.width(term) == 32 => vec![Piece::Term(term)],
            Node::Select { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::SExt { .. }
            | Node::Ite { .. } => call("Extract w32 0".into(), vec![Piece::Term(index)]),
        }
    }

    fn version(&self, array: Array) -> Piece {
        match self.pool.array_node(array) {
            ArrayNode::Store { .. } => Piece::Version(array),
            ArrayNode::Input { .. } | ArrayNode::Table { .. } => text(self.names.get(array).to_owned()),
        }
    }

    /// `[newest=value, older=value] @ array`, where a shared older version may stand in the array's place.
    fn version_parts(&self, array: Array) -> Vec<Piece> {
        let mut parts = vec![text("[".into())];
        let mut version = array;
        while let ArrayNode::Store { array: older, index, value } = self.pool.array_node(version) {
            if version != array {
                let older = Piece::Version(version);
                if self.is_shared(&older) {
                    parts.extend([text("] @ ".into()), older]);
                    return parts;
                }
                parts.push(text(", ".into()));
            }
            parts.extend([Piece::Index(index), text("=".into()), Piece::Term(value)]);
            version = older;
        }
        parts.push(text(format!("] @ {}", self.names.get(base(self.pool, array)))));
        parts
    }

    /// If `t` joins bytes that lie one after the other in an array, lowest first: the array and the first index.
    fn consecutive_reads(&self, t: Term) -> Option<(Array, Term)> {
        let mut high_first = Vec::new();
        let mut rest = vec![t];
        while let Some(part) = rest.pop() {
            match self.pool.node(part) {
                Node::Concat { high, low } => rest.extend([low, high]),
                Node::Select { array, index } => high_first.push((array, index)),
                Node::Const { .. }
                | Node::Bin { .. }
                | Node::Cmp { .. }
                | Node::Not(_)
                | Node::Extract { .. }
                | Node::ZExt { .. }
                | Node::SExt { .. }
                | Node::Ite { .. } => return None,
            }
        }
        let (array, lowest) = *high_first.last()?;
        let (root, start) = self.root_and_offset(lowest);
        let in_order =
            high_first.iter().rev().zip(0u64..).all(|(&(other, index), i)| {
                other == array && self.root_and_offset(index) == (root, start.wrapping_add(i))
            });
        in_order.then_some((array, lowest))
    }

    /// An index as a term plus a constant.
    fn root_and_offset(&self, index: Term) -> (Option<Term>, u64) {
        match self.pool.node(index) {
            Node::Const { value, .. } => (None, value as u64),
            Node::Bin { op: BvOp::Add, a, b } => match (self.pool.as_const(a), self.pool.as_const(b)) {
                (Some(offset), _) => (Some(b), offset as u64),
                (None, Some(offset)) => (Some(a), offset as u64),
                (None, None) => (Some(index), 0),
            },
            Node::Select { .. }
            | Node::Bin { .. }
            | Node::Cmp { .. }
            | Node::Not(_)
            | Node::Concat { .. }
            | Node::Extract { .. }
            | Node::ZExt { .. }
            | Node::SExt { .. }
            | Node::Ite { .. } => (Some(index), 0),
        }
    }
}

fn text(text: String) -> Piece {
    Piece::Text(text)
}

/// `(head argument ...)`
fn call(head: String, arguments: Vec<Piece>) -> Vec<Piece> {
    let mut parts = vec![text(format!("({head}"))];
    for argument in arguments {
        parts.extend([text(" ".into()), argument]);
    }
    parts.push(text(")".into()));
    parts
}

fn bin_name(op: BvOp) -> &'static str {
    match op {
        BvOp::Add => "Add",
        BvOp::Sub => "Sub",
        BvOp::Mul => "Mul",
        BvOp::UDiv => "UDiv",
        BvOp::SDiv => "SDiv",
        BvOp::URem => "URem",
        BvOp::SRem => "SRem",
        BvOp::Shl => "Shl",
        BvOp::LShr => "LShr",
        BvOp::AShr => "AShr",
        BvOp::And => "And",
        BvOp::Or => "Or",
        BvOp::Xor => "Xor",
    }
}

fn cmp_name(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "Eq",
        CmpOp::Ult => "Ult",
        CmpOp::Ule => "Ule",
        CmpOp::Slt => "Slt",
        CmpOp::Sle => "Sle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_an_input_is_one_read() {
        let mut pool = Pool::new();
        let input = pool.input("n", 4);
        let bytes: Vec<Term> = (0..4).map(|i| pool.select_at(input, i)).collect();
        let half = pool.concat(bytes[1], bytes[0]);
        let most = pool.concat(bytes[2], half);
        let word = pool.concat(bytes[3], most);
        let other = pool.concat(bytes[2], bytes[3]);
        let (a, b) = (pool.constant(32, 10), pool.constant(16, 7));
        let (small, odd) = (pool.ult(word, a), pool.ult(other, b));
        assert_eq!(
            kquery(&pool, &[small, odd], &[input]),
            "array n[4] : w32 -> w8 = symbolic\n\
             (query [(Ult (ReadLSB w32 (w32 0) n) (w32 10))\n        \
             (Ult (Concat w16 (Read w8 (w32 2) n) (Read w8 (w32 3) n)) (w16 7))]\n       \
             false []\n       [n])\n"
        );
    }

    #[test]
    fn shared_terms_and_versions_get_labels() {
        let mut pool = Pool::new();
        let input = pool.input("i", 1);
        let byte = pool.select_at(input, 0);
        let index = pool.zext(byte, 64);
        let table = pool.table(&[7, 8]);
        let stored = pool.store(table, index, byte);
        let other = pool.constant(64, 1);
        let (read, nine) = (pool.select(stored, other), pool.constant(8, 9));
        let (below, square) = (pool.ult(read, nine), pool.mul(read, read));
        let above = pool.ult(nine, square);
        let text = kquery(&pool, &[below, above], &[input]);
        assert_eq!(
            text,
            "array i[1] : w32 -> w8 = symbolic\n\
             array table[2] : w32 -> w8 = [7 8]\n\
             (query [(Ult N0:(Read w8 (w32 1) [(ZExt w32 N1:(Read w8 (w32 0) i))=N1] @ table) (w8 9))\n        \
             (Ult (w8 9) (Mul w8 N0 N0))]\n       \
             false []\n       [i])\n"
        );
    }

    #[test]
    fn a_later_version_mentions_an_earlier_one_by_its_label() {
        let mut pool = Pool::new();
        let input = pool.input("i", 3);
        let (a, b, c) = (pool.select_at(input, 0), pool.select_at(input, 1), pool.select_at(input, 2));
        let (at_a, at_b, at_c) = (pool.zext(a, 64), pool.zext(b, 64), pool.zext(c, 64));
        let table = pool.table(&[7, 8]);
        let earlier = pool.store(table, at_a, b);
        let later = pool.store(earlier, at_b, a);
        let (old, new) = (pool.select(earlier, at_c), pool.select(later, at_c));
        let differ = pool.ult(old, new);
        let text = kquery(&pool, &[differ], &[]);
        assert!(text.contains("U0:[(ZExt w32 "), "{text}");
        assert!(text.contains("] @ U0)"), "{text}");
        assert_eq!(text.matches("@ table").count(), 1, "{text}");
    }

    #[test]
    fn a_very_deep_term_is_printed() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (mut t, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        for _ in 0..50_000 {
            t = pool.bin(BvOp::UDiv, t, y);
        }
        let three = pool.constant(8, 3);
        let deep = pool.ult(t, three);
        assert!(kquery(&pool, &[deep], &[input]).len() > 500_000);
    }
}
