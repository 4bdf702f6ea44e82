//! Writing SMT-LIB 2.
//!
//! Inputs are arrays of bytes with 64-bit indices; tables are arrays whose entries are asserted one by one (solvers
//! like that better than thousands of nested stores). Reads beyond an array's end give zero, as in our terms, and an
//! array with stores is a function that chooses. A term that is mentioned more than once, or that sits deep, gets a
//! `define-fun` of its own, so the text grows with the graph and nests no deeper than a parser's stack.

use std::fmt::Write;

use osier_term::{Array, ArrayNode, BvOp, CmpOp, Node, Pool, Term};
use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::question::Question;
use crate::shape::Shape;

/// How deep a written term may nest before it is cut by a definition.
const DEEPEST: u32 = 40;

/// The parameter of those functions. No input has such a name: inputs begin with small letters.
const PLACE: &str = "At";

/// What stands before all questions of a script.
pub const HEADER: &str = "(set-logic QF_ABV)\n(set-option :produce-models true)\n";

/// A script that asserts the constraints and asks for a model. `inputs` are declared even if nothing reads them.
pub fn smt2(pool: &Pool, constraints: &[Term], inputs: &[Array]) -> String {
    let mut out = HEADER.to_owned();
    body(&mut out, pool, &Question { constraints, values: &[], inputs }, &[]);
    out.push_str("(get-model)\n(exit)\n");
    out
}

/// A question in a level of its own, so that many can follow one another in a script.
pub fn question(pool: &Pool, question: &Question) -> String {
    let mut out = String::from("(push 1)\n");
    body(&mut out, pool, question, question.inputs);
    out.push_str("(pop 1)\n");
    out
}

/// `asked` are those of the inputs whose bytes are asked for.
fn body(out: &mut String, pool: &Pool, question: &Question, asked: &[Array]) {
    let &Question { constraints, values, inputs } = question;
    let roots = [constraints, values].concat();
    let shape = Shape::of(pool, &roots);
    let arrays = shape.arrays(pool, inputs);
    let mut script =
        Script { pool, names: Names::new(pool, &arrays), text: FxHashMap::default(), versions: FxHashMap::default() };
    for &array in &arrays {
        script.declare(out, array);
    }
    script.define(out, &shape);
    for c in constraints {
        let _ = writeln!(out, "(assert {})", script.text[c].0);
    }
    out.push_str("(check-sat)\n");
    let wanted = values.iter().map(|t| script.text[t].0.as_str());
    let wanted: Vec<&str> = wanted.chain(asked.iter().map(|&array| script.names.get(array))).collect();
    if !wanted.is_empty() {
        let _ = writeln!(out, "(get-value ({}))", wanted.join(" "));
    }
}

/// Conditions are booleans there, all else bit-vectors.
fn sort(width: u32) -> String {
    if width == 1 { "Bool".to_owned() } else { format!("(_ BitVec {width})") }
}

pub(super) struct Script<'a> {
    pub(super) pool: &'a Pool,
    pub(super) names: Names,
    /// What to write for a term, and how deep that nests.
    pub(super) text: FxHashMap<Term, (String, u32)>,
    /// The functions that give the bytes of arrays with stores.
    pub(super) versions: FxHashMap<Array, String>,
}

