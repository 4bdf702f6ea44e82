//! Types and their layout in memory.

use super::take_message;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::*;
use osier_ir::FloatKind;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type(pub(super) LLVMTypeRef);

/// A type, as lowering tells types apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    Void,
    Integer(u32),
    Pointer,
    Float(FloatKind),
    Struct,
    Array(u64),
    Vector(u32),
    /// Labels, metadata, tokens, scalable vectors, target types.
    Other,
}

impl Type {
    pub fn kind(self) -> TypeKind {
        // SAFETY: the type is live, and each query fits the kind it is asked for.
        unsafe {
            match LLVMGetTypeKind(self.0) {
                LLVMTypeKind::LLVMVoidTypeKind => TypeKind::Void,
                LLVMTypeKind::LLVMHalfTypeKind => TypeKind::Float(FloatKind::Half),
                LLVMTypeKind::LLVMBFloatTypeKind => TypeKind::Float(FloatKind::BFloat),
                LLVMTypeKind::LLVMFloatTypeKind => TypeKind::Float(FloatKind::Single),
                LLVMTypeKind::LLVMDoubleTypeKind => TypeKind::Float(FloatKind::Double),
                LLVMTypeKind::LLVMX86_FP80TypeKind => TypeKind::Float(FloatKind::Extended),
                LLVMTypeKind::LLVMFP128TypeKind => TypeKind::Float(FloatKind::Quad),
                LLVMTypeKind::LLVMIntegerTypeKind => TypeKind::Integer(LLVMGetIntTypeWidth(self.0)),
                LLVMTypeKind::LLVMPointerTypeKind => TypeKind::Pointer,
                LLVMTypeKind::LLVMStructTypeKind => TypeKind::Struct,
                LLVMTypeKind::LLVMArrayTypeKind => TypeKind::Array(LLVMGetArrayLength2(self.0)),
                LLVMTypeKind::LLVMVectorTypeKind => TypeKind::Vector(LLVMGetVectorSize(self.0)),
                LLVMTypeKind::LLVMPPC_FP128TypeKind
                | LLVMTypeKind::LLVMLabelTypeKind
                | LLVMTypeKind::LLVMFunctionTypeKind
                | LLVMTypeKind::LLVMMetadataTypeKind
                | LLVMTypeKind::LLVMTokenTypeKind
                | LLVMTypeKind::LLVMScalableVectorTypeKind
                | LLVMTypeKind::LLVMX86_AMXTypeKind
                | LLVMTypeKind::LLVMTargetExtTypeKind => TypeKind::Other,
            }
        }
    }

    /// The element of an array or a vector.
    pub fn element(self) -> Type {
        // SAFETY: the type is live; callers ask arrays and vectors only.
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    pub fn fields(self) -> Vec<Type> {
        // SAFETY: the type is live; callers ask structs only. The buffer has room for all fields.
        unsafe {
            let count = LLVMCountStructElementTypes(self.0) as usize;
            let mut fields = vec![std::ptr::null_mut(); count];
            LLVMGetStructElementTypes(self.0, fields.as_mut_ptr());
            fields.into_iter().map(Type).collect()
        }
    }

    pub fn field(self, index: u32) -> Type {
        // SAFETY: the type is a live struct that has this field.
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    pub fn is_variadic(self) -> bool {
        // SAFETY: the type is live; callers ask function types only.
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub fn result(self) -> Type {
        // SAFETY: the type is live; callers ask function types only.
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    pub fn parameters(self) -> Vec<Type> {
        // SAFETY: the type is live; callers ask function types only. The buffer has room for all parameters.
        unsafe {
            let count = LLVMCountParamTypes(self.0) as usize;
            let mut types = vec![std::ptr::null_mut(); count];
            LLVMGetParamTypes(self.0, types.as_mut_ptr());
            types.into_iter().map(Type).collect()
        }
    }

    /// False for opaque structs and scalable vectors, whose layout must not be asked for.
    pub fn has_fixed_size(self) -> bool {
        // SAFETY: the type is live.
        unsafe { crate::shim::osier_has_fixed_size(self.0) }
    }

    pub fn is_vector(self) -> bool {
        matches!(self.kind(), TypeKind::Vector(_))
    }

    /// The type of a scalar, or of a vector's lanes.
    pub fn lane(self) -> Type {
        if self.is_vector() { self.element() } else { self }
    }

    pub fn print(self) -> String {
        // SAFETY: the type is live; LLVM allocates the text.
        unsafe { take_message(LLVMPrintTypeToString(self.0)) }
    }
}

/// A module's data layout. Sizes and offsets are in bytes.
#[derive(Clone, Copy)]
pub struct Layout(pub(super) LLVMTargetDataRef);

impl Layout {
    /// The distance between two elements of an array.
    pub fn size(self, ty: Type) -> u64 {
        // SAFETY: the layout and the type are live; callers ask types of fixed size only.
        unsafe { LLVMABISizeOfType(self.0, ty.0) }
    }

    pub fn align(self, ty: Type) -> u32 {
        // SAFETY: as for `size`.
        unsafe { LLVMABIAlignmentOfType(self.0, ty.0) }
    }

    pub fn preferred_global_align(self, global: super::Value) -> u32 {
        // SAFETY: the layout and the global variable are live.
        unsafe { LLVMPreferredAlignmentOfGlobal(self.0, global.raw()) }
    }

    pub fn field_offset(self, ty: Type, field: u32) -> u64 {
        // SAFETY: the layout is live; the type is a sized struct that has the field.
        unsafe { LLVMOffsetOfElement(self.0, ty.0, field) }
    }

    pub fn pointer_bytes(self) -> u32 {
        // SAFETY: the layout is live.
        unsafe { LLVMPointerSize(self.0) }
    }
}
