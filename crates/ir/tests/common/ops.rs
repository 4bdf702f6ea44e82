//! Random bodies: every operation, with operands of the right widths. All registers are set where a body begins, so
//! nothing is read before it is written.

use super::{Maker, WIDTHS};
use osier_base::Id;
use osier_ir::*;

struct BodyMaker<'a> {
    maker: &'a mut Maker,
    function: FuncId,
    body: Body,
    blocks: usize,
    moves: Vec<Vec<Move>>,
}

pub fn body(maker: &mut Maker, function: FuncId) -> Body {
    let mut body = Body::default();
    for param in &maker.module.functions[function].params {
        body.registers.push(param.width);
    }
    let blocks = 1 + maker.tape.below(5);
    let mut making = BodyMaker { maker, function, body, blocks, moves: Vec::new() };
    let mut code: Vec<Vec<Op>> = Vec::new();
    for _ in 0..blocks {
        let mut ops: Vec<Op> = Vec::new();
        for _ in 0..making.maker.tape.below(6) {
            let op = making.plain();
            ops.push(op);
        }
        ops.push(making.terminator());
        code.push(ops);
    }
    let params = making.maker.module.functions[function].params.len();
    for index in params..making.body.registers.len() {
        let dst = Reg::new(index);
        let src = Operand::constant(making.maker.constant_of_width(making.body.registers[dst]));
        code[0].insert(0, Op::Move { dst, src });
    }
    making.finish(code)
}