impl Script<'_> {
    /// Finds what to write for all terms that have no text yet, and defines those that need a name.
    pub(super) fn define(&mut self, out: &mut String, shape: &Shape) {
        for &t in &shape.order {
            if self.text.contains_key(&t) {
                continue;
            }
            if let Node::Select { array, .. } = self.pool.node(t) {
                self.define_versions(out, array);
            }
            let (text, depth) = self.write(t);
            let cut = (shape.uses[&t] > 1 && depth > 0) || depth >= DEEPEST;
            if cut {
                let _ = writeln!(out, "(define-fun {t} () {} {text})", sort(self.pool.width(t)));
                self.text.insert(t, (t.to_string(), 0));
            } else {
                self.text.insert(t, (text, depth));
            }
        }
    }

    pub(super) fn declare(&self, out: &mut String, array: Array) {
        let name = self.names.get(array);
        let _ = writeln!(out, "(declare-fun {name} () (Array (_ BitVec 64) (_ BitVec 8)))");
        if let ArrayNode::Table { bytes } = self.pool.array_node(array) {
            for (i, byte) in bytes.iter().enumerate() {
                let _ = writeln!(out, "(assert (= (select {name} #x{i:016x}) #x{byte:02x}))");
            }
        }
    }

    /// The text of a term whose children have theirs, and its depth.
    fn write(&self, t: Term) -> (String, u32) {
        let width = self.pool.width(t);
        let mut depth = 0;
        let text = match self.pool.node(t) {
            Node::Const { width, value } => return (constant(width, value), 0),
            Node::Select { array, index } => self.read(array, index, &mut depth),
            Node::Bin { op, a, b } => match (width, boolean_name(op)) {
                (1, Some(name)) => format!("({name} {} {})", self.plain(a, &mut depth), self.plain(b, &mut depth)),
                (_, Some(_) | None) => {
                    let (a, b) = (self.vector(a, &mut depth), self.vector(b, &mut depth));
                    self.settle(width, format!("({} {a} {b})", vector_name(op)))
                }
            },
            Node::Cmp { op: CmpOp::Eq, a, b } => {
                format!("(= {} {})", self.plain(a, &mut depth), self.plain(b, &mut depth))
            }
            Node::Cmp { op, a, b } => {
                format!("({} {} {})", compare_name(op), self.vector(a, &mut depth), self.vector(b, &mut depth))
            }
            Node::Not(a) if width == 1 => format!("(not {})", self.plain(a, &mut depth)),
            Node::Not(a) => format!("(bvnot {})", self.plain(a, &mut depth)),
            Node::Concat { high, low } => {
                format!("(concat {} {})", self.vector(high, &mut depth), self.vector(low, &mut depth))
            }
            Node::Extract { term, low, width } => {
                let bits = format!("((_ extract {} {low}) {})", low + width - 1, self.vector(term, &mut depth));
                self.settle(width, bits)
            }
            Node::ZExt { term, width } => {
                let added = width - self.pool.width(term);
                format!("((_ zero_extend {added}) {})", self.vector(term, &mut depth))
            }
            Node::SExt { term, width } => {
                let added = width - self.pool.width(term);
                format!("((_ sign_extend {added}) {})", self.vector(term, &mut depth))
            }
            Node::Ite { cond, then, other } => {
                let cond = self.plain(cond, &mut depth).to_owned();
                format!("(ite {cond} {} {})", self.plain(then, &mut depth), self.plain(other, &mut depth))
            }
        };
        (text, depth + 1)
    }

    fn plain(&self, t: Term, depth: &mut u32) -> &str {
        let (text, own) = &self.text[&t];
        *depth = (*depth).max(*own);
        text
    }

    /// As a bit-vector whatever its width.
    fn vector(&self, t: Term, depth: &mut u32) -> String {
        let text = self.plain(t, depth);
        if self.pool.width(t) == 1 { format!("(ite {text} #b1 #b0)") } else { text.to_owned() }
    }

    fn settle(&self, width: u32, vector: String) -> String {
        if width == 1 { format!("(= {vector} #b1)") } else { vector }
    }

    /// A function for the bytes of each array with stores that has none yet, made of that of the array before the
    /// newest store. Written out at each read, the stores would make the text grow with their number times the reads.
    fn define_versions(&mut self, out: &mut String, array: Array) {
        let mut missing = Vec::new();
        let mut version = array;
        while let ArrayNode::Store { array: older, index, value } = self.pool.array_node(version) {
            if self.versions.contains_key(&version) {
                break;
            }
            missing.push((version, older, index, value));
            version = older;
        }
        for (version, older, index, value) in missing.into_iter().rev() {
            let (index, value, before) = (&self.text[&index].0, &self.text[&value].0, self.byte(older, PLACE, None));
            let name = format!("w{}", self.versions.len());
            let _ = writeln!(
                out,
                "(define-fun {name} (({PLACE} (_ BitVec 64))) (_ BitVec 8) (ite (= {PLACE} {index}) {value} {before}))"
            );
            self.versions.insert(version, name);
        }
    }

    fn read(&self, array: Array, index: Term, depth: &mut u32) -> String {
        self.byte(array, self.plain(index, depth), self.pool.as_const(index))
    }

    /// The byte at the place that `at` names, which may be known.
    fn byte(&self, array: Array, at: &str, known: Option<u128>) -> String {
        let size = match self.pool.array_node(array) {
            ArrayNode::Input { size, .. } => u128::from(size),
            ArrayNode::Table { bytes } => bytes.len() as u128,
            ArrayNode::Store { .. } => return format!("({} {at})", self.versions[&array]),
        };
        let name = self.names.get(array);
        match known {
            Some(place) if place < size => format!("(select {name} {at})"),
            Some(_) => "#x00".to_owned(),
            None => format!("(ite (bvult {at} {}) (select {name} {at}) #x00)", constant(64, size)),
        }
    }
}

