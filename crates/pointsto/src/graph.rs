//! The constraint graph: a set per node, edges along which sets flow, and what each node's set is used for.

use crate::ObjectId;
use crate::bits::Bits;
use crate::shift::{Shift, Span};
use rustc_hash::FxHashSet;

/// What becomes of the locations in a node's set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    /// What lies there, moved by the offset, flows to a node.
    Load { to: u32, offset: i64 },
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
    pub fn add_use(&mut self, node: u32, what: Use) -> bool {
        let node = self.find(node);
        let uses = &mut self.uses[node as usize];
        let new = !uses.contains(&what);
        if new {
            uses.push(what);
        }
        new
    }

    pub fn uses(&self, leader: u32) -> &[Use] {
        &self.uses[leader as usize]
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

    /// Makes one node of several leaders.
    pub fn merge(&mut self, members: &[u32]) {
        let Some((&leader, others)) = members.split_first() else { return };
        for &other in others {
            let at = other as usize;
            self.leader[at] = leader;
            let (set, fresh) = (std::mem::take(&mut self.sets[at]), std::mem::take(&mut self.fresh[at]));
            let into = leader as usize;
            // What one of the two had, the successors of the other have not heard of.
            let mut news = self.sets[into].minus(&set);
            news.union(&set.minus(&self.sets[into]));
            news.union(&fresh);
            self.sets[into].union(&set);
            self.fresh[into].union(&news);
            let (copies, shifts) = (std::mem::take(&mut self.copies[at]), std::mem::take(&mut self.shifts[at]));
            self.copies[into].extend(copies);
            self.shifts[into].extend(shifts);
            let uses = std::mem::take(&mut self.uses[at]);
            self.uses[into].extend(uses);
        }
        let into = leader as usize;
        self.copies[into].sort_unstable();
        self.copies[into].dedup();
        let mut seen = FxHashSet::default();
        self.uses[into].retain(|what| seen.insert(*what));
        if !self.fresh[into].is_empty() {
            self.active.push(leader);
        }
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
}
