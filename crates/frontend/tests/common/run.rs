//! A small concrete interpreter of the compact IR: what lowering gives must compute what the native program computes.
//!
//! It knows one flat memory, integers up to 128 bits, `float` and `double`, and `printf` of integers as the only foreign
//! function. Whatever else it meets, it panics on.

use osier_ir::*;
use std::collections::HashMap;

const FUNCTIONS: u64 = 0x1000_0000;
const BLOCKS: u64 = 0x2000_0000;
const BASE: u64 = 0x1000;

pub struct Machine<'m> {
    module: &'m Module,
    memory: Vec<u8>,
    globals: HashMap<GlobalId, u64>,
    /// LLVM instructions executed, by weights.
    pub instructions: u64,
    pub printed: Vec<u128>,
}

fn mask(width: u8, value: u128) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

fn signed(width: u8, value: u128) -> i128 {
    ((value << (128 - u32::from(width))) as i128) >> (128 - u32::from(width))
}

impl<'m> Machine<'m> {
    pub fn new(module: &'m Module) -> Self {
        let mut machine =
            Machine { module, memory: Vec::new(), globals: HashMap::new(), instructions: 0, printed: Vec::new() };
        for (id, global) in module.globals.iter() {
            let address = machine.allocate(global.size, global.align.into());
            machine.globals.insert(id, address);
        }
        for (id, global) in module.globals.iter() {
            let address = machine.globals[&id];
            match &global.init {
                GlobalInit::External | GlobalInit::Zero => {}
                GlobalInit::Data { bytes, relocations } => {
                    let start = (address - BASE) as usize;
                    machine.memory[start..start + bytes.len()].copy_from_slice(bytes);
                    for relocation in relocations {
                        let target = match relocation.symbol {
                            SymbolRef::Global(id) => machine.globals[&id],
                            SymbolRef::Function(id) => FUNCTIONS + u64::from(id.0) * 16,
                            SymbolRef::Block(id, block) => block_address(id, block),
                        };
                        let value = target.wrapping_add_signed(relocation.addend);
                        machine.store(address + relocation.offset, 64, value.into());
                    }
                }
                GlobalInit::Unsupported(text) => panic!("{}", module.texts[*text]),
            }
        }
        machine
    }

    fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let start = (BASE + self.memory.len() as u64).next_multiple_of(align.max(16));
        self.memory.resize((start - BASE + size + 16) as usize, 0);
        start
    }

    fn load(&self, address: u64, width: u8) -> u128 {
        let start = address.checked_sub(BASE).expect("a load below all objects") as usize;
        let count = usize::from(width.div_ceil(8));
        let mut bytes = [0; 16];
        bytes[..count].copy_from_slice(&self.memory[start..start + count]);
        mask(width, u128::from_le_bytes(bytes))
    }

    fn store(&mut self, address: u64, width: u8, value: u128) {
        let start = address.checked_sub(BASE).expect("a store below all objects") as usize;
        let count = usize::from(width.div_ceil(8));
        self.memory[start..start + count].copy_from_slice(&value.to_le_bytes()[..count]);
    }

    pub fn call(&mut self, id: FuncId, args: &[u128]) -> Vec<u128> {
        let function = &self.module.functions[id];
        let Some(body) = &function.body else {
            assert_eq!(function.name, "printf", "a call of {}", function.name);
            self.printed.extend(&args[1..]);
            return vec![0];
        };
        let mut registers = vec![0xdead_beef_u128; body.registers.len()];
        for (param, &arg) in function.params.iter().zip(args) {
            let arg = match param.kind {
                ArgKind::ByVal { size, align } => {
                    let copy = self.allocate(size.into(), align.into());
                    let (from, to) = ((arg as u64 - BASE) as usize, (copy - BASE) as usize);
                    self.memory.copy_within(from..from + size as usize, to);
                    copy.into()
                }
                ArgKind::Integer | ArgKind::Float | ArgKind::Extended | ArgKind::StructReturn => arg,
            };
            registers[param.reg.0 as usize] = arg;
        }
        let stack = self.memory.len();
        let mut frame = Frame { machine: self, function: id, body, registers };
        let mut block = BlockId(0);
        let result = loop {
            match frame.block(block) {
                Next::Edge(edge) => block = frame.follow(edge),
                Next::Return(values) => break values,
            }
        };
        self.memory.truncate(stack);
        result
    }
}

fn block_address(function: FuncId, block: BlockId) -> u64 {
    BLOCKS + u64::from(function.0) * 0x1_0000 + u64::from(block.0) * 4
}

enum Next {
    Edge(EdgeId),
    Return(Vec<u128>),
}

