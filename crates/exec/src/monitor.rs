//! Who says what a bug is. A monitor keeps its own data, looks at what is about to happen and returns obligations; it
//! never edits the state. The engine asks the solver, reports, and goes on with the values that meet the obligation.
//!
//! Hooks are named by moment. The interpreter calls them only where something can be wrong: a concrete division by a
//! number other than 0 and -1, a concrete access inside a live object, and the like never get here.

use crate::outcome::{Kind, Note};
use crate::{Program, State};
use osier_ir::{BinOp, Flags, FuncId, LocId};
use osier_memory::{Object, Target, Value};
use osier_term::{Assignment, Pool, Term};

/// What a monitor may look at.
pub struct Checking<'a> {
    pub program: &'a Program,
    pub pool: &'a mut Pool,
    pub state: &'a State,
    pub location: LocId,
}

/// What an explanation may look at: the values on the failing side.
pub struct Explaining<'a> {
    pub program: &'a Program,
    pub pool: &'a Pool,
    pub state: &'a State,
    pub witness: &'a Assignment,
}

impl Explaining<'_> {
    pub fn value(&self, term: Term) -> u128 {
        osier_term::eval(self.pool, term, self.witness)
    }
}

/// The message and the notes of a fault.
pub type Explanation = (String, Vec<Note>);

/// `holds` must hold, else the path ends with a fault of this kind.
pub struct Obligation {
    /// One bit.
    pub holds: Term,
    pub kind: Kind,
    pub explain: Box<dyn Fn(&Explaining<'_>) -> Explanation>,
}

/// An access of `len` bytes that is about to happen at one target.
#[derive(Clone, Copy)]
pub struct Access {
    pub target: Target,
    pub len: u64,
    pub write: bool,
    pub pointer: Value,
}

#[derive(Clone, Copy)]
pub struct Division {
    pub op: BinOp,
    pub width: u32,
    pub a: Term,
    pub b: Term,
}

#[derive(Clone, Copy)]
pub struct Shift {
    pub op: BinOp,
    pub flags: Flags,
    pub width: u32,
    pub a: Term,
    pub b: Term,
}

/// An addition, subtraction or multiplication with nsw.
#[derive(Clone, Copy)]
pub struct Arithmetic {
    pub op: BinOp,
    pub flags: Flags,
    pub width: u32,
    pub a: Term,
    pub b: Term,
}

/// `free` or `realloc` of one target. The offset of an object target may be symbolic.
#[derive(Clone, Copy)]
pub struct Free {
    pub target: Target,
}

/// A call through a pointer or with arguments that may not fit.
#[derive(Clone, Copy)]
pub struct CallTarget<'a> {
    /// None if the pointer leads to no function.
    pub function: Option<FuncId>,
    pub address: u64,
    pub arg_widths: &'a [u8],
    pub arg_kinds: &'a [osier_ir::ArgKind],
}

/// Where an uninitialised value matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UninitialisedUse {
    Branch,
    Address,
}

/// One kind of bug, or a few that belong together.
pub trait Monitor {
    fn name(&self) -> &'static str;

    fn before_access(&mut self, _cx: &mut Checking<'_>, _access: &Access) -> Option<Obligation> {
        None
    }
    fn before_free(&mut self, _cx: &mut Checking<'_>, _free: &Free) -> Option<Obligation> {
        None
    }
    fn before_division(&mut self, _cx: &mut Checking<'_>, _division: &Division) -> Option<Obligation> {
        None
    }
    fn before_shift(&mut self, _cx: &mut Checking<'_>, _shift: &Shift) -> Option<Obligation> {
        None
    }
    /// Only if [`Self::watches_overflow`] says so.
    fn before_arithmetic(&mut self, _cx: &mut Checking<'_>, _arithmetic: &Arithmetic) -> Option<Obligation> {
        None
    }
    /// Before a branch on a symbolic condition, or an access through a symbolic pointer (then `term` is the pointer).
    fn before_use(&mut self, _cx: &mut Checking<'_>, _term: Term, _usage: UninitialisedUse) -> Option<Obligation> {
        None
    }
    fn before_call(&mut self, _cx: &mut Checking<'_>, _call: &CallTarget<'_>) -> Option<Obligation> {
        None
    }
    /// At `exit` or the entry's return, with every heap object that is alive and that nothing points to any more. Gives
    /// the message and notes of each error.
    fn at_exit(&mut self, _cx: &mut Checking<'_>, _lost: &[&Object]) -> Vec<(Kind, Explanation)> {
        Vec::new()
    }

    fn watches_overflow(&self) -> bool {
        false
    }
}
