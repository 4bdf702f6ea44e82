//! Which objects one pointer may meet, use by use.
//!
//! A pointer that a function only got as an argument meets, in one call, what the argument of that call points to. So
//! such a use counts where the argument comes from, however many calls up: `strlen` does not make all strings meet.
//!
//! A use whose pointer was read from a list of variadic arguments does not count: `printf` would make all meet.

use crate::ObjectId;
use crate::result::{Meeting, ObjectKind, PointerAccess};
use crate::solve::Analysis;
use crate::template::{Fact, Template, Val};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Where a value comes from, within its function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Root {
    Param(u32),
    /// Read from where this value points to.
    Loaded(u32),
    Other,
}

/// A value with more roots than this is taken as a whole.
const MOST_ROOTS: usize = 6;

type Found = (Vec<Vec<ObjectId>>, Vec<PointerAccess>, Vec<Meeting>);

pub fn collect(analysis: &Analysis<'_>) -> Found {
    let mut collector = Collector {
        analysis,
        sets: Vec::new(),
        by_leader: FxHashMap::default(),
        by_objects: FxHashMap::default(),
        roots: FxHashMap::default(),
        marked: FxHashSet::default(),
        work: Vec::new(),
        met: FxHashMap::default(),
    };
    let mut accesses = Vec::new();
    for (number, instance) in analysis.instances.iter().enumerate() {
        for access in &instance.template.accesses {
            let Val::Local(local) = access.addr else { continue };
            let set = collector.set_of(instance.base + local);
            accesses.push(PointerAccess { place: (instance.function, access.op), write: access.write, set });
            collector.work.push((number as u32, local));
        }
    }
    collector.run();
    let Collector { sets, met, .. } = collector;
    let mut met: Vec<(u32, usize)> = met.into_iter().collect();
    met.sort_unstable();
    let meeting = |(set, uses): (u32, usize)| Meeting { objects: sets[set as usize].clone(), uses };
    let meetings = met.into_iter().map(meeting).filter(|meeting| !meeting.objects.is_empty()).collect();
    (sets, accesses, meetings)
}

struct Collector<'a> {
    analysis: &'a Analysis<'a>,
    sets: Vec<Vec<ObjectId>>,
    by_leader: FxHashMap<u32, u32>,
    by_objects: FxHashMap<Vec<ObjectId>, u32>,
    roots: FxHashMap<*const Template, Rc<Vec<Vec<Root>>>>,
    /// Instances whose parameters are known to be used as one pointer.
    marked: FxHashSet<(u32, Vec<u32>)>,
    /// Values of instances through which memory is used.
    work: Vec<(u32, u32)>,
    met: FxHashMap<u32, usize>,
}

