//! The operations of a body as text, each on a line of its own.

use super::names::{FCastName, FLAGS, Named, fcast_name};
use super::print::{Kind, Or, Printer, Separated};
use crate::{Body, CallSite, Callee, EdgeId, Flags, Op, Operand, Reg, SwitchTable, TableId, TrapKind, Unpacked};
use fixedbitset::FixedBitSet;
use osier_base::{EntityVec, Id};
use std::fmt::{self, Display, Write};

pub(super) struct BodyPrinter<'a> {
    printer: &'a Printer<'a>,
    body: &'a Body,
    /// Where the moves of each edge begin if nothing is said.
    usual_starts: EntityVec<EdgeId, u32>,
    spelled_out: FixedBitSet,
    returned: u32,
}

/// The flags as parts of a mnemonic.
struct Suffix(Flags);

impl Display for Suffix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FLAGS.iter().filter(|(flag, _)| self.0.has(*flag)).try_for_each(|(_, name)| write!(f, ".{name}"))
    }
}

/// Moves usually lie in the order of their edges.
pub(super) fn usual_starts(lens: impl Iterator<Item = u32>) -> EntityVec<EdgeId, u32> {
    let mut next = 0u32;
    lens.map(|len| {
        let start = next;
        next = next.saturating_add(len);
        start
    })
    .collect()
}

impl<'a> BodyPrinter<'a> {
    pub(super) fn new(printer: &'a Printer<'a>, body: &'a Body) -> Self {
        let usual_starts = usual_starts(body.edges.values().map(|edge| edge.moves.len));
        let spelled_out = FixedBitSet::with_capacity(body.edges.len());
        BodyPrinter { printer, body, usual_starts, spelled_out, returned: 0 }
    }

