//! Fingerprints of terms that do not depend on the order in which terms were made, so that runs can compare conditions.

use osier_term::{Array, ArrayNode, BvOp, CmpOp, Node, Pool, Term};

/// Fingerprints that are known already, by term and by array; 0 where none is.
#[derive(Default)]
pub(crate) struct Fingerprints {
    terms: Vec<u32>,
    arrays: Vec<u32>,
    open: Vec<Term>,
}

/// Takes in words one after the other; the result is never 0.
struct Mixer(u64);

impl Mixer {
    fn new(kind: u64) -> Self {
        Mixer(kind.wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    fn with(self, word: u64) -> Self {
        let mixed = (self.0.rotate_left(23) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        Mixer(mixed ^ (mixed >> 32))
    }

    fn with_bytes(self, bytes: &[u8]) -> Self {
        let chunk = |mixer: Mixer, chunk: &[u8]| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            mixer.with(u64::from_le_bytes(word))
        };
        bytes.chunks(8).fold(self.with(bytes.len() as u64), chunk)
    }

    /// Two words whose order means nothing.
    fn with_pair(self, a: u32, b: u32) -> Self {
        self.with(u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
    }

    fn done(self) -> u32 {
        (self.0 as u32).max(1)
    }
}

fn lookup(known: &[u32], id: u32) -> Option<u32> {
    known.get(id as usize).copied().filter(|print| *print != 0)
}

fn remember(known: &mut Vec<u32>, id: u32, print: u32) {
    if known.len() <= id as usize {
        known.resize(id as usize + 1, 0);
    }
    known[id as usize] = print;
}

impl Fingerprints {
    /// Tells inputs of one name apart: this is the n-th of its path.
    pub fn name_input(&mut self, array: Array, name: &str, nth: usize) {
        let print = Mixer::new(20).with_bytes(name.as_bytes()).with(nth as u64).done();
        remember(&mut self.arrays, array.0, print);
    }

    pub fn of(&mut self, pool: &Pool, term: Term) -> u32 {
        self.open.push(term);
        while let Some(&top) = self.open.last() {
            if lookup(&self.terms, top.0).is_some() {
                self.open.pop();
                continue;
            }
            let waiting = self.open.len();
            self.open_parts(pool, top);
            if self.open.len() == waiting {
                let print = self.join(pool, top);
                remember(&mut self.terms, top.0, print);
                self.open.pop();
            }
        }
        self.terms[term.0 as usize]
    }

    /// Puts the parts of a term whose fingerprints are missing on the stack.
    fn open_parts(&mut self, pool: &Pool, term: Term) {
        let Fingerprints { terms, arrays, open } = self;
        let mut need = |part: Term| {
            if lookup(terms, part.0).is_none() {
                open.push(part);
            }
        };
        let Node::Select { mut array, index } = pool.node(term) else {
            pool.for_each_child(term, need);
            return;
        };
        need(index);
        while lookup(arrays, array.0).is_none() {
            let ArrayNode::Store { array: older, index, value } = pool.array_node(array) else { return };
            need(index);
            need(value);
            array = older;
        }
    }

    fn known(&self, term: Term) -> u32 {
        self.terms[term.0 as usize]
    }

    /// The fingerprint of a term whose parts have theirs.
    fn join(&mut self, pool: &Pool, term: Term) -> u32 {
        let one = |mixer: Mixer, part: Term| mixer.with(u64::from(self.known(part)));
        let mixer = match pool.node(term) {
            Node::Const { width, value } => {
                Mixer::new(1).with(u64::from(width)).with(value as u64).with((value >> 64) as u64)
            }
            Node::Select { array, index } => {
                let print = self.array(pool, array);
                Mixer::new(2).with(u64::from(print)).with(u64::from(self.known(index)))
            }
            Node::Bin { op, a, b } if op.is_commutative() => binary(op).with_pair(self.known(a), self.known(b)),
            Node::Bin { op, a, b } => one(one(binary(op), a), b),
            Node::Cmp { op: CmpOp::Eq, a, b } => Mixer::new(3).with_pair(self.known(a), self.known(b)),
            Node::Cmp { op, a, b } => {
                let number = CmpOp::ALL.iter().position(|other| *other == op).unwrap_or(0);
                one(one(Mixer::new(4).with(number as u64), a), b)
            }
            Node::Not(a) => one(Mixer::new(5), a),
            Node::Concat { high, low } => one(one(Mixer::new(6), high), low),
            Node::Extract { term, low, width } => {
                one(Mixer::new(7).with(u64::from(low) << 32 | u64::from(width)), term)
            }
            Node::ZExt { term, width } => one(Mixer::new(8).with(u64::from(width)), term),
            Node::SExt { term, width } => one(Mixer::new(9).with(u64::from(width)), term),
            Node::Ite { cond, then, other } => one(one(one(Mixer::new(10), cond), then), other),
        };
        mixer.done()
    }

    /// The fingerprint of an array whose indices and values have theirs.
    fn array(&mut self, pool: &Pool, array: Array) -> u32 {
        let mut unknown = Vec::new();
        let mut at = array;
        let mut print = loop {
            if let Some(known) = lookup(&self.arrays, at.0) {
                break known;
            }
            match pool.array_node(at) {
                ArrayNode::Store { array: older, .. } => {
                    unknown.push(at);
                    at = older;
                }
                ArrayNode::Input { name, size, .. } => {
                    break Mixer::new(21).with_bytes(name.as_bytes()).with(u64::from(size)).done();
                }
                ArrayNode::Table { bytes } => break Mixer::new(22).with_bytes(bytes).done(),
            }
        };
        remember(&mut self.arrays, at.0, print);
        while let Some(store) = unknown.pop() {
            let ArrayNode::Store { index, value, .. } = pool.array_node(store) else {
                unreachable!("only stores are put off")
            };
            let parts = u64::from(self.known(index)) << 32 | u64::from(self.known(value));
            print = Mixer::new(23).with(u64::from(print)).with(parts).done();
            remember(&mut self.arrays, store.0, print);
        }
        print
    }
}

fn binary(op: BvOp) -> Mixer {
    let number = BvOp::ALL.iter().position(|other| *other == op).unwrap_or(0);
    Mixer::new(11).with(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A condition over two inputs and a write, made in one order or in another.
    fn condition(pool: &mut Pool, prints: &mut Fingerprints, backwards: bool) -> Term {
        let mut arrays = [("x", 0), ("x", 1)].map(|(name, nth)| (name, nth, None));
        if backwards {
            arrays.reverse();
        }
        for (name, nth, array) in &mut arrays {
            let made = pool.input(name, 8);
            prints.name_input(made, name, *nth);
            *array = Some(made);
        }
        if backwards {
            arrays.reverse();
        }
        let [x, y] = arrays.map(|(_, _, array)| array.expect("made above"));
        let mut bytes = [pool.select_at(x, 0), pool.select_at(x, 0)];
        for i in if backwards { [1, 0] } else { [0, 1] } {
            bytes[i] = pool.select_at([x, y][i], 3);
        }
        let sum = pool.add(bytes[0], bytes[1]);
        let seven = pool.constant(8, 7);
        pool.ult(sum, seven)
    }

    #[test]
    fn the_order_of_making_does_not_matter() {
        let (mut one, mut other) = (Pool::new(), Pool::new());
        let (mut first, mut second) = (Fingerprints::default(), Fingerprints::default());
        let a = condition(&mut one, &mut first, false);
        let b = condition(&mut other, &mut second, true);
        assert_eq!(first.of(&one, a), second.of(&other, b));
        let negated = one.not(a);
        assert_ne!(first.of(&one, a), first.of(&one, negated));
    }

    #[test]
    fn inputs_of_one_name_differ() {
        let (mut pool, mut prints) = (Pool::new(), Fingerprints::default());
        let seven = pool.constant(8, 7);
        let mut print = |nth| {
            let array = pool.input("x", 1);
            prints.name_input(array, "x", nth);
            let byte = pool.select_at(array, 0);
            let is_seven = pool.eq(byte, seven);
            prints.of(&pool, is_seven)
        };
        let (first, second, again) = (print(0), print(1), print(0));
        assert_ne!(first, second);
        assert_eq!(first, again);
    }
}
