//! The processor as a piece of inline assembly sees it while it is lowered: what each register holds, as operands of
//! our IR, and what the flags would be.
//!
//! Every operand has a register of its own unless the constraints say otherwise. A compiler may let an input share its
//! register with an output; a program whose result depends on that is wrong.

use super::constraints::{Constraints, Role};
use super::text::{Base, Register, Term, View};
use crate::llvm::{Type, Value};
use crate::lower::{FunctionLowerer, Parts};
use crate::types::{Lowered, unsupported};
use osier_ir::{BinOp, CastOp, Flags as Promises, Op, Operand};

pub struct Machine<'l, 'a, 'm> {
    pub code: &'l mut FunctionLowerer<'a, 'm>,
    cells: Vec<Cell>,
    /// By their numbers in the template.
    operands: Vec<Bound>,
    outputs: Vec<Output>,
    /// Registers that the text may use if it puts their contents back: the cell, and what was in it.
    kept: Vec<(usize, Operand)>,
    pub flags: Flags,
    /// Whether a later statement or an output asks for flags.
    pub wants_flags: bool,
}

/// Each absent where nothing is known about it.
#[derive(Clone, Copy, Default)]
pub struct Flags {
    pub carry: Option<Operand>,
    pub zero: Option<Operand>,
    pub sign: Option<Operand>,
    pub overflow: Option<Operand>,
}

struct Cell {
    family: Option<String>,
    contents: Contents,
    /// An output, or a register that the constraints call overwritten.
    writable: bool,
}

#[derive(Clone)]
enum Contents {
    Nothing,
    /// The low bits; those above are anything.
    Bits(Operand, u8),
    /// A vector, which can only be handed through.
    Lanes(Parts),
}

#[derive(Clone, Copy)]
struct Bound {
    place: Place,
    /// How wide its type is; 0 if that is no one number.
    width: u8,
}

#[derive(Clone, Copy)]
enum Place {
    Cell(usize),
    Memory(Operand),
}

enum Output {
    Cell(usize, Type),
    Condition(String, Type),
}

impl<'l, 'a, 'm> Machine<'l, 'a, 'm> {
    pub fn new(code: &'l mut FunctionLowerer<'a, 'm>, call: Value, constraints: &Constraints) -> Lowered<Self> {
        let direct = constraints
            .operands
            .iter()
            .filter(|operand| !operand.indirect && matches!(operand.role, Role::Output(_) | Role::Condition(_)));
        let mut types = match direct.count() {
            0 => Vec::new(),
            1 => vec![call.ty()],
            _ => call.ty().fields(),
        }
        .into_iter();
        let mut arguments = call.arguments().into_iter();
        let mut machine = Machine {
            code,
            cells: Vec::new(),
            operands: Vec::new(),
            outputs: Vec::new(),
            kept: Vec::new(),
            flags: Flags::default(),
            wants_flags: false,
        };
        for family in &constraints.clobbers {
            let cell = machine.cell_named(Some(family));
            machine.cells[cell].writable = true;
        }
        for constraint in &constraints.operands {
            let bound = match &constraint.role {
                _ if constraint.indirect => {
                    let address = machine.code.scalar(required(arguments.next())?)?;
                    Bound { place: Place::Memory(address), width: 0 }
                }
                Role::Condition(condition) => {
                    machine.outputs.push(Output::Condition(condition.clone(), required(types.next())?));
                    Bound { place: Place::Cell(machine.cell_named(None)), width: 0 }
                }
                Role::Output(family) => {
                    let ty = required(types.next())?;
                    let cell = machine.cell_named(family.as_ref());
                    machine.cells[cell].writable = true;
                    machine.outputs.push(Output::Cell(cell, ty));
                    Bound { place: Place::Cell(cell), width: machine.width(ty)? }
                }
                Role::Input(family) => {
                    let cell = machine.cell_named(family.as_ref());
                    machine.input(cell, required(arguments.next())?)?
                }
                Role::Tied(output) => match machine.operands.get(*output) {
                    Some(&Bound { place: Place::Cell(cell), .. }) => {
                        machine.input(cell, required(arguments.next())?)?
                    }
                    Some(&Bound { place: Place::Memory(_), .. }) | None => return unsupported("a tie to memory"),
                },
            };
            machine.operands.push(bound);
        }
        Ok(machine)
    }

