//! A safe face over the parts of LLVM's C API that lowering needs.
//!
//! All `unsafe` of the crate stands here, in `shim.rs` and in `guard.rs`. Handles ([`Value`], [`Type`], [`Block`]) are plain
//! pointers that live as long as their context; the crate keeps the context alive for as long as it lowers.

mod global;
mod instruction;
mod module;
mod types;
mod value;

pub use global::Rank;
pub use module::{Context, LlvmModule};
pub use types::{Layout, Type, TypeKind};
pub use value::{Block, FileRef, Place, Value, ValueKind};

pub use llvm_sys::LLVMAtomicRMWBinOp as RmwOp;
pub use llvm_sys::LLVMIntPredicate as IntPredicate;
pub use llvm_sys::LLVMOpcode as Opcode;
pub use llvm_sys::LLVMRealPredicate as RealPredicate;

use std::ffi::c_char;

/// The text at `data`, with what is not UTF-8 replaced.
///
/// # Safety
/// `data` is null, or points to `length` readable bytes.
unsafe fn text(data: *const c_char, length: usize) -> String {
    if data.is_null() {
        return String::new();
    }
    // SAFETY: by this function's contract.
    let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes over a message that LLVM allocated.
///
/// # Safety
/// `message` is null or was allocated by LLVM, ends in a zero, and is not used again.
unsafe fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: by this function's contract.
    unsafe {
        let taken = std::ffi::CStr::from_ptr(message).to_string_lossy().into_owned();
        llvm_sys::core::LLVMDisposeMessage(message);
        taken
    }
}
