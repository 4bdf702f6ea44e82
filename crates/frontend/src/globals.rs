//! Static initialisers: bytes, and where addresses go into them.

use crate::constants::Linear;
use crate::llvm::{LlvmModule, Opcode, TypeKind, Value, ValueKind};
use crate::module::ModuleLowerer;
use crate::types::{Lowered, limbs, scalar, unsupported, wide_bits};
use osier_ir::{GlobalInit, Relocation};

/// The 64-bit addresses that a table of 32-bit offsets stands for.
///
/// LLVM turns constant tables of addresses into tables of offsets from themselves, read by `llvm.load.relative`. How far
/// apart two symbols lie is known only when a program is placed, so such a table goes back to addresses, twice as long.
/// Nothing is returned for any other global.
pub fn relative_table(llvm: &LlvmModule<'_>, global: Value) -> Option<Vec<Value>> {
    let table = global.initializer().filter(|table| table.kind() == ValueKind::Aggregate)?;
    if !matches!(table.ty().kind(), TypeKind::Array(_)) || table.ty().element().kind() != TypeKind::Integer(32) {
        return None;
    }
    let only_read_as_such = global.users().into_iter().all(|user| {
        let kind = user.kind();
        let read = kind == ValueKind::Instruction && user.opcode() == Opcode::LLVMCall && user.operand(0) == global;
        read || (kind == ValueKind::Expression && user.opcode() == Opcode::LLVMPtrToInt)
    });
    if !only_read_as_such {
        return None;
    }
    let mut addresses = Vec::new();
    for index in 0.. {
        let Some(element) = table.element(index) else { break };
        let difference = argument_of(element, Opcode::LLVMTrunc)?;
        let target = argument_of(difference, Opcode::LLVMSub)?;
        let (base, offset) = llvm.strip_offset(argument_of(difference.operand(1), Opcode::LLVMPtrToInt)?);
        if base != global || offset != 0 {
            return None;
        }
        addresses.push(argument_of(target, Opcode::LLVMPtrToInt)?);
    }
    Some(addresses)
}

/// The first operand of a constant expression of this kind.
fn argument_of(value: Value, opcode: Opcode) -> Option<Value> {
    (value.kind() == ValueKind::Expression && value.opcode() == opcode).then(|| value.operand(0))
}

struct Image {
    bytes: Vec<u8>,
    relocations: Vec<Relocation>,
}

impl Image {
    /// Little-endian, as many bytes as the width takes.
    fn put(&mut self, offset: u64, width: u32, bits: u128) {
        let start = offset as usize;
        let bytes = bits.to_le_bytes();
        let count = width.div_ceil(8) as usize;
        self.bytes[start..start + count].copy_from_slice(&bytes[..count]);
    }
}

