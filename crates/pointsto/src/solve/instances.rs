//! Instances of functions: made when a call reaches them, with all that their templates say.

use super::{Analysis, Instance};
use crate::graph::Use;
use crate::lower::lower_model;
use crate::models;
use crate::result::{ObjectKind, Place};
use crate::shift::Span;
use crate::template::{Fact, Made, Target};
use crate::wrappers::Cloning;
use osier_ir::FuncId;
use std::rc::Rc;

/// So many callers tell instances of helpers apart.
const NEAR: usize = 2;

impl Analysis<'_> {
    pub(super) fn called_from_outside(&mut self, function: FuncId, args: u32) {
        let Some(instance) = self.instance(function, &Rc::from([]), None) else { return };
        self.instances[instance as usize].called_from_outside = true;
        let Instance { base, ref template, .. } = self.instances[instance as usize];
        for param in Rc::clone(template).params.iter().flatten() {
            self.graph.copy(args, base + param);
        }
    }

    /// A call reaches a function, if the two agree on the number of arguments.
    pub(super) fn call_by_pointer(&mut self, instance: u32, call: u32, function: FuncId) {
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
                        self.add_store(base + area, arg, 0);
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
        let (depth, affordable) = match self.cloned[function] {
            // What a modelled function allocates belongs to its call.
            _ if modelled => (self.options.context.max(1), true),
            Cloning::Never => (0, false),
            Cloning::Near => (self.options.context.min(NEAR), self.budget > self.reserved),
            Cloning::Deep => (self.options.context, self.budget > 0),
        };
        let own = depth > 0 && affordable;
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

    pub(super) fn state_instances(&mut self) {
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
                let Some(addr) = self.node_of(number, addr) else { return };
                let to = base + to;
                if self.module.functions[function].variadic {
                    self.add_use(addr, Use::LoadAmongVariadic { to, offset });
                } else if let Some(what) = self.graph.load(addr, to, offset) {
                    self.begin_use(addr, what);
                }
            }
            Fact::Store { addr, offset, value } => {
                if let (Some(addr), Some(value)) = (self.node_of(number, addr), self.node_of(number, value)) {
                    self.add_store(addr, value, offset);
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
