//! What is known of input bytes and of conditions over single ones.

use std::cell::RefCell;
use std::rc::Rc;

use osier_term::{Pool, Term};

use crate::bytesets::ByteSet;
use crate::generations::Generations;
use crate::lanes::{self, Home};

/// A handle: all stages of a chain have the same table, for most conditions pass through several of them.
#[derive(Clone)]
pub(crate) struct SetTable(Rc<RefCell<Table>>);

struct Table {
    known: Known,
    /// Conditions that were too much to compute.
    hopeless: Generations<Term, ()>,
    /// Where the input byte with a global number lives.
    homes: Generations<u32, Home>,
}

/// What terms over one byte are for each of its values.
pub(crate) struct Known {
    /// For every width-1 term that was met: which values make it true.
    pub(crate) sets: Generations<Term, ByteSet>,
    /// For every read of an array at a place that depends on the byte: what is read.
    pub(crate) reads: Generations<Term, Box<[u8; 256]>>,
}

/// Reads that are kept at a time.
const KEPT_READS: usize = 1 << 14;

impl Known {
    pub(crate) fn new(limit: usize) -> Self {
        Known { sets: Generations::new(limit), reads: Generations::new(limit.min(KEPT_READS)) }
    }
}

impl SetTable {
    pub(crate) fn new(limit: usize) -> Self {
        let (hopeless, homes) = (Generations::new(limit), Generations::new(limit));
        SetTable(Rc::new(RefCell::new(Table { known: Known::new(limit), hopeless, homes })))
    }

    /// For which values of `byte`, the only one that it speaks of, a term is true.
    pub(crate) fn set_of(&self, pool: &Pool, term: Term, byte: u32) -> Option<ByteSet> {
        let mut table = self.0.borrow_mut();
        if let Some(set) = table.known.sets.get(&term) {
            return Some(*set);
        }
        if table.hopeless.get(&term).is_some() {
            return None;
        }
        table.home_of(pool, term, byte)?;
        let set = lanes::truth_set(pool, term, byte, &mut table.known);
        if set.is_none() {
            table.hopeless.insert(term, ());
        }
        set
    }

    /// Where a byte lives that some term spoke of.
    pub(crate) fn home(&self, byte: u32) -> Option<Home> {
        self.0.borrow_mut().homes.get(&byte).copied()
    }

    /// Where a byte lives that a term speaks of.
    pub(crate) fn home_of(&self, pool: &Pool, term: Term, byte: u32) -> Option<Home> {
        self.0.borrow_mut().home_of(pool, term, byte)
    }
}

impl Table {
    fn home_of(&mut self, pool: &Pool, term: Term, byte: u32) -> Option<Home> {
        if self.homes.get(&byte).is_none() {
            self.homes.insert(byte, lanes::find_home(pool, term, byte)?);
        }
        self.homes.get(&byte).copied()
    }
}
