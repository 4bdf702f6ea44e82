//! Constants as operands, and constant addresses as a symbol plus a number.

use crate::llvm::{Opcode, Value, ValueKind};
use crate::lower::Parts;
use crate::module::ModuleLowerer;
use crate::types::{Lowered, limbs, unsupported, wide_bits};
use osier_ir::{Constant, Operand, SymbolRef};

/// A constant scalar of up to 64 bits: the address of a symbol, if there is one, plus a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Linear {
    pub symbol: Option<SymbolRef>,
    pub addend: i64,
}

impl Linear {
    fn number(addend: i64) -> Self {
        Linear { symbol: None, addend }
    }

    fn plus(self, other: Linear) -> Option<Linear> {
        let symbol = match (self.symbol, other.symbol) {
            (Some(_), Some(_)) => return None,
            (one, None) | (None, one) => one,
        };
        Some(Linear { symbol, addend: self.addend.wrapping_add(other.addend) })
    }

    /// Two addresses in one symbol differ by a number; other differences are known only when the program is placed.
    fn minus(self, other: Linear) -> Option<Linear> {
        let addend = self.addend.wrapping_sub(other.addend);
        match (self.symbol, other.symbol) {
            (symbol, None) => Some(Linear { symbol, addend }),
            (Some(a), Some(b)) if a == b => Some(Linear::number(addend)),
            (_, Some(_)) => None,
        }
    }
}

