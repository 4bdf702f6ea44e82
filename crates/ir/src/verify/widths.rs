//! That operands and results have the widths that their operations demand.

use super::{Findings, is_width};
use crate::{
    Body, CallSite, Callee, CastOp, ConstId, Constant, FCastOp, Flags, Function, Module, Op, Operand, Reg, Slot,
    SwitchTable, Unpacked,
};

pub(super) fn check(module: &Module, function: &Function, body: &Body, findings: &mut Findings<'_>) {
    let cx = Context { module, function, body };
    for (index, op) in body.ops.iter().enumerate() {
        for message in cx.op(op) {
            findings.add(Some(index), message);
        }
    }
    for step in &body.moves {
        let (from, to) = (cx.width(step.src), body.registers[step.dst]);
        findings.require(from == to, || format!("a move of {from} bits to {} of {to}", step.dst));
    }
}

struct Context<'a> {
    module: &'a Module,
    function: &'a Function,
    body: &'a Body,
}

impl Context<'_> {
    fn width(&self, operand: Operand) -> u8 {
        match operand.unpack() {
            Unpacked::Reg(reg) => self.body.registers[reg],
            Unpacked::Const(constant) => self.module.constants[constant].width(),
        }
    }

    fn op(&self, op: &Op) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut results: Vec<Reg> = Vec::new();
        let mut copy = *op;
        copy.for_each_slot(|slot| {
            let (what, have, want) = match slot {
                Slot::Use(operand, want) => (operand.to_string(), self.width(*operand), want),
                Slot::Def(reg, want) => {
                    if results.contains(reg) {
                        wrong.push(format!("writes {reg} twice"));
                    }
                    results.push(*reg);
                    (reg.to_string(), self.body.registers[*reg], want)
                }
            };
            if let Some(want) = want {
                if !is_width(want) {
                    wrong.push(format!("works on {want} bits"));
                } else if have != want {
                    wrong.push(format!("{what} has {have} bits, not {want}"));
                }
            }
        });
        self.more(op, &mut wrong);
        wrong
    }

    /// What the slots do not say.
    fn more(&self, op: &Op, wrong: &mut Vec<String>) {
        match *op {
            Op::Move { dst, src } => self.same(src, self.body.registers[dst], wrong),
            Op::Cast { op: CastOp::Trunc, from, to, .. } => require(from > to, "truncates to no less", wrong),
            Op::Cast { op: CastOp::ZExt | CastOp::SExt, from, to, .. } => {
                require(from < to, "extends to no more", wrong);
            }
            Op::FCast { op: FCastOp::Float { .. }, width, .. } => require(width == 0, "width is unused", wrong),
            Op::Bin { flags, .. } | Op::Offset { flags, .. } | Op::Index { flags, .. } => {
                require(flags.0 & !Flags::ALL.0 == 0, "has unknown flags", wrong);
            }
            Op::Alloca { align, .. } => require(align.is_power_of_two(), "has a strange alignment", wrong),
            Op::Call { call } => self.call(&self.body.calls[call], wrong),
            Op::Switch { width, table, .. } => self.switch(&self.body.tables[table], width, wrong),
            Op::IndirectJump { table, .. } => self.indirect_jump(&self.body.tables[table], wrong),
            Op::Return => self.returns(&[], wrong),
            Op::ReturnOne { value } => self.returns(&[value], wrong),
            Op::ReturnMany { start, len } => {
                self.returns(&self.body.operands[start as usize..][..len as usize], wrong);
            }
            _ => {}
        }
    }

    fn same(&self, operand: Operand, want: u8, wrong: &mut Vec<String>) {
        let have = self.width(operand);
        if have != want {
            wrong.push(format!("{operand} has {have} bits, not {want}"));
        }
    }

    fn call(&self, call: &CallSite, wrong: &mut Vec<String>) {
        match call.callee {
            Callee::Direct(_) => {}
            Callee::Indirect(operand) => self.same(operand, 64, wrong),
        }
        for (&operand, &width) in call.args.iter().zip(&call.arg_widths) {
            self.same(operand, width, wrong);
        }
        for (position, (&reg, &width)) in call.results.iter().zip(&call.result_widths).enumerate() {
            self.same(Operand::reg(reg), width, wrong);
            require(!call.results[..position].contains(&reg), "writes a register twice", wrong);
        }
    }

    fn switch(&self, table: &SwitchTable, width: u8, wrong: &mut Vec<String>) {
        require(table.default.is_some(), "has no default", wrong);
        for (constant, _) in &table.cases {
            match self.module.constants[*constant] {
                Constant::Int { width: own, value: _ } if own == width => {}
                other => wrong.push(format!("has a case for {other:?}")),
            }
        }
        distinct_cases(table, wrong);
    }

    fn indirect_jump(&self, table: &SwitchTable, wrong: &mut Vec<String>) {
        require(table.default.is_none(), "jumps to an address and has a default", wrong);
        for (constant, _) in &table.cases {
            let own = match self.module.constants[*constant] {
                Constant::Block { function, block: _ } => std::ptr::eq(&self.module.functions[function], self.function),
                _ => false,
            };
            require(own, "jumps to what is no block of this function", wrong);
        }
        distinct_cases(table, wrong);
    }

    fn returns(&self, values: &[Operand], wrong: &mut Vec<String>) {
        let same = values.iter().map(|&v| self.width(v)).eq(self.function.returns.iter().copied());
        require(same, "does not return what the function says", wrong);
    }
}

/// Constants are interned, so equal cases have equal numbers.
fn distinct_cases(table: &SwitchTable, wrong: &mut Vec<String>) {
    let mut constants: Vec<ConstId> = table.cases.iter().map(|&(constant, _)| constant).collect();
    constants.sort_unstable();
    require(constants.windows(2).all(|pair| pair[0] != pair[1]), "has two cases for one value", wrong);
}

fn require(holds: bool, otherwise: &str, wrong: &mut Vec<String>) {
    if !holds {
        wrong.push(otherwise.to_owned());
    }
}