struct Frame<'a, 'm> {
    machine: &'a mut Machine<'m>,
    function: FuncId,
    body: &'m Body,
    registers: Vec<u128>,
}

impl Frame<'_, '_> {
    fn get(&self, operand: Operand) -> u128 {
        match operand.unpack() {
            Unpacked::Reg(reg) => self.registers[reg.0 as usize],
            Unpacked::Const(id) => self.constant(id),
        }
    }

    fn constant(&self, id: ConstId) -> u128 {
        match self.machine.module.constants[id] {
            Constant::Int { value, .. } => value,
            Constant::Global { global, offset } => self.machine.globals[&global].wrapping_add_signed(offset).into(),
            Constant::Function(id) => (FUNCTIONS + u64::from(id.0) * 16).into(),
            Constant::Block { function, block } => block_address(function, block).into(),
            Constant::Undef { .. } | Constant::Poison { .. } => 0,
        }
    }

    fn set(&mut self, reg: Reg, value: u128) {
        self.registers[reg.0 as usize] = mask(self.body.registers[reg], value);
    }

    fn follow(&mut self, edge: EdgeId) -> BlockId {
        for step in self.body.edge_moves(edge) {
            let value = self.get(step.src);
            self.set(step.dst, value);
        }
        self.body.edges[edge].target
    }

    fn block(&mut self, block: BlockId) -> Next {
        let body = self.body;
        self.machine.instructions += u64::from(body.blocks[block].weight);
        for op in body.block_ops(block) {
            if let Some(next) = self.step(op) {
                return next;
            }
        }
        unreachable!("a block without a terminator")
    }

