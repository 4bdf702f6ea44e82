//! Queries and answers as messages. Terms are numbered in the order in which they are sent, and none is sent twice: a
//! query costs what is new in it.

use std::io;
use std::time::Duration;

use osier_solver::{Answer, Reason};
use osier_term::{Array, ArrayNode, Assignment, BvOp, CmpOp, Node, Pool, Term};
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    Check {
        number: u64,
        /// When the answer is too late, by the system's monotonic clock, which is one for all processes.
        deadline_nanos: Option<u64>,
        /// Everything that was sent before is forgotten first.
        anew: bool,
        items: Vec<Item>,
        constraints: Vec<u32>,
    },
    /// There is no need for the answer to this query any more.
    Cancel { number: u64 },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    /// Said once, before anything is asked: a worker that ends before does not start at all.
    Ready,
    Answer {
        number: u64,
        result: Result<Found, String>,
        /// How new array reads were put to the solver: by theory, as trees, as choices.
        reads: [u64; 3],
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Found {
    /// The contents of inputs, by their numbers.
    Sat(Vec<(u32, Vec<u8>)>),
    Unsat,
    Timeout,
    Memory,
    Interrupted,
    Incomplete(String),
}

/// A term or an array. Both are numbered, each kind by itself; operands are numbers of earlier ones.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Item {
    Const { width: u8, value: u128 },
    Select { array: u32, index: u32 },
    Bin { op: u8, a: u32, b: u32 },
    Cmp { op: u8, a: u32, b: u32 },
    Not(u32),
    Concat { high: u32, low: u32 },
    Extract { term: u32, low: u8, width: u8 },
    ZExt { term: u32, width: u8 },
    SExt { term: u32, width: u8 },
    Ite { cond: u32, then: u32, other: u32 },
    Input { size: u32 },
    Table { bytes: Vec<u8> },
    Store { array: u32, index: u32, value: u32 },
}

const OPS: [BvOp; 13] = [
    BvOp::Add,
    BvOp::Sub,
    BvOp::Mul,
    BvOp::UDiv,
    BvOp::SDiv,
    BvOp::URem,
    BvOp::SRem,
    BvOp::Shl,
    BvOp::LShr,
    BvOp::AShr,
    BvOp::And,
    BvOp::Or,
    BvOp::Xor,
];

const COMPARISONS: [CmpOp; 5] = [CmpOp::Eq, CmpOp::Ult, CmpOp::Ule, CmpOp::Slt, CmpOp::Sle];

fn place_of<T: PartialEq>(all: &[T], wanted: &T) -> u8 {
    all.iter().position(|one| one == wanted).expect("every operator is in its list") as u8
}

/// What the other side knows already.
#[derive(Default)]
pub(crate) struct Sender {
    terms: FxHashMap<Term, u32>,
    arrays: FxHashMap<Array, u32>,
    /// By number.
    sent_arrays: Vec<Array>,
}

impl Sender {
    /// How many terms were sent.
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    /// What is new in the terms, and their numbers.
    pub(crate) fn encode(&mut self, pool: &Pool, constraints: &[Term]) -> (Vec<Item>, Vec<u32>) {
        let mut items = Vec::new();
        for &root in constraints {
            let mut open = vec![(root, false)];
            while let Some((t, children_done)) = open.pop() {
                if self.terms.contains_key(&t) {
                    continue;
                }
                if children_done {
                    let item = self.term(pool, t, &mut items);
                    items.push(item);
                    self.terms.insert(t, self.terms.len() as u32);
                } else {
                    open.push((t, true));
                    pool.for_each_child(t, |child| open.push((child, false)));
                }
            }
        }
        (items, constraints.iter().map(|c| self.terms[c]).collect())
    }

    fn term(&mut self, pool: &Pool, t: Term, items: &mut Vec<Item>) -> Item {
        let of = |t: Term| self.terms[&t];
        match pool.node(t) {
            Node::Const { width, value } => Item::Const { width: width as u8, value },
            Node::Select { array, index } => {
                let index = of(index);
                Item::Select { array: self.array(pool, array, items), index }
            }
            Node::Bin { op, a, b } => Item::Bin { op: place_of(&OPS, &op), a: of(a), b: of(b) },
            Node::Cmp { op, a, b } => Item::Cmp { op: place_of(&COMPARISONS, &op), a: of(a), b: of(b) },
            Node::Not(a) => Item::Not(of(a)),
            Node::Concat { high, low } => Item::Concat { high: of(high), low: of(low) },
            Node::Extract { term, low, width } => Item::Extract { term: of(term), low: low as u8, width: width as u8 },
            Node::ZExt { term, width } => Item::ZExt { term: of(term), width: width as u8 },
            Node::SExt { term, width } => Item::SExt { term: of(term), width: width as u8 },
            Node::Ite { cond, then, other } => Item::Ite { cond: of(cond), then: of(then), other: of(other) },
        }
    }

