//! Functions that deserve an instance per call: those that return what they have just allocated, or store it through a
//! parameter, and small ones that return what they are given. With one instance for all calls, everything that
//! `xmalloc` returns would be one object.

use crate::models;
use crate::template::{Fact, Made, Target, Template, Val};
use osier_base::EntityVec;
use osier_ir::{Constant, FuncId, GlobalInit, LocId, Module, SymbolRef};

/// Larger functions have one instance.
const MOST_OPS_ALLOCATING: usize = 120;
const MOST_OPS_HELPING: usize = 100;
/// And so do functions whose instances would have more operations than this together.
const MOST_OPS_OF_HELPERS: usize = 3000;

#[derive(Clone, Default)]
struct Traits {
    returns_new: bool,
    /// The parameters through which something new is stored.
    stores_new: Vec<bool>,
}

/// How many callers tell the instances of a function apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cloning {
    Never,
    /// A few: helpers that work on what they are given.
    Near,
    /// As many as there are: what it allocates belongs to whoever asked for it first.
    Deep,
}

/// For each function, whether its calls get instances of their own.
pub fn find(module: &Module, templates: &EntityVec<FuncId, Option<Template>>) -> EntityVec<FuncId, Cloning> {
    let mut traits: EntityVec<FuncId, Traits> = module
        .functions
        .values()
        .map(|function| Traits {
            returns_new: models::allocates(function),
            stores_new: vec![false; function.params.len()],
        })
        .collect();
    let taken = address_taken(module);
    loop {
        let by_pointer = counts_of_new(module, &traits, &taken);
        let mut changed = false;
        for (id, template) in templates.iter() {
            let Some(template) = template.as_ref().filter(|template| template.ops <= MOST_OPS_ALLOCATING) else {
                continue;
            };
            let found = examine(template, &traits, &by_pointer);
            let known = &mut traits[id];
            changed |= found.returns_new && !known.returns_new;
            known.returns_new |= found.returns_new;
            for (old, new) in known.stores_new.iter_mut().zip(found.stores_new) {
                changed |= new && !*old;
                *old |= new;
            }
        }
        if !changed {
            break;
        }
    }
    let mut calls: EntityVec<FuncId, usize> = module.functions.ids().map(|_| 0).collect();
    for call in templates.values().flatten().flat_map(|template| &template.calls) {
        if let Target::Direct(callee) = call.target {
            calls[callee] += 1;
        }
    }
    let deserves = |(id, template): (FuncId, &Option<Template>)| {
        let Some(template) = template else { return Cloning::Never };
        let new = traits[id].returns_new || traits[id].stores_new.contains(&true);
        if new && template.ops <= MOST_OPS_ALLOCATING {
            return Cloning::Deep;
        }
        let small = template.ops <= MOST_OPS_HELPING && template.ops * calls[id] <= MOST_OPS_OF_HELPERS;
        // Of a library without lines, only what gives back what it is given: its uses of memory count for the caller
        // anyway, and its streams are used all over.
        let own = module.functions[id].location != LocId(0);
        let helps = if own { template.params.iter().any(Option::is_some) } else { passes(template) };
        if helps && small { Cloning::Near } else { Cloning::Never }
    };
    templates.iter().map(deserves).collect()
}

pub fn address_taken(module: &Module) -> Vec<FuncId> {
    let mut taken: Vec<FuncId> = Vec::new();
    for constant in module.constants.values() {
        if let Constant::Function(function) = *constant {
            taken.push(function);
        }
    }
    for global in module.globals.values() {
        if let GlobalInit::Data { bytes: _, relocations } = &global.init {
            taken.extend(relocations.iter().filter_map(|relocation| match relocation.symbol {
                SymbolRef::Function(function) => Some(function),
                SymbolRef::Global(_) | SymbolRef::Block(..) => None,
            }));
        }
    }
    taken.sort_unstable();
    taken.dedup();
    taken
}

/// By the number of arguments: whether a call through a pointer may reach a function that returns something new.
fn counts_of_new(module: &Module, traits: &EntityVec<FuncId, Traits>, taken: &[FuncId]) -> Vec<bool> {
    let mut counts = Vec::new();
    for &function in taken.iter().filter(|&&function| traits[function].returns_new) {
        let count = module.functions[function].params.len();
        if counts.len() <= count {
            counts.resize(count + 1, false);
        }
        counts[count] = true;
    }
    counts
}

