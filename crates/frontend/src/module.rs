//! The module under construction: what is interned, and what still waits to be lowered.
//!
//! Functions and globals get their ids when something first names them; each is queued once. So only what the entry,
//! the constructors and the destructors can reach is lowered, and ids follow the order of discovery.

use crate::debuginfo::Places;
use crate::globals::relative_table;
use crate::llvm::{Block, Layout, LlvmModule, Value, ValueKind};
use crate::program::{Program, Unit};
use crate::types::{Leaves, Lowered, leaves};
use crate::{LoadError, lower};
use osier_base::Id;
use osier_ir::{
    ArgKind, BlockId, Body, ConstId, Constant, FuncId, Function, Global, GlobalId, GlobalInit, LocId, Module, Op,
    Operand, Param, Reg, TextId,
};
use rustc_hash::FxHashMap;

pub struct ModuleLowerer<'m> {
    program: &'m Program<'m>,
    /// For its layout, which all modules share.
    pub llvm: &'m LlvmModule<'m>,
    pub layout: Layout,
    pub module: Module,
    pub places: Places,
    pub constant_operands: FxHashMap<Value, crate::lower::Parts>,
    constants: FxHashMap<Constant, ConstId>,
    functions: FxHashMap<Value, FuncId>,
    library: FxHashMap<String, FuncId>,
    globals: FxHashMap<Value, GlobalId>,
    block_ids: FxHashMap<Block, BlockId>,
    numbered_functions: FxHashMap<Value, ()>,
    waiting_functions: Vec<(Value, FuncId)>,
    waiting_globals: Vec<(Value, GlobalId)>,
}

/// Lowers what `entry` can reach; everything if `entry` is empty.
pub fn lower(program: &Program<'_>, entry: &str) -> Result<Module, LoadError> {
    let llvm = program.first();
    let mut lowerer = ModuleLowerer {
        program,
        llvm,
        layout: llvm.layout(),
        module: Module::default(),
        places: Places::default(),
        constant_operands: FxHashMap::default(),
        constants: FxHashMap::default(),
        functions: FxHashMap::default(),
        library: FxHashMap::default(),
        globals: FxHashMap::default(),
        block_ids: FxHashMap::default(),
        numbered_functions: FxHashMap::default(),
        waiting_functions: Vec::new(),
        waiting_globals: Vec::new(),
    };
    crate::debuginfo::begin(&mut lowerer.module);
    if entry.is_empty() {
        for function in program.members().flat_map(|member| member.llvm.functions()) {
            if !function.is_declaration() {
                lowerer.function_id(function);
            }
        }
    } else {
        match program.function(entry) {
            Some(function) => lowerer.function_id(function),
            None => return Err(LoadError::NoEntry { entry: entry.to_owned() }),
        };
    }
    let init = program.libc_start().map(|function| lowerer.function_id(function));
    lowerer.module.constructors = init.into_iter().collect();
    for unit in program.units_as_started() {
        let constructors = lowerer.structors(unit, "llvm.global_ctors");
        lowerer.module.constructors.extend(constructors);
        let mut destructors = lowerer.structors(unit, "llvm.global_dtors");
        destructors.reverse();
        destructors.append(&mut lowerer.module.destructors);
        lowerer.module.destructors = destructors;
    }
    lowerer.drain()?;
    Ok(lowerer.module)
}

