//! One LLVM function to one body.
//!
//! The lowering is plain: each instruction becomes operations on fresh registers, in a [`Draft`]. Blocks are visited in
//! reverse postorder, so that a definition is met before its uses. [`tidy`] then shortens the draft.
//!
//! To add an instruction, give it an arm in `instruction` or `pure` and a method in the file of its family; to add an
//! intrinsic, an arm in `intrinsics/mod.rs`.

mod arith;
mod asm;
mod atomics;
mod call;
mod cast;
mod control;
mod draft;
mod flags;
mod float;
mod gep;
mod intrinsics;
mod memory;
mod phi;
mod promote;
mod repack;
mod tidy;
mod va_arg;
mod vector;
mod wide;

use crate::llvm::{Block, Opcode, Type, Value, ValueKind};
use crate::module::{ModuleLowerer, unsupported_body};
use crate::types::{Leaves, Lowered, Unsupported, unsupported};
use draft::{Draft, Item};
use flags::Speculation;
use osier_base::Id;
use osier_ir::{BinOp, BlockId, Body, CastOp, CmpOp, Constant, Flags, FuncId, LocId, Op, Operand, Reg, Unpacked};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// A value: one operand for each scalar in it.
pub type Parts = SmallVec<[Operand; 4]>;

/// What follows an instruction in its block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// The operation emitted last is a terminator.
    End,
}

pub struct FunctionLowerer<'a, 'm> {
    cx: &'a mut ModuleLowerer<'m>,
    function: Value,
    values: FxHashMap<Value, Parts>,
    /// What the phis of a block take on the edge from another: (from, to) to (phi, value).
    incoming: FxHashMap<(Block, Block), Vec<(Value, Value)>>,
    /// Promoted allocas.
    slots: FxHashMap<Value, Reg>,
    draft: Draft,
    items: Vec<Item>,
    /// Operations for the start of the entry block that lowering added.
    prologue: Vec<Op>,
    location: LocId,
    /// LLVM instructions that no operation stands for yet.
    pending: u32,
    /// Memory that masked-out lanes of vector accesses go to.
    scratch: Option<Reg>,
    speculation: Speculation,
}

pub fn lower_function(cx: &mut ModuleLowerer<'_>, function: Value, id: FuncId) -> Body {
    if let Err(problem) = cx.signature(function) {
        return unsupported_body(cx, format!("function `{}`: {}", function.name(), problem.0));
    }
    let mut lowerer = FunctionLowerer {
        cx,
        function,
        values: FxHashMap::default(),
        incoming: FxHashMap::default(),
        slots: FxHashMap::default(),
        draft: Draft::default(),
        items: Vec::new(),
        prologue: Vec::new(),
        location: LocId(0),
        pending: 0,
        scratch: None,
        speculation: Speculation::new(function),
    };
    lowerer.run(id);
    let FunctionLowerer { cx, mut draft, .. } = lowerer;
    // Behind a second return of setjmp, registers must hold what the program put there and nothing else.
    if function.calls_returns_twice() {
        return draft.finish();
    }
    tidy::tidy(&mut draft, &mut cx.module, id);
    let mut body = draft.finish();
    osier_ir::compact_registers(&mut body, &mut cx.module.functions[id].params);
    body
}

impl FunctionLowerer<'_, '_> {
    fn run(&mut self, id: FuncId) {
        for param in &self.cx.module.functions[id].params {
            let reg = self.draft.reg(param.width);
            debug_assert_eq!(reg, param.reg);
        }
        let mut next = 0;
        for parameter in self.function.parameters() {
            let count = self.cx.leaves(parameter.ty()).map_or(0, |leaves| leaves.len());
            let parts = (next..next + count).map(|index| Operand::reg(Reg::new(index))).collect();
            next += count;
            self.values.insert(parameter, parts);
        }
        let blocks = self.function.blocks();
        if !self.function.calls_returns_twice() {
            self.promote_slots(&blocks);
        }
        self.declare_phis(&blocks);
        self.draft.blocks.resize_with(blocks.len(), Default::default);
        for block in self.order(&blocks) {
            self.block(block);
        }
        let prologue = std::mem::take(&mut self.prologue);
        self.draft.prepend_to_entry(prologue);
    }

