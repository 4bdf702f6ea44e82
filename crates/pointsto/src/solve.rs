//! The fixpoint: instances of functions are made when a call reaches them, sets flow in waves.
//!
//! Pereira and Berlin, "Wave Propagation and Deep Propagation for Pointer Analysis": collapse the cycles, carry what is
//! new along all edges in topological order, then look at what loads, stores and calls make of it, which adds edges;
//! until nothing is new.

use crate::bits::Bits;
use crate::graph::{Graph, Use};
use crate::lower::{lower, lower_model};
use crate::objects::Objects;
use crate::result::{Effort, Object, ObjectKind, Place, PointsTo};
use crate::shift::{Shift, Span};
use crate::template::{Fact, Made, Target, Template, Val};
use crate::wrappers::Cloning;
use crate::{AnalysisOptions, ObjectId, cycles, meetings, models, recycling, wrappers};
use osier_base::EntityVec;
use osier_ir::{Constant, FuncId, GlobalId, GlobalInit, Module, Relocation, SymbolRef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Instant;

/// A function in a context.
pub struct Instance {
    pub function: FuncId,
    pub template: Rc<Template>,
    /// The node of its first value.
    pub base: u32,
    pub context: Rc<[Place]>,
    /// Who calls it: an instance, and which of its calls.
    pub callers: Vec<(u32, u32)>,
    /// Called by somebody whose arguments are not values of an instance.
    pub called_from_outside: bool,
}

pub struct Analysis<'m> {
    pub module: &'m Module,
    options: AnalysisOptions,
    pub graph: Graph,
    pub objects: Objects,
    pub instances: Vec<Instance>,
    templates: EntityVec<FuncId, Option<Rc<Template>>>,
    cloned: EntityVec<FuncId, Cloning>,
    known_instances: FxHashMap<(FuncId, Rc<[Place]>), u32>,
    known_calls: FxHashSet<(u32, u32, FuncId)>,
    constant_nodes: FxHashMap<osier_ir::ConstId, u32>,
    globals: FxHashMap<GlobalId, ObjectId>,
    functions: FxHashMap<FuncId, ObjectId>,
    environment: Option<ObjectId>,
    constants: Option<ObjectId>,
    /// Operations that instances may still have.
    budget: usize,
    /// Instances whose facts were not stated yet: call chains are long, so this does not recurse.
    unstated: Vec<u32>,
}

/// Analyses what can happen from the entry, the constructors and the destructors on.
pub fn analyse(module: &Module, entry: FuncId, options: AnalysisOptions) -> PointsTo {
    let started = Instant::now();
    let mut templates: EntityVec<FuncId, Option<Template>> = module
        .functions
        .values()
        .map(|function| {
            let body = function.body.as_ref().filter(|_| !models::is_modelled(function))?;
            Some(lower(module, function, body))
        })
        .collect();
    recycling::leave_out(module, &mut templates);
    let cloned = if options.context == 0 {
        module.functions.ids().map(|_| Cloning::Never).collect()
    } else {
        wrappers::find(module, &templates)
    };
    let total: usize = templates.values().flatten().map(|template| template.ops).sum();
    let mut analysis = Analysis {
        module,
        options,
        graph: Graph::default(),
        objects: Objects::default(),
        instances: Vec::new(),
        templates: Vec::from_iter(templates.values().cloned().map(|template| template.map(Rc::new))).into(),
        cloned,
        known_instances: FxHashMap::default(),
        known_calls: FxHashSet::default(),
        constant_nodes: FxHashMap::default(),
        globals: FxHashMap::default(),
        functions: FxHashMap::default(),
        environment: None,
        constants: None,
        budget: total.saturating_mul(options.growth).max(1000),
        unstated: Vec::new(),
    };
    analysis.roots(entry);
    let waves = analysis.solve();
    let (sets, accesses, meetings) = meetings::collect(&analysis);
    let mut by_place: FxHashMap<Place, Vec<ObjectId>> = FxHashMap::default();
    for (id, object) in analysis.objects.objects.iter() {
        if let ObjectKind::Heap { place, .. } | ObjectKind::Local { place, .. } = object.kind {
            by_place.entry(place).or_default().push(id);
        }
    }
    let effort = Effort {
        seconds: started.elapsed().as_secs_f64(),
        functions: analysis.instances.iter().map(|instance| instance.function).collect::<FxHashSet<_>>().len(),
        instances: analysis.instances.len(),
        nodes: analysis.graph.len(),
        locations: analysis.objects.locations.len(),
        waves,
        work: analysis.graph.work(),
        complete: analysis.graph.work() <= options.most_work,
    };
    let Analysis { objects, cloned, .. } = analysis;
    PointsTo {
        objects: objects.objects,
        sets,
        accesses,
        meetings,
        effort,
        options,
        cloned: cloned.values().map(|cloning| *cloning != Cloning::Never).collect::<Vec<_>>().into(),
        by_place,
    }
}