    fn width(&self, ty: Type) -> Lowered<u8> {
        Ok(match self.code.leaves(ty)?.as_slice() {
            [leaf] => leaf.width,
            _ => 0,
        })
    }

    fn cell_named(&mut self, family: Option<&String>) -> usize {
        if family.is_some()
            && let Some(cell) = self.cells.iter().position(|cell| cell.family.as_ref() == family)
        {
            return cell;
        }
        self.cells.push(Cell { family: family.cloned(), contents: Contents::Nothing, writable: false });
        self.cells.len() - 1
    }

    fn input(&mut self, cell: usize, argument: Value) -> Lowered<Bound> {
        let width = self.width(argument.ty())?;
        let parts = self.code.operand(argument)?;
        self.cells[cell].contents = match parts.as_slice() {
            [bits] => Contents::Bits(*bits, width),
            _ => Contents::Lanes(parts),
        };
        Ok(Bound { place: Place::Cell(cell), width })
    }

    /// The call's value, once the last statement is done.
    pub fn results(mut self) -> Lowered<Parts> {
        for (cell, before) in &self.kept {
            match self.cells[*cell].contents {
                Contents::Bits(now, 64) if now == *before => {}
                Contents::Bits(..) | Contents::Nothing | Contents::Lanes(_) => {
                    return unsupported("a register is not put back");
                }
            }
        }
        let mut results = Parts::new();
        for output in std::mem::take(&mut self.outputs) {
            match output {
                Output::Condition(condition, ty) => {
                    let holds = self.condition(&condition)?;
                    let width = self.width(ty)?;
                    if width == 0 {
                        return unsupported("a condition of several parts");
                    }
                    results.push(self.code.resize(1, width, holds));
                }
                Output::Cell(cell, ty) => self.result_of(cell, ty, &mut results)?,
            }
        }
        Ok(results)
    }

    fn result_of(&mut self, cell: usize, ty: Type, results: &mut Parts) -> Lowered<()> {
        let leaves = self.code.leaves(ty)?;
        match (self.cells[cell].contents.clone(), leaves.as_slice()) {
            (Contents::Bits(bits, known), [leaf]) if leaf.width <= known => {
                let src = self.code.resize(known, leaf.width, bits);
                results.push(self.code.result(leaf.width, |dst| Op::Move { dst, src }));
            }
            (Contents::Bits(..), [_]) => return unsupported("an output of which only the low bits are known"),
            (Contents::Lanes(parts), leaves) if parts.len() == leaves.len() => {
                for (&src, leaf) in parts.iter().zip(leaves) {
                    results.push(self.code.result(leaf.width, |dst| Op::Move { dst, src }));
                }
            }
            (Contents::Nothing, leaves) => {
                for leaf in leaves {
                    let src = self.code.undef(leaf.width);
                    results.push(self.code.result(leaf.width, |dst| Op::Move { dst, src }));
                }
            }
            (Contents::Bits(..) | Contents::Lanes(_), _) => return unsupported("an output of another shape"),
        }
        Ok(())
    }

    // Registers by name.

    /// The cell of a register that the constraints name. `bx` may be used without that: position-independent code had
    /// to, and keeps its contents elsewhere meanwhile.
    fn register_cell(&mut self, family: &str) -> Lowered<usize> {
        if let Some(cell) = self.cells.iter().position(|cell| cell.family.as_deref() == Some(family)) {
            return Ok(cell);
        }
        if family != "bx" {
            return unsupported(format!("register {family} is not in the constraints"));
        }
        let src = self.code.undef(64);
        let before = self.code.result(64, |dst| Op::Move { dst, src });
        self.cells.push(Cell { family: Some(family.to_owned()), contents: Contents::Bits(before, 64), writable: true });
        self.kept.push((self.cells.len() - 1, before));
        Ok(self.cells.len() - 1)
    }

    pub fn names(&self, family: &str) -> bool {
        self.cells.iter().any(|cell| cell.family.as_deref() == Some(family))
    }

