//! The fixpoint: instances of functions are made when a call reaches them, sets flow in waves.
//!
//! Pereira and Berlin, "Wave Propagation and Deep Propagation for Pointer Analysis": collapse the cycles, carry what is
//! new along all edges in topological order, then look at what loads, stores and calls make of it, which adds edges;
//! until nothing is new.

use crate::bits::Bits;
use crate::graph::{Graph, Use};
use crate::lower::lower;
use crate::objects::Objects;
use crate::result::{Effort, Object, ObjectKind, Place, PointsTo};
use crate::shift::{Shift, Span};
use crate::template::{Template, Val};
use crate::wrappers::Cloning;
use crate::{AnalysisOptions, ObjectId, cycles, meetings, models, recycling, wrappers};
use osier_base::EntityVec;
use osier_ir::{Constant, FuncId, GlobalId, GlobalInit, Module, Relocation, SymbolRef};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::time::Instant;

mod instances;
mod wide;

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
    /// Operations that instances may still have, and how many of them are kept for functions that allocate: they tell
    /// objects apart, others only pointers.
    budget: usize,
    reserved: usize,
    /// Instances whose facts were not stated yet: call chains are long, so this does not recurse.
    unstated: Vec<u32>,
    /// The node of all sets that have become too large.
    wide: Option<u32>,
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
        reserved: total.saturating_mul(options.growth) / 2,
        unstated: Vec::new(),
        wide: None,
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
                let news = self.take_news(leader);
                if news.is_empty() {
                    continue;
                }
                self.carry(leader, &news);
                to_look_at.push((leader, news));
            }
            for (node, news) in to_look_at {
                // Looking at the ones before may have made it one with another.
                let leader = self.graph.find(node);
                for what in self.graph.uses(leader) {
                    self.make_use(what, &news);
                }
                self.state_instances();
                if self.graph.work() > self.options.most_work {
                    return waves;
                }
            }
            self.look_at_late_uses();
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
                    if let ObjectKind::Variadic(_) = self.objects.objects[object].kind {
                        continue;
                    }
                    if let Some(node) = self.objects.read_node(&mut self.graph, object, span) {
                        self.graph.copy(node, to);
                    }
                }
            }
            Use::LoadAmongVariadic { to, offset } => {
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
        let leader = self.graph.find(node);
        if self.graph.is_wide(leader) {
            let known = self.graph.set(leader).clone();
            return self.use_widely(leader, what, &known);
        }
        self.graph.add_use(leader, what);
        self.begin_use(leader, what);
    }

    fn begin_use(&mut self, node: u32, what: Use) {
        let known = self.graph.set(node).clone();
        if !known.is_empty() {
            self.make_use(what, &known);
        }
    }

    fn add_store(&mut self, node: u32, value: u32, offset: i64) {
        if let Some(what) = self.graph.store(node, value, offset) {
            self.begin_use(node, what);
        }
    }

    fn add_shift(&mut self, from: u32, to: u32, shift: Shift) {
        let leader = self.graph.find(from);
        if shift == Shift::None || self.graph.is_wide(leader) {
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
}

/// Tables with more addresses than this are arrays of structs of pointers to most programs.
const MOST_ENTRIES: usize = 200;
const TABLE_STRIDE: u64 = 8;
