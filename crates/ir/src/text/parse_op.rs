//! One operation a line: results, a mnemonic such as `add.i32.nsw`, operands.

use super::lex::Token;
use super::names::{FLAGS, Named, fcast_named};
use super::parse::{Parser, Result, width_word};
use super::parse_body::Draft;
use crate::{
    BinOp, CallId, CallSite, Callee, CastOp, ConstId, EdgeId, FBinOp, FCastOp, FUnOp, Flags, FloatKind, MemOp, Op,
    Operand, Reg, SwitchTable, TableId, TrapKind, UnOp, Unpacked,
};

/// The dotted parts of a mnemonic, taken one after the other.
struct Mnemonic<'a> {
    position: usize,
    parts: std::str::Split<'a, char>,
}

impl<'a> Mnemonic<'a> {
    fn part<T>(&mut self, parser: &Parser<'_>, read: impl FnOnce(&'a str) -> Option<T>, what: &str) -> Result<T> {
        match self.parts.next().and_then(read) {
            Some(value) => Ok(value),
            None => parser.error_at(self.position, format!("{what} is missing or unknown in this operation")),
        }
    }

    fn width(&mut self, parser: &Parser<'_>) -> Result<u8> {
        self.part(parser, width_word, "the width")
    }

    fn kind(&mut self, parser: &Parser<'_>) -> Result<FloatKind> {
        self.part(parser, FloatKind::named, "the kind of float")
    }

    fn relation<T: Named>(&mut self, parser: &Parser<'_>) -> Result<T> {
        self.part(parser, T::named, "the kind of operation")
    }

    fn flags(&mut self, parser: &Parser<'_>) -> Result<Flags> {
        let mut flags = Flags::NONE;
        for part in self.parts.by_ref() {
            match FLAGS.iter().find(|(_, name)| *name == part) {
                Some((flag, _)) => flags = flags.with(*flag),
                None => return parser.error_at(self.position, format!("no such flag as `{part}`")),
            }
        }
        Ok(flags)
    }
}

/// The registers before the `=`, each with the width that a call has for it.
struct Results {
    position: usize,
    registers: Vec<(Reg, Option<u8>)>,
}

impl Results {
    fn take<const N: usize>(&mut self, parser: &Parser<'_>) -> Result<[Reg; N]> {
        let registers: Vec<Reg> = std::mem::take(&mut self.registers).into_iter().map(|(reg, _)| reg).collect();
        match registers.try_into() {
            Ok(registers) => Ok(registers),
            Err(_) => parser.error_at(self.position, format!("this operation has {N} results")),
        }
    }

    fn one(&mut self, parser: &Parser<'_>) -> Result<Reg> {
        self.take(parser).map(|[reg]| reg)
    }
}

impl<'a> Parser<'a> {
    pub(super) fn op(&mut self, draft: &mut Draft) -> Result<Op> {
        let mut results = Results { position: self.position(), registers: Vec::new() };
        while let Some(reg) = self.eat_id("r") {
            let width = if self.eat_word("as") { Some(self.width()?) } else { None };
            results.registers.push((reg, width));
            if !self.eat_mark(",") {
                self.expect("=")?;
                break;
            }
        }
        if let Some(call) = self.eat_id("call") {
            self.call(draft, call, results)?;
            return Ok(Op::Call { call });
        }
        let position = self.position();
        let word: &'a str = self.word()?;
        let mut parts = word.split('.');
        let head = parts.next().unwrap_or(word);
        let mut mnemonic = Mnemonic { position, parts };
        let op = match self.terminator(draft, head, &mut mnemonic)? {
            Some(op) => op,
            None => self.plain(head, &mut mnemonic, &mut results)?,
        };
        if let Some(part) = mnemonic.parts.next() {
            return self.error_at(position, format!("`{part}` has no meaning in this operation"));
        }
        if !results.registers.is_empty() {
            return self.error_at(results.position, "this operation has no result");
        }
        Ok(op)
    }

