//! Types as lists of scalars: a vector or an aggregate has one register for each lane or field, and an integer that is
//! too wide for a register has one for each limb.

use crate::llvm::{Layout, Type, TypeKind};
use osier_ir::{ArgKind, FloatKind};
use smallvec::{SmallVec, smallvec};

/// What does not lower, in words that name the construct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported(pub String);

pub type Lowered<T> = Result<T, Unsupported>;

pub fn unsupported<T>(text: impl Into<String>) -> Lowered<T> {
    Err(Unsupported(text.into()))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Integer,
    Pointer,
    Float(FloatKind),
}

/// One scalar of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    pub width: u8,
    pub shape: Shape,
    /// Where it lies in memory. Lanes of fewer than 8 bits share bytes, so this counts bits.
    pub bit_offset: u64,
}

impl Leaf {
    pub fn arg_kind(&self) -> ArgKind {
        match self.shape {
            Shape::Integer | Shape::Pointer => ArgKind::Integer,
            Shape::Float(FloatKind::Extended) => ArgKind::Extended,
            Shape::Float(
                FloatKind::Half | FloatKind::BFloat | FloatKind::Single | FloatKind::Double | FloatKind::Quad,
            ) => ArgKind::Float,
        }
    }
}

pub type Leaves = SmallVec<[Leaf; 1]>;

/// First-class arrays beyond this do not come from C.
const MAX_LEAVES: usize = 1 << 16;

/// The widest integer that one register holds.
pub const MAX_WIDTH: u32 = 128;
/// How many bits each limb of a wider integer has; the last has what remains.
const LIMB: u32 = 64;

/// The widths of the registers that hold an integer of so many bits, lowest bits first.
pub fn limbs(bits: u32) -> impl Iterator<Item = u8> {
    let limb = if bits > MAX_WIDTH { LIMB } else { MAX_WIDTH };
    (0..bits.div_ceil(limb)).map(move |index| limb.min(bits - index * limb) as u8)
}

/// The bits of an integer type that is too wide for a register.
pub fn wide_bits(ty: Type) -> Option<u32> {
    match ty.kind() {
        TypeKind::Integer(bits) if bits > MAX_WIDTH => Some(bits),
        TypeKind::Integer(_)
        | TypeKind::Void
        | TypeKind::Pointer
        | TypeKind::Float(_)
        | TypeKind::Struct
        | TypeKind::Array(_)
        | TypeKind::Vector(_)
        | TypeKind::Other => None,
    }
}

/// The scalars of a type, in order; none for void and empty structs.
pub fn leaves(layout: Layout, ty: Type) -> Lowered<Leaves> {
    if wide_bits(ty).is_none()
        && let Some((width, shape)) = scalar(ty)?
    {
        return Ok(smallvec![Leaf { width, shape, bit_offset: 0 }]);
    }
    if ty.kind() != TypeKind::Void && !ty.has_fixed_size() {
        return unsupported(format!("value of type {}", ty.print()));
    }
    let mut all = Leaves::new();
    collect(layout, ty, 0, &mut all)?;
    Ok(all)
}

/// The width and shape of a type that one register holds; nothing for aggregates, vectors and void.
pub fn scalar(ty: Type) -> Lowered<Option<(u8, Shape)>> {
    Ok(match ty.kind() {
        TypeKind::Integer(bits) if bits <= MAX_WIDTH => Some((bits as u8, Shape::Integer)),
        TypeKind::Integer(bits) => {
            return unsupported(format!("integer of {bits} bits where only {MAX_WIDTH} are supported"));
        }
        TypeKind::Pointer => Some((64, Shape::Pointer)),
        TypeKind::Float(kind) => Some((kind.width(), Shape::Float(kind))),
        TypeKind::Void | TypeKind::Struct | TypeKind::Array(_) | TypeKind::Vector(_) => None,
        TypeKind::Other => return unsupported(format!("value of type {}", ty.print())),
    })
}

fn collect(layout: Layout, ty: Type, bit_offset: u64, all: &mut Leaves) -> Lowered<()> {
    match ty.kind() {
        TypeKind::Void => {}
        TypeKind::Struct => {
            for (index, field) in ty.fields().into_iter().enumerate() {
                collect(layout, field, bit_offset + 8 * layout.field_offset(ty, index as u32), all)?;
            }
        }
        TypeKind::Array(count) => {
            let element = ty.element();
            if count as usize > MAX_LEAVES {
                return unsupported(format!("first-class array {}", ty.print()));
            }
            let stride = 8 * layout.size(element);
            for index in 0..count {
                collect(layout, element, bit_offset + index * stride, all)?;
            }
        }
        TypeKind::Vector(count) => {
            let Some((width, shape)) = scalar(ty.element())? else {
                return unsupported(format!("vector {}", ty.print()));
            };
            for index in 0..u64::from(count) {
                all.push(Leaf { width, shape, bit_offset: bit_offset + index * u64::from(width) });
            }
        }
        TypeKind::Integer(bits) if bits > MAX_WIDTH => {
            let mut bit_offset = bit_offset;
            for width in limbs(bits) {
                all.push(Leaf { width, shape: Shape::Integer, bit_offset });
                bit_offset += u64::from(width);
            }
        }
        TypeKind::Integer(_) | TypeKind::Pointer | TypeKind::Float(_) | TypeKind::Other => {
            if let Some((width, shape)) = scalar(ty)? {
                all.push(Leaf { width, shape, bit_offset });
            }
        }
    }
    if all.len() > MAX_LEAVES {
        return unsupported(format!("first-class aggregate {}", ty.print()));
    }
    Ok(())
}

/// How many registers a type takes.
pub fn leaf_count(layout: Layout, ty: Type) -> Lowered<usize> {
    Ok(leaves(layout, ty)?.len())
}

/// The float kind of a type's lanes.
pub fn float_kind(ty: Type) -> Lowered<FloatKind> {
    match ty.lane().kind() {
        TypeKind::Float(kind) => Ok(kind),
        TypeKind::Void
        | TypeKind::Integer(_)
        | TypeKind::Pointer
        | TypeKind::Struct
        | TypeKind::Array(_)
        | TypeKind::Vector(_)
        | TypeKind::Other => unsupported(format!("float operation on {}", ty.print())),
    }
}

/// The width of a type's lanes.
pub fn lane_width(ty: Type) -> Lowered<u8> {
    match scalar(ty.lane())? {
        Some((width, _)) => Ok(width),
        None => unsupported(format!("operation on {}", ty.print())),
    }
}
