//! What one function does with pointers, in values of its own: the constraints from which every instance of the function
//! is made.
//!
//! A value that no pointer can reach is [`Val::Nothing`]: integers, null pointers, what was never set.

use osier_ir::{ConstId, FuncId, SiteId};

use crate::shift::Shift;

/// A value as a function sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Val {
    Nothing,
    Local(u32),
    /// The address of a global or of a function.
    Constant(ConstId),
}

/// An object that comes into being when an operation is executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Made {
    Heap {
        allocator: FuncId,
    },
    Local {
        site: SiteId,
    },
    /// What the variadic arguments of the function are read from.
    Variadic,
    /// The callee's own copy of an argument passed by value.
    ByValue {
        param: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// `to` may be what `from` is, moved.
    Flow {
        to: u32,
        from: Val,
        shift: Shift,
    },
    Load {
        to: u32,
        addr: Val,
        offset: i64,
    },
    Store {
        addr: Val,
        offset: i64,
        value: Val,
    },
    /// A range of memory is copied; all that follows if the length is not known.
    Copy {
        dst: Val,
        src: Val,
        len: Option<u64>,
    },
    /// `to` is the address of an object made at operation `op`.
    New {
        to: u32,
        op: u32,
        made: Made,
        size: Option<u64>,
    },
    /// `to` is the address of memory that the environment owns.
    Environment {
        to: u32,
    },
    /// Whatever functions `function` points to may be called by the engine or by somebody unknown.
    Callback {
        function: Val,
        args: Val,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    Direct(FuncId),
    Indirect(Val),
}

/// A call to a body, or to whom a pointer says.
#[derive(Clone, Debug)]
pub struct Call {
    pub op: u32,
    pub target: Target,
    pub args: Vec<Val>,
    /// Whether each argument is 64 bits wide: what a callee must agree with.
    pub result: Vec<Option<u32>>,
}

/// A place where memory is read or written through a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    pub op: u32,
    pub addr: Val,
    pub write: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Template {
    pub locals: u32,
    /// The value of each parameter that may hold a pointer.
    pub params: Vec<Option<u32>>,
    /// The size of each parameter's copy that is passed by value.
    pub by_value: Vec<Option<u64>>,
    /// What each result may be.
    pub returns: Vec<Vec<Val>>,
    /// What variadic arguments are stored through, if the function reads them.
    pub variadic: Option<u32>,
    pub facts: Vec<Fact>,
    pub calls: Vec<Call>,
    pub accesses: Vec<Access>,
    /// What is handed to `free`.
    pub freed: Vec<Val>,
    /// The number of operations: what an instance costs.
    pub ops: usize,
}

impl Fact {
    /// The value that the fact defines.
    pub fn defines(&self) -> Option<u32> {
        match *self {
            Fact::Flow { to, .. } | Fact::Load { to, .. } | Fact::New { to, .. } | Fact::Environment { to } => Some(to),
            Fact::Store { .. } | Fact::Copy { .. } | Fact::Callback { .. } => None,
        }
    }

    pub fn map_values(&mut self, map: impl Fn(Val) -> Val) {
        match self {
            Fact::Flow { to: _, from, shift: _ } => *from = map(*from),
            Fact::Load { to: _, addr, offset: _ } => *addr = map(*addr),
            Fact::Store { addr, offset: _, value } => (*addr, *value) = (map(*addr), map(*value)),
            Fact::Copy { dst, src, len: _ } => (*dst, *src) = (map(*dst), map(*src)),
            Fact::New { .. } | Fact::Environment { .. } => {}
            Fact::Callback { function, args } => (*function, *args) = (map(*function), map(*args)),
        }
    }

    /// Whether nothing can come of it.
    pub fn is_idle(&self) -> bool {
        match *self {
            Fact::Flow { to, from, shift: _ } => from == Val::Nothing || from == Val::Local(to),
            Fact::Load { addr, .. } => addr == Val::Nothing,
            Fact::Store { addr, value, .. } => addr == Val::Nothing || value == Val::Nothing,
            Fact::Copy { dst, src, .. } => dst == Val::Nothing || src == Val::Nothing,
            Fact::New { .. } | Fact::Environment { .. } => false,
            Fact::Callback { function, .. } => function == Val::Nothing,
        }
    }
}

impl Template {
    pub fn map_values(&mut self, map: impl Fn(Val) -> Val) {
        for fact in &mut self.facts {
            fact.map_values(&map);
        }
        for call in &mut self.calls {
            if let Target::Indirect(pointer) = &mut call.target {
                *pointer = map(*pointer);
            }
            call.args.iter_mut().for_each(|arg| *arg = map(*arg));
        }
        for access in &mut self.accesses {
            access.addr = map(access.addr);
        }
        for value in self.returns.iter_mut().flatten().chain(&mut self.freed) {
            *value = map(*value);
        }
    }
}