    fn operands<const N: usize>(&mut self) -> Result<[Operand; N]> {
        let mut operands = Vec::with_capacity(N);
        for position in 0..N {
            if position > 0 {
                self.expect(",")?;
            }
            operands.push(self.operand()?);
        }
        Ok(operands.try_into().expect("as many as were read"))
    }

    fn plain(&mut self, head: &str, m: &mut Mnemonic<'_>, results: &mut Results) -> Result<Op> {
        let op = match head {
            "move" => Op::Move { dst: results.one(self)?, src: self.operand()? },
            "cmp" => {
                let (op, width, dst) = (m.relation(self)?, m.width(self)?, results.one(self)?);
                let [a, b] = self.operands()?;
                Op::Cmp { op, width, dst, a, b }
            }
            "select" => {
                let (width, dst) = (m.width(self)?, results.one(self)?);
                let [cond, then, other] = self.operands()?;
                Op::Select { width, dst, cond, then, other }
            }
            "overflow" => {
                let (op, width, [dst, carry]) = (m.relation(self)?, m.width(self)?, results.take(self)?);
                let [a, b] = self.operands()?;
                Op::Overflow { op, width, dst, carry, a, b }
            }
            "funnel" => {
                let side = |part: &str| match part {
                    "left" => Some(true),
                    "right" => Some(false),
                    _ => None,
                };
                let left = m.part(self, side, "`left` or `right`")?;
                let (width, dst) = (m.width(self)?, results.one(self)?);
                let [hi, lo, amount] = self.operands()?;
                Op::FunnelShift { left, width, dst, hi, lo, amount }
            }
            "fcmp" => {
                let (op, kind, dst) = (m.relation(self)?, m.kind(self)?, results.one(self)?);
                let [a, b] = self.operands()?;
                Op::FCmp { op, kind, dst, a, b }
            }
            "fconvert" => {
                let op = FCastOp::Float { from: m.kind(self)?, to: m.kind(self)? };
                Op::FCast { op, width: 0, dst: results.one(self)?, src: self.operand()? }
            }
            "fma" => {
                let (kind, dst) = (m.kind(self)?, results.one(self)?);
                let [a, b, c] = self.operands()?;
                Op::Fma { kind, dst, a, b, c }
            }
            "offset" => {
                let (flags, dst, base) = (m.flags(self)?, results.one(self)?, self.operand()?);
                self.expect("+")?;
                Op::Offset { flags, dst, base, offset: self.number()? }
            }
            "index" => {
                let (width, flags, dst, base) = (m.width(self)?, m.flags(self)?, results.one(self)?, self.operand()?);
                self.expect("+")?;
                let index = self.operand()?;
                self.expect("*")?;
                let scale = self.number()?;
                Op::Index { flags, width, dst, base, index, scale, offset: self.plus()? }
            }
            "load" => {
                let (width, dst) = (m.width(self)?, results.one(self)?);
                let (addr, offset) = self.place_in_memory()?;
                Op::Load { width, dst, addr, offset }
            }
            "store" => {
                let width = m.width(self)?;
                let (addr, offset) = self.place_in_memory()?;
                self.expect(",")?;
                Op::Store { width, addr, value: self.operand()?, offset }
            }
            "alloca" => {
                let (dst, count) = (results.one(self)?, self.operand()?);
                self.expect("*")?;
                let size = self.number()?;
                self.expect_word("align")?;
                Op::Alloca { dst, count, size, align: self.number()?, site: self.site_ref()? }
            }
            "forget" => Op::Forget { addr: self.operand()? },
            "vastart" => Op::VaStart { list: self.operand()? },
            "vacopy" => {
                let [dst, src] = self.operands()?;
                Op::VaCopy { dst, src }
            }
            "vaend" => Op::VaEnd { list: self.operand()? },
            "stacksave" => Op::StackSave { dst: results.one(self)? },
            "stackrestore" => Op::StackRestore { src: self.operand()? },
            "frameaddress" => Op::FrameAddress { dst: results.one(self)? },
            "assume" => Op::Assume { cond: self.operand()? },
            _ => return self.by_table(head, m, results),
        };
        Ok(op)
    }

