//! Values: constants, globals, functions, blocks and instructions.

use super::{IntPredicate, Opcode, RealPredicate, RmwOp, Type, take_message, text};
use crate::shim;
use llvm_sys::LLVMValueKind;
use llvm_sys::core::*;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};
use std::ffi::c_void;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(LLVMValueRef);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block(LLVMBasicBlockRef);

/// A `DIFile`, to be used as a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileRef(*const c_void);

/// A place in the source, if debug information knows it.
#[derive(Clone, Copy)]
pub struct Place {
    pub file: FileRef,
    pub line: u32,
    pub column: u32,
}

/// A value, as lowering tells values apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueKind {
    Argument,
    Instruction,
    Function,
    GlobalVariable,
    Alias,
    Ifunc,
    BlockAddress,
    Expression,
    Aggregate,
    Zero,
    Number,
    Null,
    Undef,
    Poison,
    InlineAsm,
    /// Metadata, tokens, block labels, and wrappers of functions that C does not emit.
    Other,
}

impl FileRef {
    /// The directory and the name, as the compiler recorded them.
    pub fn names(self) -> (String, String) {
        // SAFETY: a file reference is only made from a live, non-null DIFile.
        unsafe {
            let directory = shim::osier_file_directory(self.0);
            let name = shim::osier_file_name(self.0);
            (text(directory.data, directory.length), text(name.data, name.length))
        }
    }
}

fn place(raw: shim::RawPlace) -> Option<Place> {
    if raw.file.is_null() {
        return None;
    }
    Some(Place { file: FileRef(raw.file), line: raw.line, column: raw.column })
}

type VariableQuery = unsafe extern "C" fn(LLVMValueRef, *mut shim::RawName, *mut shim::RawPlace) -> bool;

impl Value {
    pub fn from_raw(raw: LLVMValueRef) -> Option<Value> {
        if raw.is_null() { None } else { Some(Value(raw)) }
    }

    pub fn raw(self) -> LLVMValueRef {
        self.0
    }

    pub fn kind(self) -> ValueKind {
        // SAFETY: the value is live.
        match unsafe { LLVMGetValueKind(self.0) } {
            LLVMValueKind::LLVMArgumentValueKind => ValueKind::Argument,
            LLVMValueKind::LLVMFunctionValueKind => ValueKind::Function,
            LLVMValueKind::LLVMGlobalAliasValueKind => ValueKind::Alias,
            LLVMValueKind::LLVMGlobalIFuncValueKind => ValueKind::Ifunc,
            LLVMValueKind::LLVMGlobalVariableValueKind => ValueKind::GlobalVariable,
            LLVMValueKind::LLVMBlockAddressValueKind => ValueKind::BlockAddress,
            LLVMValueKind::LLVMConstantExprValueKind => ValueKind::Expression,
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantVectorValueKind
            | LLVMValueKind::LLVMConstantDataArrayValueKind
            | LLVMValueKind::LLVMConstantDataVectorValueKind => ValueKind::Aggregate,
            LLVMValueKind::LLVMUndefValueValueKind => ValueKind::Undef,
            LLVMValueKind::LLVMPoisonValueKind => ValueKind::Poison,
            LLVMValueKind::LLVMConstantAggregateZeroValueKind => ValueKind::Zero,
            LLVMValueKind::LLVMConstantIntValueKind | LLVMValueKind::LLVMConstantFPValueKind => ValueKind::Number,
            LLVMValueKind::LLVMConstantPointerNullValueKind => ValueKind::Null,
            LLVMValueKind::LLVMInlineAsmValueKind => ValueKind::InlineAsm,
            // The C API calls everything that it does not know an instruction.
            LLVMValueKind::LLVMInstructionValueKind if self.is_instruction() => ValueKind::Instruction,
            LLVMValueKind::LLVMInstructionValueKind
            | LLVMValueKind::LLVMBasicBlockValueKind
            | LLVMValueKind::LLVMMemoryUseValueKind
            | LLVMValueKind::LLVMMemoryDefValueKind
            | LLVMValueKind::LLVMMemoryPhiValueKind
            | LLVMValueKind::LLVMConstantTokenNoneValueKind
            | LLVMValueKind::LLVMMetadataAsValueValueKind
            | LLVMValueKind::LLVMConstantTargetNoneValueKind
            | LLVMValueKind::LLVMConstantPtrAuthValueKind => ValueKind::Other,
        }
    }

