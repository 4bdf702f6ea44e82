//! What instructions and constant expressions tell, blocks, and what debug information says of them.

use super::value::{Block, Place, Value, ValueKind, place};
use super::{IntPredicate, Opcode, RealPredicate, RmwOp, Type, text};
use crate::shim;
use llvm_sys::LLVMInlineAsmDialect;
use llvm_sys::core::*;

impl Value {
    pub fn opcode(self) -> Opcode {
        // SAFETY: the value is a live instruction or constant expression.
        unsafe {
            if self.is_instruction() { LLVMGetInstructionOpcode(self.raw()) } else { LLVMGetConstOpcode(self.raw()) }
        }
    }

    pub fn parent(self) -> Block {
        // SAFETY: the value is a live instruction.
        Block::from_raw(unsafe { LLVMGetInstructionParent(self.raw()) })
    }

    pub fn int_predicate(self) -> IntPredicate {
        // SAFETY: the value is a live icmp.
        unsafe { LLVMGetICmpPredicate(self.raw()) }
    }

    pub fn real_predicate(self) -> RealPredicate {
        // SAFETY: the value is a live fcmp.
        unsafe { LLVMGetFCmpPredicate(self.raw()) }
    }

    pub fn has_nuw(self) -> bool {
        // SAFETY: the value is a live add, sub, mul or shl.
        unsafe { LLVMGetNUW(self.raw()) != 0 }
    }

    pub fn has_nsw(self) -> bool {
        // SAFETY: the value is a live add, sub, mul or shl.
        unsafe { LLVMGetNSW(self.raw()) != 0 }
    }

    pub fn is_exact(self) -> bool {
        // SAFETY: the value is a live division or right shift.
        unsafe { LLVMGetExact(self.raw()) != 0 }
    }

    pub fn is_inbounds(self) -> bool {
        // SAFETY: the value is a live GEP.
        unsafe { LLVMIsInBounds(self.raw()) != 0 }
    }

    pub fn gep_source_type(self) -> Type {
        // SAFETY: the value is a live GEP.
        Type(unsafe { LLVMGetGEPSourceElementType(self.raw()) })
    }

    pub fn allocated_type(self) -> Type {
        // SAFETY: the value is a live alloca.
        Type(unsafe { LLVMGetAllocatedType(self.raw()) })
    }

