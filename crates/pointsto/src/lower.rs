//! From a function's operations to its template.

use crate::models::{self, ModelCall};
use crate::shift::Shift;
use crate::ssa::Values;
use crate::template::{Access, Call, Fact, Made, Target, Template, Val};
use crate::tidy;
use osier_ir::{
    ArgKind, BinOp, BlockId, Body, CallId, Callee, Cfg, Constant, ENTRY, FuncId, Function, MemOp, Module, Op, Operand,
    Reg, Unpacked,
};

const POINTER_WIDTH: u8 = 64;
const POINTER_BYTES: u64 = 8;
/// The list of variadic arguments: two pointers lie in it.
const VA_LIST_BYTES: u64 = 24;
const VA_LIST_POINTERS: [i64; 2] = [8, 16];

/// The template of a function with a body that stands.
pub fn lower(module: &Module, function: &Function, body: &Body) -> Template {
    let cfg = Cfg::new(body);
    let mut builder = Builder {
        module,
        body,
        values: Values::new(body, &cfg),
        template: Template {
            returns: vec![Vec::new(); function.returns.len()],
            ops: body.ops.len(),
            ..Template::default()
        },
        place: Values::block(ENTRY),
    };
    builder.params(function);
    for &block in cfg.reverse_postorder() {
        builder.block(block);
    }
    let Builder { values, mut template, .. } = builder;
    let (phis, locals) = values.finish();
    template.locals = locals;
    tidy::tidy(&mut template, phis);
    template
}

/// The template of a function that is modelled, for calls through a pointer.
pub fn lower_model(id: FuncId, function: &Function, op: u32) -> Template {
    let count = function.params.len() as u32;
    let args: Vec<Val> = (0..count).map(Val::Local).collect();
    let mut template = Template {
        params: (0..count).map(Some).collect(),
        by_value: vec![None; function.params.len()],
        returns: vec![Vec::new(); function.returns.len()],
        ops: 1,
        ..Template::default()
    };
    let mut locals = count;
    let mut fresh = || {
        locals += 1;
        locals - 1
    };
    let result = (!function.returns.is_empty()).then(&mut fresh);
    let numbers = vec![None; args.len()];
    let call = ModelCall {
        function: id,
        name: &function.name,
        op,
        args: &args,
        numbers: &numbers,
        moves_pointers: false,
        result,
    };
    models::expand(&call, &mut template, &mut fresh);
    if let (Some(result), Some(returned)) = (result, template.returns.first_mut()) {
        returned.push(Val::Local(result));
    }
    template.locals = locals;
    template
}

struct Builder<'a> {
    module: &'a Module,
    body: &'a Body,
    values: Values,
    template: Template,
    /// The block or edge that is being visited.
    place: u32,
}

