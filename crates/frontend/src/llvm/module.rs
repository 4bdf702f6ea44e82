//! Contexts and modules: parsing, verifying, linking.

use super::{Layout, Value, take_message};
use crate::shim;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
use llvm_sys::ir_reader::LLVMParseIRInContext2;
use llvm_sys::prelude::*;
use llvm_sys::target::LLVMGetModuleDataLayout;
use std::cell::RefCell;
use std::ffi::{CString, c_void};
use std::marker::PhantomData;

/// What LLVM says of bytes that it cannot read. For text it names line and column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseFailure(pub String);

/// An LLVM context whose complaints are collected instead of printed (LLVM's default handler exits the process).
pub struct Context {
    raw: LLVMContextRef,
    complaints: Box<RefCell<Vec<String>>>,
}

extern "C" fn collect(info: LLVMDiagnosticInfoRef, complaints: *mut c_void) {
    // SAFETY: `complaints` is the box that the context owns and that outlives every call of this handler; LLVM hands in
    // a live diagnostic, and its description is ours to dispose of.
    unsafe {
        let severity = LLVMGetDiagInfoSeverity(info);
        let message = take_message(LLVMGetDiagInfoDescription(info));
        if severity == llvm_sys::LLVMDiagnosticSeverity::LLVMDSError {
            (*complaints.cast::<RefCell<Vec<String>>>()).borrow_mut().push(message);
        }
    }
}

impl Context {
    pub fn new() -> Self {
        let complaints = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler's argument is boxed, so its address stays good until `drop`, which disposes of the
        // context first.
        let raw = unsafe {
            let raw = LLVMContextCreate();
            LLVMContextSetDiagnosticHandler(raw, Some(collect), (&raw const *complaints).cast_mut().cast());
            raw
        };
        Context { raw, complaints }
    }

    /// The errors that LLVM reported since the last call, one to a line.
    pub fn take_complaints(&self) -> String {
        self.complaints.take().join("\n")
    }

    /// Opens bitcode, whose functions are read when they are needed ([`Value::read_body`]).
    pub fn open<'c>(&'c self, name: &str, bytes: &'c [u8]) -> Result<LlvmModule<'c>, ParseFailure> {
        let name = CString::new(name.replace('\0', "?")).expect("no zero is left in the name");
        let mut message = std::ptr::null_mut();
        // SAFETY: the bytes outlive the module, which borrows them; the name is copied; a module is only used if LLVM made
        // one, and there is a message if not.
        unsafe {
            let raw = shim::osier_open(self.raw, bytes.as_ptr().cast(), bytes.len(), name.as_ptr(), &mut message);
            if raw.is_null() {
                return Err(ParseFailure(take_message(message).trim().to_owned()));
            }
            Ok(LlvmModule { raw, context: PhantomData })
        }
    }

    /// Reads text, or all of a module's bitcode.
    pub fn parse(&self, name: &str, bytes: &[u8]) -> Result<LlvmModule<'_>, ParseFailure> {
        let name = CString::new(name.replace('\0', "?")).expect("no zero is left in the name");
        let mut raw = std::ptr::null_mut();
        let mut message = std::ptr::null_mut();
        // SAFETY: the buffer is a copy that LLVM owns (disposed of below, as `LLVMParseIRInContext2` leaves it to us);
        // the out-pointers are valid; a module is only used if LLVM says that it made one.
        let failed = unsafe {
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr());
            let failed = LLVMParseIRInContext2(self.raw, buffer, &mut raw, &mut message) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            failed
        };
        // SAFETY: LLVM allocated the message or left it null.
        let message = unsafe { take_message(message) };
        if failed || raw.is_null() {
            let complaints = self.take_complaints();
            let said = if message.trim().is_empty() { complaints } else { message };
            return Err(ParseFailure(said.trim().to_owned()));
        }
        Ok(LlvmModule { raw, context: PhantomData })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: every module borrows the context, so none is left.
        unsafe { LLVMContextDispose(self.raw) }
    }
}

/// A module of a context, and of the bytes that it is read from.
pub struct LlvmModule<'c> {
    pub(super) raw: LLVMModuleRef,
    context: PhantomData<&'c Context>,
}

impl LlvmModule<'_> {
    /// LLVM's verifier; its words if the module is broken.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        // SAFETY: the module is live and the out-pointer valid; LLVM allocates the message.
        let (broken, message) = unsafe {
            let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
            let broken = LLVMVerifyModule(self.raw, action, &mut message) != 0;
            (broken, take_message(message))
        };
        if broken { Err(message.trim().to_owned()) } else { Ok(()) }
    }

    pub fn is_x86_64(&self) -> bool {
        // SAFETY: the module is live.
        unsafe { shim::osier_is_x86_64(self.raw) }
    }

    pub fn layout(&self) -> Layout {
        // SAFETY: the module is live; the layout belongs to it.
        Layout(unsafe { LLVMGetModuleDataLayout(self.raw) })
    }

    pub fn global(&self, name: &str) -> Option<Value> {
        let name = CString::new(name).ok()?;
        // SAFETY: the module is live and the name ends in a zero.
        Value::from_raw(unsafe { LLVMGetNamedGlobal(self.raw, name.as_ptr()) })
    }

    /// Whether it was compiled against musl's headers.
    pub fn is_musl(&self) -> bool {
        // SAFETY: the module is live.
        unsafe { shim::osier_is_musl(self.raw) }
    }

    /// What [`Value::home`] gives for its globals.
    pub fn key(&self) -> usize {
        self.raw as usize
    }

    /// Global variables and aliases.
    pub fn variables(&self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: the module is live; its variables and its aliases form lists.
        unsafe {
            let mut next = LLVMGetFirstGlobal(self.raw);
            while let Some(variable) = Value::from_raw(next) {
                all.push(variable);
                next = LLVMGetNextGlobal(next);
            }
            let mut next = LLVMGetFirstGlobalAlias(self.raw);
            while let Some(alias) = Value::from_raw(next) {
                all.push(alias);
                next = LLVMGetNextGlobalAlias(next);
            }
        }
        all
    }

    pub fn functions(&self) -> Vec<Value> {
        let mut all = Vec::new();
        // SAFETY: the module is live; its functions form a list.
        let mut next = Value::from_raw(unsafe { LLVMGetFirstFunction(self.raw) });
        while let Some(function) = next {
            all.push(function);
            // SAFETY: `function` is a function of the live module.
            next = Value::from_raw(unsafe { LLVMGetNextFunction(function.raw()) });
        }
        all
    }

    /// A constant address as a base and a number of bytes.
    pub fn strip_offset(&self, address: Value) -> (Value, i64) {
        let mut offset = 0;
        // SAFETY: the address is a live value of this module.
        let base = unsafe { shim::osier_strip_offset(self.raw, address.raw(), &mut offset) };
        (Value::from_raw(base).expect("stripping gives a value"), offset)
    }
}

impl Drop for LlvmModule<'_> {
    fn drop(&mut self) {
        // SAFETY: the module is owned and live.
        unsafe { LLVMDisposeModule(self.raw) }
    }
}
