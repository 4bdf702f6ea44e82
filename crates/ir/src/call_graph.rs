//! Who calls whom by name. Indirect calls are not in it: whom they reach is the points-to analysis's business.

use crate::{Body, Callee, FuncId, Module, Op};
use osier_base::EntityVec;

pub struct CallGraph {
    callees: EntityVec<FuncId, Vec<FuncId>>,
    callers: EntityVec<FuncId, Vec<FuncId>>,
}

impl CallGraph {
    pub fn new(module: &Module) -> Self {
        let mut callees: EntityVec<FuncId, Vec<FuncId>> = module.functions.ids().map(|_| Vec::new()).collect();
        let mut callers = callees.clone();
        for (caller, function) in module.functions.iter() {
            let Some(body) = &function.body else { continue };
            let called = &mut callees[caller];
            called.extend(body.ops.iter().filter_map(|op| CallGraph::direct_callee(body, op)));
            called.sort_unstable();
            called.dedup();
            for &callee in called.iter() {
                callers[callee].push(caller);
            }
        }
        CallGraph { callees, callers }
    }

    /// The functions that a function calls, each once, by number.
    pub fn callees(&self, function: FuncId) -> &[FuncId] {
        &self.callees[function]
    }

    /// The functions that call a function, each once, by number.
    pub fn callers(&self, function: FuncId) -> &[FuncId] {
        &self.callers[function]
    }

    /// Whom an operation calls, if it calls by name.
    pub fn direct_callee(body: &Body, op: &Op) -> Option<FuncId> {
        let Op::Call { call } = *op else { return None };
        match body.calls[call].callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn calls_by_name_are_seen_once_and_from_both_ends() {
        let module = text::parse(
            "declare &a()
declare &b()
function &c() {
block0:
  call0 &b()
  call1 &b()
  call2 *&a()
  call3 &c()
  return
}",
        )
        .unwrap();
        let graph = CallGraph::new(&module);
        assert_eq!(graph.callees(FuncId(2)), [FuncId(1), FuncId(2)]);
        assert_eq!(graph.callers(FuncId(1)), [FuncId(2)]);
        assert_eq!(graph.callers(FuncId(0)), []);
    }
}
