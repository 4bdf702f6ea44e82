//! Functions that give memory back, to `free` or to a list of their own.
//!
//! An allocator with a list of free blocks puts every block that it is given into that list, and hands out what it finds
//! there: to an analysis without an order, every block would be every other one. But what was given back is nobody's: a
//! function that may free its argument does not keep it. So its stores of it, and into it, are left out.

use crate::template::{Fact, Target, Template, Val};
use crate::wrappers;
use osier_base::EntityVec;
use osier_ir::{FuncId, Module};

/// Larger functions do more with a block than to give it back.
const MOST_OPS: usize = 150;

/// For each function, the parameters that it may free.
type Freed = EntityVec<FuncId, Vec<bool>>;

pub fn leave_out(module: &Module, templates: &mut EntityVec<FuncId, Option<Template>>) {
    let freed = find(module, templates);
    for (template, freed) in templates.values_mut().zip(freed.values()) {
        let Some(template) = template else { continue };
        if !freed.contains(&true) || template.ops > MOST_OPS {
            continue;
        }
        let params = template.params.iter().zip(freed).filter(|(_, freed)| **freed);
        let given: Vec<u32> = params.filter_map(|(param, _)| *param).collect();
        let is_given = copies(template, &given);
        let is_it = |value: Val| matches!(value, Val::Local(local) if is_given[local as usize]);
        template.facts.retain(|fact| match *fact {
            Fact::Store { addr, offset: _, value } => !is_it(addr) && !is_it(value),
            Fact::Flow { .. }
            | Fact::Load { .. }
            | Fact::Copy { .. }
            | Fact::New { .. }
            | Fact::Environment { .. }
            | Fact::Callback { .. } => true,
        });
    }
}

fn find(module: &Module, templates: &EntityVec<FuncId, Option<Template>>) -> Freed {
    let mut freed: Freed = module.functions.values().map(|function| vec![false; function.params.len()]).collect();
    for (id, function) in module.functions.iter() {
        if function.body.is_none() && function.name == "free" {
            freed[id].iter_mut().for_each(|flag| *flag = true);
        }
    }
    let taken = wrappers::address_taken(module);
    loop {
        // A call through a pointer with one argument may free it if a function that does nothing else can be meant.
        let by_pointer =
            taken.iter().any(|&function| freed[function] == [true] && module.functions[function].returns.is_empty());
        let mut changed = false;
        for (id, template) in templates.iter() {
            let Some(template) = template.as_ref().filter(|template| template.ops <= MOST_OPS) else { continue };
            for position in 0..template.params.len() {
                let Some(param) = template.params[position].filter(|_| !freed[id][position]) else { continue };
                let is_given = copies(template, &[param]);
                let is_it = |value: Val| matches!(value, Val::Local(local) if is_given[local as usize]);
                let by_call = template.calls.iter().any(|call| {
                    call.args.iter().enumerate().any(|(index, &arg)| {
                        is_it(arg)
                            && match call.target {
                                Target::Direct(callee) => freed[callee].get(index).copied().unwrap_or(false),
                                Target::Indirect(_) => by_pointer && call.args.len() == 1 && call.result.is_empty(),
                            }
                    })
                });
                if by_call || template.freed.iter().any(|&value| is_it(value)) {
                    freed[id][position] = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return freed;
        }
    }
}

/// The values that are one of these, unmoved or moved.
fn copies(template: &Template, start: &[u32]) -> Vec<bool> {
    let mut is_one = vec![false; template.locals as usize];
    start.iter().for_each(|&local| is_one[local as usize] = true);
    let mut changed = true;
    while changed {
        changed = false;
        for fact in &template.facts {
            if let Fact::Flow { to, from: Val::Local(from), shift: _ } = *fact
                && is_one[from as usize]
            {
                changed |= !std::mem::replace(&mut is_one[to as usize], true);
            }
        }
    }
    is_one
}
