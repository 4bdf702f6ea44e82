//! The constraint graph: a set per node, edges along which sets flow, and what each node's set is used for.

use crate::ObjectId;
use crate::bits::Bits;
use crate::shift::{Shift, Span};
use rustc_hash::FxHashSet;

/// What becomes of the locations in a node's set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    /// What lies there, moved by the offset, flows to a node; but for variadic arguments.
    Load { to: u32, offset: i64 },
    /// The same in a function that has variadic arguments: its own count.
    LoadAmongVariadic { to: u32, offset: i64 },
    /// A node flows there.
    Store { value: u32, offset: i64 },
    /// What lies there and behind is copied into an object that stands between source and destination.
    CopyOut { to: u32, len: Option<u64> },
    /// What that object holds is copied there.
    CopyIn { from: u32, len: Option<u64> },
    /// Nothing: the node is what lies at a place of an object, and there is now something to copy.
    Held { object: ObjectId, span: Span },
    /// It is called, by a call of an instance.
    Call { instance: u32, call: u32 },
    /// It is called by somebody unknown; a node flows to its parameters.
    Callback { args: u32 },
}

/// A node for each offset.
type Loads = Vec<(i64, u32)>;

#[derive(Default)]
pub struct Graph {
    leader: Vec<u32>,
    /// All that a node points to. Only a leader's entry counts, here and below.
    sets: Vec<Bits>,
    /// The part of it that nobody has been told of.
    fresh: Vec<Bits>,
    copies: Vec<Vec<u32>>,
    shifts: Vec<Vec<(u32, Shift)>>,
    uses: Vec<Vec<Use>>,
    /// By offset, the node that has what is loaded from there, and the one that has what is stored there. One of each is
    /// enough: what is loaded from one place has one set.
    loads: Vec<Loads>,
    stores: Vec<Loads>,
    /// Whether the set is too large for offsets to count.
    wide: Vec<bool>,
    late: Vec<Use>,
    known_edges: FxHashSet<(u32, u32)>,
    /// Nodes that may have something fresh.
    active: Vec<u32>,
    /// What was done so far: edges that were added, words of sets that were compared.
    work: u64,
}

impl Graph {
    pub fn work(&self) -> u64 {
        self.work
    }

    pub fn node(&mut self) -> u32 {
        self.nodes(1)
    }

    /// The first of so many new nodes.
    pub fn nodes(&mut self, count: u32) -> u32 {
        let first = self.leader.len();
        let end = first + count as usize;
        self.leader.extend(first as u32..end as u32);
        self.sets.resize(end, Bits::new());
        self.fresh.resize(end, Bits::new());
        self.copies.resize(end, Vec::new());
        self.shifts.resize(end, Vec::new());
        self.uses.resize(end, Vec::new());
        self.loads.resize(end, Vec::new());
        self.stores.resize(end, Vec::new());
        self.wide.resize(end, false);
        first as u32
    }

    pub fn len(&self) -> usize {
        self.leader.len()
    }

    pub fn find(&mut self, node: u32) -> u32 {
        let mut leader = node;
        while self.leader[leader as usize] != leader {
            leader = self.leader[leader as usize];
        }
        let mut at = node;
        while at != leader {
            at = std::mem::replace(&mut self.leader[at as usize], leader);
        }
        leader
    }

    /// The set of a node, without shortening the way to its leader.
    pub fn set(&self, node: u32) -> &Bits {
        let mut leader = node;
        while self.leader[leader as usize] != leader {
            leader = self.leader[leader as usize];
        }
        &self.sets[leader as usize]
    }

    pub fn leader_of(&self, node: u32) -> u32 {
        let mut leader = node;
        while self.leader[leader as usize] != leader {
            leader = self.leader[leader as usize];
        }
        leader
    }

    /// `node` is a leader.
    pub fn absorb(&mut self, node: u32, items: &Bits) {
        let at = node as usize;
        self.work += 1 + items.words() as u64;
        let new = items.minus(&self.sets[at]);
        if new.is_empty() {
            return;
        }
        self.sets[at].union(&new);
        if self.fresh[at].is_empty() {
            self.active.push(node);
            self.fresh[at] = new;
        } else {
            self.fresh[at].union(&new);
        }
    }

    pub fn insert(&mut self, node: u32, item: u32) {
        let node = self.find(node);
        self.absorb(node, &Bits::one(item));
    }

