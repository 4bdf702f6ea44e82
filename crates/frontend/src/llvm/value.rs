//! Values: what they are, constants, global variables and functions.

use super::{Type, take_message, text};
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

impl Block {
    pub(super) fn from_raw(raw: LLVMBasicBlockRef) -> Block {
        Block(raw)
    }

    pub(super) fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }
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

pub(super) fn place(raw: shim::RawPlace) -> Option<Place> {
    if raw.file.is_null() {
        return None;
    }
    Some(Place { file: FileRef(raw.file), line: raw.line, column: raw.column })
}

impl Value {
    pub fn from_raw(raw: LLVMValueRef) -> Option<Value> {
        if raw.is_null() { None } else { Some(Value(raw)) }
    }

    /// A handle that LLVM promises not to be null.
    pub(super) fn of(raw: LLVMValueRef) -> Value {
        debug_assert!(!raw.is_null());
        Value(raw)
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

    /// The value in LLVM's words, on one line and without metadata: for messages.
    pub fn describe(self) -> String {
        let printed = self.print();
        let line = printed.trim().lines().next().unwrap_or_default();
        line.split(", !").next().unwrap_or_default().to_owned()
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
        let width = unsafe { shim::osier_constant_bits(self.0, words.as_mut_ptr(), words.len()) };
        (width != 0).then(|| (width, u128::from(words[0]) | u128::from(words[1]) << 64))
    }

    /// All bits of an integer constant of any width, in words of 64, lowest first.
    pub fn words(self) -> Option<Vec<u64>> {
        let (width, _) = self.bits()?;
        let mut words = vec![0; width.div_ceil(64) as usize];
        // SAFETY: the value is live; there is room for as many words as are announced.
        unsafe { shim::osier_constant_bits(self.0, words.as_mut_ptr(), words.len()) };
        Some(words)
    }

    pub fn as_u64(self) -> Option<u64> {
        self.bits().filter(|(width, _)| *width <= 64).map(|(_, value)| value as u64)
    }

    pub fn as_i64(self) -> Option<i64> {
        let (width, value) = self.bits().filter(|(width, _)| *width <= 128)?;
        i64::try_from((value << (128 - width)) as i128 >> (128 - width)).ok()
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

    /// Calls `setjmp` or its like.
    pub fn calls_returns_twice(self) -> bool {
        // SAFETY: the value is a live function.
        unsafe { shim::osier_calls_returns_twice(self.0) }
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
}
