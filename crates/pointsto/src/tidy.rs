//! Makes a template small: values that are the same value become one, values that no pointer reaches or that nobody
//! looks at go away. What is left is what every instance pays for.

use crate::shift::Shift;
use crate::ssa::Phi;
use crate::template::{Fact, Target, Template, Val};

/// Rounds of looking for phis that are one value; what is left after them stays a phi.
const ROUNDS: usize = 8;

pub fn tidy(template: &mut Template, phis: Vec<Phi>) {
    let mut same: Vec<Val> = (0..template.locals).map(Val::Local).collect();
    for _ in 0..ROUNDS {
        let mut changed = false;
        for phi in phis.iter().filter(|phi| same[phi.local as usize] == Val::Local(phi.local)).collect::<Vec<_>>() {
            let mut operands = phi.operands.iter().map(|&operand| resolve(&mut same, operand));
            let mut only = Val::Nothing;
            let unique = operands.all(|operand| {
                let new = operand != Val::Nothing && operand != Val::Local(phi.local) && operand != only;
                let clash = new && only != Val::Nothing;
                if new {
                    only = operand;
                }
                !clash
            });
            if unique {
                same[phi.local as usize] = only;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    for phi in &phis {
        if same[phi.local as usize] == Val::Local(phi.local) {
            let flows = phi.operands.iter().map(|&from| Fact::Flow { to: phi.local, from, shift: Shift::None });
            template.facts.extend(flows);
        }
    }
    let resolved: Vec<Val> = (0..template.locals).map(|local| resolve(&mut same, Val::Local(local))).collect();
    let look_up = |value: Val| match value {
        Val::Local(local) => resolved[local as usize],
        Val::Nothing | Val::Constant(_) => value,
    };
    template.map_values(look_up);

    let useful = useful(template);
    let keep = |value: Val| match value {
        Val::Local(local) if !useful[local as usize] => Val::Nothing,
        Val::Local(_) | Val::Nothing | Val::Constant(_) => value,
    };
    template.map_values(keep);
    template.facts.retain(|fact| !fact.is_idle() && fact.defines().is_none_or(|to| useful[to as usize]));
    template.accesses.retain(|access| access.addr != Val::Nothing);
    for values in &mut template.returns {
        values.retain(|&value| value != Val::Nothing);
        values.sort_by_key(|&value| order(value));
        values.dedup();
    }
    renumber(template);
}

fn order(value: Val) -> (u8, u32) {
    match value {
        Val::Nothing => (0, 0),
        Val::Local(local) => (1, local),
        Val::Constant(constant) => (2, constant.0),
    }
}

/// Follows what is the same, and shortens the way.
fn resolve(same: &mut [Val], value: Val) -> Val {
    let mut end = value;
    while let Val::Local(local) = end
        && same[local as usize] != end
    {
        end = same[local as usize];
    }
    let mut at = value;
    while let Val::Local(local) = at
        && at != end
    {
        at = std::mem::replace(&mut same[local as usize], end);
    }
    end
}

/// The values that a pointer can reach and that somebody looks at.
fn useful(template: &Template) -> Vec<bool> {
    let count = template.locals as usize;
    let mut flows_to: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut comes_from: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut sources: Vec<u32> = template.params.iter().copied().flatten().collect();
    let mut sinks: Vec<Val> = Vec::new();
    for fact in &template.facts {
        match *fact {
            Fact::Flow { to, from: Val::Local(from), shift: _ } => {
                flows_to[from as usize].push(to);
                comes_from[to as usize].push(from);
            }
            Fact::Flow { to, from: Val::Constant(_), shift: _ } => sources.push(to),
            Fact::Flow { to: _, from: Val::Nothing, shift: _ } => {}
            Fact::Load { to, addr, offset: _ } => {
                sources.push(to);
                // A load that nobody looks at looks at nothing itself; it is an access all the same.
                if let Val::Local(addr) = addr {
                    comes_from[to as usize].push(addr);
                }
            }
            Fact::New { to, .. } | Fact::Environment { to } => sources.push(to),
            Fact::Store { addr, offset: _, value } => sinks.extend([addr, value]),
            Fact::Copy { dst, src, len: _ } => sinks.extend([dst, src]),
            Fact::Callback { function, args } => sinks.extend([function, args]),
        }
    }
    for call in &template.calls {
        sources.extend(call.result.iter().copied().flatten());
        sinks.extend(&call.args);
        match call.target {
            Target::Direct(_) => {}
            Target::Indirect(pointer) => sinks.push(pointer),
        }
    }
    sinks.extend(template.accesses.iter().map(|access| access.addr));
    sinks.extend(template.returns.iter().flatten().chain(&template.freed));
    let local = |value: Val| match value {
        Val::Local(local) => Some(local),
        Val::Nothing | Val::Constant(_) => None,
    };
    let mut sinks: Vec<u32> = sinks.into_iter().filter_map(local).collect();
    sinks.extend(template.params.iter().copied().flatten());
    sinks.extend(template.variadic);
    sinks.extend(template.calls.iter().flat_map(|call| call.result.iter().copied().flatten()));
    let reached = closure(&flows_to, sources);
    let looked_at = closure(&comes_from, sinks);
    reached.into_iter().zip(looked_at).map(|(a, b)| a && b).collect()
}

fn closure(next: &[Vec<u32>], start: Vec<u32>) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    let mut work = start;
    while let Some(item) = work.pop() {
        if !std::mem::replace(&mut seen[item as usize], true) {
            work.extend(&next[item as usize]);
        }
    }
    seen
}

/// Only values that occur keep a number.
fn renumber(template: &mut Template) {
    let mut numbers: Vec<Option<u32>> = vec![None; template.locals as usize];
    let mut count = 0;
    let mut number = |local: u32| {
        *numbers[local as usize].get_or_insert_with(|| {
            count += 1;
            count - 1
        })
    };
    template.params.iter_mut().flatten().for_each(|local| *local = number(*local));
    template.variadic.iter_mut().for_each(|local| *local = number(*local));
    for call in &mut template.calls {
        call.result.iter_mut().flatten().for_each(|local| *local = number(*local));
    }
    for fact in &mut template.facts {
        match fact {
            Fact::Flow { to, .. } | Fact::Load { to, .. } | Fact::New { to, .. } | Fact::Environment { to } => {
                *to = number(*to);
            }
            Fact::Store { .. } | Fact::Copy { .. } | Fact::Callback { .. } => {}
        }
    }
    let map = |value: Val| match value {
        Val::Local(local) => numbers[local as usize].map_or(Val::Nothing, Val::Local),
        Val::Nothing | Val::Constant(_) => value,
    };
    template.map_values(map);
    template.locals = count;
}
