//! The module with its addresses decided: what the interpreter reads while it runs.

use osier_ir::{ArgKind, BlockId, CallId, CallSite, Callee, Constant, FuncId, Function, GlobalId, Module};
use osier_memory::Value;
use osier_term::Pool;
use rustc_hash::FxHashMap;

/// Function `f` lies at this address plus 16 times its number: below all objects, above everything null.
const FUNCTIONS: u64 = 0x1000_0000;
const FUNCTION_STRIDE: u64 = 16;
/// Block addresses, numbered as they are met.
const BLOCKS: u64 = 0x8000_0000;

pub struct Program {
    pub module: Module,
    /// The module's constants with addresses filled in.
    pub constants: Vec<Value>,
    /// Where each function's coverage points start.
    pub coverage_base: Vec<u32>,
    pub coverage_points: usize,
    pub entry: FuncId,
    /// The libc's `exit`, if the program has it: what the entry's return goes on with.
    pub libc_exit: Option<FuncId>,
    /// For each call of each function: whom it calls, if nothing about the call needs a second look.
    plain_calls: Vec<Vec<Option<FuncId>>>,
    block_addresses: FxHashMap<(FuncId, BlockId), u64>,
    global_addresses: Vec<u64>,
}

impl Program {
    /// Addresses of globals are known only once they are allocated, so constants come later, by [`Self::link`].
    pub fn new(module: Module, entry: FuncId) -> Self {
        let mut coverage_base = Vec::with_capacity(module.functions.len());
        let mut coverage_points = 0;
        for function in module.functions.values() {
            coverage_base.push(coverage_points as u32);
            coverage_points += function.body.as_ref().map_or(0, |body| body.coverage_points());
        }
        let libc_exit = module.function_named("exit").filter(|id| module.functions[*id].body.is_some());
        Program {
            module,
            constants: Vec::new(),
            coverage_base,
            coverage_points,
            entry,
            libc_exit,
            plain_calls: Vec::new(),
            block_addresses: FxHashMap::default(),
            global_addresses: Vec::new(),
        }
    }

    /// Fills in addresses, given those of the globals in their order.
    pub fn link(&mut self, pool: &mut Pool, globals: Vec<u64>) {
        self.global_addresses = globals;
        let ids: Vec<Constant> = self.module.constants.values().copied().collect();
        self.constants = ids.into_iter().map(|constant| self.constant(pool, constant)).collect();
    }

    fn constant(&mut self, pool: &mut Pool, constant: Constant) -> Value {
        match constant {
            Constant::Int { width, value } => Value::from_bits(pool, u32::from(width), value),
            Constant::Global { global, offset } => Value::Int(self.global_address(global).wrapping_add_signed(offset)),
            Constant::Function(function) => Value::Int(self.function_address(function)),
            Constant::Block { function, block } => Value::Int(self.block_address(function, block)),
            // Any value will do for these; zero makes runs repeatable.
            Constant::Undef { width } | Constant::Poison { width } => Value::from_bits(pool, u32::from(width), 0),
        }
    }

    /// Finds the plain calls: direct, to a function of the program with as many parameters of the same widths, none of
    /// them a copy of a structure, and not variadic. `is_builtin` says which functions the engine supplies.
    pub(crate) fn find_plain_calls(&mut self, is_builtin: impl Fn(FuncId) -> bool) {
        let plain = |site: &CallSite| {
            let Callee::Direct(id) = site.callee else { return None };
            let callee = &self.module.functions[id];
            let fits = callee.params.len() == site.args.len()
                && callee.params.iter().zip(&site.arg_widths).all(|(param, width)| param.width == *width)
                && !callee.params.iter().any(|param| matches!(param.kind, ArgKind::ByVal { .. }))
                && callee.returns == site.result_widths;
            (fits && !callee.variadic && callee.body.is_some() && !is_builtin(id)).then_some(id)
        };
        let calls = |function: &Function| match &function.body {
            Some(body) => body.calls.values().map(plain).collect(),
            None => Vec::new(),
        };
        self.plain_calls = self.module.functions.values().map(calls).collect();
    }

    /// The coverage point of a call's return.
    pub(crate) fn return_point(&self, function: FuncId, call: CallId) -> usize {
        let edges = self.module.functions[function].body.as_ref().map_or(0, |body| body.edges.len());
        self.coverage_base[function.0 as usize] as usize + 1 + edges + call.0 as usize
    }

    #[inline]
    pub(crate) fn plain_call(&self, function: FuncId, call: CallId) -> Option<FuncId> {
        self.plain_calls[function.0 as usize][call.0 as usize]
    }

    pub fn global_address(&self, global: GlobalId) -> u64 {
        self.global_addresses[global.0 as usize]
    }

    pub fn function_address(&self, function: FuncId) -> u64 {
        FUNCTIONS + u64::from(function.0) * FUNCTION_STRIDE
    }

    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        let distance = address.checked_sub(FUNCTIONS)?;
        let number = u32::try_from(distance / FUNCTION_STRIDE).ok()?;
        (distance % FUNCTION_STRIDE == 0 && (number as usize) < self.module.functions.len()).then_some(FuncId(number))
    }

    pub fn block_address(&mut self, function: FuncId, block: BlockId) -> u64 {
        let next = BLOCKS + self.block_addresses.len() as u64 * FUNCTION_STRIDE;
        *self.block_addresses.entry((function, block)).or_insert(next)
    }
}
