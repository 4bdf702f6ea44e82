//! Terms into words of bits, each once.

use osier_solver::Reason;
use osier_term::{Array, Node, Pool, Support, Term};
use rustc_hash::FxHashMap;

use crate::arrays::Arrays;
use crate::gates::{Bit, Gates};
use crate::words::{self, Word};

/// Gates that one query may stand on, and gates that may be made for it: a division of 128 bits takes 50,000.
pub(crate) const LARGEST_QUERY: usize = 400_000;

/// A query that is not for this tier, because of its size.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLarge(pub(crate) &'static str);

impl From<TooLarge> for Reason {
    fn from(TooLarge(what): TooLarge) -> Reason {
        Reason::Incomplete(format!("{what} is too large for the first tier"))
    }
}

/// The bits of terms that are blasted: all in one vector, a term knows where its own begin.
#[derive(Default)]
pub(crate) struct Bits {
    starts: FxHashMap<Term, u32>,
    all: Vec<Bit>,
}

impl Bits {
    /// The word of a term that is blasted.
    pub(crate) fn of(&self, pool: &Pool, t: Term) -> &[Bit] {
        let start = self.starts[&t] as usize;
        &self.all[start..start + pool.width(t) as usize]
    }

    fn insert(&mut self, t: Term, word: &[Bit]) {
        let start = u32::try_from(self.all.len()).expect("bits are as limited in number as gates");
        self.all.extend_from_slice(word);
        self.starts.insert(t, start);
    }
}

/// Everything that was blasted.
pub(crate) struct Blaster {
    pub(crate) gates: Gates,
    bits: Bits,
    arrays: Arrays,
}

impl Blaster {
    pub(crate) fn new() -> Self {
        Blaster { gates: Gates::new(), bits: Bits::default(), arrays: Arrays::default() }
    }

    /// How much is remembered. Bits count beside gates: words that are made without gates take memory too.
    pub(crate) fn weight(&self) -> usize {
        self.gates.len() + self.bits.all.len() / 4
    }

    /// How many array reads became trees.
    pub(crate) fn trees(&self) -> u64 {
        self.arrays.trees
    }

    /// The bits of width-1 terms and of all below them. Not recursive: terms can be deeper than the stack.
    pub(crate) fn conditions(&mut self, pool: &Pool, constraints: &[Term]) -> Result<Vec<Bit>, TooLarge> {
        let before = self.weight();
        let mut open = Vec::new();
        for &root in constraints {
            open.push((root, false));
            while let Some((t, children_done)) = open.pop() {
                if self.bits.starts.contains_key(&t) {
                    continue;
                }
                if children_done {
                    let word = self.build(pool, t)?;
                    self.bits.insert(t, &word);
                    if self.weight() - before > LARGEST_QUERY {
                        return Err(TooLarge("the query"));
                    }
                } else {
                    open.push((t, true));
                    pool.for_each_child(t, |child| open.push((child, false)));
                }
            }
        }
        Ok(constraints.iter().map(|&t| self.bits.of(pool, t)[0]).collect())
    }

    /// Calls `each` with array, size, index and bits of every byte in `support` that a read has mentioned.
    pub(crate) fn for_each_byte(&self, support: &Support, each: impl FnMut(Array, u32, u32, [Bit; 8])) {
        self.arrays.for_each_byte(support, each);
    }

    fn build(&mut self, pool: &Pool, t: Term) -> Result<Word, TooLarge> {
        let Blaster { gates, bits, arrays } = self;
        let of = |t: Term| bits.of(pool, t);
        Ok(match pool.node(t) {
            Node::Const { width, value } => words::constant(width, value),
            Node::Select { array, index } => arrays.read(gates, bits, pool, array, index)?.to_vec(),
            Node::Bin { op, a, b } => words::apply(gates, op, of(a), of(b)),
            Node::Cmp { op, a, b } => vec![words::compare(gates, op, of(a), of(b))],
            Node::Not(a) => words::negation(of(a)),
            Node::Concat { high, low } => [of(low), of(high)].concat(),
            Node::Extract { term, low, width } => of(term)[low as usize..(low + width) as usize].to_vec(),
            Node::ZExt { term, width } => extended(of(term), width, Bit::FALSE),
            Node::SExt { term, width } => extended(of(term), width, of(term)[pool.width(term) as usize - 1]),
            Node::Ite { cond, then, other } => words::choose(gates, of(cond)[0], of(then), of(other)),
        })
    }
}

fn extended(word: &[Bit], width: u32, with: Bit) -> Word {
    let mut extended = word.to_vec();
    extended.resize(width as usize, with);
    extended
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blasting_ends_where_the_limit_is() {
        let mut pool = Pool::new();
        let input = pool.input("x", 16);
        let bytes: Vec<Term> = (0..16).map(|i| pool.select_at(input, i)).collect();
        let word = bytes.into_iter().reduce(|low, byte| pool.concat(byte, low)).expect("there are bytes");
        let mut product = word;
        for k in 0..40 {
            let k = pool.constant(128, k);
            let factor = pool.add(word, k);
            product = pool.mul(product, factor);
        }
        let condition = pool.eq(product, word);
        let mut blaster = Blaster::new();
        assert_eq!(blaster.conditions(&pool, &[condition]), Err(TooLarge("the query")));
        assert!(blaster.weight() < LARGEST_QUERY + 100_000, "{} gates", blaster.weight());
    }

    #[test]
    fn a_term_is_blasted_once() {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
        let product = pool.mul(a, b);
        let (less, more) = (pool.ult(product, a), pool.ult(b, product));
        let mut blaster = Blaster::new();
        let first = blaster.conditions(&pool, &[less, more]);
        let weight = blaster.weight();
        assert_eq!(blaster.conditions(&pool, &[less, more]), first);
        assert_eq!(blaster.weight(), weight);
    }
}