    fn block_id(&mut self, block: Block) -> BlockId {
        self.cx.block_id(self.function, block)
    }

    /// Reverse postorder from the entry, then what the entry does not reach.
    fn order(&mut self, blocks: &[Block]) -> Vec<Block> {
        let mut seen = vec![false; blocks.len()];
        let mut postorder = Vec::with_capacity(blocks.len());
        let mut stack = vec![(blocks[0], blocks[0].terminator().successors())];
        seen[0] = true;
        while let Some((block, successors)) = stack.last_mut() {
            match successors.pop() {
                Some(next) => {
                    let index = self.cx.block_id(self.function, next).index();
                    if !std::mem::replace(&mut seen[index], true) {
                        stack.push((next, next.terminator().successors()));
                    }
                }
                None => {
                    postorder.push(*block);
                    stack.pop();
                }
            }
        }
        postorder.reverse();
        postorder.extend(blocks.iter().enumerate().filter(|(index, _)| !seen[*index]).map(|(_, block)| *block));
        postorder
    }

    fn block(&mut self, block: Block) {
        let id = self.block_id(block);
        let mut phis = 0;
        let instructions = block.instructions();
        self.speculation.scan(&instructions);
        for instruction in instructions {
            if instruction.opcode() == Opcode::LLVMPHI {
                phis += 1;
                if self.values.contains_key(&instruction) {
                    continue;
                }
            }
            let place = instruction.place();
            self.location = self.cx.places.location(&mut self.cx.module, place);
            let before = self.pending;
            let mark = (self.items.len(), self.draft.mark());
            self.pending += 1;
            match self.instruction(instruction) {
                Ok(Flow::Next) => {}
                Ok(Flow::End) => break,
                Err(Unsupported(text)) => {
                    self.pending = before + 1;
                    self.items.truncate(mark.0);
                    self.draft.rewind(mark.1);
                    let text = self.cx.text(text);
                    self.emit(Op::Unsupported { text });
                    break;
                }
            }
        }
        self.pending = 0;
        self.draft.blocks[id.index()] =
            draft::DraftBlock { items: std::mem::take(&mut self.items), vanished: Vec::new(), phis };
    }

    fn instruction(&mut self, instruction: Value) -> Lowered<Flow> {
        match instruction.opcode() {
            Opcode::LLVMPHI => return self.cx.leaves(instruction.ty()).map(|_| Flow::Next),
            Opcode::LLVMBr => return self.branch(instruction),
            Opcode::LLVMSwitch => return self.switch(instruction),
            Opcode::LLVMIndirectBr => return self.indirect_branch(instruction),
            Opcode::LLVMRet => return self.ret(instruction),
            Opcode::LLVMUnreachable => {
                self.emit(Op::Unreachable);
                return Ok(Flow::End);
            }
            Opcode::LLVMCallBr => return unsupported("asm goto"),
            Opcode::LLVMInvoke => return self.invoke(instruction),
            Opcode::LLVMCall => return self.call(instruction),
            Opcode::LLVMAlloca => self.alloca(instruction)?,
            Opcode::LLVMLoad => self.load(instruction)?,
            Opcode::LLVMStore => self.store(instruction)?,
            // One thread: nothing to order.
            Opcode::LLVMFence => {}
            Opcode::LLVMAtomicRMW => self.atomic_rmw(instruction)?,
            Opcode::LLVMAtomicCmpXchg => self.compare_exchange(instruction)?,
            Opcode::LLVMVAArg => self.va_arg(instruction)?,
            _ => {
                let parts = self.pure(instruction)?;
                self.define(instruction, parts);
            }
        }
        Ok(Flow::Next)
    }