impl ModuleLowerer<'_> {
    fn drain(&mut self) -> Result<(), LoadError> {
        loop {
            if let Some((value, id)) = self.waiting_functions.pop() {
                self.program.prepare(value)?;
                // Known only now: the function's debug information comes with its body.
                self.module.functions[id].location = self.places.location(&mut self.module, value.function_place());
                let body = lower::lower_function(self, value, id);
                self.module.functions[id].body = Some(body);
            } else if let Some((value, id)) = self.waiting_globals.pop() {
                self.module.globals[id].init = self.global_init(value);
            } else {
                return Ok(());
            }
        }
    }

    /// What a reference to a global means: the definition of its name. Behind an alias it is what stands in the alias's own
    /// module, whoever else defines that name. Other values are what they are.
    pub fn definition(&self, value: Value) -> Value {
        let mut found = value;
        if matches!(value.kind(), ValueKind::Function | ValueKind::GlobalVariable | ValueKind::Alias) {
            found = self.program.resolve(value);
        }
        while found.kind() == ValueKind::Alias {
            found = found.aliasee();
        }
        found
    }

    pub fn constant(&mut self, constant: Constant) -> ConstId {
        let constants = &mut self.module.constants;
        *self.constants.entry(constant).or_insert_with(|| constants.push(constant))
    }

    pub fn int(&mut self, width: u8, value: u128) -> Operand {
        let value = if width < 128 { value & ((1 << width) - 1) } else { value };
        Operand::constant(self.constant(Constant::Int { width, value }))
    }

    pub fn text(&mut self, text: String) -> TextId {
        self.module.texts.push(text)
    }

    /// The id of an LLVM function that is a [`definition`](Self::definition), which is queued for lowering if it is new and has a body.
    pub fn function_id(&mut self, value: Value) -> FuncId {
        if let Some(&id) = self.functions.get(&value) {
            return id;
        }
        let (params, returns) = self.signature(value).unwrap_or_default();
        let function = Function {
            name: value.name(),
            params,
            returns,
            variadic: value.value_type().is_variadic(),
            location: LocId(0),
            body: None,
        };
        let id = self.module.functions.push(function);
        self.functions.insert(value, id);
        if !value.is_declaration() {
            self.waiting_functions.push((value, id));
        }
        id
    }

    /// A function of the C library that an intrinsic stands for: the program's own if it has one, else a declaration.
    pub fn library_function(&mut self, name: &str, parameters: &[(u8, ArgKind)], returns: &[u8]) -> FuncId {
        if let Some(value) = self.program.function(name) {
            return self.function_id(value);
        }
        if let Some(&id) = self.library.get(name) {
            return id;
        }
        let params =
            parameters.iter().enumerate().map(|(i, &(width, kind))| Param { reg: Reg::new(i), width, kind }).collect();
        let id = self.module.functions.push(Function {
            name: name.to_owned(),
            params,
            returns: returns.to_vec(),
            variadic: false,
            location: LocId(0),
            body: None,
        });
        self.library.insert(name.to_owned(), id);
        id
    }

    pub fn leaves(&self, ty: crate::llvm::Type) -> Lowered<Leaves> {
        leaves(self.layout, ty)
    }

    /// Parameters as registers from 0 on, and the widths of what is returned.
    pub fn signature(&self, function: Value) -> Lowered<(Vec<Param>, Vec<u8>)> {
        let ty = function.value_type();
        let mut params = Vec::new();
        for (index, parameter) in ty.parameters().into_iter().enumerate() {
            let special = self.special_arg_kind(function, index as u32);
            for leaf in self.leaves(parameter)? {
                let kind = special.unwrap_or_else(|| leaf.arg_kind());
                params.push(Param { reg: Reg::new(params.len()), width: leaf.width, kind });
            }
        }
        let returns = self.leaves(ty.result())?.iter().map(|leaf| leaf.width).collect();
        Ok((params, returns))
    }

    /// byval and sret, of a function's parameter or a call's argument.
    pub fn special_arg_kind(&self, holder: Value, index: u32) -> Option<ArgKind> {
        if let Some(ty) = holder.parameter_type_attribute(index, "byval").filter(|ty| ty.has_fixed_size()) {
            let align = holder.parameter_align(index).unwrap_or_else(|| self.layout.align(ty).into());
            return Some(ArgKind::ByVal { size: self.layout.size(ty) as u32, align: align.max(8) as u32 });
        }
        holder.parameter_type_attribute(index, "sret").map(|_| ArgKind::StructReturn)
    }

    pub fn global_id(&mut self, value: Value) -> GlobalId {
        if let Some(&id) = self.globals.get(&value) {
            return id;
        }
        let ty = value.value_type();
        let location = self.places.location(&mut self.module, value.global_place());
        let table = relative_table(self.llvm, value);
        let size = match &table {
            Some(addresses) => 8 * addresses.len() as u64,
            None if ty.has_fixed_size() => self.layout.size(ty),
            None => 0,
        };
        let align = match value.alignment() {
            _ if table.is_some() => 8,
            0 if ty.has_fixed_size() => self.layout.preferred_global_align(value),
            0 => 1,
            stated => stated,
        };
        let global = Global {
            name: value.name(),
            size,
            align,
            constant: value.is_constant_global(),
            init: GlobalInit::External,
            location,
        };
        let id = self.module.globals.push(global);
        self.globals.insert(value, id);
        if value.initializer().is_some() {
            self.waiting_globals.push((value, id));
        }
        id
    }

    /// Blocks are numbered in LLVM's order, so that an address of one can be known before its function is lowered.
    pub fn block_id(&mut self, function: Value, block: Block) -> BlockId {
        if self.numbered_functions.insert(function, ()).is_none() {
            for (index, block) in function.blocks().into_iter().enumerate() {
                self.block_ids.insert(block, BlockId::new(index));
            }
        }
        self.block_ids[&block]
    }

    /// A unit's functions of `llvm.global_ctors` or `llvm.global_dtors`, in the order of their priorities.
    fn structors(&mut self, unit: &Unit<'_>, table: &str) -> Vec<FuncId> {
        let mut entries = Vec::new();
        for list in unit.members.iter().filter_map(|member| member.llvm.global(table)?.initializer()) {
            for index in 0.. {
                let Some(entry) = list.element(index) else { break };
                let (Some(priority), Some(function)) = (entry.element(0).and_then(Value::as_u64), entry.element(1))
                else {
                    continue;
                };
                let base = self.definition(self.llvm.strip_offset(function).0);
                if base.kind() == ValueKind::Function {
                    entries.push((priority, self.function_id(base)));
                }
            }
        }
        entries.sort_by_key(|&(priority, _)| priority);
        entries.into_iter().map(|(_, id)| id).collect()
    }
}

/// The body of a function whose signature does not lower.
pub fn unsupported_body(lowerer: &mut ModuleLowerer<'_>, text: String) -> Body {
    let text = lowerer.text(text);
    let mut body = Body::default();
    body.ops.push(Op::Unsupported { text });
    body.op_locations.push(LocId(0));
    body.op_weights.push(1);
    body.blocks.push(osier_ir::Block { start: 0, end: 1, weight: 1 });
    body
}