    /// The operations whose first word is the name of a variant.
    fn by_table(&mut self, head: &str, m: &mut Mnemonic<'_>, results: &mut Results) -> Result<Op> {
        if let Some(op) = BinOp::named(head) {
            let (width, flags, dst) = (m.width(self)?, m.flags(self)?, results.one(self)?);
            let [a, b] = self.operands()?;
            Ok(Op::Bin { op, flags, width, dst, a, b })
        } else if let Some(op) = UnOp::named(head) {
            Ok(Op::Un { op, width: m.width(self)?, dst: results.one(self)?, a: self.operand()? })
        } else if let Some(op) = CastOp::named(head) {
            let (from, to) = (m.width(self)?, m.width(self)?);
            Ok(Op::Cast { op, from, to, dst: results.one(self)?, src: self.operand()? })
        } else if let Some(op) = FBinOp::named(head) {
            let (kind, dst) = (m.kind(self)?, results.one(self)?);
            let [a, b] = self.operands()?;
            Ok(Op::FBin { op, kind, dst, a, b })
        } else if let Some(op) = FUnOp::named(head) {
            Ok(Op::FUn { op, kind: m.kind(self)?, dst: results.one(self)?, a: self.operand()? })
        } else if let Some(make) = fcast_named(head) {
            let op = make(m.kind(self)?);
            let width = m.part(self, |part| part.parse().ok(), "the width")?;
            Ok(Op::FCast { op, width, dst: results.one(self)?, src: self.operand()? })
        } else if let Some(op) = MemOp::named(head) {
            let [dst, src, len] = self.operands()?;
            Ok(Op::Memory { op, dst, src, len })
        } else {
            self.error_at(m.position, format!("no such operation as `{head}`"))
        }
    }

    fn terminator(&mut self, draft: &mut Draft, head: &str, m: &mut Mnemonic<'_>) -> Result<Option<Op>> {
        let op = match head {
            "jump" => Op::Jump { edge: self.edge(draft)? },
            "branch" if m.parts.clone().next().is_none() => {
                let cond = self.operand()?;
                let (then, other) = self.two_edges(draft)?;
                Op::Branch { cond, then, other }
            }
            "branch" => {
                let (op, width) = (m.relation(self)?, m.width(self)?);
                let [a, b] = self.operands()?;
                let (then, other) = self.two_edges(draft)?;
                Op::CmpBranch { op, width, a, b, then, other }
            }
            "switch" => {
                let (width, value) = (m.width(self)?, self.operand()?);
                Op::Switch { width, value, table: self.switch_table(draft)? }
            }
            "indirectjump" => Op::IndirectJump { addr: self.operand()?, table: self.switch_table(draft)? },
            "return" => self.returned(draft)?,
            "trap" => Op::Trap { kind: self.trap_kind(m)? },
            "unreachable" => Op::Unreachable,
            "unsupported" => Op::Unsupported { text: self.text_ref()? },
            _ => return Ok(None),
        };
        Ok(Some(op))
    }

    fn returned(&mut self, draft: &mut Draft) -> Result<Op> {
        let from = if self.eat_word("from") { Some(self.number()?) } else { None };
        if self.eat_mark("(") {
            let values = self.list(")", |parser| parser.operand())?;
            let len = values.len() as u32;
            return Ok(Op::ReturnMany { start: draft.add_return(from, values), len });
        }
        match self.peek() {
            _ if from.is_some() => self.error("expected `(`"),
            Token::LineEnd | Token::End | Token::Place(_) | Token::Mark("*") | Token::Word("also") => Ok(Op::Return),
            _ => Ok(Op::ReturnOne { value: self.operand()? }),
        }
    }

