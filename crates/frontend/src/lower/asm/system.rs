//! Instructions that ask or tell the processor something: what it can do, the time, the control words of its floating
//! point units, a system call; and those that only concern its speed.
//!
//! Our processor is the one of `runtime/include/cpuid.h`, which has what every x86-64 has and nothing more. It rounds to
//! nearest with all of the precision, and raises no flags of floating point. Its time stamps count how often they were
//! read.

use super::instructions::arity;
use super::machine::Machine;
use super::text::{Statement, Term};
use crate::lower::call::Arguments;
use crate::module::ModuleLowerer;
use crate::types::{Lowered, unsupported};
use osier_base::Id;
use osier_ir::{
    ArgKind, BinOp, Block, BlockId, Body, Callee, CmpOp, Constant, Edge, Flags, FuncId, Global, GlobalInit, LocId, Op,
    Operand, PhiMoves, Reg,
};

/// Instructions without an effect that a program of one thread can see.
const IDLE: &[&str] = &[
    "mfence",
    "lfence",
    "sfence",
    "pause",
    "nop",
    "cld",
    "emms",
    "vzeroupper",
    "endbr64",
    "wait",
    "fwait",
    "finit",
    "fninit",
    "fclex",
    "fnclex",
];

/// What both floating point units do at the start of a program.
const CONTROL_WORD: u128 = 0x037f;
const CONTROL_AND_STATUS: u128 = 0x1f80;

/// A control word that may be loaded: of these bits, the ones of the start. The others are flags and mean nothing here.
struct Control {
    function: &'static str,
    width: u8,
    mask: u128,
    start: u128,
    refusal: &'static str,
}

const X87: Control = Control {
    function: "asm.fldcw",
    width: 16,
    mask: 0x0f3f,
    start: CONTROL_WORD,
    refusal: "fldcw: a rounding mode, a precision or an exception other than those at the start of a program",
};

const SSE: Control = Control {
    function: "asm.ldmxcsr",
    width: 32,
    mask: 0xffc0,
    start: CONTROL_AND_STATUS,
    refusal: "ldmxcsr: a rounding mode or an exception other than those at the start of a program",
};

/// What `cpuid` answers for these leaves, in the order of [`ANSWERING`]; zeros for all others.
const PROCESSOR: &[(u128, [u128; 4])] = &[
    (0, [1, 0x6569_734f, 0x3436_2d36, 0x3878_2072]),
    (1, [0xf00, 0, 0, 0x0780_8111]),
    (0x8000_0000, [0x8000_0001, 0, 0, 0]),
    (0x8000_0001, [0, 0, 0, 0x2000_0800]),
];
const ANSWERING: [&str; 4] = ["ax", "bx", "cx", "dx"];

/// How far a time stamp goes from one reading to the next.
const TICKS: u128 = 1000;

/// Runs a statement if it is one of these instructions; says whether it is.
pub fn system(m: &mut Machine<'_, '_, '_>, statement: &Statement) -> Lowered<bool> {
    let (name, terms) = (statement.mnemonic.as_str(), statement.terms.as_slice());
    match name {
        _ if IDLE.contains(&name) => {
            let [] = terms else { return arity() };
        }
        "prefetch" | "prefetchw" | "prefetcht0" | "prefetcht1" | "prefetcht2" | "prefetchnta" | "clflush" => {
            let [_] = terms else { return arity() };
        }
        "cpuid" => m.identify()?,
        "xgetbv" => m.answer_nothing(&["ax", "dx"])?,
        "rdtsc" => m.time_stamp()?,
        "rdtscp" => {
            m.time_stamp()?;
            m.answer_nothing(&["cx"])?;
        }
        "fnstcw" | "fstcw" => m.store_word(terms, 16, CONTROL_WORD)?,
        "fnstsw" | "fstsw" => m.store_word(terms, 16, 0)?,
        "stmxcsr" => m.store_word(terms, 32, CONTROL_AND_STATUS)?,
        "fldcw" => m.load_control(terms, &X87)?,
        "ldmxcsr" => m.load_control(terms, &SSE)?,
        "syscall" => m.system_call(terms)?,
        _ => return Ok(false),
    }
    Ok(true)
}

