//! The execution tree: inner nodes are forks, leaves are live states. Dead branches are pruned as states end.

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
        let tree =
            Tree { entries: vec![Entry { parent: None, node: Node::Leaf(first) }], free: Vec::new(), root: Some(root) };
        (tree, root)
    }

    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    pub fn at(&self, node: NodeId) -> Standing {
        match self.entries[node.0 as usize].node {
            Node::Leaf(state) => Standing::State(state),
            Node::Fork { left, right } => Standing::Fork { left, right },
            Node::Free => unreachable!("{node} has been pruned"),
        }
    }

    fn add(&mut self, parent: NodeId, state: StateId) -> NodeId {
        self.place(Entry { parent: Some(parent), node: Node::Leaf(state) })
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

    /// A leaf for a state that had left the tree: beside everything that is in it.
    pub fn graft(&mut self, state: StateId) -> NodeId {
        let leaf = Entry { parent: None, node: Node::Leaf(state) };
        let leaf = self.place(leaf);
        let Some(old) = self.root else {
            self.root = Some(leaf);
            return leaf;
        };
        let root = self.place(Entry { parent: None, node: Node::Fork { left: Some(old), right: Some(leaf) } });
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
                    if left.is_some() || right.is_some() {
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
        assert_eq!(tree.at(b), Standing::Fork { left: None, right: Some(d) });
        tree.remove(d);
        assert_eq!(tree.at(root), Standing::Fork { left: Some(a), right: None });
        tree.remove(a);
        assert_eq!(tree.root(), None);
    }

    #[test]
    fn a_grafted_state_stands_beside_the_others() {
        let (mut tree, first) = Tree::new(StateId(0));
        let grafted = tree.graft(StateId(7));
        let root = tree.root().expect("there are states");
        assert_eq!(tree.at(root), Standing::Fork { left: Some(first), right: Some(grafted) });
        tree.remove(first);
        tree.remove(grafted);
        assert_eq!(tree.root(), None);
        let alone = tree.graft(StateId(8));
        assert_eq!(tree.root(), Some(alone));
    }
}