    fn operand(&self, operand: Operand) -> impl Display + use<'a> {
        let printer = self.printer;
        std::fmt::from_fn(move |f| match operand.unpack() {
            Unpacked::Reg(reg) => reg.fmt(f),
            Unpacked::Const(id) => Or(printer.constants.get(id), &id).fmt(f),
        })
    }

    pub(super) fn op(&mut self, f: &mut dyn Write, op: &Op) -> fmt::Result {
        let o = |operand: Operand| self.operand(operand);
        match *op {
            Op::Move { dst, src } => write!(f, "{dst} = move {}", o(src)),
            Op::Bin { op, flags, width, dst, a, b } => {
                write!(f, "{dst} = {}.i{width}{} {}, {}", op.name(), Suffix(flags), o(a), o(b))
            }
            Op::Un { op, width, dst, a } => write!(f, "{dst} = {}.i{width} {}", op.name(), o(a)),
            Op::Cmp { op, width, dst, a, b } => write!(f, "{dst} = cmp.{}.i{width} {}, {}", op.name(), o(a), o(b)),
            Op::Cast { op, from, to, dst, src } => write!(f, "{dst} = {}.i{from}.i{to} {}", op.name(), o(src)),
            Op::Select { width, dst, cond, then, other } => {
                write!(f, "{dst} = select.i{width} {}, {}, {}", o(cond), o(then), o(other))
            }
            Op::Overflow { op, width, dst, carry, a, b } => {
                write!(f, "{dst}, {carry} = overflow.{}.i{width} {}, {}", op.name(), o(a), o(b))
            }
            Op::FunnelShift { left, width, dst, hi, lo, amount } => {
                let side = if left { "left" } else { "right" };
                write!(f, "{dst} = funnel.{side}.i{width} {}, {}, {}", o(hi), o(lo), o(amount))
            }
            Op::FBin { op, kind, dst, a, b } => write!(f, "{dst} = {}.{} {}, {}", op.name(), kind.name(), o(a), o(b)),
            Op::FUn { op, kind, dst, a } => write!(f, "{dst} = {}.{} {}", op.name(), kind.name(), o(a)),
            Op::FCmp { op, kind, dst, a, b } => {
                write!(f, "{dst} = fcmp.{}.{} {}, {}", op.name(), kind.name(), o(a), o(b))
            }
            Op::FCast { op, width, dst, src } => match fcast_name(op) {
                FCastName::Convert(from, to) => {
                    write!(f, "{dst} = fconvert.{}.{} {}", from.name(), to.name(), o(src))
                }
                FCastName::Plain(name, kind) => write!(f, "{dst} = {name}.{}.{width} {}", kind.name(), o(src)),
            },
            Op::Fma { kind, dst, a, b, c } => write!(f, "{dst} = fma.{} {}, {}, {}", kind.name(), o(a), o(b), o(c)),
            Op::Offset { flags, dst, base, offset } => {
                write!(f, "{dst} = offset{} {} + {offset}", Suffix(flags), o(base))
            }
            Op::Index { flags, width, dst, base, index, scale, offset } => {
                write!(f, "{dst} = index.i{width}{} {} + {} * {scale}", Suffix(flags), o(base), o(index))?;
                plus(f, offset)
            }
            Op::Load { width, dst, addr, offset } => {
                write!(f, "{dst} = load.i{width} [{}", o(addr))?;
                plus(f, offset)?;
                f.write_char(']')
            }
            Op::Store { width, addr, value, offset } => {
                write!(f, "store.i{width} [{}", o(addr))?;
                plus(f, offset)?;
                write!(f, "], {}", o(value))
            }
            Op::Alloca { dst, count, size, align, site } => {
                let name = Or(self.printer.sites.get(site), &site);
                write!(f, "{dst} = alloca {} * {size} align {align} {name}", o(count))
            }
            Op::Forget { addr } => write!(f, "forget {}", o(addr)),
            Op::Memory { op, dst, src, len } => write!(f, "{} {}, {}, {}", op.name(), o(dst), o(src), o(len)),
            Op::Call { call } => match self.body.calls.get(call) {
                Some(site) => {
                    if !site.results.is_empty() {
                        let results = site.results.iter().zip(&site.result_widths);
                        write!(f, "{} = ", Separated(results.map(|(&reg, &width)| self.result(reg, width))))?;
                    }
                    write!(f, "{call} ")?;
                    self.call(f, site)
                }
                None => write!(f, "{call}"),
            },
            Op::VaStart { list } => write!(f, "vastart {}", o(list)),
            Op::VaCopy { dst, src } => write!(f, "vacopy {}, {}", o(dst), o(src)),
            Op::VaEnd { list } => write!(f, "vaend {}", o(list)),
            Op::StackSave { dst } => write!(f, "{dst} = stacksave"),
            Op::StackRestore { src } => write!(f, "stackrestore {}", o(src)),
            Op::FrameAddress { dst } => write!(f, "{dst} = frameaddress"),
            Op::Assume { cond } => write!(f, "assume {}", o(cond)),
            Op::Jump { edge } => {
                f.write_str("jump ")?;
                self.edge(f, edge)
            }
            Op::Branch { cond, then, other } => {
                write!(f, "branch {}, ", o(cond))?;
                self.two_edges(f, then, other)
            }
            Op::CmpBranch { op, width, a, b, then, other } => {
                write!(f, "branch.{}.i{width} {}, {}, ", op.name(), o(a), o(b))?;
                self.two_edges(f, then, other)
            }
            Op::Switch { width, value, table } => {
                write!(f, "switch.i{width} {}, ", o(value))?;
                self.table(f, table)
            }
            Op::IndirectJump { addr, table } => {
                write!(f, "indirectjump {}, ", o(addr))?;
                self.table(f, table)
            }
            Op::Return => f.write_str("return"),
            Op::ReturnOne { value } => write!(f, "return {}", o(value)),
            Op::ReturnMany { start, len } => {
                let values = self.body.operands.get(start as usize..).and_then(|tail| tail.get(..len as usize));
                let each = values.unwrap_or_default().iter().map(|&value| o(value));
                let from = if start == self.returned { String::new() } else { format!("from {start} ") };
                write!(f, "return {from}({})", Separated(each))?;
                self.returned = start.saturating_add(len);
                Ok(())
            }
            Op::Trap { kind } => match kind {
                TrapKind::Trap => f.write_str("trap"),
                TrapKind::Debug => f.write_str("trap.debug"),
                TrapKind::Sanitizer(number) => write!(f, "trap.sanitizer.{number}"),
            },
            Op::Unreachable => f.write_str("unreachable"),
            Op::Unsupported { text } => write!(f, "unsupported {}", Or(self.printer.texts.get(text), &text)),
        }
    }

    /// A register, and the width that the call has for it where that differs from its own.
    fn result(&self, reg: Reg, width: u8) -> String {
        if self.body.registers.get(reg) == Some(&width) { reg.to_string() } else { format!("{reg} as i{width}") }
    }

    fn call(&self, f: &mut dyn Write, call: &CallSite) -> fmt::Result {
        match call.callee {
            Callee::Direct(id) => write!(f, "{}", Or(self.printer.functions.get(id), &id))?,
            Callee::Indirect(operand) => write!(f, "*{}", self.operand(operand))?,
        }
        let widths = call.args.iter().zip(&call.arg_widths);
        let args = widths.zip(&call.arg_kinds).map(|((&arg, &width), &kind)| {
            let own = match arg.unpack() {
                Unpacked::Reg(reg) => self.body.registers.get(reg).copied(),
                Unpacked::Const(id) => self.printer.module.constants.get(id).map(|constant| constant.width()),
            };
            let width = if own == Some(width) { String::new() } else { format!(" as i{width}") };
            format!("{}{}{width}", Kind(kind), self.operand(arg))
        });
        write!(f, "({})", Separated(args))?;
        if call.variadic { f.write_str(" variadic") } else { Ok(()) }
    }

    fn two_edges(&mut self, f: &mut dyn Write, then: EdgeId, other: EdgeId) -> fmt::Result {
        self.edge(f, then)?;
        f.write_str(", ")?;
        self.edge(f, other)
    }

    fn edge(&mut self, f: &mut dyn Write, id: EdgeId) -> fmt::Result {
        write!(f, "{id}")?;
        let Some(edge) = self.body.edges.get(id) else { return Ok(()) };
        if self.spelled_out.put(id.index()) {
            return Ok(());
        }
        write!(f, "->{}", edge.target)?;
        if edge.moves.start != self.usual_starts[id] {
            write!(f, " from {} ", edge.moves.start)?;
        }
        let moves =
            self.body.moves.get(edge.moves.start as usize..).and_then(|tail| tail.get(..edge.moves.len as usize));
        let moves = moves.unwrap_or_default();
        if !moves.is_empty() {
            let each = moves.iter().map(|step| format!("{} = {}", step.dst, self.operand(step.src)));
            write!(f, "[{}]", Separated(each))?;
        }
        Ok(())
    }

    fn table(&mut self, f: &mut dyn Write, id: TableId) -> fmt::Result {
        write!(f, "{id}")?;
        let Some(SwitchTable { cases, default }) = self.body.tables.get(id) else { return Ok(()) };
        f.write_str(" {")?;
        let mut comma = "";
        for &(constant, edge) in cases {
            write!(f, "{comma}{} => ", self.operand(Operand::constant(constant)))?;
            self.edge(f, edge)?;
            comma = ", ";
        }
        if let Some(edge) = *default {
            write!(f, "{comma}default => ")?;
            self.edge(f, edge)?;
        }
        f.write_char('}')
    }
}

fn plus(f: &mut dyn Write, offset: i32) -> fmt::Result {
    if offset == 0 { Ok(()) } else { write!(f, " + {offset}") }
}