    fn step(&mut self, op: &Op) -> Option<Next> {
        match *op {
            Op::Move { dst, src } => {
                let value = self.get(src);
                self.set(dst, value);
            }
            Op::Bin { op, width, dst, a, b, .. } => {
                let value = binary(op, width, self.get(a), self.get(b));
                self.set(dst, value);
            }
            Op::Un { op, width, dst, a } => {
                let a = self.get(a);
                let value = match op {
                    UnOp::ByteSwap => a.swap_bytes() >> (128 - u32::from(width)),
                    UnOp::BitReverse => a.reverse_bits() >> (128 - u32::from(width)),
                    UnOp::PopCount => a.count_ones().into(),
                    UnOp::LeadingZeros => u128::from(a.leading_zeros()) - (128 - u128::from(width)),
                    UnOp::TrailingZeros => u128::from(a.trailing_zeros()).min(width.into()),
                    UnOp::Abs => signed(width, a).unsigned_abs(),
                };
                self.set(dst, value);
            }
            Op::Cmp { op, width, dst, a, b } => {
                let value = compare(op, width, self.get(a), self.get(b));
                self.set(dst, value.into());
            }
            Op::Cast { op, from, dst, src, .. } => {
                let value = self.get(src);
                let value = if op == CastOp::SExt { signed(from, value) as u128 } else { value };
                self.set(dst, value);
            }
            Op::Select { dst, cond, then, other, .. } => {
                let value = if self.get(cond) != 0 { self.get(then) } else { self.get(other) };
                self.set(dst, value);
            }
            Op::Overflow { op, width, dst, carry, a, b } => {
                let (value, wrapped) = overflow(op, width, self.get(a), self.get(b));
                self.set(dst, value);
                self.set(carry, wrapped.into());
            }
            Op::FunnelShift { left, width, dst, hi, lo, amount } => {
                let (hi, lo, amount) = (self.get(hi), self.get(lo), self.get(amount) % u128::from(width));
                assert!(width <= 64);
                let pair = hi << width | lo;
                let value = if left { pair << amount >> width } else { pair >> amount };
                self.set(dst, value);
            }
            Op::FBin { op, kind, dst, a, b } => {
                let (a, b) = (number(kind, self.get(a)), number(kind, self.get(b)));
                let value = match op {
                    FBinOp::Add => a + b,
                    FBinOp::Sub => a - b,
                    FBinOp::Mul => a * b,
                    FBinOp::Div => a / b,
                    FBinOp::Rem => a % b,
                    FBinOp::MinNum | FBinOp::Minimum => a.min(b),
                    FBinOp::MaxNum | FBinOp::Maximum => a.max(b),
                    FBinOp::CopySign => a.copysign(b),
                };
                self.set(dst, bits(kind, value));
            }
            Op::FUn { op, kind, dst, a } => {
                let a = number(kind, self.get(a));
                let value = match op {
                    FUnOp::Neg => -a,
                    FUnOp::Abs => a.abs(),
                    FUnOp::Sqrt => a.sqrt(),
                    FUnOp::Floor => a.floor(),
                    FUnOp::Ceil => a.ceil(),
                    FUnOp::Trunc => a.trunc(),
                    FUnOp::Rint | FUnOp::RoundEven => a.round_ties_even(),
                    FUnOp::Round => a.round(),
                };
                self.set(dst, bits(kind, value));
            }
            Op::FCmp { op, kind, dst, a, b } => {
                let value = float_compare(op, number(kind, self.get(a)), number(kind, self.get(b)));
                self.set(dst, value.into());
            }
            Op::FCast { op, width, dst, src } => {
                let src = self.get(src);
                let value = match op {
                    FCastOp::Float { from, to } => bits(to, number(from, src)),
                    FCastOp::ToUnsigned(kind) | FCastOp::ToUnsignedSat(kind) => number(kind, src) as u128,
                    FCastOp::ToSigned(kind) | FCastOp::ToSignedSat(kind) => number(kind, src) as i128 as u128,
                    FCastOp::FromUnsigned(kind) => bits(kind, src as f64),
                    FCastOp::FromSigned(kind) => bits(kind, signed(width as u8, src) as f64),
                    FCastOp::Rint(kind) => number(kind, src).round_ties_even() as i128 as u128,
                    FCastOp::Round(kind) => number(kind, src).round() as i128 as u128,
                    FCastOp::IsClass(_) => panic!("{op:?}"),
                };
                self.set(dst, value);
            }
            Op::Offset { dst, base, offset, .. } => {
                let value = (self.get(base) as u64).wrapping_add_signed(offset.into());
                self.set(dst, value.into());
            }
            Op::Index { width, dst, base, index, scale, offset, .. } => {
                let index = signed(width, self.get(index)) as i64;
                let distance = index.wrapping_mul(scale.into()).wrapping_add(offset.into());
                let value = (self.get(base) as u64).wrapping_add_signed(distance);
                self.set(dst, value.into());
            }
            Op::Load { width, dst, addr, offset } => {
                let value = self.machine.load((self.get(addr) as u64).wrapping_add_signed(offset.into()), width);
                self.set(dst, value);
            }
            Op::Store { width, addr, value, offset } => {
                let (addr, value) = (self.get(addr) as u64, self.get(value));
                self.machine.store(addr.wrapping_add_signed(offset.into()), width, value);
            }
            Op::Alloca { dst, count, size, align, .. } => {
                let address = self.machine.allocate(self.get(count) as u64 * u64::from(size), align.into());
                self.set(dst, address.into());
            }
            Op::Memory { op, dst, src, len } => {
                let (dst, src, len) = (self.get(dst) as u64, self.get(src), self.get(len) as usize);
                let to = dst.wrapping_sub(BASE) as usize;
                match op {
                    _ if len == 0 => {}
                    MemOp::Copy | MemOp::Move => {
                        let from = (src as u64 - BASE) as usize;
                        self.machine.memory.copy_within(from..from + len, to);
                    }
                    MemOp::Set => self.machine.memory[to..to + len].fill(src as u8),
                }
            }
            Op::Call { call } => self.call(call),
            Op::Forget { .. } | Op::Assume { .. } | Op::StackRestore { .. } | Op::VaEnd { .. } => {}
            Op::StackSave { dst } | Op::FrameAddress { dst } => self.set(dst, 0),
            Op::Jump { edge } => return Some(Next::Edge(edge)),
            Op::Branch { cond, then, other } => {
                return Some(Next::Edge(if self.get(cond) != 0 { then } else { other }));
            }
            Op::CmpBranch { op, width, a, b, then, other } => {
                let taken = compare(op, width, self.get(a), self.get(b));
                return Some(Next::Edge(if taken { then } else { other }));
            }
            Op::Switch { value, table, .. } | Op::IndirectJump { addr: value, table } => {
                let value = self.get(value);
                let table = &self.body.tables[table];
                let case = table.cases.iter().find(|(constant, _)| self.constant(*constant) == value);
                return Some(Next::Edge(case.map_or_else(|| table.default.unwrap(), |&(_, edge)| edge)));
            }
            Op::Return => return Some(Next::Return(Vec::new())),
            Op::ReturnOne { value } => return Some(Next::Return(vec![self.get(value)])),
            Op::ReturnMany { start, len } => {
                let operands = &self.body.operands[start as usize..][..len as usize];
                return Some(Next::Return(operands.iter().map(|&operand| self.get(operand)).collect()));
            }
            Op::Unsupported { text } => panic!("{}", self.machine.module.texts[text]),
            Op::Fma { .. } | Op::VaStart { .. } | Op::VaCopy { .. } | Op::Trap { .. } | Op::Unreachable => {
                panic!("{op:?} in {}", self.machine.module.functions[self.function].name)
            }
        }
        None
    }