    pub fn is_instruction(self) -> bool {
        // SAFETY: the value is live.
        unsafe { shim::osier_is_instruction(self.0) }
    }

    pub fn is_constant(self) -> bool {
        // SAFETY: the value is live.
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    pub fn ty(self) -> Type {
        // SAFETY: the value is live.
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: the value is live; its name has the length that LLVM writes.
        unsafe {
            let data = LLVMGetValueName2(self.0, &mut length);
            text(data, length)
        }
    }

    pub fn print(self) -> String {
        // SAFETY: the value is live; LLVM allocates the text.
        unsafe { take_message(LLVMPrintValueToString(self.0)) }
    }

    pub fn operand_count(self) -> u32 {
        // SAFETY: the value is live; callers ask users only.
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    pub fn operand(self, index: u32) -> Value {
        // SAFETY: the value is live and has the operand.
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    /// The users, with one entry for each use.
    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        // SAFETY: the value is live; its uses form a list.
        unsafe {
            let mut next = LLVMGetFirstUse(self.0);
            while !next.is_null() {
                users.push(Value(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        users
    }

    /// The low 128 bits and the width of an integer or float constant.
    pub fn bits(self) -> Option<(u32, u128)> {
        let mut words = [0u64; 2];
        // SAFETY: the value is live; there is room for two words.
        let width = unsafe { shim::osier_constant_bits(self.0, words.as_mut_ptr()) };
        (width != 0).then(|| (width, u128::from(words[0]) | u128::from(words[1]) << 64))
    }

    pub fn as_u64(self) -> Option<u64> {
        self.bits().filter(|(width, _)| *width <= 64).map(|(_, value)| value as u64)
    }

    pub fn as_i64(self) -> Option<i64> {
        let (width, value) = self.bits()?;
        if width > 64 {
            return i64::try_from((value << (128 - width.min(128))) as i128 >> (128 - width.min(128))).ok();
        }
        Some((((value as u64) << (64 - width)) as i64) >> (64 - width))
    }

    /// The element of a constant aggregate.
    pub fn element(self, index: u32) -> Option<Value> {
        // SAFETY: the value is a live constant; LLVM gives null past its end.
        Value::from_raw(unsafe { LLVMGetAggregateElement(self.0, index) })
    }

    /// The bytes of a constant array of numbers.
    pub fn raw_data(self) -> Option<Vec<u8>> {
        let mut length = 0;
        // SAFETY: the value is live; if LLVM gives data, it has the length that LLVM writes and lives with the context.
        unsafe {
            let data = shim::osier_raw_data(self.0, &mut length);
            (!data.is_null()).then(|| std::slice::from_raw_parts(data.cast::<u8>(), length).to_vec())
        }
    }

    pub fn block_address(self) -> (Value, Block) {
        // SAFETY: the value is a live block address.
        unsafe { (Value(LLVMGetBlockAddressFunction(self.0)), Block(LLVMGetBlockAddressBasicBlock(self.0))) }
    }

    pub fn aliasee(self) -> Value {
        // SAFETY: the value is a live alias.
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    // Global variables and functions.

    pub fn is_declaration(self) -> bool {
        // SAFETY: the value is a live global.
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub fn is_extern_weak(self) -> bool {
        // SAFETY: the value is a live global.
        unsafe { LLVMGetLinkage(self.0) == llvm_sys::LLVMLinkage::LLVMExternalWeakLinkage }
    }

    /// What a global variable holds, or a function's type.
    pub fn value_type(self) -> Type {
        // SAFETY: the value is a live global.
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn initializer(self) -> Option<Value> {
        // SAFETY: the value is a live global variable.
        Value::from_raw(unsafe { LLVMGetInitializer(self.0) })
    }

    pub fn is_constant_global(self) -> bool {
        // SAFETY: the value is a live global variable.
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Of a global, an alloca, a load or a store; 0 if not stated.
    pub fn alignment(self) -> u32 {
        // SAFETY: the value is of a kind that has an alignment.
        unsafe { LLVMGetAlignment(self.0) }
    }

    pub fn parameters(self) -> Vec<Value> {
        // SAFETY: the value is a live function; the buffer has room for all of its parameters.
        unsafe {
            let count = LLVMCountParams(self.0) as usize;
            let mut all = vec![std::ptr::null_mut(); count];
            LLVMGetParams(self.0, all.as_mut_ptr());
            all.into_iter().map(Value).collect()
        }
    }

    pub fn blocks(self) -> Vec<Block> {
        // SAFETY: the value is a live function; the buffer has room for all of its blocks.
        unsafe {
            let count = LLVMCountBasicBlocks(self.0) as usize;
            let mut all = vec![std::ptr::null_mut(); count];
            LLVMGetBasicBlocks(self.0, all.as_mut_ptr());
            all.into_iter().map(Block).collect()
        }
    }

    /// The name of an intrinsic without its type suffixes, such as `llvm.memcpy`; nothing for other functions.
    pub fn intrinsic_name(self) -> Option<String> {
        // SAFETY: the value is a live function; the name's length is what LLVM writes.
        unsafe {
            let id = LLVMGetIntrinsicID(self.0);
            if id == 0 {
                return None;
            }
            let mut length = 0;
            let data = LLVMIntrinsicGetName(id, &mut length);
            Some(text(data, length))
        }
    }

    pub fn is_optnone(self) -> bool {
        // SAFETY: the value is a live function.
        unsafe { shim::osier_is_optnone(self.0) }
    }

    /// The type in a type attribute of a function's or a call's parameter.
    pub fn parameter_type_attribute(self, parameter: u32, attribute: &str) -> Option<Type> {
        self.parameter_attribute(parameter, attribute).map(|found| {
            // SAFETY: the attributes that are asked for by this name hold a type.
            Type(unsafe { LLVMGetTypeAttributeValue(found) })
        })
    }

    pub fn parameter_align(self, parameter: u32) -> Option<u64> {
        self.parameter_attribute(parameter, "align").map(|found| {
            // SAFETY: the attribute `align` holds a number.
            unsafe { LLVMGetEnumAttributeValue(found) }
        })
    }

    fn parameter_attribute(self, parameter: u32, name: &str) -> Option<llvm_sys::prelude::LLVMAttributeRef> {
        // SAFETY: the value is a live function or call; the name has the length given.
        let found = unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            if self.kind() == ValueKind::Function {
                LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind)
            } else {
                LLVMGetCallSiteEnumAttribute(self.0, parameter + 1, kind)
            }
        };
        (!found.is_null()).then_some(found)
    }

    // Instructions and constant expressions.

    pub fn opcode(self) -> Opcode {
        // SAFETY: the value is a live instruction or constant expression.
        unsafe { if self.is_instruction() { LLVMGetInstructionOpcode(self.0) } else { LLVMGetConstOpcode(self.0) } }
    }

    pub fn parent(self) -> Block {
        // SAFETY: the value is a live instruction.
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub fn int_predicate(self) -> IntPredicate {
        // SAFETY: the value is a live icmp.
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    pub fn real_predicate(self) -> RealPredicate {
        // SAFETY: the value is a live fcmp.
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    pub fn has_nuw(self) -> bool {
        // SAFETY: the value is a live add, sub, mul or shl.
        unsafe { LLVMGetNUW(self.0) != 0 }
    }

    pub fn has_nsw(self) -> bool {
        // SAFETY: the value is a live add, sub, mul or shl.
        unsafe { LLVMGetNSW(self.0) != 0 }
    }

    pub fn is_exact(self) -> bool {
        // SAFETY: the value is a live division or right shift.
        unsafe { LLVMGetExact(self.0) != 0 }
    }

    pub fn is_inbounds(self) -> bool {
        // SAFETY: the value is a live GEP.
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    pub fn gep_source_type(self) -> Type {
        // SAFETY: the value is a live GEP.
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    pub fn allocated_type(self) -> Type {
        // SAFETY: the value is a live alloca.
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The indices of extractvalue and insertvalue.
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: the value is a live extractvalue or insertvalue; LLVM says how many indices there are.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// The lanes that a shufflevector takes; none for a lane without meaning.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        // SAFETY: the value is a live shufflevector.
        unsafe {
            (0..LLVMGetNumMaskElements(self.0)).map(|lane| u32::try_from(LLVMGetMaskValue(self.0, lane)).ok()).collect()
        }
    }

    pub fn rmw_op(self) -> RmwOp {
        // SAFETY: the value is a live atomicrmw.
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    pub fn incoming(self) -> Vec<(Value, Block)> {
        // SAFETY: the value is a live phi.
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|i| (Value(LLVMGetIncomingValue(self.0, i)), Block(LLVMGetIncomingBlock(self.0, i))))
                .collect()
        }
    }

    pub fn successors(self) -> Vec<Block> {
        // SAFETY: the value is a live terminator.
        unsafe { (0..LLVMGetNumSuccessors(self.0)).map(|i| Block(LLVMGetSuccessor(self.0, i))).collect() }
    }

    /// The constant of a switch's case; case 0 is the default and has none.
    pub fn switch_case(self, successor: u32) -> Value {
        // SAFETY: the value is a live switch that has the successor, which is not the default.
        Value(unsafe { LLVMGetSwitchCaseValue(self.0, successor) })
    }

    pub fn callee(self) -> Value {
        // SAFETY: the value is a live call.
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub fn call_type(self) -> Type {
        // SAFETY: the value is a live call.
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    pub fn arguments(self) -> Vec<Value> {
        // SAFETY: the value is a live call; its arguments are its first operands.
        unsafe { (0..LLVMGetNumArgOperands(self.0)).map(|i| Value(LLVMGetOperand(self.0, i))).collect() }
    }

    /// The text and the constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        let (mut text_length, mut constraints_length) = (0, 0);
        // SAFETY: the value is live inline assembly; both texts have the lengths that LLVM writes.
        unsafe {
            let words = LLVMGetInlineAsmAsmString(self.0, &mut text_length);
            let constraints = LLVMGetInlineAsmConstraintString(self.0, &mut constraints_length);
            (text(words, text_length), text(constraints, constraints_length))
        }
    }

    /// The text of a string that is wrapped as a value, such as a constrained comparison's predicate.
    pub fn metadata_string(self) -> String {
        let mut length = 0;
        // SAFETY: the value is live; LLVM gives null for what is no such string, else the length that it writes.
        unsafe {
            let data = LLVMGetMDString(self.0, &mut length);
            text(data, length as usize)
        }
    }

    // Debug information.

    pub fn place(self) -> Option<Place> {
        // SAFETY: the value is a live instruction.
        place(unsafe { shim::osier_instruction_place(self.0) })
    }

    pub fn function_place(self) -> Option<Place> {
        // SAFETY: the value is a live function.
        place(unsafe { shim::osier_function_place(self.0) })
    }

    /// The source variable in an alloca.
    pub fn alloca_variable(self) -> Option<(String, Option<Place>)> {
        self.variable(shim::osier_alloca_variable)
    }

    /// The source variable behind a global.
    pub fn global_variable(self) -> Option<(String, Option<Place>)> {
        self.variable(shim::osier_global_variable)
    }

    fn variable(self, query: VariableQuery) -> Option<(String, Option<Place>)> {
        let mut name = shim::RawName { data: std::ptr::null(), length: 0 };
        let mut at = shim::RawPlace { file: std::ptr::null(), line: 0, column: 0 };
        // SAFETY: the value is of the kind that the query asks for; names and files live with the context.
        unsafe { query(self.0, &mut name, &mut at).then(|| (text(name.data, name.length), place(at))) }
    }
}

impl Block {
    pub fn instructions(self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: the block is live; its instructions form a list.
        unsafe {
            let mut next = LLVMGetFirstInstruction(self.0);
            while !next.is_null() {
                all.push(Value(next));
                next = LLVMGetNextInstruction(next);
            }
        }
        all
    }

    /// The phis, which come first.
    pub fn phis(self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: the block is live; its instructions form a list.
        let mut next = Value::from_raw(unsafe { LLVMGetFirstInstruction(self.0) });
        while let Some(phi) = next.filter(|instruction| instruction.opcode() == Opcode::LLVMPHI) {
            all.push(phi);
            // SAFETY: `phi` is an instruction of the live block.
            next = Value::from_raw(unsafe { LLVMGetNextInstruction(phi.0) });
        }
        all
    }

    pub fn terminator(self) -> Value {
        // SAFETY: the block is live and of a verified module, so it has a terminator.
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }
}