    /// The indices of extractvalue and insertvalue.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: the value is a live extractvalue or insertvalue; LLVM says how many indices there are.
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// The lanes that a shufflevector takes; none for a lane without meaning.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: the value is a live shufflevector.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw()))
                .map(|lane| u32::try_from(LLVMGetMaskValue(self.raw(), lane)).ok())
                .collect()
        }
    }

    pub fn rmw_op(self) -> RmwOp {
        // SAFETY: the value is a live atomicrmw.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw()) }
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        // SAFETY: the value is a live phi.
        unsafe {
            (0..LLVMCountIncoming(self.raw()))
                .map(|i| {
                    (
                        Value::of(LLVMGetIncomingValue(self.raw(), i)),
                        Block::from_raw(LLVMGetIncomingBlock(self.raw(), i)),
                    )
                })
                .collect()
        }
    }

    pub fn successors(self) -> Vec<Block> {
        // SAFETY: the value is a live terminator.
        unsafe {
            (0..LLVMGetNumSuccessors(self.raw())).map(|i| Block::from_raw(LLVMGetSuccessor(self.raw(), i))).collect()
        }
    }

    /// The constant of a switch's case; case 0 is the default and has none.
    pub fn switch_case(self, successor: u32) -> Value {
        // SAFETY: the value is a live switch that has the successor, which is not the default.
        Value::of(unsafe { LLVMGetSwitchCaseValue(self.raw(), successor) })
    }

    pub fn callee(self) -> Value {
        // SAFETY: the value is a live call.
        Value::of(unsafe { LLVMGetCalledValue(self.raw()) })
    }

    /// A call of a function, such as `llvm.umin`, that LLVM allows to be made where the source makes none.
    pub fn calls_speculatable(self) -> bool {
        let callee = self.callee();
        let name = "speculatable";
        // SAFETY: the callee is asked only if it is a function; the name has the length given.
        callee.kind() == ValueKind::Function
            && unsafe {
                let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                !LLVMGetEnumAttributeAtIndex(callee.raw(), llvm_sys::LLVMAttributeFunctionIndex, kind).is_null()
            }
    }

    pub fn call_type(self) -> Type {
        // SAFETY: the value is a live call.
        Type(unsafe { LLVMGetCalledFunctionType(self.raw()) })
    }

    pub fn arguments(self) -> Vec<Value> {
        // SAFETY: the value is a live call; its arguments are its first operands.
        unsafe { (0..LLVMGetNumArgOperands(self.raw())).map(|i| Value::of(LLVMGetOperand(self.raw(), i))).collect() }
    }

    /// The text and the constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        let (mut text_length, mut constraints_length) = (0, 0);
        // SAFETY: the value is live inline assembly; both texts have the lengths that LLVM writes.
        unsafe {
            let words = LLVMGetInlineAsmAsmString(self.raw(), &mut text_length);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw(), &mut constraints_length);
            (text(words, text_length), text(constraints, constraints_length))
        }
    }

    /// Whether inline assembly has its destinations first, as Intel's manuals do.
    pub fn is_intel_assembly(self) -> bool {
        // SAFETY: the value is live inline assembly.
        unsafe { LLVMGetInlineAsmDialect(self.raw()) == LLVMInlineAsmDialect::LLVMInlineAsmDialectIntel }
    }

    /// The text of a string that is wrapped as a value, such as a constrained comparison's predicate.
    pub fn metadata_string(self) -> String {
        let mut length = 0;
        // SAFETY: the value is live; LLVM gives null for what is no such string, else the length that it writes.
        unsafe {
            let data = LLVMGetMDString(self.raw(), &mut length);
            text(data, length as usize)
        }
    }

    // Debug information.

    pub fn place(self) -> Option<Place> {
        // SAFETY: the value is a live instruction.
        place(unsafe { shim::osier_instruction_place(self.raw()) })
    }

    pub fn function_place(self) -> Option<Place> {
        // SAFETY: the value is a live function.
        place(unsafe { shim::osier_function_place(self.raw()) })
    }

    /// The source variable in an alloca: its name, and where it is declared.
    pub fn alloca_variable(self) -> Option<(String, Option<Place>)> {
        let mut name = shim::RawName { data: std::ptr::null(), length: 0 };
        let mut at = shim::RawPlace { file: std::ptr::null(), line: 0, column: 0 };
        // SAFETY: the value is a live alloca; names and files live with the context.
        unsafe {
            shim::osier_alloca_variable(self.raw(), &mut name, &mut at)
                .then(|| (text(name.data, name.length), place(at)))
        }
    }

    /// Where a global variable is declared.
    pub fn global_place(self) -> Option<Place> {
        // SAFETY: the value is a live global variable.
        place(unsafe { shim::osier_global_place(self.raw()) })
    }
}

impl Block {
    pub fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: the block is live; its instructions form a list.
        unsafe {
            let mut next = LLVMGetFirstInstruction(self.raw());
            while !next.is_null() {
                all.push(Value::of(next));
                next = LLVMGetNextInstruction(next);
            }
        }
        all
    }

    /// The phis, which come first.
    pub fn phis(self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: the block is live; its instructions form a list.
        let mut next = Value::from_raw(unsafe { LLVMGetFirstInstruction(self.raw()) });
        while let Some(phi) = next.filter(|instruction| instruction.opcode() == Opcode::LLVMPHI) {
            all.push(phi);
            // SAFETY: `phi` is an instruction of the live block.
            next = Value::from_raw(unsafe { LLVMGetNextInstruction(phi.raw()) });
        }
        all
    }

    pub fn terminator(self) -> Value {
        // SAFETY: the block is live and of a verified module, so it has a terminator.
        Value::of(unsafe { LLVMGetBasicBlockTerminator(self.raw()) })
    }
}
