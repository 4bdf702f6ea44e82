//! The compact IR that Osier executes: what it holds, its text form, its verifier, and analyses over it.
//!
//! It knows nothing of LLVM (that stops at `frontend`) and nothing of terms or states. A function is a flat vector of
//! small operations on numbered registers; constants are interned in the module; control moves along edges, which
//! carry the moves that phi nodes ask for; every operation knows its source line through a side table.
//!
//! Start reading at [`Module`], then [`Function`] and [`Op`]; [`text`] shows what they look like, [`verify()`] says what
//! must hold of them.
#![forbid(unsafe_code)]

mod call_graph;
mod cfg;
mod compact;
mod distance;
mod function;
mod liveness;
mod loops;
mod module;
mod op;
mod op_visit;
#[cfg(test)]
mod testing;
pub mod text;
mod verify;

pub use call_graph::CallGraph;
pub use cfg::{Cfg, Dominators, ENTRY, edge_sources};
pub use compact::compact_registers;
pub use distance::{DistanceGraph, Distances};
pub use function::{ArgKind, Block, Body, CallSite, Callee, Edge, Function, Move, Param, PhiMoves, SwitchTable};
pub use loops::{Loop, LoopId, Loops};
pub use module::{Constant, Global, GlobalInit, Location, Module, Relocation, Site, SymbolRef};
pub use op::{
    BinOp, CastOp, CmpOp, FBinOp, FCastOp, FCmpOp, FUnOp, Flags, FloatKind, MemOp, Op, Operand, OverflowOp, TrapKind,
    UnOp, Unpacked,
};

pub use op_visit::Slot;
pub use verify::{VerifyError, verify};

use osier_base::entity;

entity!(
    /// A function of the module.
    pub struct FuncId = "f";
);
entity!(
    /// A global variable of the module.
    pub struct GlobalId = "g";
);
entity!(
    /// A register of a function.
    pub struct Reg = "r";
);
entity!(
    /// An interned constant of the module.
    pub struct ConstId = "c";
);
entity!(
    /// A basic block of a function.
    pub struct BlockId = "block";
);
entity!(
    /// A way from one block to another.
    pub struct EdgeId = "e";
);
entity!(
    /// A call in a function.
    pub struct CallId = "call";
);
entity!(
    /// A switch or an indirect jump of a function.
    pub struct TableId = "table";
);
entity!(
    /// A place in the source. `loc0` is the unknown place.
    pub struct LocId = "loc";
);
entity!(
    /// What the source calls a piece of memory: the variable behind an alloca.
    pub struct SiteId = "site";
);
entity!(
    /// A text of the module: the words of an unsupported construct.
    pub struct TextId = "text";
);
