//! The execution tree: inner nodes are forks, leaves are live states, running or pending. Dead branches are pruned as
//! states end. Every node knows which of the two kinds stand below it, so that a descent finds one without a search.

use crate::StateId;
use osier_base::entity;

entity!(
    /// A node of the execution tree.
    pub struct NodeId = "n";
);

#[derive(Clone, Copy, Debug)]
enum Node {
    Leaf(StateId),
    Fork { left: Option<NodeId>, right: Option<NodeId> },
    Free,
}

#[derive(Clone, Debug)]
struct Entry {
    parent: Option<NodeId>,
    node: Node,
    /// The kinds of leaves at and below it, as bits.
    kinds: u8,
}

/// A kind of leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// States that are known to be feasible.
    Running,
    /// States of which nobody knows yet.
    Pending,
    /// Pending states that were too hard for the solver: nobody chooses among them.
    PutOff,
}

impl Leaves {
    fn bit(self) -> u8 {
        match self {
            Leaves::Running => 1,
            Leaves::Pending => 2,
            Leaves::PutOff => 4,
        }
    }
}

/// A binary tree whose freed nodes are used again.
#[derive(Clone, Debug)]
pub struct Tree {
    entries: Vec<Entry>,
    free: Vec<NodeId>,
    root: Option<NodeId>,
}

/// What stands at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    State(StateId),
    Fork { left: Option<NodeId>, right: Option<NodeId> },
}

impl Tree {
    pub fn new(first: StateId) -> (Self, NodeId) {
        let root = NodeId(0);
        let entry = Entry { parent: None, node: Node::Leaf(first), kinds: Leaves::Running.bit() };
        (Tree { entries: vec![entry], free: Vec::new(), root: Some(root) }, root)
    }

    /// The root, if there are leaves of this kind.
    pub fn root(&self, leaves: Leaves) -> Option<NodeId> {
        self.root.filter(|root| self.has(*root, leaves))
    }

    fn has(&self, node: NodeId, leaves: Leaves) -> bool {
        self.entries[node.0 as usize].kinds & leaves.bit() != 0
    }

    /// What stands at a node, as far as it has leaves of this kind.
    pub fn at(&self, node: NodeId, leaves: Leaves) -> Standing {
        let with = |child: Option<NodeId>| child.filter(|child| self.has(*child, leaves));
        match self.entries[node.0 as usize].node {
            Node::Leaf(state) => Standing::State(state),
            Node::Fork { left, right } => Standing::Fork { left: with(left), right: with(right) },
            Node::Free => unreachable!("{node} has been pruned"),
        }
    }

    fn add(&mut self, parent: NodeId, state: StateId) -> NodeId {
        let kinds = self.entries[parent.0 as usize].kinds;
        self.place(Entry { parent: Some(parent), node: Node::Leaf(state), kinds })
    }

    /// Makes a leaf one of this kind.
    pub fn mark(&mut self, leaf: NodeId, leaves: Leaves) {
        self.entries[leaf.0 as usize].kinds = leaves.bit();
        self.tell_above(leaf);
    }

    /// Brings the kinds of the nodes above one up to date.
    fn tell_above(&mut self, node: NodeId) {
        let mut above = self.entries[node.0 as usize].parent;
        while let Some(at) = above {
            let Node::Fork { left, right } = self.entries[at.0 as usize].node else {
                unreachable!("a parent is a fork")
            };
            let kinds =
                [left, right].into_iter().flatten().fold(0, |all, child| all | self.entries[child.0 as usize].kinds);
            if self.entries[at.0 as usize].kinds == kinds {
                return;
            }
            self.entries[at.0 as usize].kinds = kinds;
            above = self.entries[at.0 as usize].parent;
        }
    }

    fn place(&mut self, entry: Entry) -> NodeId {
        match self.free.pop() {
            Some(node) => {
                self.entries[node.0 as usize] = entry;
                node
            }
            None => {
                self.entries.push(entry);
                NodeId(self.entries.len() as u32 - 1)
            }
        }
    }

