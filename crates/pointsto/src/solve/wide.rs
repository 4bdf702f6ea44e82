//! Sets that have become too large: one node stands for all of them. It points to whole objects, and whatever it flows to
//! is one with it, so that it has no edges and costs next to nothing. Offsets in such sets are of use to nobody and would
//! take most of the time; and as the sets overlap in most programs, little is lost by their being one.

use super::Analysis;
use crate::ObjectId;
use crate::bits::Bits;
use crate::graph::Use;
use crate::shift::Span;

impl Analysis<'_> {
    pub(super) fn look_at_late_uses(&mut self) {
        let Some(wide) = self.wide else { return };
        loop {
            let late = self.graph.take_late();
            if late.is_empty() {
                return;
            }
            let known = self.graph.set(wide).clone();
            for what in late {
                self.use_widely(wide, what, &known);
            }
            self.state_instances();
        }
    }

    /// The wide node is used. To copy memory is to load and to store there: anything from anywhere.
    pub(super) fn use_widely(&mut self, wide: u32, what: Use, known: &Bits) {
        match what {
            Use::CopyOut { to, len: _ } => {
                let node = self.objects.write_node(&mut self.graph, ObjectId(to), Span::WHOLE);
                let loaded = self.graph.node();
                node.into_iter().for_each(|node| self.graph.copy(loaded, node));
                if let Some(what) = self.graph.load(wide, loaded, 0) {
                    self.make_use(what, known);
                }
            }
            Use::CopyIn { from, len: _ } => {
                let node = self.objects.read_node(&mut self.graph, ObjectId(from), Span::WHOLE);
                node.into_iter().for_each(|node| self.add_store(wide, node, 0));
            }
            Use::Load { .. } | Use::Store { .. } | Use::Held { .. } => self.make_use(what, known),
            Use::LoadAmongVariadic { .. } | Use::Call { .. } | Use::Callback { .. } => {
                self.graph.add_use(wide, what);
                self.make_use(what, known);
            }
        }
    }

    /// What a leader's successors are to be told.
    pub(super) fn take_news(&mut self, leader: u32) -> Bits {
        let fresh = self.graph.take_fresh(leader);
        if fresh.is_empty() {
            return fresh;
        }
        if self.graph.is_wide(leader) {
            let whole = self.objects.whole(&fresh);
            return self.graph.replace_fresh(leader, &fresh, &whole);
        }
        if self.graph.set(leader).len() <= self.options.most_locations {
            return fresh;
        }
        let whole = self.objects.whole(self.graph.set(leader));
        self.graph.widen(leader, whole);
        let wide = *self.wide.get_or_insert(leader);
        self.graph.merge(&[wide, leader]);
        Bits::new()
    }
}