    fn trap_kind(&mut self, m: &mut Mnemonic<'_>) -> Result<TrapKind> {
        match m.parts.next() {
            None => Ok(TrapKind::Trap),
            Some("debug") => Ok(TrapKind::Debug),
            Some("sanitizer") => Ok(TrapKind::Sanitizer(m.part(self, |part| part.parse().ok(), "the number")?)),
            Some(_) => self.error_at(m.position, "no such trap"),
        }
    }

    fn plus(&mut self) -> Result<i32> {
        if self.eat_mark("+") { self.number() } else { Ok(0) }
    }

    /// `[r1 + 8]`.
    fn place_in_memory(&mut self) -> Result<(Operand, i32)> {
        self.expect("[")?;
        let addr = self.operand()?;
        let offset = self.plus()?;
        self.expect("]")?;
        Ok((addr, offset))
    }

    fn two_edges(&mut self, draft: &mut Draft) -> Result<(EdgeId, EdgeId)> {
        self.expect(",")?;
        let then = self.edge(draft)?;
        self.expect(",")?;
        Ok((then, self.edge(draft)?))
    }

    fn switch_table(&mut self, draft: &mut Draft) -> Result<TableId> {
        self.expect(",")?;
        let position = self.position();
        let id: TableId = self.id("table")?;
        self.expect("{")?;
        let mut default = None;
        let cases = self.list("}", |parser| {
            let constant: Option<ConstId> =
                if parser.eat_word("default") { None } else { Some(parser.constant_ref()?) };
            parser.expect("=>")?;
            let edge = parser.edge(draft)?;
            match constant {
                Some(constant) => Ok(Some((constant, edge))),
                None if default.replace(edge).is_some() => parser.error("a second default"),
                None => Ok(None),
            }
        })?;
        let table = SwitchTable { cases: cases.into_iter().flatten().collect(), default };
        match draft.tables.insert(id, table) {
            None => Ok(id),
            Some(_) => self.error_at(position, format!("{id} is used twice")),
        }
    }

    fn call(&mut self, draft: &mut Draft, id: CallId, results: Results) -> Result<()> {
        let position = self.position();
        let callee =
            if self.eat_mark("*") { Callee::Indirect(self.operand()?) } else { Callee::Direct(self.function_ref()?) };
        self.expect("(")?;
        let arguments = self.list(")", |parser| {
            let kind = parser.arg_kind()?;
            let operand = parser.operand()?;
            let width = if parser.eat_word("as") { Some(parser.width()?) } else { None };
            Ok((operand, kind, parser.width_in_call(draft, operand, width)?))
        })?;
        let variadic = self.eat_word("variadic");
        let mut result_widths = Vec::new();
        for &(reg, width) in &results.registers {
            result_widths.push(self.width_in_call(draft, Operand::reg(reg), width)?);
        }
        let site = CallSite {
            callee,
            args: arguments.iter().map(|&(operand, _, _)| operand).collect(),
            arg_kinds: arguments.iter().map(|&(_, kind, _)| kind).collect(),
            arg_widths: arguments.iter().map(|&(_, _, width)| width).collect(),
            results: results.registers.iter().map(|&(reg, _)| reg).collect(),
            result_widths,
            variadic,
        };
        match draft.calls.insert(id, site) {
            None => Ok(()),
            Some(_) => self.error_at(position, format!("{id} is used twice")),
        }
    }

    /// The width as written, or else that of the operand itself.
    fn width_in_call(&self, draft: &Draft, operand: Operand, written: Option<u8>) -> Result<u8> {
        let own = match operand.unpack() {
            Unpacked::Reg(reg) => draft.body.registers.get(reg).copied(),
            Unpacked::Const(constant) => self.module.constants.get(constant).map(|constant| constant.width()),
        };
        match written.or(own) {
            Some(width) => Ok(width),
            None => self.error(format!("the width of {operand} is not known")),
        }
    }
}