    /// The low bits of a register as far as they are known, with their number.
    pub fn known_bits(&mut self, family: &str) -> Option<(Operand, u8)> {
        let cell = self.cells.iter().find(|cell| cell.family.as_deref() == Some(family))?;
        match cell.contents {
            Contents::Bits(bits, width) => Some((bits, width)),
            Contents::Nothing | Contents::Lanes(_) => None,
        }
    }

    pub fn read_register(&mut self, family: &str, size: u8) -> Lowered<Operand> {
        let cell = self.register_cell(family)?;
        self.read_cell(cell, size)
    }

    pub fn write_register(&mut self, family: &str, size: u8, value: Operand) -> Lowered<()> {
        let cell = self.register_cell(family)?;
        self.write_cell(cell, size, value)
    }

    // Terms.

    /// How wide a term's register is under the name that it has; nothing for constants and memory.
    pub fn width_of(&self, term: &Term) -> Option<u8> {
        match term {
            Term::Operand { index, view } => match (view, self.operands.get(*index)?) {
                (_, Bound { place: Place::Memory(_), .. }) | (View::Bare, _) => None,
                (View::Natural, bound) => matches!(bound.width, 8 | 16 | 32 | 64).then_some(bound.width),
                (View::Low(width), _) => Some(*width),
                (View::HighByte, _) => Some(8),
            },
            Term::Register(Register { view: View::Low(width), .. }) => Some(*width),
            Term::Register(_) => Some(8),
            Term::Immediate(_) | Term::Memory { .. } => None,
        }
    }

    fn bound(&self, index: usize) -> Lowered<Bound> {
        match self.operands.get(index) {
            Some(bound) => Ok(*bound),
            None => unsupported(format!("operand {index} does not exist")),
        }
    }

    /// The cell that a term names, and whether it means bits 8 to 15.
    fn cell_of(&mut self, term: &Term) -> Lowered<Option<(usize, bool)>> {
        Ok(match term {
            Term::Operand { index, view } => match self.bound(*index)?.place {
                Place::Cell(cell) => Some((cell, *view == View::HighByte)),
                Place::Memory(_) => None,
            },
            Term::Register(Register { family, view }) => Some((self.register_cell(family)?, *view == View::HighByte)),
            Term::Immediate(_) | Term::Memory { .. } => None,
        })
    }

    /// Where a term lies, if that is memory.
    pub fn address(&mut self, term: &Term) -> Lowered<Option<Operand>> {
        match term {
            Term::Operand { index, .. } => match self.bound(*index)?.place {
                Place::Memory(address) => Ok(Some(address)),
                Place::Cell(_) => Ok(None),
            },
            Term::Memory { base, displacement } => {
                let base = match base {
                    Base::Operand(index) => match self.bound(*index)?.place {
                        Place::Cell(cell) => self.read_cell(cell, 64)?,
                        Place::Memory(_) => return unsupported("an address in memory"),
                    },
                    Base::Register(family) => self.read_register(family, 64)?,
                };
                Ok(Some(self.code.add_offset(base, i64::from(*displacement), Promises::NONE)))
            }
            Term::Register(_) | Term::Immediate(_) => Ok(None),
        }
    }

    pub fn read(&mut self, term: &Term, size: u8) -> Lowered<Operand> {
        if let Term::Immediate(number) = term {
            return Ok(self.code.int(size, *number as u64 as u128 & mask(size)));
        }
        if let Some(addr) = self.address(term)? {
            return Ok(self.code.result(size, |dst| Op::Load { width: size, dst, addr, offset: 0 }));
        }
        let Some((cell, high)) = self.cell_of(term)? else { return unsupported("an operand that is no value") };
        if self.width_of(term) != Some(size) {
            // No register has this name and size: the compiler can only print a number.
            return match self.cells[cell].contents {
                Contents::Bits(bits, _) if self.code.known(bits).is_some() => {
                    let number = self.code.known(bits).unwrap_or_default();
                    Ok(self.code.int(size, number as u64 as u128 & mask(size)))
                }
                Contents::Bits(..) | Contents::Nothing | Contents::Lanes(_) => unsupported("operands of two sizes"),
            };
        }
        if high {
            let both = self.read_cell(cell, 16)?;
            return Ok(self.code.piece(both, 16, 8, 8));
        }
        self.read_cell(cell, size)
    }