    /// Instructions without effect, which constant expressions can be too.
    fn pure(&mut self, user: Value) -> Lowered<Parts> {
        match user.opcode() {
            Opcode::LLVMAdd => self.binary(user, BinOp::Add),
            Opcode::LLVMSub => self.binary(user, BinOp::Sub),
            Opcode::LLVMMul => self.binary(user, BinOp::Mul),
            Opcode::LLVMUDiv => self.binary(user, BinOp::UDiv),
            Opcode::LLVMSDiv => self.binary(user, BinOp::SDiv),
            Opcode::LLVMURem => self.binary(user, BinOp::URem),
            Opcode::LLVMSRem => self.binary(user, BinOp::SRem),
            Opcode::LLVMShl => self.binary(user, BinOp::Shl),
            Opcode::LLVMLShr => self.binary(user, BinOp::LShr),
            Opcode::LLVMAShr => self.binary(user, BinOp::AShr),
            Opcode::LLVMAnd => self.binary(user, BinOp::And),
            Opcode::LLVMOr => self.binary(user, BinOp::Or),
            Opcode::LLVMXor => self.binary(user, BinOp::Xor),
            Opcode::LLVMFAdd => self.float_binary(user, osier_ir::FBinOp::Add),
            Opcode::LLVMFSub => self.float_binary(user, osier_ir::FBinOp::Sub),
            Opcode::LLVMFMul => self.float_binary(user, osier_ir::FBinOp::Mul),
            Opcode::LLVMFDiv => self.float_binary(user, osier_ir::FBinOp::Div),
            Opcode::LLVMFRem => self.float_binary(user, osier_ir::FBinOp::Rem),
            Opcode::LLVMFNeg => self.float_unary(user, osier_ir::FUnOp::Neg),
            Opcode::LLVMICmp => self.compare(user),
            Opcode::LLVMFCmp => self.float_compare(user),
            Opcode::LLVMSelect => self.select_instruction(user),
            Opcode::LLVMTrunc => self.integer_cast(user, CastOp::Trunc),
            Opcode::LLVMZExt => self.integer_cast(user, CastOp::ZExt),
            Opcode::LLVMSExt => self.integer_cast(user, CastOp::SExt),
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr | Opcode::LLVMIntToPtr => self.pointer_cast(user),
            Opcode::LLVMAddrSpaceCast => self.operand(user.operand(0)),
            Opcode::LLVMBitCast => self.bitcast(user),
            Opcode::LLVMFPToUI
            | Opcode::LLVMFPToSI
            | Opcode::LLVMUIToFP
            | Opcode::LLVMSIToFP
            | Opcode::LLVMFPTrunc
            | Opcode::LLVMFPExt => self.float_cast(user),
            Opcode::LLVMGetElementPtr => self.gep(user),
            Opcode::LLVMFreeze => self.freeze(user),
            Opcode::LLVMExtractElement => self.extract_element(user),
            Opcode::LLVMInsertElement => self.insert_element(user),
            Opcode::LLVMShuffleVector => self.shuffle(user),
            Opcode::LLVMExtractValue => self.extract_value(user),
            Opcode::LLVMInsertValue => self.insert_value(user),
            _ => unsupported(format!("instruction `{}`", user.describe())),
        }
    }

    // Values.

    /// The parts of any value; constant expressions are computed here and now.
    fn operand(&mut self, value: Value) -> Lowered<Parts> {
        if let Some(parts) = self.values.get(&value) {
            return Ok(parts.clone());
        }
        match value.kind() {
            // Its definition was dropped behind something unsupported, or lies in a block that nothing reaches.
            ValueKind::Instruction => {
                let parts = self.fresh(value.ty())?;
                self.values.insert(value, parts.clone());
                Ok(parts)
            }
            ValueKind::Argument => unsupported(format!("parameter {}", value.describe())),
            ValueKind::Function
            | ValueKind::GlobalVariable
            | ValueKind::Alias
            | ValueKind::Ifunc
            | ValueKind::BlockAddress
            | ValueKind::Expression
            | ValueKind::Aggregate
            | ValueKind::Zero
            | ValueKind::Number
            | ValueKind::Null
            | ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::InlineAsm
            | ValueKind::Other => match self.cx.constant_parts(value)? {
                Some(parts) => Ok(parts),
                None => self.expression(value),
            },
        }
    }