impl Collector<'_> {
    fn run(&mut self) {
        while let Some((number, local)) = self.work.pop() {
            let instance = &self.analysis.instances[number as usize];
            let roots = self.roots_of(&instance.template);
            let mut params = Vec::new();
            let mut whole = false;
            for &root in &roots[local as usize] {
                match root {
                    Root::Param(param) => params.push(param),
                    Root::Loaded(addr) => whole |= !self.is_variadic(instance.base + addr),
                    Root::Other => whole = true,
                }
            }
            if whole {
                let set = self.set_of(instance.base + local);
                self.meet(set);
            } else if !params.is_empty() && self.marked.insert((number, params.clone())) {
                self.ask_callers(number, &params);
            }
        }
    }

    /// The parameters are used as one pointer.
    fn ask_callers(&mut self, number: u32, params: &[u32]) {
        let instance = &self.analysis.instances[number as usize];
        if instance.called_from_outside {
            let own = params.iter().filter_map(|&param| instance.template.params[param as usize]);
            let nodes: Vec<u32> = own.map(|local| instance.base + local).collect();
            self.meet_all(&nodes);
        }
        for &(caller, call) in &instance.callers {
            let from = &self.analysis.instances[caller as usize];
            let args = &from.template.calls[call as usize].args;
            let local = |&param: &u32| match args.get(param as usize) {
                Some(&Val::Local(local)) => Some(local),
                Some(Val::Nothing | Val::Constant(_)) | None => None,
            };
            let locals: Vec<u32> = params.iter().filter_map(local).collect();
            match locals[..] {
                [] => {}
                [only] => self.work.push((caller, only)),
                [_, _, ..] => {
                    let nodes: Vec<u32> = locals.iter().map(|local| from.base + local).collect();
                    self.meet_all(&nodes);
                }
            }
        }
    }

    fn meet(&mut self, set: u32) {
        *self.met.entry(set).or_insert(0) += 1;
    }

    fn meet_all(&mut self, nodes: &[u32]) {
        let mut all: Vec<ObjectId> = Vec::new();
        for &node in nodes {
            let set = self.set_of(node);
            all.extend(&self.sets[set as usize]);
        }
        all.sort_unstable();
        all.dedup();
        let set = self.intern(all);
        self.meet(set);
    }

    fn is_variadic(&mut self, node: u32) -> bool {
        let set = self.set_of(node);
        let objects = &self.analysis.objects.objects;
        let is = |&id: &ObjectId| matches!(objects[id].kind, ObjectKind::Variadic(_));
        !self.sets[set as usize].is_empty() && self.sets[set as usize].iter().all(is)
    }

    fn set_of(&mut self, node: u32) -> u32 {
        let leader = self.analysis.graph.leader_of(node);
        if let Some(&set) = self.by_leader.get(&leader) {
            return set;
        }
        let objects = &self.analysis.objects;
        let locations = self.analysis.graph.set(leader).iter();
        let mut all: Vec<ObjectId> = locations.map(|location| objects.locations[location as usize].0).collect();
        all.sort_unstable();
        all.dedup();
        all.retain(|&id| !matches!(objects.objects[id].kind, ObjectKind::Function(_) | ObjectKind::InTransit));
        let set = self.intern(all);
        self.by_leader.insert(leader, set);
        set
    }

    fn intern(&mut self, objects: Vec<ObjectId>) -> u32 {
        let next = self.sets.len() as u32;
        let set = *self.by_objects.entry(objects.clone()).or_insert(next);
        if set == next {
            self.sets.push(objects);
        }
        set
    }

    fn roots_of(&mut self, template: &Rc<Template>) -> Rc<Vec<Vec<Root>>> {
        let known = self.roots.entry(Rc::as_ptr(template)).or_insert_with(|| Rc::new(roots(template)));
        Rc::clone(known)
    }
}

/// The roots of every value of a template.
fn roots(template: &Template) -> Vec<Vec<Root>> {
    let count = template.locals as usize;
    let mut roots: Vec<Vec<Root>> = vec![Vec::new(); count];
    let mut flows: Vec<Vec<u32>> = vec![Vec::new(); count];
    for (index, param) in template.params.iter().enumerate() {
        if let Some(local) = *param
            && template.by_value[index].is_none()
        {
            roots[local as usize].push(Root::Param(index as u32));
        }
    }
    for fact in &template.facts {
        match *fact {
            Fact::Flow { to, from: Val::Local(from), shift: _ } => flows[from as usize].push(to),
            Fact::Load { to, addr: Val::Local(addr), offset: _ } => roots[to as usize].push(Root::Loaded(addr)),
            Fact::Flow { to, .. } | Fact::Load { to, .. } | Fact::New { to, .. } | Fact::Environment { to } => {
                roots[to as usize].push(Root::Other);
            }
            Fact::Store { .. } | Fact::Copy { .. } | Fact::Callback { .. } => {}
        }
    }
    for result in template.calls.iter().flat_map(|call| call.result.iter().flatten()) {
        roots[*result as usize].push(Root::Other);
    }
    let mut work: Vec<u32> = (0..template.locals).filter(|&local| !roots[local as usize].is_empty()).collect();
    while let Some(local) = work.pop() {
        let mine = roots[local as usize].clone();
        for &to in &flows[local as usize] {
            let theirs = &mut roots[to as usize];
            let before = theirs.len();
            for &root in &mine {
                if !theirs.contains(&root) && theirs.first() != Some(&Root::Other) {
                    theirs.push(root);
                }
            }
            if theirs.len() > MOST_ROOTS {
                *theirs = vec![Root::Other];
            }
            if theirs.len() != before {
                work.push(to);
            }
        }
    }
    for list in &mut roots {
        list.sort_unstable();
    }
    roots
}