    fn read_cell(&mut self, cell: usize, size: u8) -> Lowered<Operand> {
        match self.cells[cell].contents {
            Contents::Bits(bits, known) if size <= known => Ok(self.code.resize(known, size, bits)),
            Contents::Bits(..) => unsupported("a read of bits that nothing wrote"),
            Contents::Nothing => unsupported("a read of a register that nothing wrote"),
            Contents::Lanes(_) => unsupported("a vector"),
        }
    }

    pub fn write(&mut self, term: &Term, size: u8, value: Operand) -> Lowered<()> {
        if let Some(addr) = self.address(term)? {
            self.code.emit(Op::Store { width: size, addr, value, offset: 0 });
            return Ok(());
        }
        let Some((cell, high)) = self.cell_of(term)? else { return unsupported("a constant as a destination") };
        if self.width_of(term) != Some(size) {
            return unsupported("operands of two sizes");
        }
        if high {
            let low = self.read_cell(cell, 8)?;
            let both = self.pair(8, value, low);
            return self.write_cell(cell, 16, both);
        }
        self.write_cell(cell, size, value)
    }

    /// A write of 32 bits clears those above; narrower ones keep them.
    fn write_cell(&mut self, cell: usize, size: u8, value: Operand) -> Lowered<()> {
        if !self.cells[cell].writable {
            return unsupported("a write to an operand that is only read");
        }
        let contents = match (size, &self.cells[cell].contents) {
            (32, _) => Contents::Bits(self.code.resize(32, 64, value), 64),
            (8 | 16, &Contents::Bits(old, known)) if known > size => {
                let keep = self.code.int(known, mask(known) & !mask(size));
                let above = self.code.bin(BinOp::And, known, old, keep);
                let below = self.code.resize(size, known, value);
                Contents::Bits(self.code.bin(BinOp::Or, known, above, below), known)
            }
            (_, Contents::Nothing | Contents::Bits(..) | Contents::Lanes(_)) => Contents::Bits(value, size),
        };
        self.cells[cell].contents = contents;
        Ok(())
    }

    /// Exchanges two whole registers, whatever is in them; says whether both terms are such.
    pub fn swap(&mut self, one: &Term, two: &Term) -> Lowered<bool> {
        let whole = self.width_of(one) == Some(64) && self.width_of(two) == Some(64);
        let (Some((one, _)), Some((two, _)), true) = (self.cell_of(one)?, self.cell_of(two)?, whole) else {
            return Ok(false);
        };
        if !self.cells[one].writable || !self.cells[two].writable {
            return unsupported("a write to an operand that is only read");
        }
        if one != two {
            let contents = std::mem::replace(&mut self.cells[one].contents, Contents::Nothing);
            self.cells[one].contents = std::mem::replace(&mut self.cells[two].contents, contents);
        }
        Ok(true)
    }

    // Numbers.

    pub fn sign_extend(&mut self, from: u8, to: u8, src: Operand) -> Operand {
        self.code.result(to, |dst| Op::Cast { op: CastOp::SExt, from, to, dst, src })
    }

    /// `high` and `low`, each of `size` bits, as one number of twice the size.
    pub fn pair(&mut self, size: u8, high: Operand, low: Operand) -> Operand {
        let (high, low) = (self.code.resize(size, 2 * size, high), self.code.resize(size, 2 * size, low));
        let amount = self.code.int(2 * size, size.into());
        let high = self.code.bin(BinOp::Shl, 2 * size, high, amount);
        self.code.bin(BinOp::Or, 2 * size, high, low)
    }
}

/// So many ones.
pub fn mask(size: u8) -> u128 {
    if size >= 128 { u128::MAX } else { (1 << size) - 1 }
}

fn required<T>(found: Option<T>) -> Lowered<T> {
    match found {
        Some(found) => Ok(found),
        None => unsupported("more constraints than operands"),
    }
}