    fn call(&mut self, call: CallId) {
        let site = &self.body.calls[call];
        let callee = match site.callee {
            Callee::Direct(id) => id,
            Callee::Indirect(operand) => FuncId(((self.get(operand) as u64 - FUNCTIONS) / 16) as u32),
        };
        let args: Vec<u128> = site.args.iter().map(|&operand| self.get(operand)).collect();
        let results = self.machine.call(callee, &args);
        for (&reg, value) in site.results.iter().zip(results) {
            self.set(reg, value);
        }
    }
}

fn binary(op: BinOp, width: u8, a: u128, b: u128) -> u128 {
    let (sa, sb) = (signed(width, a), signed(width, b));
    let (low, high) = (signed(width, 1 << (width - 1)), mask(width - 1, u128::MAX) as i128);
    match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::UDiv => a / b,
        BinOp::SDiv => sa.wrapping_div(sb) as u128,
        BinOp::URem => a % b,
        BinOp::SRem => sa.wrapping_rem(sb) as u128,
        BinOp::Shl => a.checked_shl(b as u32).unwrap_or(0),
        BinOp::LShr => a.checked_shr(b as u32).unwrap_or(0),
        BinOp::AShr => sa.checked_shr(b as u32).unwrap_or(0) as u128,
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::UMin => a.min(b),
        BinOp::UMax => a.max(b),
        BinOp::SMin => sa.min(sb) as u128,
        BinOp::SMax => sa.max(sb) as u128,
        BinOp::UAddSat => (a + b).min(mask(width, u128::MAX)),
        BinOp::USubSat => a.saturating_sub(b),
        BinOp::SAddSat => sa.saturating_add(sb).clamp(low, high) as u128,
        BinOp::SSubSat => sa.saturating_sub(sb).clamp(low, high) as u128,
        BinOp::UShlSat | BinOp::SShlSat => panic!("{op:?}"),
    }
}

fn compare(op: CmpOp, width: u8, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Slt => sa < sb,
        CmpOp::Sle => sa <= sb,
        CmpOp::Sgt => sa > sb,
        CmpOp::Sge => sa >= sb,
    }
}

fn overflow(op: OverflowOp, width: u8, a: u128, b: u128) -> (u128, bool) {
    assert!(width <= 64);
    let (sa, sb) = (signed(width, a), signed(width, b));
    let (exact, is_signed) = match op {
        OverflowOp::UAdd => (a as i128 + b as i128, false),
        OverflowOp::USub => (a as i128 - b as i128, false),
        OverflowOp::UMul => return (a * b, a * b != mask(width, a * b)),
        OverflowOp::SAdd => (sa + sb, true),
        OverflowOp::SSub => (sa - sb, true),
        OverflowOp::SMul => (sa * sb, true),
    };
    let back = mask(width, exact as u128);
    let kept = if is_signed { signed(width, back) } else { back as i128 };
    (back, kept != exact)
}

fn float_compare(op: FCmpOp, a: f64, b: f64) -> bool {
    let unordered = a.is_nan() || b.is_nan();
    match op {
        FCmpOp::False => false,
        FCmpOp::Oeq => a == b,
        FCmpOp::Ogt => a > b,
        FCmpOp::Oge => a >= b,
        FCmpOp::Olt => a < b,
        FCmpOp::Ole => a <= b,
        FCmpOp::One => !unordered && a != b,
        FCmpOp::Ord => !unordered,
        FCmpOp::Uno => unordered,
        FCmpOp::Ueq => unordered || a == b,
        FCmpOp::Ugt => unordered || a > b,
        FCmpOp::Uge => unordered || a >= b,
        FCmpOp::Ult => unordered || a < b,
        FCmpOp::Ule => unordered || a <= b,
        FCmpOp::Une => a != b,
        FCmpOp::True => true,
    }
}

/// `float` arithmetic in `double` and rounded again gives the same for the four basic operations.
fn number(kind: FloatKind, bits: u128) -> f64 {
    match kind {
        FloatKind::Single => f32::from_bits(bits as u32).into(),
        FloatKind::Double => f64::from_bits(bits as u64),
        FloatKind::Half | FloatKind::BFloat | FloatKind::Extended | FloatKind::Quad => panic!("{kind:?}"),
    }
}

fn bits(kind: FloatKind, number: f64) -> u128 {
    match kind {
        FloatKind::Single => (number as f32).to_bits().into(),
        FloatKind::Double => number.to_bits().into(),
        FloatKind::Half | FloatKind::BFloat | FloatKind::Extended | FloatKind::Quad => panic!("{kind:?}"),
    }
}