    /// The number of an array whose terms were all sent; what it is made of is sent before it.
    fn array(&mut self, pool: &Pool, array: Array, items: &mut Vec<Item>) -> u32 {
        let mut missing = Vec::new();
        let mut oldest = array;
        while !self.arrays.contains_key(&oldest) {
            missing.push(oldest);
            match pool.array_node(oldest) {
                ArrayNode::Store { array: older, .. } => oldest = older,
                ArrayNode::Input { .. } | ArrayNode::Table { .. } => break,
            }
        }
        for array in missing.into_iter().rev() {
            items.push(match pool.array_node(array) {
                ArrayNode::Input { size, .. } => Item::Input { size },
                ArrayNode::Table { bytes } => Item::Table { bytes: bytes.to_vec() },
                ArrayNode::Store { array, index, value } => {
                    Item::Store { array: self.arrays[&array], index: self.terms[&index], value: self.terms[&value] }
                }
            });
            self.arrays.insert(array, self.sent_arrays.len() as u32);
            self.sent_arrays.push(array);
        }
        self.arrays[&array]
    }

    /// An answer in our own terms, or what is wrong with it.
    pub(crate) fn decode(&self, pool: &Pool, found: Found) -> Result<Answer, &'static str> {
        Ok(match found {
            Found::Sat(inputs) => {
                let mut model = Assignment::new();
                for (number, bytes) in inputs {
                    let array = *self.sent_arrays.get(number as usize).ok_or("it names an array that it never got")?;
                    match pool.array_node(array) {
                        ArrayNode::Input { size, .. } if bytes.len() <= size as usize => model.set(array, bytes.into()),
                        ArrayNode::Input { .. } => return Err("it gives an input more bytes than that has"),
                        ArrayNode::Table { .. } | ArrayNode::Store { .. } => {
                            return Err("it gives a value to an array that is no input");
                        }
                    }
                }
                Answer::Sat(model)
            }
            Found::Unsat => Answer::Unsat,
            Found::Timeout => Answer::Unknown(Reason::Timeout),
            Found::Memory => Answer::Unknown(Reason::Memory),
            Found::Interrupted => Answer::Unknown(Reason::Interrupted),
            Found::Incomplete(why) => Answer::Unknown(Reason::Incomplete(why)),
        })
    }
}

/// The other side's terms, by the numbers that they came with.
#[derive(Default)]
pub(crate) struct Receiver {
    pub(crate) pool: Pool,
    terms: Vec<Term>,
    arrays: Vec<Array>,
}

impl Receiver {
    /// Makes the terms again. `None` if they make no sense; only a broken sender sends such.
    pub(crate) fn decode(&mut self, items: Vec<Item>, constraints: &[u32]) -> Option<Vec<Term>> {
        for item in items {
            self.add(item)?;
        }
        constraints.iter().map(|&number| self.terms.get(number as usize).copied()).collect()
    }

    fn add(&mut self, item: Item) -> Option<()> {
        let Receiver { pool, terms, arrays } = self;
        let of = |number: u32| terms.get(number as usize).copied();
        let term = match item {
            Item::Const { width, value } => pool.constant(width.into(), value),
            Item::Select { array, index } => pool.select(*arrays.get(array as usize)?, of(index)?),
            Item::Bin { op, a, b } => pool.bin(*OPS.get(op as usize)?, of(a)?, of(b)?),
            Item::Cmp { op, a, b } => pool.cmp(*COMPARISONS.get(op as usize)?, of(a)?, of(b)?),
            Item::Not(a) => pool.not(of(a)?),
            Item::Concat { high, low } => pool.concat(of(high)?, of(low)?),
            Item::Extract { term, low, width } => pool.extract(of(term)?, low.into(), width.into()),
            Item::ZExt { term, width } => pool.zext(of(term)?, width.into()),
            Item::SExt { term, width } => pool.sext(of(term)?, width.into()),
            Item::Ite { cond, then, other } => pool.ite(of(cond)?, of(then)?, of(other)?),
            Item::Input { size } => {
                let name = format!("in{}", arrays.len());
                arrays.push(pool.input(&name, size));
                return Some(());
            }
            Item::Table { bytes } => {
                arrays.push(pool.table(&bytes));
                return Some(());
            }
            Item::Store { array, index, value } => {
                let stored = pool.store(*arrays.get(array as usize)?, of(index)?, of(value)?);
                arrays.push(stored);
                return Some(());
            }
        };
        terms.push(term);
        Some(())
    }