fn constant(width: u32, value: u128) -> String {
    match width {
        1 => (value == 1).to_string(),
        _ if width.is_multiple_of(4) => format!("#x{value:0digits$x}", digits = width as usize / 4),
        _ => format!("#b{value:0digits$b}", digits = width as usize),
    }
}

/// The operators that booleans have too.
fn boolean_name(op: BvOp) -> Option<&'static str> {
    match op {
        BvOp::And | BvOp::Mul => Some("and"),
        BvOp::Or => Some("or"),
        BvOp::Xor | BvOp::Add | BvOp::Sub => Some("xor"),
        BvOp::UDiv | BvOp::SDiv | BvOp::URem | BvOp::SRem | BvOp::Shl | BvOp::LShr | BvOp::AShr => None,
    }
}

fn vector_name(op: BvOp) -> &'static str {
    match op {
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

fn compare_name(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "=",
        CmpOp::Ult => "bvult",
        CmpOp::Ule => "bvule",
        CmpOp::Slt => "bvslt",
        CmpOp::Sle => "bvsle",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_booleans_and_shared_terms_are_defined_once() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let product = pool.mul(a, b);
        let (low, high) = (pool.ult(product, a), pool.ult(product, b));
        let text = smt2(&pool, &[low, high], &[input]);
        assert_eq!(text.matches("(declare-fun x () (Array (_ BitVec 64) (_ BitVec 8)))").count(), 1, "{text}");
        assert_eq!(text.matches("bvmul").count(), 1, "{text}");
        assert!(text.contains(&format!("(define-fun {product} () (_ BitVec 8) (bvmul ")), "{text}");
        assert!(text.contains(&format!("(assert (bvult {product} ")), "{text}");
        assert!(text.ends_with("(check-sat)\n(get-model)\n(exit)\n"), "{text}");
    }

    #[test]
    fn stores_are_written_once_however_often_they_are_read() {
        let mut pool = Pool::new();
        let input = pool.input("i", 200);
        let mut array = pool.table(&[7; 64]);
        for i in 0..100 {
            let (place, value) = (pool.select_at(input, i), pool.select_at(input, i + 100));
            let place = pool.zext(place, 64);
            array = pool.store(array, place, value);
        }
        let (nine, mut constraints) = (pool.constant(8, 9), vec![]);
        for i in 0..100 {
            let place = pool.select_at(input, i);
            let place = pool.zext(place, 64);
            let (one, byte) = (pool.constant(64, 1), place);
            let beside = pool.add(byte, one);
            let read = pool.select(array, beside);
            constraints.push(pool.ult(read, nine));
        }
        let text = smt2(&pool, &constraints, &[]);
        assert_eq!(text.matches("(define-fun w").count(), 100, "{text}");
        assert!(text.len() < 60_000, "{}", text.len());
    }

    #[test]
    fn a_very_deep_term_does_not_nest_deeply() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (mut t, y) = (pool.select_at(input, 0), pool.select_at(input, 1));
        for _ in 0..50_000 {
            t = pool.bin(BvOp::UDiv, t, y);
        }
        let three = pool.constant(8, 3);
        let deep = pool.ult(t, three);
        let text = smt2(&pool, &[deep], &[input]);
        let longest_line = text.lines().map(str::len).max();
        assert!(longest_line < Some(2000), "{longest_line:?}");
    }
}