impl BodyMaker<'_> {
    fn finish(self, code: Vec<Vec<Op>>) -> Body {
        let BodyMaker { maker, mut body, moves, .. } = self;
        for ops in code {
            let start = body.ops.len() as u32;
            let mut weight = maker.tape.below(3) as u32;
            for op in ops {
                let own = maker.tape.pick(&[1u16, 1, 0, 2, 500]);
                body.ops.push(op);
                body.op_weights.push(own);
                if maker.tape.below(4) == 0 {
                    let location = maker.location();
                    body.vanished.push((body.ops.len() as u32 - 1, location));
                }
                let location = maker.location();
                body.op_locations.push(location);
                weight += u32::from(own);
            }
            body.blocks.push(Block { start, end: body.ops.len() as u32, weight });
        }
        // Moves lie in the order of their edges, or against it.
        let mut edges: Vec<EdgeId> = body.edges.ids().collect();
        if maker.tape.coin() {
            edges.reverse();
        }
        let zero_if_empty = maker.tape.coin();
        for edge in edges {
            let own = &moves[edge.index()];
            let start = if own.is_empty() && zero_if_empty { 0 } else { body.moves.len() as u32 };
            body.edges[edge].moves = PhiMoves { start, len: own.len() as u32 };
            body.moves.extend(own);
        }
        body
    }

    fn any(&mut self, width: u8) -> Operand {
        let own: Vec<Reg> = self.body.registers.ids().filter(|&reg| self.body.registers[reg] == width).collect();
        if own.is_empty() || self.maker.tape.below(3) == 0 {
            Operand::constant(self.maker.constant_of_width(width))
        } else {
            Operand::reg(self.maker.tape.pick(&own))
        }
    }

    fn many<const N: usize>(&mut self, width: u8) -> [Operand; N] {
        std::array::from_fn(|_| self.any(width))
    }

    fn def(&mut self, width: u8) -> Reg {
        let own: Vec<Reg> = self.body.registers.ids().filter(|&reg| self.body.registers[reg] == width).collect();
        if own.is_empty() || self.maker.tape.below(3) == 0 {
            self.body.registers.push(width)
        } else {
            self.maker.tape.pick(&own)
        }
    }

    fn width(&mut self) -> u8 {
        self.maker.tape.pick(WIDTHS)
    }

    fn flags(&mut self) -> Flags {
        Flags(self.maker.tape.word() as u8 & Flags::ALL.0)
    }

    fn kind(&mut self) -> FloatKind {
        use FloatKind::*;
        self.maker.tape.pick(&[Double, Single, Half, BFloat, Extended, Quad])
    }

    fn small(&mut self) -> i32 {
        self.maker.tape.pick(&[0, 8, -8, i32::MAX, i32::MIN])
    }

    fn plain(&mut self) -> Op {
        let width = self.width();
        let dst = self.def(width);
        let [a, b] = self.many(width);
        let pointer = self.def(64);
        let [p, q, len] = self.many(64);
        let [cond] = self.many(1);
        let kind = self.kind();
        let float = self.def(kind.width());
        let [x, y, z] = self.many(kind.width());
        let offset = self.small();
        match self.maker.tape.below(28) {
            0 => Op::Move { dst, src: a },
            1 => {
                use BinOp::*;
                let op = self.maker.tape.pick(&[
                    Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, Xor, UMin, UMax, SMin, SMax,
                    UAddSat, SAddSat, USubSat, SSubSat, UShlSat, SShlSat,
                ]);
                Op::Bin { op, flags: self.flags(), width, dst, a, b }
            }
            2 => {
                use UnOp::*;
                let all = [ByteSwap, BitReverse, PopCount, LeadingZeros, TrailingZeros, Abs];
                Op::Un { op: self.maker.tape.pick(&all), width, dst, a }
            }
            3 => Op::Cmp { op: self.relation(), width, dst: self.def(1), a, b },
            4 => self.cast(),
            5 => Op::Select { width, dst, cond, then: a, other: b },
            6 => {
                use OverflowOp::*;
                let op = self.maker.tape.pick(&[UAdd, SAdd, USub, SSub, UMul, SMul]);
                let carry = self.body.registers.push(1);
                Op::Overflow { op, width, dst, carry, a, b }
            }
            7 => {
                let [hi, lo, amount] = self.many(width);
                Op::FunnelShift { left: self.maker.tape.coin(), width, dst, hi, lo, amount }
            }
            8 => {
                use FBinOp::*;
                let all = [Add, Sub, Mul, Div, Rem, MinNum, MaxNum, Minimum, Maximum, CopySign];
                Op::FBin { op: self.maker.tape.pick(&all), kind, dst: float, a: x, b: y }
            }
            9 => {
                use FUnOp::*;
                let all = [Neg, Abs, Sqrt, Floor, Ceil, Trunc, Rint, Round, RoundEven];
                Op::FUn { op: self.maker.tape.pick(&all), kind, dst: float, a: x }
            }
            10 => {
                use FCmpOp::*;
                let all = [False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True];
                Op::FCmp { op: self.maker.tape.pick(&all), kind, dst: self.def(1), a: x, b: y }
            }
            11 => self.fcast(kind),
            12 => Op::Fma { kind, dst: float, a: x, b: y, c: z },
            13 => Op::Offset { flags: self.flags(), dst: pointer, base: p, offset },
            14 => {
                let scale = self.maker.tape.word() as u32;
                Op::Index { flags: self.flags(), width, dst: pointer, base: p, index: a, scale, offset }
            }
            15 => Op::Load { width, dst, addr: p, offset },
            16 => Op::Store { width, addr: p, value: a, offset },
            17 => {
                let site = SiteId::new(self.maker.tape.below(self.maker.module.sites.len()));
                Op::Alloca { dst: pointer, count: p, size: self.maker.tape.word() as u32, align: 16, site }
            }
            18 => Op::Forget { addr: p },
            19 => {
                let op = self.maker.tape.pick(&[MemOp::Copy, MemOp::Move, MemOp::Set]);
                Op::Memory { op, dst: p, src: self.any(op.source_width()), len }
            }
            20 => Op::VaStart { list: p },
            21 => Op::VaCopy { dst: p, src: q },
            22 => Op::VaEnd { list: p },
            23 => Op::StackSave { dst: pointer },
            24 => Op::StackRestore { src: p },
            25 => Op::FrameAddress { dst: pointer },
            26 => Op::Assume { cond },
            _ => self.call(),
        }
    }

    fn relation(&mut self) -> CmpOp {
        use CmpOp::*;
        self.maker.tape.pick(&[Eq, Ne, Ult, Ule, Ugt, Uge, Slt, Sle, Sgt, Sge])
    }

    fn cast(&mut self) -> Op {
        let (narrow, wide) = self.maker.tape.pick(&[(1, 8), (7, 64), (32, 64), (64, 128)]);
        let (op, from, to) = match self.maker.tape.below(3) {
            0 => (CastOp::Trunc, wide, narrow),
            1 => (CastOp::ZExt, narrow, wide),
            _ => (CastOp::SExt, narrow, wide),
        };
        Op::Cast { op, from, to, dst: self.def(to), src: self.any(from) }
    }

    fn fcast(&mut self, kind: FloatKind) -> Op {
        use FCastOp::*;
        let other = self.kind();
        let op = self.maker.tape.pick(&[
            Float { from: kind, to: other },
            ToUnsigned(kind),
            ToSigned(kind),
            ToUnsignedSat(kind),
            ToSignedSat(kind),
            FromUnsigned(kind),
            FromSigned(kind),
            IsClass(kind),
            Rint(kind),
            Round(kind),
        ]);
        let width = match op {
            Float { .. } => 0,
            IsClass(_) => 1023,
            _ => u16::from(self.width()),
        };
        let (from, to) = op.widths(width);
        Op::FCast { op, width, dst: self.def(to), src: self.any(from) }
    }

    fn call(&mut self) -> Op {
        let callee = if self.maker.tape.coin() {
            Callee::Direct(FuncId::new(self.maker.tape.below(self.maker.module.functions.len())))
        } else {
            Callee::Indirect(self.any(64))
        };
        let arg_widths: Vec<u8> = (0..self.maker.tape.below(4)).map(|_| self.width()).collect();
        let result_widths: Vec<u8> = (0..self.maker.tape.below(3)).map(|_| self.width()).collect();
        let site = CallSite {
            callee,
            args: arg_widths.iter().map(|&width| self.any(width)).collect(),
            arg_kinds: arg_widths.iter().map(|_| self.maker.arg_kind()).collect(),
            results: result_widths.iter().map(|&width| self.body.registers.push(width)).collect(),
            arg_widths,
            result_widths,
            variadic: self.maker.tape.coin(),
        };
        Op::Call { call: self.body.calls.push(site) }
    }

    fn edge(&mut self) -> EdgeId {
        let target = BlockId::new(1 + self.maker.tape.below(self.blocks - 1));
        let mut moves = Vec::new();
        for _ in 0..self.maker.tape.below(4) {
            let width = self.width();
            moves.push(Move { dst: self.def(width), src: self.any(width) });
        }
        self.moves.push(moves);
        self.body.edges.push(Edge { target, moves: PhiMoves::default() })
    }

    fn terminator(&mut self) -> Op {
        let width = self.width();
        let [a, b] = self.many(width);
        let [cond] = self.many(1);
        if self.blocks == 1 || self.maker.tape.below(3) == 0 {
            return self.last();
        }
        match self.maker.tape.below(5) {
            0 => Op::Jump { edge: self.edge() },
            1 => Op::Branch { cond, then: self.edge(), other: self.edge() },
            2 => Op::CmpBranch { op: self.relation(), width, a, b, then: self.edge(), other: self.edge() },
            3 => {
                let shared = self.edge();
                let mut cases = Vec::new();
                for value in 0..self.maker.tape.below(4) {
                    let case = Constant::Int { width: 32, value: value as u128 };
                    let edge = if self.maker.tape.coin() { shared } else { self.edge() };
                    cases.push((self.maker.constant(case), edge));
                }
                let table = self.body.tables.push(SwitchTable { cases, default: Some(shared) });
                Op::Switch { width: 32, value: self.any(32), table }
            }
            _ => {
                let edge = self.edge();
                // The body is not yet in the module, so the verifier will see the block that this names.
                let constant = Constant::Block { function: self.function, block: self.body.edges[edge].target };
                let cases = vec![(self.maker.constant(constant), edge)];
                let table = self.body.tables.push(SwitchTable { cases, default: None });
                Op::IndirectJump { addr: self.any(64), table }
            }
        }
    }

    fn last(&mut self) -> Op {
        let returns = self.maker.module.functions[self.function].returns.clone();
        match (self.maker.tape.below(5), &returns[..]) {
            (0, _) => Op::Unreachable,
            (1, _) => {
                let kinds = [TrapKind::Trap, TrapKind::Debug, TrapKind::Sanitizer(17)];
                Op::Trap { kind: self.maker.tape.pick(&kinds) }
            }
            (2, _) => Op::Unsupported { text: TextId::new(self.maker.tape.below(self.maker.module.texts.len())) },
            (_, []) => Op::Return,
            (3, [only]) => Op::ReturnOne { value: self.any(*only) },
            (_, all) => {
                let start = self.body.operands.len() as u32;
                for &width in all {
                    let value = self.any(width);
                    self.body.operands.push(value);
                }
                Op::ReturnMany { start, len: all.len() as u32 }
            }
        }
    }
}