    /// All that `from` points to, `to` points to.
    pub fn copy(&mut self, from: u32, to: u32) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.known_edges.insert((from, to)) {
            return;
        }
        if self.wide[from as usize] {
            return self.merge(&[from, to]);
        }
        self.copies[from as usize].push(to);
        if !self.sets[from as usize].is_empty() {
            let items = std::mem::take(&mut self.sets[from as usize]);
            self.absorb(to, &items);
            self.sets[from as usize] = items;
        }
    }

    /// `to` points to where `from` points to, moved. The caller must see to it that what `from` has already gets there.
    pub fn shift(&mut self, from: u32, to: u32, shift: Shift) {
        let from = self.find(from);
        if !self.shifts[from as usize].contains(&(to, shift)) {
            self.shifts[from as usize].push((to, shift));
        }
    }

    /// The caller must see to what the node points to already.
    pub fn add_use(&mut self, node: u32, what: Use) {
        let node = self.find(node);
        debug_assert!(!self.wide[node as usize] || !matches!(what, Use::CopyIn { .. } | Use::CopyOut { .. }));
        self.uses[node as usize].push(what);
    }

    /// What lies where `node` points to flows to `to`, and nothing else does. Gives the use that the caller must see to,
    /// if it is a new one.
    pub fn load(&mut self, node: u32, to: u32, offset: i64) -> Option<Use> {
        let node = self.find(node) as usize;
        let offset = if self.wide[node] { 0 } else { offset };
        if let Some(&(_, known)) = self.loads[node].iter().find(|&&(other, _)| other == offset) {
            self.merge(&[known, to]);
            return None;
        }
        self.loads[node].push((offset, to));
        Some(Use::Load { to, offset })
    }

    /// `value` flows to where `node` points to. Gives the use that the caller must see to, if it is a new one.
    pub fn store(&mut self, node: u32, value: u32, offset: i64) -> Option<Use> {
        let node = self.find(node) as usize;
        let offset = if self.wide[node] { 0 } else { offset };
        if let Some(&(_, known)) = self.stores[node].iter().find(|&&(other, _)| other == offset) {
            self.copy(value, known);
            return None;
        }
        let stored = self.node();
        self.stores[node].push((offset, stored));
        self.copy(value, stored);
        Some(Use::Store { value: stored, offset })
    }

    /// What a leader's set is used for. That something is held is said once.
    pub fn uses(&mut self, leader: u32) -> Vec<Use> {
        let at = leader as usize;
        let others = self.uses[at].clone();
        self.uses[at].retain(|what| !matches!(what, Use::Held { .. }));
        let loads = self.loads[at].iter().map(|&(offset, to)| Use::Load { to, offset });
        let stores = self.stores[at].iter().map(|&(offset, value)| Use::Store { value, offset });
        loads.chain(stores).chain(others).collect()
    }

    pub fn copies(&self, leader: u32) -> &[u32] {
        &self.copies[leader as usize]
    }

    pub fn shifts(&self, leader: u32) -> &[(u32, Shift)] {
        &self.shifts[leader as usize]
    }

    pub fn shifts_mut(&mut self, leader: u32) -> &mut Vec<(u32, Shift)> {
        &mut self.shifts[leader as usize]
    }

    /// Shortens a leader's edges to edges between leaders.
    pub fn refresh_edges(&mut self, leader: u32) {
        let mut copies = std::mem::take(&mut self.copies[leader as usize]);
        let mut stale = false;
        for to in &mut copies {
            let now = self.find(*to);
            stale |= now != *to;
            *to = now;
        }
        if stale {
            copies.sort_unstable();
            copies.dedup();
            copies.retain(|&to| to != leader);
            for &to in &copies {
                self.known_edges.insert((leader, to));
            }
        }
        self.copies[leader as usize] = copies;
        let mut shifts = std::mem::take(&mut self.shifts[leader as usize]);
        for (to, _) in &mut shifts {
            *to = self.find(*to);
        }
        self.shifts[leader as usize] = shifts;
    }

    /// Makes one node of several, and of what is loaded from where it points to.
    pub fn merge(&mut self, members: &[u32]) {
        self.merge_pairs(members.windows(2).map(|pair| (pair[0], pair[1])).collect());
    }

    fn merge_pairs(&mut self, mut pairs: Vec<(u32, u32)>) {
        let size = |graph: &Graph, node: u32| graph.copies[node as usize].len() + graph.uses[node as usize].len();
        while let Some((a, b)) = pairs.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a != b {
                let (into, other) = if size(self, a) >= size(self, b) { (a, b) } else { (b, a) };
                self.join(into, other, &mut pairs);
            }
        }
    }

    fn join(&mut self, a: u32, b: u32, pairs: &mut Vec<(u32, u32)>) {
        let (leader, other) = if self.wide[b as usize] { (b, a) } else { (a, b) };
        let (into, at) = (leader as usize, other as usize);
        self.leader[at] = leader;
        let (set, fresh) = (std::mem::take(&mut self.sets[at]), std::mem::take(&mut self.fresh[at]));
        // What one of the two had, the successors of the other have not heard of.
        let mut news = set.minus(&self.sets[into]);
        news.union(&fresh);
        if !self.wide[into] {
            news.union(&self.sets[into].minus(&set));
        }
        self.sets[into].union(&set);
        self.fresh[into].union(&news);
        self.work += (set.words() + self.sets[into].words()) as u64;
        let (copies, shifts) = (std::mem::take(&mut self.copies[at]), std::mem::take(&mut self.shifts[at]));
        let uses = std::mem::take(&mut self.uses[at]);
        let (loads, stores) = (std::mem::take(&mut self.loads[at]), std::mem::take(&mut self.stores[at]));
        if self.wide[into] {
            pairs.extend(copies.into_iter().chain(shifts.into_iter().map(|(to, _)| to)).map(|to| (leader, to)));
            self.late.extend(uses);
            self.forget_offsets(into, loads, stores, pairs);
        } else {
            self.copies[into].extend(copies);
            for edge in shifts {
                if !self.shifts[into].contains(&edge) {
                    self.shifts[into].push(edge);
                }
            }
            add_by_offset(&mut self.loads[into], loads, pairs);
            add_by_offset(&mut self.stores[into], stores, pairs);
            self.uses[into].extend(uses);
        }
        if !self.fresh[into].is_empty() {
            self.active.push(leader);
        }
    }

    /// A wide node gets loads and stores, whatever their offsets.
    fn forget_offsets(&mut self, at: usize, loads: Loads, stores: Loads, pairs: &mut Vec<(u32, u32)>) {
        let anywhere = |list: Loads| list.into_iter().map(|(_, node)| (0, node)).collect::<Loads>();
        let (before, stored_before) = (self.loads[at].len(), self.stores[at].len());
        add_by_offset(&mut self.loads[at], anywhere(loads), pairs);
        add_by_offset(&mut self.stores[at], anywhere(stores), pairs);
        self.late.extend(self.loads[at][before..].iter().map(|&(offset, to)| Use::Load { to, offset }));
        self.late.extend(self.stores[at][stored_before..].iter().map(|&(offset, value)| Use::Store { value, offset }));
    }

    pub fn is_wide(&self, leader: u32) -> bool {
        self.wide[leader as usize]
    }

    /// From now on a leader's set has whole objects only, at first `all`, and what it flows to is one with it.
    pub fn widen(&mut self, leader: u32, all: Bits) {
        let at = leader as usize;
        self.wide[at] = true;
        self.fresh[at] = all.clone();
        self.sets[at] = all;
        self.active.push(leader);
        self.late.append(&mut self.uses[at]);
        let (copies, shifts) = (std::mem::take(&mut self.copies[at]), std::mem::take(&mut self.shifts[at]));
        let (loads, stores) = (std::mem::take(&mut self.loads[at]), std::mem::take(&mut self.stores[at]));
        let mut pairs = Vec::new();
        self.forget_offsets(at, loads, stores, &mut pairs);
        pairs.extend(copies.into_iter().chain(shifts.into_iter().map(|(to, _)| to)).map(|to| (leader, to)));
        self.merge_pairs(pairs);
    }

    /// Uses that the wide node has got since the last time: they have heard of nothing that it points to.
    pub fn take_late(&mut self) -> Vec<Use> {
        std::mem::take(&mut self.late)
    }

    /// The leaders that have something fresh; they are not active after this.
    pub fn take_active(&mut self) -> Vec<u32> {
        let mut active = std::mem::take(&mut self.active);
        active.iter_mut().for_each(|node| *node = self.find(*node));
        active.sort_unstable();
        active.dedup();
        active.retain(|&node| !self.fresh[node as usize].is_empty());
        active
    }

    pub fn take_fresh(&mut self, leader: u32) -> Bits {
        std::mem::take(&mut self.fresh[leader as usize])
    }

    /// What a wide leader has heard of becomes `whole`, which stands for it; gives what is new of that.
    pub fn replace_fresh(&mut self, leader: u32, fresh: &Bits, whole: &Bits) -> Bits {
        let at = leader as usize;
        self.sets[at] = self.sets[at].minus(fresh);
        let news = whole.minus(&self.sets[at]);
        self.sets[at].union(&news);
        news
    }
}

/// Adds nodes to a list that has one for each offset; those that have the same offset are to be made one.
fn add_by_offset(list: &mut Loads, more: Loads, pairs: &mut Vec<(u32, u32)>) {
    for (offset, node) in more {
        match list.iter().find(|&&(other, _)| other == offset) {
            Some(&(_, known)) => pairs.push((known, node)),
            None => list.push((offset, node)),
        }
    }
}