impl Analysis<'_> {
    fn roots(&mut self, entry: FuncId) {
        let vector = self.object(ObjectKind::Environment("arguments"), None, &[]);
        let strings = self.object(ObjectKind::Environment("argument strings"), None, &[]);
        let pointer = self.graph.node();
        let string = self.graph.node();
        self.point(pointer, vector, Span::exact(0));
        self.point(string, strings, Span::exact(0));
        if let Some(node) = self.objects.write_node(&mut self.graph, vector, Span { start: 0, stride: 8 }) {
            self.graph.copy(string, node);
        }
        let module = self.module;
        let lists = module.constructors.iter().chain(&module.destructors);
        for &function in std::iter::once(&entry).chain(lists) {
            self.called_from_outside(function, pointer);
        }
        self.state_instances();
    }

    fn solve(&mut self) -> usize {
        let mut waves = 0;
        loop {
            let active = self.graph.take_active();
            if active.is_empty() {
                return waves;
            }
            waves += 1;
            let order = cycles::collapse(&mut self.graph, &active);
            let mut to_look_at: Vec<(u32, Bits)> = Vec::new();
            for node in order {
                let leader = self.graph.find(node);
                let news = self.graph.take_fresh(leader);
                if news.is_empty() {
                    continue;
                }
                self.carry(leader, &news);
                if !self.graph.uses(leader).is_empty() {
                    to_look_at.push((leader, news));
                }
            }
            for (node, news) in to_look_at {
                let uses = self.graph.uses(node).to_vec();
                for what in uses {
                    self.make_use(what, &news);
                }
                self.state_instances();
                if self.graph.work() > self.options.most_work {
                    return waves;
                }
            }
        }
    }

    fn carry(&mut self, leader: u32, news: &Bits) {
        for place in 0..self.graph.copies(leader).len() {
            let to = self.graph.copies(leader)[place];
            let to = self.graph.find(to);
            if to != leader {
                self.graph.absorb(to, news);
            }
        }
        for place in 0..self.graph.shifts(leader).len() {
            let (to, shift) = self.graph.shifts(leader)[place];
            self.carry_shifted(to, shift, news);
        }
    }

    fn carry_shifted(&mut self, to: u32, shift: Shift, news: &Bits) {
        let mut moved: Vec<u32> = Vec::new();
        for location in news.iter() {
            let (object, span) = self.objects.locations[location as usize];
            let target = shift.apply(span);
            moved.extend(target.and_then(|span| self.objects.location(object, span)));
        }
        moved.sort_unstable();
        let to = self.graph.find(to);
        self.graph.absorb(to, &moved.into_iter().collect());
    }

    fn make_use(&mut self, what: Use, news: &Bits) {
        match what {
            Use::Load { to, offset } => {
                for location in news.iter() {
                    let Some((object, span)) = self.objects.moved(location, offset) else { continue };
                    if self.is_handed_on(object, to) {
                        continue;
                    }
                    if let Some(node) = self.objects.read_node(&mut self.graph, object, span) {
                        self.graph.copy(node, to);
                    }
                }
            }
            Use::Store { value, offset } => {
                for location in news.iter() {
                    let Some((object, span)) = self.objects.moved(location, offset) else { continue };
                    if let Some(node) = self.objects.write_node(&mut self.graph, object, span) {
                        self.graph.copy(value, node);
                    }
                }
            }
            Use::CopyOut { to, len } => {
                for location in news.iter() {
                    let from = self.objects.locations[location as usize];
                    self.objects.mirror(&mut self.graph, from, len, (ObjectId(to), Span::exact(0)));
                }
            }
            Use::CopyIn { from, len } => {
                for location in news.iter() {
                    let to = self.objects.locations[location as usize];
                    self.objects.mirror(&mut self.graph, (ObjectId(from), Span::exact(0)), len, to);
                }
            }
            Use::Held { object, span } => self.objects.hold(&mut self.graph, object, span),
            Use::Call { instance, call } => {
                for location in news.iter() {
                    if let Some(function) = self.function_at(location) {
                        self.call_by_pointer(instance, call, function);
                    }
                }
            }
            Use::Callback { args } => {
                for location in news.iter() {
                    if let Some(function) = self.function_at(location) {
                        self.called_from_outside(function, args);
                    }
                }
            }
        }
    }

    /// Whether an object is the variadic arguments of another function than the one that a value belongs to. What is
    /// handed on as a list is printed, mostly: to follow it would make one of all that is ever printed.
    fn is_handed_on(&self, object: ObjectId, value: u32) -> bool {
        let ObjectKind::Variadic(owner) = self.objects.objects[object].kind else { return false };
        let after = self.instances.partition_point(|instance| instance.base <= value);
        after.checked_sub(1).is_none_or(|reader| self.instances[reader].function != owner)
    }

    fn function_at(&self, location: u32) -> Option<FuncId> {
        match self.objects.objects[self.objects.locations[location as usize].0].kind {
            ObjectKind::Function(function) => Some(function),
            ObjectKind::Heap { .. }
            | ObjectKind::Local { .. }
            | ObjectKind::Global { .. }
            | ObjectKind::Constants
            | ObjectKind::Variadic(_)
            | ObjectKind::ByValue { .. }
            | ObjectKind::Environment(_)
            | ObjectKind::InTransit => None,
        }
    }

    /// Adds a use, and lets it have what the node points to already.
    fn add_use(&mut self, node: u32, what: Use) {
        if self.graph.add_use(node, what) {
            let known = self.graph.set(node).clone();
            if !known.is_empty() {
                self.make_use(what, &known);
            }
        }
    }

    fn add_shift(&mut self, from: u32, to: u32, shift: Shift) {
        if shift == Shift::None {
            return self.graph.copy(from, to);
        }
        self.graph.shift(from, to, shift);
        let known = self.graph.set(from).clone();
        if !known.is_empty() {
            self.carry_shifted(to, shift, &known);
        }
    }

    fn object(&mut self, kind: ObjectKind, size: Option<u64>, context: &[Place]) -> ObjectId {
        self.objects.add(Object { kind, size, context: context.to_vec() })
    }

    fn point(&mut self, node: u32, object: ObjectId, span: Span) {
        if let Some(location) = self.objects.location(object, span) {
            self.graph.insert(node, location);
        }
    }

    fn constant_node(&mut self, constant: osier_ir::ConstId) -> u32 {
        if let Some(&node) = self.constant_nodes.get(&constant) {
            return node;
        }
        let node = self.graph.node();
        self.constant_nodes.insert(constant, node);
        match self.module.constants[constant] {
            Constant::Global { global, offset } => self.point_to_symbol(node, SymbolRef::Global(global), offset),
            Constant::Function(function) => self.point_to_symbol(node, SymbolRef::Function(function), 0),
            Constant::Int { .. } | Constant::Block { .. } | Constant::Undef { .. } | Constant::Poison { .. } => {}
        }
        node
    }

    fn point_to_symbol(&mut self, node: u32, symbol: SymbolRef, addend: i64) {
        match symbol {
            SymbolRef::Global(global) => {
                let object = self.global_object(global);
                if let Some(span) = (Shift::By { offset: addend, stride: 0 }).apply(Span::exact(0)) {
                    self.point(node, object, span);
                }
            }
            SymbolRef::Function(function) => {
                let object = match self.functions.get(&function) {
                    Some(&object) => object,
                    None => {
                        let object = self.object(ObjectKind::Function(function), None, &[]);
                        self.functions.insert(function, object);
                        object
                    }
                };
                self.point(node, object, Span::exact(0));
            }
            SymbolRef::Block(..) => {}
        }
    }

    /// The object of a global, with what its initialiser points to.
    fn global_object(&mut self, id: GlobalId) -> ObjectId {
        if let Some(&object) = self.globals.get(&id) {
            return object;
        }
        let global = &self.module.globals[id];
        let relocations: &[Relocation] = match &global.init {
            GlobalInit::Data { bytes: _, relocations } => relocations,
            GlobalInit::External | GlobalInit::Zero | GlobalInit::Unsupported(_) => &[],
        };
        if global.constant && relocations.is_empty() {
            let constants = match self.constants {
                Some(object) => object,
                None => self.object(ObjectKind::Constants, None, &[]),
            };
            self.constants = Some(constants);
            self.globals.insert(id, constants);
            return constants;
        }
        let size = match global.init {
            GlobalInit::External => None,
            GlobalInit::Zero | GlobalInit::Data { .. } | GlobalInit::Unsupported(_) => Some(global.size),
        };
        let object = self.object(ObjectKind::Global { global: id, constant: global.constant }, size, &[]);
        self.globals.insert(id, object);
        // A long table is one field: its entries are found by index.
        let by_entry = relocations.len() <= MOST_ENTRIES;
        for relocation in relocations {
            let span = if by_entry {
                i32::try_from(relocation.offset).map_or(Span::WHOLE, Span::exact)
            } else {
                Span { start: (relocation.offset % TABLE_STRIDE) as i32, stride: TABLE_STRIDE as u32 }
            };
            if let Some(node) = self.objects.write_node(&mut self.graph, object, span) {
                self.point_to_symbol(node, relocation.symbol, relocation.addend);
            }
        }
        object
    }

    fn node_of(&mut self, instance: u32, value: Val) -> Option<u32> {
        match value {
            Val::Nothing => None,
            Val::Local(local) => Some(self.instances[instance as usize].base + local),
            Val::Constant(constant) => Some(self.constant_node(constant)),
        }
    }

    fn called_from_outside(&mut self, function: FuncId, args: u32) {
        let Some(instance) = self.instance(function, &Rc::from([]), None) else { return };
        self.instances[instance as usize].called_from_outside = true;
        let Instance { base, ref template, .. } = self.instances[instance as usize];
        for param in Rc::clone(template).params.iter().flatten() {
            self.graph.copy(args, base + param);
        }
    }

    /// A call reaches a function, if the two agree on the number of arguments.
    fn call_by_pointer(&mut self, instance: u32, call: u32, function: FuncId) {
        let callee = &self.module.functions[function];
        let (given, wanted) =
            (self.instances[instance as usize].template.calls[call as usize].args.len(), callee.params.len());
        if given == wanted || (callee.variadic && given > wanted) {
            self.call(instance, call, function);
        }
    }

    fn call(&mut self, caller: u32, call: u32, function: FuncId) {
        if !self.known_calls.insert((caller, call, function)) {
            return;
        }
        let template = Rc::clone(&self.instances[caller as usize].template);
        let site = &template.calls[call as usize];
        let Instance { function: from, ref context, .. } = self.instances[caller as usize];
        let context = Rc::clone(context);
        let Some(callee) = self.instance(function, &context, Some((from, site.op))) else { return };
        self.instances[callee as usize].callers.push((caller, call));
        let Instance { base, template: ref to, .. } = self.instances[callee as usize];
        let to = Rc::clone(to);
        for (position, &arg) in site.args.iter().enumerate() {
            let Some(arg) = self.node_of(caller, arg) else { continue };
            match (to.params.get(position), to.by_value.get(position)) {
                (Some(&Some(param)), Some(&Some(size))) => self.copy_memory(base + param, arg, Some(size)),
                (Some(&Some(param)), _) => self.graph.copy(arg, base + param),
                (Some(None), _) => {}
                (None, _) => {
                    if let Some(area) = to.variadic {
                        self.add_use(base + area, Use::Store { value: arg, offset: 0 });
                    }
                }
            }
        }
        for (result, values) in site.result.iter().zip(&to.returns) {
            let Some(result) = *result else { continue };
            let result = self.instances[caller as usize].base + result;
            for &value in values {
                if let Some(value) = self.node_of(callee, value) {
                    self.graph.copy(value, result);
                }
            }
        }
    }

    /// The instance that a call at `from` in a context reaches.
    fn instance(&mut self, function: FuncId, context: &[Place], from: Option<Place>) -> Option<u32> {
        let modelled = models::is_modelled(&self.module.functions[function]);
        let depth = match self.cloned[function] {
            // What a modelled function allocates belongs to its call.
            _ if modelled => self.options.context.max(1),
            Cloning::Never => 0,
            Cloning::Near => self.options.context.min(NEAR),
            Cloning::Deep => self.options.context,
        };
        let own = modelled || (depth > 0 && self.budget > 0);
        let context: Rc<[Place]> = match from {
            Some(place) if own => std::iter::once(place).chain(context.iter().copied()).take(depth).collect(),
            Some(_) | None => Rc::from([]),
        };
        if let Some(&known) = self.known_instances.get(&(function, Rc::clone(&context))) {
            return Some(known);
        }
        let template = match (&self.templates[function], from) {
            (Some(template), _) => Rc::clone(template),
            (None, Some((_, op))) => Rc::new(lower_model(function, &self.module.functions[function], op)),
            (None, None) => return None,
        };
        if !context.is_empty() {
            self.budget = self.budget.saturating_sub(template.ops);
        }
        let base = self.graph.nodes(template.locals);
        let number = self.instances.len() as u32;
        self.instances.push(Instance {
            function,
            template: Rc::clone(&template),
            base,
            context: Rc::clone(&context),
            callers: Vec::new(),
            called_from_outside: false,
        });
        self.known_instances.insert((function, context), number);
        self.unstated.push(number);
        Some(number)
    }

    fn state_instances(&mut self) {
        while let Some(number) = self.unstated.pop() {
            let template = Rc::clone(&self.instances[number as usize].template);
            for fact in &template.facts {
                self.state(number, fact);
            }
            for (index, call) in template.calls.iter().enumerate() {
                match call.target {
                    Target::Direct(callee) => self.call(number, index as u32, callee),
                    Target::Indirect(pointer) => {
                        if let Some(pointer) = self.node_of(number, pointer) {
                            self.add_use(pointer, Use::Call { instance: number, call: index as u32 });
                        }
                    }
                }
            }
        }
    }

    fn copy_memory(&mut self, dst: u32, src: u32, len: Option<u64>) {
        let between = self.object(ObjectKind::InTransit, None, &[]);
        self.add_use(src, Use::CopyOut { to: between.0, len });
        self.add_use(dst, Use::CopyIn { from: between.0, len });
    }

    /// A fact of a template holds of an instance.
    fn state(&mut self, number: u32, fact: &Fact) {
        let Instance { function, base, ref context, .. } = self.instances[number as usize];
        let context = Rc::clone(context);
        match *fact {
            Fact::Flow { to, from, shift } => {
                if let Some(from) = self.node_of(number, from) {
                    self.add_shift(from, base + to, shift);
                }
            }
            Fact::Load { to, addr, offset } => {
                if let Some(addr) = self.node_of(number, addr) {
                    self.add_use(addr, Use::Load { to: base + to, offset });
                }
            }
            Fact::Store { addr, offset, value } => {
                if let (Some(addr), Some(value)) = (self.node_of(number, addr), self.node_of(number, value)) {
                    self.add_use(addr, Use::Store { value, offset });
                }
            }
            Fact::Copy { dst, src, len } => {
                if let (Some(dst), Some(src)) = (self.node_of(number, dst), self.node_of(number, src)) {
                    self.copy_memory(dst, src, len);
                }
            }
            Fact::New { to, op, made, size } => {
                // What a modelled function makes is made where it is called.
                let modelled = models::is_modelled(&self.module.functions[function]);
                let (place, rest) = match context.split_first() {
                    Some((&first, rest)) if modelled => (first, rest),
                    Some(_) | None => ((function, op), &context[..]),
                };
                let kind = match made {
                    Made::Heap { allocator } => ObjectKind::Heap { place, allocator },
                    Made::Local { site } => ObjectKind::Local { place, site },
                    Made::Variadic => ObjectKind::Variadic(function),
                    Made::ByValue { param } => ObjectKind::ByValue { function, param },
                };
                let object = self.object(kind, size, rest);
                self.point(base + to, object, Span::exact(0));
            }
            Fact::Environment { to } => {
                let object = match self.environment {
                    Some(object) => object,
                    None => self.object(ObjectKind::Environment("errno"), None, &[]),
                };
                self.environment = Some(object);
                self.point(base + to, object, Span::exact(0));
            }
            Fact::Callback { function, args } => {
                if let Some(function) = self.node_of(number, function) {
                    let args = self.node_of(number, args).unwrap_or_else(|| self.graph.node());
                    self.add_use(function, Use::Callback { args });
                }
            }
        }
    }
}

/// So many callers tell instances of helpers apart.
const NEAR: usize = 2;

/// Tables with more addresses than this are arrays of structs of pointers to most programs.
const MOST_ENTRIES: usize = 200;
const TABLE_STRIDE: u64 = 8;