    fn expression(&mut self, value: Value) -> Lowered<Parts> {
        if value.kind() == ValueKind::Expression {
            return self.pure(value);
        }
        let mut parts = Parts::new();
        for index in 0.. {
            let Some(element) = value.element(index) else { break };
            parts.extend(self.operand(element)?);
        }
        if parts.is_empty() {
            return unsupported(format!("constant {}", value.describe()));
        }
        Ok(parts)
    }

    /// The one part of a scalar.
    fn scalar(&mut self, value: Value) -> Lowered<Operand> {
        match self.operand(value)?.as_slice() {
            [one] => Ok(*one),
            _ => unsupported(format!("value of type {} as a scalar", value.ty().print())),
        }
    }

    fn fresh(&mut self, ty: Type) -> Lowered<Parts> {
        Ok(self.leaves(ty)?.iter().map(|leaf| Operand::reg(self.draft.reg(leaf.width))).collect())
    }

    fn leaves(&self, ty: Type) -> Lowered<Leaves> {
        self.cx.leaves(ty)
    }

    /// Makes `parts` the value of an instruction.
    fn define(&mut self, instruction: Value, parts: Parts) {
        match self.values.get(&instruction) {
            // A use was met first and chose the registers.
            Some(chosen) => {
                for (dst, src) in chosen.clone().into_iter().zip(parts) {
                    let dst = dst.as_reg().expect("an instruction's parts are registers");
                    self.emit(Op::Move { dst, src });
                }
            }
            None => {
                self.values.insert(instruction, parts);
            }
        }
    }

    /// The number that a constant operand is, extended by its sign.
    fn known(&self, operand: Operand) -> Option<i64> {
        match operand.unpack() {
            Unpacked::Reg(_) => None,
            Unpacked::Const(constant) => match self.cx.module.constants[constant] {
                Constant::Int { width, value } if width <= 64 => {
                    Some((((value as u64) << (64 - width)) as i64) >> (64 - width))
                }
                Constant::Int { value, .. } => i64::try_from(value as i128).ok(),
                Constant::Global { .. }
                | Constant::Function(_)
                | Constant::Block { .. }
                | Constant::Undef { .. }
                | Constant::Poison { .. } => None,
            },
        }
    }

    // Emission.

    fn emit(&mut self, op: Op) {
        let weight = u16::try_from(self.pending).unwrap_or(u16::MAX);
        self.pending -= u32::from(weight);
        self.items.push(Item { op, location: self.location, weight });
    }

    fn reg(&mut self, width: u8) -> Reg {
        self.draft.reg(width)
    }

    fn int(&mut self, width: u8, value: u128) -> Operand {
        self.cx.int(width, value)
    }

    /// Emits an operation whose only result is a new register.
    fn result(&mut self, width: u8, make: impl FnOnce(Reg) -> Op) -> Operand {
        let dst = self.reg(width);
        self.emit(make(dst));
        Operand::reg(dst)
    }

    fn bin(&mut self, op: BinOp, width: u8, a: Operand, b: Operand) -> Operand {
        self.result(width, |dst| Op::Bin { op, flags: Flags::NONE, width, dst, a, b })
    }

    fn cmp(&mut self, op: CmpOp, width: u8, a: Operand, b: Operand) -> Operand {
        self.result(1, |dst| Op::Cmp { op, width, dst, a, b })
    }

    fn select(&mut self, width: u8, cond: Operand, then: Operand, other: Operand) -> Operand {
        self.result(width, |dst| Op::Select { width, dst, cond, then, other })
    }

    /// Zero-extends or truncates; nothing if the widths are equal.
    fn resize(&mut self, from: u8, to: u8, src: Operand) -> Operand {
        match from.cmp(&to) {
            std::cmp::Ordering::Equal => src,
            std::cmp::Ordering::Less => self.result(to, |dst| Op::Cast { op: CastOp::ZExt, from, to, dst, src }),
            std::cmp::Ordering::Greater => self.result(to, |dst| Op::Cast { op: CastOp::Trunc, from, to, dst, src }),
        }
    }
}

/// One part as a whole value.
fn one(operand: Operand) -> Parts {
    smallvec![operand]
}
