//! What names mean between modules, and functions whose bodies are read late.

use super::{Value, take_message};
use crate::shim;
use llvm_sys::prelude::LLVMValueRef;
use std::ffi::c_void;

/// How a definition stands against others of its name; the greater is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    Declaration,
    /// A body for the optimiser; the definition is elsewhere.
    Copy,
    Weak,
    Common,
    Strong,
}

extern "C" fn collect(found: *mut c_void, global: LLVMValueRef) {
    // SAFETY: `references` hands in its vector, which nothing else uses meanwhile.
    unsafe { (*found.cast::<Vec<Value>>()).extend(Value::from_raw(global)) }
}

impl Value {
    /// Reads a function's body, if it has one that was not read yet. LLVM's words if it is broken.
    pub fn read_body(self) -> Result<(), String> {
        // SAFETY: the value is a function of a live module whose bytes are still there; LLVM allocated the message.
        unsafe {
            let message = shim::osier_read_body(self.raw());
            if message.is_null() { Ok(()) } else { Err(take_message(message)) }
        }
    }

    /// States that a function's code is as the source has it.
    pub fn mark_unoptimised(self) {
        // SAFETY: the value is a live function.
        unsafe { shim::osier_mark_unoptimised(self.raw()) }
    }

    /// Decides llvm.objectsize and llvm.is.constant in a function as LLVM's own code generator would, so that the
    /// program does what a native build of the same code does.
    pub fn decide_constant_intrinsics(self) {
        // SAFETY: the value is a live function, and nothing else holds on to its instructions.
        unsafe { shim::osier_decide_constant_intrinsics(self.raw()) }
    }

    /// The globals that a function's body, a variable's initialiser or an alias names.
    pub fn references(self) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        // SAFETY: the value is a live global; `collect` gets the vector that it expects.
        unsafe { shim::osier_visit_references(self.raw(), collect, (&raw mut found).cast()) };
        found
    }

    /// Nothing for a global whose name means something in its module only.
    pub fn rank(self) -> Option<Rank> {
        // SAFETY: the value is a live global.
        match unsafe { shim::osier_definition_rank(self.raw()) } {
            0 => Some(Rank::Declaration),
            1 => Some(Rank::Copy),
            2 => Some(Rank::Weak),
            3 => Some(Rank::Common),
            4 => Some(Rank::Strong),
            _ => None,
        }
    }

    pub fn is_hidden(self) -> bool {
        // SAFETY: the value is a live global.
        unsafe { shim::osier_is_hidden(self.raw()) }
    }

    /// The module that a global is in, as a key.
    pub fn home(self) -> usize {
        // SAFETY: the value is a live global.
        unsafe { llvm_sys::core::LLVMGetGlobalParent(self.raw()) as usize }
    }
}