/// Follows new objects through the values and the local variables of a function.
fn examine(template: &Template, traits: &EntityVec<FuncId, Traits>, by_pointer: &[bool]) -> Traits {
    let count = template.locals as usize;
    let mut new = vec![false; count];
    let mut local_variable = vec![false; count];
    // A local variable whose contents are new.
    let mut holds_new = vec![false; count];
    for fact in &template.facts {
        if let Fact::New { to, made, .. } = *fact {
            match made {
                Made::Heap { .. } => new[to as usize] = true,
                Made::Local { .. } => local_variable[to as usize] = true,
                Made::Variadic | Made::ByValue { .. } => {}
            }
        }
    }
    for call in &template.calls {
        let returns_new = match call.target {
            Target::Direct(callee) => traits[callee].returns_new,
            Target::Indirect(_) => by_pointer.get(call.args.len()).copied().unwrap_or(false),
        };
        if let (true, Some(&Some(result))) = (returns_new, call.result.first()) {
            new[result as usize] = true;
        }
        if let Target::Direct(callee) = call.target {
            for (arg, _) in call.args.iter().zip(&traits[callee].stores_new).filter(|(_, stores)| **stores) {
                if let Val::Local(local) = *arg {
                    holds_new[local as usize] = local_variable[local as usize];
                }
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        let is_new = |new: &[bool], value: Val| matches!(value, Val::Local(local) if new[local as usize]);
        let mut set = |flags: &mut Vec<bool>, local: u32| {
            changed |= !std::mem::replace(&mut flags[local as usize], true);
        };
        for fact in &template.facts {
            match *fact {
                Fact::Flow { to, from, shift: _ } if is_new(&new, from) => set(&mut new, to),
                Fact::Load { to, addr: Val::Local(addr), offset: _ } if holds_new[addr as usize] => set(&mut new, to),
                Fact::Store { addr: Val::Local(addr), offset: _, value }
                    if local_variable[addr as usize] && is_new(&new, value) =>
                {
                    set(&mut holds_new, addr);
                }
                Fact::Flow { .. }
                | Fact::Load { .. }
                | Fact::Store { .. }
                | Fact::Copy { .. }
                | Fact::New { .. }
                | Fact::Environment { .. }
                | Fact::Callback { .. } => {}
            }
        }
    }
    let is_new = |value: &Val| matches!(*value, Val::Local(local) if new[local as usize]);
    // Results go out through parameters that serve for nothing else: `*result = malloc(n)`.
    let mut stored = vec![false; count];
    let mut else_used = vec![false; count];
    let mark = |flags: &mut Vec<bool>, value: Val| {
        if let Val::Local(local) = value {
            flags[local as usize] = true;
        }
    };
    for fact in &template.facts {
        match *fact {
            Fact::Store { addr, offset: 0, value } => {
                if is_new(&value) {
                    mark(&mut stored, addr);
                }
                mark(&mut else_used, value);
            }
            Fact::Load { to: _, addr: _, offset: 0 } | Fact::New { .. } | Fact::Environment { .. } => {}
            Fact::Flow { to: _, from: value, shift: _ }
            | Fact::Load { to: _, addr: value, offset: _ }
            | Fact::Store { addr: value, offset: _, value: _ } => mark(&mut else_used, value),
            Fact::Copy { dst: a, src: b, len: _ } | Fact::Callback { function: a, args: b } => {
                mark(&mut else_used, a);
                mark(&mut else_used, b);
            }
        }
    }
    for call in &template.calls {
        for (index, &arg) in call.args.iter().enumerate() {
            let through = match call.target {
                Target::Direct(callee) => traits[callee].stores_new.get(index).copied().unwrap_or(false),
                Target::Indirect(_) => false,
            };
            mark(if through { &mut stored } else { &mut else_used }, arg);
        }
    }
    // Who also keeps what it hands out does not make it for the caller alone.
    let is_kept = template.facts.iter().any(|fact| match *fact {
        Fact::Store { addr, offset: _, value } if is_new(&value) => match addr {
            Val::Local(local) => {
                let at = local as usize;
                !new[at] && !local_variable[at] && (!stored[at] || else_used[at])
            }
            Val::Constant(_) => true,
            Val::Nothing => false,
        },
        _ => false,
    });
    if is_kept {
        return Traits { returns_new: false, stores_new: vec![false; template.params.len()] };
    }
    let goes_out = |local: u32| stored[local as usize] && !else_used[local as usize];
    Traits {
        returns_new: template.returns.iter().flatten().any(is_new),
        stores_new: template.params.iter().map(|param| param.is_some_and(goes_out)).collect(),
    }
}

/// Whether a parameter comes back as a result.
fn passes(template: &Template) -> bool {
    let mut given = vec![false; template.locals as usize];
    template.params.iter().flatten().for_each(|&local| given[local as usize] = true);
    let mut changed = true;
    while changed {
        changed = false;
        for fact in &template.facts {
            if let Fact::Flow { to, from: Val::Local(from), shift: _ } = *fact
                && given[from as usize]
            {
                changed |= !std::mem::replace(&mut given[to as usize], true);
            }
        }
    }
    template.returns.iter().flatten().any(|value| matches!(*value, Val::Local(local) if given[local as usize]))
}