    /// Turns the leaf of `parent` into a fork of it and `child`; gives their new leaves.
    pub fn fork(&mut self, leaf: NodeId, parent: StateId, child: StateId) -> (NodeId, NodeId) {
        let left = self.add(leaf, parent);
        let right = self.add(leaf, child);
        self.entries[leaf.0 as usize].node = Node::Fork { left: Some(left), right: Some(right) };
        (left, right)
    }

    /// A leaf for a running state that had left the tree: beside everything that is in it.
    pub fn graft(&mut self, state: StateId) -> NodeId {
        let leaf = Entry { parent: None, node: Node::Leaf(state), kinds: Leaves::Running.bit() };
        let leaf = self.place(leaf);
        let Some(old) = self.root else {
            self.root = Some(leaf);
            return leaf;
        };
        let kinds = self.entries[old.0 as usize].kinds | Leaves::Running.bit();
        let root = self.place(Entry { parent: None, node: Node::Fork { left: Some(old), right: Some(leaf) }, kinds });
        self.entries[old.0 as usize].parent = Some(root);
        self.entries[leaf.0 as usize].parent = Some(root);
        self.root = Some(root);
        leaf
    }

    /// Removes a leaf and every fork above it that has nothing left below.
    pub fn remove(&mut self, leaf: NodeId) {
        let mut gone = leaf;
        loop {
            let parent = self.entries[gone.0 as usize].parent;
            self.entries[gone.0 as usize].node = Node::Free;
            self.free.push(gone);
            let Some(above) = parent else {
                self.root = None;
                return;
            };
            match &mut self.entries[above.0 as usize].node {
                Node::Fork { left, right } => {
                    if *left == Some(gone) {
                        *left = None;
                    } else {
                        *right = None;
                    }
                    if let Some(rest) = left.or(*right) {
                        self.tell_above(rest);
                        return;
                    }
                }
                Node::Leaf(_) | Node::Free => unreachable!("a parent is a fork"),
            }
            gone = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fork_with_no_states_below_is_pruned() {
        let (mut tree, root) = Tree::new(StateId(0));
        let (a, b) = tree.fork(root, StateId(0), StateId(1));
        let (c, d) = tree.fork(b, StateId(1), StateId(2));
        tree.remove(c);
        assert_eq!(tree.at(b, Leaves::Running), Standing::Fork { left: None, right: Some(d) });
        tree.remove(d);
        assert_eq!(tree.at(root, Leaves::Running), Standing::Fork { left: Some(a), right: None });
        tree.remove(a);
        assert_eq!(tree.root(Leaves::Running), None);
    }

    #[test]
    fn a_grafted_state_stands_beside_the_others() {
        let (mut tree, first) = Tree::new(StateId(0));
        let grafted = tree.graft(StateId(7));
        let root = tree.root(Leaves::Running).expect("there are states");
        assert_eq!(tree.at(root, Leaves::Running), Standing::Fork { left: Some(first), right: Some(grafted) });
        tree.remove(first);
        tree.remove(grafted);
        assert_eq!(tree.root(Leaves::Running), None);
        let alone = tree.graft(StateId(8));
        assert_eq!(tree.root(Leaves::Running), Some(alone));
    }

    #[test]
    fn each_kind_of_leaves_sees_its_own_tree() {
        let (mut tree, root) = Tree::new(StateId(0));
        let (a, b) = tree.fork(root, StateId(0), StateId(1));
        assert_eq!(tree.root(Leaves::Pending), None);
        tree.mark(b, Leaves::Pending);
        assert_eq!(tree.at(root, Leaves::Running), Standing::Fork { left: Some(a), right: None });
        assert_eq!(tree.at(root, Leaves::Pending), Standing::Fork { left: None, right: Some(b) });
        let (c, d) = tree.fork(a, StateId(0), StateId(2));
        tree.mark(d, Leaves::Pending);
        assert_eq!(tree.at(root, Leaves::Pending), Standing::Fork { left: Some(a), right: Some(b) });
        tree.remove(c);
        assert_eq!(tree.root(Leaves::Running), None);
        tree.mark(d, Leaves::Running);
        assert_eq!(tree.at(root, Leaves::Running), Standing::Fork { left: Some(a), right: None });
        assert_eq!(tree.at(root, Leaves::Pending), Standing::Fork { left: None, right: Some(b) });
    }
}
