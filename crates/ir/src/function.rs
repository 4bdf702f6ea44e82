//! One function: its signature, and its body as flat code with side tables.

use crate::{BlockId, CallId, ConstId, EdgeId, FuncId, LocId, Op, Operand, Reg, TableId};
use osier_base::EntityVec;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub params: Vec<Param>,
    /// The widths of what is returned: none for void, several for a first-class aggregate.
    pub returns: Vec<u8>,
    pub variadic: bool,
    pub location: LocId,
    /// Absent for a function that is only declared: the engine binds it by name or reports it as unsupported.
    pub body: Option<Body>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    pub reg: Reg,
    pub width: u8,
    pub kind: ArgKind,
}

/// How the x86-64 ABI passes an argument, as far as `va_start`, byval and signature checks must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArgKind {
    /// An integer or a pointer: a general register.
    Integer,
    /// `float`, `double`, `half`: an SSE register.
    Float,
    /// `long double`: 16 bytes on the stack.
    Extended,
    /// The callee gets the address of its own copy of so many bytes.
    ByVal { size: u32, align: u32 },
    /// The address of memory that the caller supplies for the result.
    StructReturn,
}

/// Flat code. `ops` of a block lie together and end in a terminator; a terminator names edges.
///
/// Coverage points of a body are numbered: 0 is its entry, then the edges in their order, then the returns of its calls.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Body {
    pub ops: Vec<Op>,
    /// The place of each operation.
    pub op_locations: Vec<LocId>,
    /// How many LLVM instructions each operation stands for: 0 for one that lowering added, more than 1 for a fused one.
    pub op_weights: Vec<u16>,
    /// Places whose instructions left no operation of their own, each with the operation that stands for them; sorted by
    /// operation. Coverage counts their lines.
    pub vanished: Vec<(u32, LocId)>,
    /// The width in bits of each register.
    pub registers: EntityVec<Reg, u8>,
    /// The first block is the entry; it has no predecessors.
    pub blocks: EntityVec<BlockId, Block>,
    pub edges: EntityVec<EdgeId, Edge>,
    pub moves: Vec<Move>,
    pub calls: EntityVec<CallId, CallSite>,
    pub tables: EntityVec<TableId, SwitchTable>,
    /// What each `Op::ReturnMany` returns, as ranges of this.
    pub operands: Vec<Operand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its operations are `ops[start..end]`.
    pub start: u32,
    pub end: u32,
    /// The sum of its operations' weights plus its phi nodes: what LLVM would count for one pass through it.
    pub weight: u32,
}

/// A way into a block. The moves are sequential: lowering has ordered them and broken their cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    pub target: BlockId,
    pub moves: PhiMoves,
}

/// A range of [`Body::moves`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PhiMoves {
    pub start: u32,
    pub len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    pub dst: Reg,
    pub src: Operand,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallSite {
    pub callee: Callee,
    pub args: Vec<Operand>,
    pub arg_kinds: Vec<ArgKind>,
    /// The widths of `args`.
    pub arg_widths: Vec<u8>,
    /// One register for each value returned that is used or not; as many as the call's type returns.
    pub results: Vec<Reg>,
    pub result_widths: Vec<u8>,
    /// The call's function type is variadic.
    pub variadic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Operand),
}

/// For `Op::Switch`: the cases. For `Op::IndirectJump`: the addresses are `Constant::Block`s of this function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchTable {
    /// No two cases have the same constant.
    pub cases: Vec<(ConstId, EdgeId)>,
    /// Absent for an indirect jump.
    pub default: Option<EdgeId>,
}

impl Body {
    pub fn block_of(&self, op_index: u32) -> BlockId {
        let position = self.blocks.as_slice().partition_point(|b| b.end <= op_index);
        BlockId(position as u32)
    }

    pub fn coverage_points(&self) -> usize {
        1 + self.edges.len() + self.calls.len()
    }
}