impl Machine<'_, '_, '_> {
    /// A leaf that nothing gives is none that is known: the instruction also serves to wait for others.
    fn identify(&mut self) -> Lowered<()> {
        if self.known_bits("ax").is_none() {
            return self.answer_nothing(&ANSWERING);
        }
        let leaf = self.read_register("ax", 32)?;
        let mut asked = Vec::new();
        for (number, answers) in PROCESSOR {
            let number = self.code.int(32, *number);
            asked.push((self.code.cmp(CmpOp::Eq, 32, leaf, number), answers));
        }
        for (index, family) in ANSWERING.into_iter().enumerate() {
            let mut answer = self.code.int(32, 0);
            for (is_asked, answers) in asked.iter().filter(|(_, answers)| answers[index] != 0) {
                let known = self.code.int(32, answers[index]);
                answer = self.code.select(32, *is_asked, known, answer);
            }
            self.write_register(family, 32, answer)?;
        }
        Ok(())
    }

    fn answer_nothing(&mut self, families: &[&str]) -> Lowered<()> {
        for family in families {
            let nothing = self.code.int(32, 0);
            self.write_register(family, 32, nothing)?;
        }
        Ok(())
    }

    fn time_stamp(&mut self) -> Lowered<()> {
        let function = clock(self.code.cx);
        let now = self.code.emit_call(Callee::Direct(function), Arguments::default(), vec![64], false)[0];
        let (low, high) = (self.code.piece(now, 64, 0, 32), self.code.piece(now, 64, 32, 32));
        self.write_register("ax", 32, low)?;
        self.write_register("dx", 32, high)
    }

    fn store_word(&mut self, terms: &[Term], width: u8, word: u128) -> Lowered<()> {
        let [to] = terms else { return arity() };
        let word = self.code.int(width, word);
        self.write(to, width, word)
    }

    fn load_control(&mut self, terms: &[Term], control: &Control) -> Lowered<()> {
        let [from] = terms else { return arity() };
        if self.address(from)?.is_none() {
            return unsupported("a control word that is not in memory");
        }
        let word = self.read(from, control.width)?;
        let function = checked(self.code.cx, control);
        let mut arguments = Arguments::default();
        arguments.push(word, control.width, ArgKind::Integer);
        self.code.emit_call(Callee::Direct(function), arguments, Vec::new(), false);
        Ok(())
    }

    /// Registers of arguments that the constraints do not name hold nothing that the call reads.
    fn system_call(&mut self, terms: &[Term]) -> Lowered<()> {
        let [] = terms else { return arity() };
        let mut arguments = Arguments::default();
        for family in ["ax", "di", "si", "dx", "r10", "r8", "r9"] {
            let argument = match self.known_bits(family) {
                Some((bits, 64)) => bits,
                // What a call takes as an `int` is given as one.
                Some((bits, width)) if width < 64 => self.sign_extend(width, 64, bits),
                Some(_) => return unsupported("an argument that is wider than a register"),
                None if family == "ax" => return unsupported("a system call without a number"),
                None => self.code.int(64, 0),
            };
            arguments.push(argument, 64, ArgKind::Integer);
        }
        let answer = self.code.library_call("__osier_syscall", arguments, vec![64])[0];
        self.write_register("ax", 64, answer)
    }
}

/// The function that ends the path where a control word is one that we cannot follow. A function, because lowering one
/// instruction cannot branch.
fn checked(cx: &mut ModuleLowerer<'_>, control: &Control) -> FuncId {
    let &Control { function, width, mask, start, refusal } = control;
    let id = cx.library_function(function, &[(width, ArgKind::Integer)], &[]);
    if cx.module.functions[id].body.is_some() {
        return id;
    }
    let mut body = Body::default();
    let (word, kept) = (body.registers.push(width), body.registers.push(width));
    let (mask, expected) = (cx.int(width, mask), cx.int(width, start & mask));
    let bits = Op::Bin { op: BinOp::And, flags: Flags::NONE, width, dst: kept, a: Operand::reg(word), b: mask };
    let [then, other] =
        [1, 2].map(|block| body.edges.push(Edge { target: BlockId::new(block), moves: PhiMoves::default() }));
    let branch = Op::CmpBranch { op: CmpOp::Eq, width, a: Operand::reg(kept), b: expected, then, other };
    let text = cx.text(refusal.to_owned());
    for ops in [&[bits, branch][..], &[Op::Return], &[Op::Unsupported { text }]] {
        push_block(&mut body, ops);
    }
    cx.module.functions[id].body = Some(body);
    id
}

/// The function that reads the time stamp.
fn clock(cx: &mut ModuleLowerer<'_>) -> FuncId {
    let id = cx.library_function("asm.rdtsc", &[], &[64]);
    if cx.module.functions[id].body.is_some() {
        return id;
    }
    let global = cx.module.globals.push(Global {
        name: "asm.rdtsc".to_owned(),
        size: 8,
        align: 8,
        constant: false,
        init: GlobalInit::Zero,
        location: LocId(0),
    });
    let addr = Operand::constant(cx.constant(Constant::Global { global, offset: 0 }));
    let ticks = cx.int(64, TICKS);
    let mut body = Body::default();
    let (before, now): (Reg, Reg) = (body.registers.push(64), body.registers.push(64));
    let value = Operand::reg(now);
    let ops = [
        Op::Load { width: 64, dst: before, addr, offset: 0 },
        Op::Bin { op: BinOp::Add, flags: Flags::NONE, width: 64, dst: now, a: Operand::reg(before), b: ticks },
        Op::Store { width: 64, addr, value, offset: 0 },
        Op::ReturnOne { value },
    ];
    push_block(&mut body, &ops);
    cx.module.functions[id].body = Some(body);
    id
}

/// Appends a block of operations that no instruction of the program stands for.
fn push_block(body: &mut Body, ops: &[Op]) {
    let start = body.ops.len() as u32;
    for op in ops {
        body.ops.push(*op);
        body.op_locations.push(LocId(0));
        body.op_weights.push(0);
    }
    body.blocks.push(Block { start, end: body.ops.len() as u32, weight: 0 });
}