impl ModuleLowerer<'_> {
    /// The operands that a constant is, if it needs no operations.
    pub fn constant_parts(&mut self, value: Value) -> Lowered<Option<Parts>> {
        if let Some(parts) = self.constant_operands.get(&value) {
            return Ok(Some(parts.clone()));
        }
        let mut parts = Parts::new();
        if !self.append_constant(value, &mut parts)? {
            return Ok(None);
        }
        self.constant_operands.insert(value, parts.clone());
        Ok(Some(parts))
    }

    /// False if the constant, or a part of it, is an expression that needs operations.
    fn append_constant(&mut self, value: Value, parts: &mut Parts) -> Lowered<bool> {
        match value.kind() {
            ValueKind::Number => {
                let Some((width, bits)) = value.bits() else { return unsupported(value.describe()) };
                if wide_bits(value.ty()).is_some() {
                    let words = value.words().unwrap_or_default();
                    for (width, word) in limbs(width).zip(words) {
                        parts.push(self.int(width, word.into()));
                    }
                    return Ok(true);
                }
                // A splat of a vector may be one number.
                for _ in self.leaves(value.ty())? {
                    parts.push(self.int(width as u8, bits));
                }
                Ok(true)
            }
            ValueKind::Null | ValueKind::Zero => self.fill(value, parts, |width| Constant::Int { width, value: 0 }),
            ValueKind::Undef => self.fill(value, parts, |width| Constant::Undef { width }),
            ValueKind::Poison => self.fill(value, parts, |width| Constant::Poison { width }),
            ValueKind::Aggregate => {
                for index in 0.. {
                    let Some(element) = value.element(index) else { break };
                    if !self.append_constant(element, parts)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ValueKind::Ifunc => unsupported(format!("ifunc `{}`", value.name())),
            ValueKind::Function
            | ValueKind::GlobalVariable
            | ValueKind::Alias
            | ValueKind::BlockAddress
            | ValueKind::Expression => {
                let Some(operand) = self.symbol_operand(value)? else { return Ok(false) };
                parts.push(operand);
                Ok(true)
            }
            ValueKind::Argument | ValueKind::Instruction | ValueKind::InlineAsm | ValueKind::Other => {
                unsupported(format!("constant {}", value.describe()))
            }
        }
    }

    fn fill(&mut self, value: Value, parts: &mut Parts, make: impl Fn(u8) -> Constant) -> Lowered<bool> {
        for leaf in self.leaves(value.ty())? {
            parts.push(Operand::constant(self.constant(make(leaf.width))));
        }
        Ok(true)
    }

    fn symbol_operand(&mut self, value: Value) -> Lowered<Option<Operand>> {
        if value.ty().is_vector() {
            return Ok(None);
        }
        let leaves = self.leaves(value.ty())?;
        let [leaf] = leaves.as_slice() else { return Ok(None) };
        let Some(Linear { symbol, addend }) = self.linear(value)? else { return Ok(None) };
        let constant = match symbol {
            None => return Ok(Some(self.int(leaf.width, addend as i128 as u128))),
            Some(_) if leaf.width != 64 => return Ok(None),
            Some(SymbolRef::Global(global)) => Constant::Global { global, offset: addend },
            Some(SymbolRef::Function(function)) if addend == 0 => Constant::Function(function),
            Some(SymbolRef::Block(function, block)) if addend == 0 => Constant::Block { function, block },
            Some(SymbolRef::Function(_) | SymbolRef::Block(..)) => return Ok(None),
        };
        Ok(Some(Operand::constant(self.constant(constant))))
    }

    /// A scalar constant as a symbol plus a number; nothing if it is no such sum.
    pub fn linear(&mut self, value: Value) -> Lowered<Option<Linear>> {
        let value = self.definition(value);
        Ok(match value.kind() {
            ValueKind::Number => value.as_i64().map(Linear::number),
            ValueKind::Null => Some(Linear::number(0)),
            // A weak symbol that nobody defines is the null pointer.
            ValueKind::Function | ValueKind::GlobalVariable if value.is_extern_weak() && value.is_declaration() => {
                Some(Linear::number(0))
            }
            ValueKind::Function => {
                Some(Linear { symbol: Some(SymbolRef::Function(self.function_id(value))), addend: 0 })
            }
            ValueKind::GlobalVariable => {
                Some(Linear { symbol: Some(SymbolRef::Global(self.global_id(value))), addend: 0 })
            }
            ValueKind::BlockAddress => {
                let (function, block) = value.block_address();
                let id = self.function_id(function);
                let block = self.block_id(function, block);
                Some(Linear { symbol: Some(SymbolRef::Block(id, block)), addend: 0 })
            }
            ValueKind::Alias => self.linear(value.aliasee())?,
            ValueKind::Expression => self.linear_expression(value)?,
            ValueKind::Ifunc => return unsupported(format!("ifunc `{}`", value.name())),
            ValueKind::Argument
            | ValueKind::Instruction
            | ValueKind::Aggregate
            | ValueKind::Zero
            | ValueKind::Undef
            | ValueKind::Poison
            | ValueKind::InlineAsm
            | ValueKind::Other => None,
        })
    }

    fn linear_expression(&mut self, value: Value) -> Lowered<Option<Linear>> {
        if value.ty().is_vector() {
            return Ok(None);
        }
        match value.opcode() {
            Opcode::LLVMGetElementPtr => {
                let (base, offset) = self.llvm.strip_offset(value);
                if base == value {
                    return Ok(None);
                }
                Ok(self.linear(base)?.and_then(|base| base.plus(Linear::number(offset))))
            }
            Opcode::LLVMAdd => self.linear_pair(value, Linear::plus),
            Opcode::LLVMSub => self.linear_pair(value, Linear::minus),
            Opcode::LLVMPtrToInt
            | Opcode::LLVMPtrToAddr
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast
            | Opcode::LLVMAddrSpaceCast
            | Opcode::LLVMTrunc => {
                let (from, to) = (value.operand(0).ty(), value.ty());
                let (Ok(from), Ok(to)) = (self.leaves(from), self.leaves(to)) else { return Ok(None) };
                let ([from], [to]) = (from.as_slice(), to.as_slice()) else { return Ok(None) };
                // Narrowing an address leaves no address; a sum of numbers narrows when it is interned. Widening
                // would need the sign.
                let same = from.width == to.width;
                let inner = self.linear(value.operand(0))?;
                Ok(inner.filter(|inner| same || (inner.symbol.is_none() && to.width < from.width)))
            }
            _ => Ok(None),
        }
    }

    fn linear_pair(&mut self, value: Value, join: fn(Linear, Linear) -> Option<Linear>) -> Lowered<Option<Linear>> {
        let (Some(a), Some(b)) = (self.linear(value.operand(0))?, self.linear(value.operand(1))?) else {
            return Ok(None);
        };
        Ok(join(a, b))
    }
}