    pub(crate) fn encode(&self, answer: Answer) -> Found {
        match answer {
            Answer::Sat(model) => {
                let inputs = self.arrays.iter().enumerate();
                let given = inputs
                    .filter_map(|(number, &array)| model.bytes(array).map(|bytes| (number as u32, bytes.to_vec())));
                Found::Sat(given.collect())
            }
            Answer::Unsat => Found::Unsat,
            Answer::Unknown(Reason::Timeout) => Found::Timeout,
            Answer::Unknown(Reason::Memory) => Found::Memory,
            Answer::Unknown(Reason::Interrupted) => Found::Interrupted,
            Answer::Unknown(Reason::Incomplete(why)) => Found::Incomplete(why),
        }
    }
}

/// The time by the system's monotonic clock.
pub(crate) fn now() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// A message with its length before it.
pub(crate) fn frame(message: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    bytes = postcard::to_extend(message, bytes).map_err(io::Error::other)?;
    let length = u32::try_from(bytes.len() - 4).map_err(io::Error::other)?;
    bytes[..4].copy_from_slice(&length.to_le_bytes());
    Ok(bytes)
}

/// Takes the first message off the bytes, if it is there as a whole.
pub(crate) fn unframe<T: DeserializeOwned>(bytes: &mut Vec<u8>) -> io::Result<Option<T>> {
    let Some((&length, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(length) as usize;
    let Some(body) = rest.get(..length) else { return Ok(None) };
    let message = postcard::from_bytes(body).map_err(io::Error::other)?;
    bytes.drain(..4 + length);
    Ok(Some(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_arrive_as_they_were_and_none_is_sent_twice() {
        let mut pool = Pool::new();
        let input = pool.input("x", 3);
        let table = pool.table(&[1, 2, 3]);
        let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 2));
        let index = pool.zext(a, 64);
        let stored = pool.store(table, index, b);
        let other = pool.zext(b, 64);
        let read = pool.select(stored, other);
        let condition = pool.ult(read, a);
        let mut sender = Sender::default();
        let (items, constraints) = sender.encode(&pool, &[condition]);
        let (again, same) = sender.encode(&pool, &[condition]);
        assert_eq!((again.len(), &same), (0, &constraints));
        let mut receiver = Receiver::default();
        let got = receiver.decode(items, &constraints).unwrap();
        let model = [7, 0, 9];
        let mut here = Assignment::new();
        here.set(input, model.into());
        let mut there = Assignment::new();
        let their_input = receiver.arrays[sender.arrays[&input] as usize];
        there.set(their_input, model.into());
        assert_eq!(osier_term::eval(&receiver.pool, got[0], &there), osier_term::eval(&pool, condition, &here));
        let found = receiver.encode(Answer::Sat(there));
        let Ok(Answer::Sat(back)) = sender.decode(&pool, found) else { panic!("a model became something else") };
        assert_eq!(back.bytes(input), Some(&model[..]));
    }

    #[test]
    fn answers_that_make_no_sense_are_refused() {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let table = pool.table(&[4, 5]);
        let byte = pool.select_at(input, 0);
        let index = pool.zext(byte, 64);
        let read = pool.select(table, index);
        let condition = pool.ult(read, byte);
        let mut sender = Sender::default();
        sender.encode(&pool, &[condition]);
        let (input, table) = (sender.arrays[&input], sender.arrays[&table]);
        assert!(sender.decode(&pool, Found::Sat(vec![(input, vec![1])])).is_ok());
        for bad in [(input, vec![1, 2]), (table, vec![1]), (17, vec![1])] {
            assert!(sender.decode(&pool, Found::Sat(vec![bad])).is_err());
        }
    }

    #[test]
    fn a_message_is_read_when_all_of_it_is_there() {
        let mut bytes = frame(&Request::Cancel { number: 7 }).unwrap();
        bytes.extend(frame(&Request::Cancel { number: 8 }).unwrap());
        let last = bytes.pop().unwrap();
        assert!(matches!(unframe(&mut bytes), Ok(Some(Request::Cancel { number: 7 }))));
        assert!(matches!(unframe::<Request>(&mut bytes), Ok(None)));
        bytes.push(last);
        assert!(matches!(unframe(&mut bytes), Ok(Some(Request::Cancel { number: 8 }))));
        assert!(unframe::<Request>(&mut vec![1, 0, 0, 0, 99]).is_err());
    }
}