impl ModuleLowerer<'_> {
    pub fn global_init(&mut self, global: Value) -> GlobalInit {
        let Some(initializer) = global.initializer() else { return GlobalInit::External };
        if matches!(initializer.kind(), ValueKind::Zero | ValueKind::Null | ValueKind::Undef | ValueKind::Poison) {
            return GlobalInit::Zero;
        }
        let table = relative_table(self.llvm, global);
        let size = match &table {
            Some(addresses) => 8 * addresses.len(),
            None => self.layout.size(global.value_type()) as usize,
        };
        let mut image = Image { bytes: vec![0; size], relocations: Vec::new() };
        let written = match table {
            Some(addresses) => {
                addresses.into_iter().zip((0..).step_by(8)).try_for_each(|(a, at)| self.write(a, at, &mut image))
            }
            None => self.write(initializer, 0, &mut image),
        };
        match written {
            Ok(()) if image.relocations.is_empty() && image.bytes.iter().all(|&byte| byte == 0) => GlobalInit::Zero,
            Ok(()) => {
                image.relocations.sort_by_key(|relocation| relocation.offset);
                GlobalInit::Data { bytes: image.bytes, relocations: image.relocations }
            }
            Err(problem) => {
                let text = format!("initialiser of `{}`: {}", global.name(), problem.0);
                GlobalInit::Unsupported(self.text(text))
            }
        }
    }

    fn write(&mut self, value: Value, offset: u64, image: &mut Image) -> Lowered<()> {
        match value.kind() {
            ValueKind::Zero | ValueKind::Null | ValueKind::Undef | ValueKind::Poison => Ok(()),
            ValueKind::Number if !value.ty().is_vector() => {
                let Some((width, bits)) = value.bits() else { return unsupported(value.describe()) };
                if wide_bits(value.ty()).is_some() {
                    for ((width, word), index) in limbs(width).zip(value.words().unwrap_or_default()).zip(0..) {
                        image.put(offset + 8 * index, width.into(), word.into());
                    }
                    return Ok(());
                }
                image.put(offset, width, bits);
                Ok(())
            }
            ValueKind::Number | ValueKind::Aggregate => self.write_aggregate(value, offset, image),
            ValueKind::Function
            | ValueKind::GlobalVariable
            | ValueKind::Alias
            | ValueKind::Ifunc
            | ValueKind::BlockAddress
            | ValueKind::Expression => self.write_address(value, offset, image),
            ValueKind::Argument | ValueKind::Instruction | ValueKind::InlineAsm | ValueKind::Other => {
                unsupported(value.describe())
            }
        }
    }

    fn write_aggregate(&mut self, value: Value, offset: u64, image: &mut Image) -> Lowered<()> {
        let ty = value.ty();
        if let Some(raw) = value.raw_data() {
            let start = offset as usize;
            image.bytes[start..start + raw.len()].copy_from_slice(&raw);
            return Ok(());
        }
        let stride = match ty.kind() {
            TypeKind::Array(_) => self.layout.size(ty.element()),
            TypeKind::Vector(_) => match scalar(ty.element())? {
                Some((width, _)) if width % 8 == 0 => u64::from(width) / 8,
                _ => return self.write_packed(value, offset, image),
            },
            TypeKind::Struct
            | TypeKind::Void
            | TypeKind::Integer(_)
            | TypeKind::Pointer
            | TypeKind::Float(_)
            | TypeKind::Other => 0,
        };
        for index in 0.. {
            let Some(element) = value.element(index) else { break };
            let inside = match ty.kind() {
                TypeKind::Struct => self.layout.field_offset(ty, index),
                TypeKind::Array(_)
                | TypeKind::Vector(_)
                | TypeKind::Void
                | TypeKind::Integer(_)
                | TypeKind::Pointer
                | TypeKind::Float(_)
                | TypeKind::Other => u64::from(index) * stride,
            };
            self.write(element, offset + inside, image)?;
        }
        Ok(())
    }

    /// A vector whose lanes share bytes.
    fn write_packed(&mut self, value: Value, offset: u64, image: &mut Image) -> Lowered<()> {
        let mut position = offset * 8;
        for index in 0.. {
            let Some(element) = value.element(index) else { break };
            let Some((width, bits)) = element.bits() else { return unsupported(value.describe()) };
            for bit in 0..u64::from(width) {
                if bits >> bit & 1 == 1 {
                    let at = position + bit;
                    image.bytes[(at / 8) as usize] |= 1 << (at % 8);
                }
            }
            position += u64::from(width);
        }
        Ok(())
    }

    fn write_address(&mut self, value: Value, offset: u64, image: &mut Image) -> Lowered<()> {
        let width = match scalar(value.ty())? {
            Some((width, _)) => u32::from(width),
            None => return unsupported(value.describe()),
        };
        match self.linear(value)? {
            Some(Linear { symbol: None, addend }) => {
                let bits = addend as i128 as u128;
                image.put(offset, width, if width < 128 { bits & ((1 << width) - 1) } else { bits });
                Ok(())
            }
            Some(Linear { symbol: Some(symbol), addend }) if width == 64 => {
                image.relocations.push(Relocation { offset, symbol, addend });
                Ok(())
            }
            Some(_) | None => unsupported(value.describe()),
        }
    }
}
