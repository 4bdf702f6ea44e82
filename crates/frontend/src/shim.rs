//! The declarations of `shim.cpp` and `open.cpp`, in the same order.

use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{c_char, c_int, c_uint, c_void};

/// A `DIFile` (null if unknown), line and column.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawPlace {
    pub file: *const c_void,
    pub line: c_uint,
    pub column: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct RawName {
    pub data: *const c_char,
    pub length: usize,
}

unsafe extern "C" {
    pub fn osier_constant_bits(constant: LLVMValueRef, words: *mut u64, capacity: usize) -> c_uint;
    pub fn osier_instruction_place(instruction: LLVMValueRef) -> RawPlace;
    pub fn osier_function_place(function: LLVMValueRef) -> RawPlace;
    pub fn osier_alloca_variable(alloca: LLVMValueRef, name: *mut RawName, place: *mut RawPlace) -> bool;
    pub fn osier_global_place(global: LLVMValueRef) -> RawPlace;
    pub fn osier_file_name(file: *const c_void) -> RawName;
    pub fn osier_file_directory(file: *const c_void) -> RawName;
    pub fn osier_strip_offset(module: LLVMModuleRef, address: LLVMValueRef, offset: *mut i64) -> LLVMValueRef;
    pub fn osier_raw_data(constant: LLVMValueRef, length: *mut usize) -> *const c_char;
    pub fn osier_is_instruction(value: LLVMValueRef) -> bool;
    pub fn osier_is_optnone(function: LLVMValueRef) -> bool;
    pub fn osier_calls_returns_twice(function: LLVMValueRef) -> bool;
    pub fn osier_has_fixed_size(ty: LLVMTypeRef) -> bool;
    pub fn osier_is_x86_64(module: LLVMModuleRef) -> bool;

    pub fn osier_open(
        context: LLVMContextRef,
        data: *const c_char,
        length: usize,
        name: *const c_char,
        message: *mut *mut c_char,
    ) -> LLVMModuleRef;
    pub fn osier_read_body(function: LLVMValueRef) -> *mut c_char;
    pub fn osier_mark_unoptimised(function: LLVMValueRef);
    pub fn osier_decide_constant_intrinsics(function: LLVMValueRef);
    pub fn osier_visit_references(
        global: LLVMValueRef,
        visit: extern "C" fn(*mut c_void, LLVMValueRef),
        data: *mut c_void,
    );
    pub fn osier_definition_rank(global: LLVMValueRef) -> c_int;
    pub fn osier_is_hidden(global: LLVMValueRef) -> bool;
    pub fn osier_is_musl(module: LLVMModuleRef) -> bool;
}