impl Builder<'_> {
    fn params(&mut self, function: &Function) {
        for (index, param) in function.params.iter().enumerate() {
            let local = (param.width == POINTER_WIDTH).then(|| self.values.fresh());
            let size = match param.kind {
                ArgKind::ByVal { size, align: _ } => Some(u64::from(size)),
                ArgKind::Integer | ArgKind::Float | ArgKind::Extended | ArgKind::StructReturn => None,
            };
            if let Some(to) = local {
                self.define(param.reg, Val::Local(to));
                if size.is_some() {
                    let made = Made::ByValue { param: index as u32 };
                    self.template.facts.push(Fact::New { to, op: 0, made, size });
                }
            }
            self.template.params.push(local);
            self.template.by_value.push(size);
        }
        if function.variadic {
            let to = self.values.fresh();
            self.template.facts.push(Fact::New { to, op: 0, made: Made::Variadic, size: None });
            // Which argument is read is a matter of numbers: all are one.
            self.template.variadic = Some(self.flow(Val::Local(to), Shift::Anywhere));
        }
    }

    fn block(&mut self, block: BlockId) {
        let range = self.body.blocks[block];
        self.place = Values::block(block);
        for index in range.start..range.end {
            self.op(index);
        }
        let mut edges: Vec<_> = self.body.terminator(block).edges(self.body).collect();
        edges.sort_unstable();
        edges.dedup();
        for edge in edges {
            self.place = self.values.edge(edge);
            for step in self.body.edge_moves(edge) {
                let value = self.read(step.src);
                self.define(step.dst, value);
            }
        }
    }

    fn define(&mut self, reg: Reg, value: Val) {
        if self.body.registers[reg] == POINTER_WIDTH {
            self.values.define(self.place, reg, value);
        }
    }

    fn read(&mut self, operand: Operand) -> Val {
        match operand.unpack() {
            Unpacked::Reg(reg) if self.body.registers[reg] == POINTER_WIDTH => self.values.read(self.place, reg),
            Unpacked::Reg(_) => Val::Nothing,
            Unpacked::Const(constant) => match self.module.constants[constant] {
                Constant::Global { .. } | Constant::Function(_) => Val::Constant(constant),
                Constant::Int { .. } | Constant::Block { .. } | Constant::Undef { .. } | Constant::Poison { .. } => {
                    Val::Nothing
                }
            },
        }
    }

    fn number(&self, operand: Operand) -> Option<u64> {
        match operand.unpack() {
            Unpacked::Reg(_) => None,
            Unpacked::Const(constant) => match self.module.constants[constant] {
                Constant::Int { width: _, value } => u64::try_from(value).ok(),
                Constant::Global { .. }
                | Constant::Function(_)
                | Constant::Block { .. }
                | Constant::Undef { .. }
                | Constant::Poison { .. } => None,
            },
        }
    }

    fn flow(&mut self, from: Val, shift: Shift) -> u32 {
        let to = self.values.fresh();
        self.template.facts.push(Fact::Flow { to, from, shift });
        to
    }

    /// `reg` becomes `from`, moved.
    fn moved(&mut self, reg: Reg, from: Val, shift: Shift) {
        let value = match (from, shift) {
            (Val::Nothing, _) | (_, Shift::None) => from,
            (Val::Local(_) | Val::Constant(_), _) => Val::Local(self.flow(from, shift)),
        };
        self.define(reg, value);
    }

    /// `reg` becomes one of the two.
    fn either(&mut self, reg: Reg, a: Val, b: Val, shift: Shift) {
        match (a, b) {
            (Val::Nothing, one) | (one, Val::Nothing) => self.moved(reg, one, shift),
            (a, b) => {
                let to = self.flow(a, shift);
                self.template.facts.push(Fact::Flow { to, from: b, shift });
                self.define(reg, Val::Local(to));
            }
        }
    }

    fn access(&mut self, op: u32, addr: Val, write: bool) {
        if addr != Val::Nothing {
            self.template.accesses.push(Access { op, addr, write });
        }
    }

    fn op(&mut self, index: u32) {
        match self.body.ops[index as usize] {
            Op::Move { dst, src } => {
                let value = self.read(src);
                self.define(dst, value);
            }
            Op::Bin { op, flags: _, width, dst, a, b } if width == POINTER_WIDTH => self.binary(op, dst, a, b),
            Op::Select { width, dst, cond: _, then, other } if width == POINTER_WIDTH => {
                let (a, b) = (self.read(then), self.read(other));
                self.either(dst, a, b, Shift::None);
            }
            Op::Offset { flags: _, dst, base, offset } => {
                let base = self.read(base);
                self.moved(dst, base, Shift::By { offset: i64::from(offset), stride: 0 });
            }
            Op::Index { flags: _, width, dst, base, index, scale, offset } => {
                let offset = i64::from(offset);
                let shift = match self.number(index) {
                    // Indices are signed; a constant one is exact.
                    Some(number) => {
                        let unused = u32::from(POINTER_WIDTH.saturating_sub(width));
                        let number = (number << unused) as i64 >> unused;
                        let by = i64::from(scale).wrapping_mul(number).wrapping_add(offset);
                        Shift::By { offset: by, stride: 0 }
                    }
                    None => Shift::By { offset, stride: scale },
                };
                let base = self.read(base);
                // An integer in the place of the base: the pointer is in the index.
                match (base, self.read(index)) {
                    (Val::Nothing, pointer) if scale == 1 => self.moved(dst, pointer, Shift::Anywhere),
                    (base, _) => self.moved(dst, base, shift),
                }
            }
            Op::Load { width, dst, addr, offset } => {
                let addr = self.read(addr);
                self.access(index, addr, false);
                let value = if width == POINTER_WIDTH && addr != Val::Nothing {
                    let to = self.values.fresh();
                    self.template.facts.push(Fact::Load { to, addr, offset: i64::from(offset) });
                    Val::Local(to)
                } else {
                    Val::Nothing
                };
                self.define(dst, value);
            }
            Op::Store { width, addr, value, offset } => {
                let addr = self.read(addr);
                self.access(index, addr, true);
                if width == POINTER_WIDTH {
                    let value = self.read(value);
                    self.template.facts.push(Fact::Store { addr, offset: i64::from(offset), value });
                }
            }
            Op::Alloca { dst, count, size, align: _, site } => {
                let size = self.number(count).and_then(|count| count.checked_mul(u64::from(size)));
                let to = self.values.fresh();
                self.template.facts.push(Fact::New { to, op: index, made: Made::Local { site }, size });
                self.define(dst, Val::Local(to));
            }
            Op::Memory { op, dst, src, len: length } => {
                let (dst, len) = (self.read(dst), self.number(length));
                self.access(index, dst, true);
                match op {
                    MemOp::Copy | MemOp::Move => {
                        let src = self.read(src);
                        self.access(index, src, false);
                        if self.moves_pointers(index, length) {
                            self.template.facts.push(Fact::Copy { dst, src, len });
                        }
                    }
                    MemOp::Set => {}
                }
            }
            Op::Call { call } => self.call(index, call),
            Op::VaStart { list } => {
                let addr = self.read(list);
                if let Some(area) = self.template.variadic {
                    for offset in VA_LIST_POINTERS {
                        self.template.facts.push(Fact::Store { addr, offset, value: Val::Local(area) });
                    }
                }
            }
            Op::VaCopy { dst, src } => {
                let (dst, src) = (self.read(dst), self.read(src));
                self.template.facts.push(Fact::Copy { dst, src, len: Some(VA_LIST_BYTES) });
            }
            Op::ReturnOne { value } => {
                let value = self.read(value);
                self.template.returns[0].push(value);
            }
            Op::ReturnMany { start, len } => {
                for position in 0..len as usize {
                    let value = self.read(self.body.operands[start as usize + position]);
                    self.template.returns[position].push(value);
                }
            }
            // What is narrower than a pointer, or is computed so that no pointer is left.
            Op::Bin { dst, .. }
            | Op::Select { dst, .. }
            | Op::Un { dst, .. }
            | Op::Cmp { dst, .. }
            | Op::Cast { dst, .. }
            | Op::FunnelShift { dst, .. }
            | Op::FBin { dst, .. }
            | Op::FUn { dst, .. }
            | Op::FCmp { dst, .. }
            | Op::FCast { dst, .. }
            | Op::Fma { dst, .. }
            | Op::StackSave { dst }
            | Op::FrameAddress { dst } => self.define(dst, Val::Nothing),
            Op::Overflow { dst, carry, .. } => {
                self.define(dst, Val::Nothing);
                self.define(carry, Val::Nothing);
            }
            Op::Forget { .. }
            | Op::VaEnd { .. }
            | Op::StackRestore { .. }
            | Op::Assume { .. }
            | Op::Jump { .. }
            | Op::Branch { .. }
            | Op::CmpBranch { .. }
            | Op::Switch { .. }
            | Op::IndirectJump { .. }
            | Op::Return
            | Op::Trap { .. }
            | Op::Unreachable
            | Op::Unsupported { .. } => {}
        }
    }

    /// Integers that may be pointers. A difference is taken for a number, as are products, quotients and shifts.
    fn binary(&mut self, op: BinOp, dst: Reg, a: Operand, b: Operand) {
        let (x, y) = (self.read(a), self.read(b));
        let (m, n) = (self.number(a), self.number(b));
        match op {
            BinOp::Add => match (m, n) {
                (_, Some(by)) => self.moved(dst, x, Shift::By { offset: by as i64, stride: 0 }),
                (Some(by), None) => self.moved(dst, y, Shift::By { offset: by as i64, stride: 0 }),
                (None, None) => self.either(dst, x, y, Shift::Anywhere),
            },
            BinOp::Sub => match n {
                Some(by) => self.moved(dst, x, Shift::By { offset: (by as i64).wrapping_neg(), stride: 0 }),
                None => self.define(dst, Val::Nothing),
            },
            BinOp::And => match (m, n) {
                (_, Some(mask)) => self.masked(dst, x, mask),
                (Some(mask), None) => self.masked(dst, y, mask),
                (None, None) => self.either(dst, x, y, Shift::None),
            },
            BinOp::Or | BinOp::UMin | BinOp::UMax | BinOp::SMin | BinOp::SMax => self.either(dst, x, y, Shift::None),
            BinOp::Xor => match (m, n) {
                (_, Some(_)) => self.moved(dst, x, Shift::None),
                (Some(_), None) => self.moved(dst, y, Shift::None),
                (None, None) => self.define(dst, Val::Nothing),
            },
            BinOp::Mul
            | BinOp::UDiv
            | BinOp::SDiv
            | BinOp::URem
            | BinOp::SRem
            | BinOp::Shl
            | BinOp::LShr
            | BinOp::AShr
            | BinOp::UAddSat
            | BinOp::SAddSat
            | BinOp::USubSat
            | BinOp::SSubSat
            | BinOp::UShlSat
            | BinOp::SShlSat => self.define(dst, Val::Nothing),
        }
    }

    /// Whether a copy of so many bytes may move pointers: a constant that has room for one, or a number of elements of
    /// which each has. Other lengths are those of text. The product mostly stands just before the copy.
    fn moves_pointers(&self, op: u32, length: Operand) -> bool {
        if let Some(length) = self.number(length) {
            return length >= POINTER_BYTES;
        }
        let Some(mut sought) = length.as_reg() else { return false };
        let block = self.body.blocks[self.body.block_of(op)];
        for before in self.body.ops[block.start as usize..op as usize].iter().rev() {
            let mut defines = false;
            before.for_each_def(self.body, |reg| defines |= reg == sought);
            if !defines {
                continue;
            }
            let from = match *before {
                Op::Bin { op: BinOp::Mul, a, b, .. } => {
                    let whole = |operand| self.number(operand).is_some_and(|size| size % POINTER_BYTES == 0);
                    return whole(a) || whole(b);
                }
                Op::Bin { op: BinOp::Shl, b, .. } => return self.number(b).is_some_and(|bits| bits >= 3),
                Op::Bin { op: BinOp::Add | BinOp::Sub, a, .. } => a,
                Op::Move { src, .. } | Op::Cast { src, .. } => src,
                _ => return false,
            };
            match from.as_reg() {
                Some(reg) => sought = reg,
                None => return false,
            }
        }
        false
    }

    /// A mask of high bits aligns; one of low bits takes a tag off, and what it gives is no pointer.
    fn masked(&mut self, dst: Reg, from: Val, mask: u64) {
        match i32::try_from(mask as i64) {
            Ok(mask) if mask < 0 => self.moved(dst, from, Shift::Align { mask }),
            Ok(_) => self.define(dst, Val::Nothing),
            Err(_) => self.moved(dst, from, Shift::None),
        }
    }

    fn call(&mut self, op: u32, id: CallId) {
        let site = &self.body.calls[id];
        let args: Vec<Val> = site.args.iter().map(|&arg| self.read(arg)).collect();
        let numbers: Vec<Option<u64>> = site.args.iter().map(|&arg| self.number(arg)).collect();
        let target = match site.callee {
            Callee::Direct(function) => Target::Direct(function),
            Callee::Indirect(pointer) => Target::Indirect(self.read(pointer)),
        };
        let mut result = Vec::with_capacity(site.results.len());
        for (&reg, &width) in site.results.iter().zip(&site.result_widths) {
            let local = (width == POINTER_WIDTH).then(|| self.values.fresh());
            self.define(reg, local.map_or(Val::Nothing, Val::Local));
            result.push(local);
        }
        match target {
            Target::Direct(function) if models::is_modelled(&self.module.functions[function]) => {
                let name = &self.module.functions[function].name;
                let result = result.first().copied().flatten();
                let moves_pointers = site.args.get(2).is_some_and(|&length| self.moves_pointers(op, length));
                let call = ModelCall { function, name, op, args: &args, numbers: &numbers, moves_pointers, result };
                let Builder { values, template, .. } = self;
                models::expand(&call, template, || values.fresh());
            }
            Target::Direct(_) | Target::Indirect(_) => {
                self.template.calls.push(Call { op, target, args, result });
            }
        }
    }
}
