//! Numbered weights and their sums, to draw from: change and draw cost the logarithm of their number.

/// A complete binary tree in one vector: the children of node `i` are `2i` and `2i + 1`, the leaves are the last half.
/// An inner node is the sum of its children, computed from them at each change, so rounding errors do not pile up.
#[derive(Default)]
pub(super) struct SumTree {
    nodes: Vec<f64>,
}

impl SumTree {
    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }

    /// Sets the weight of a slot. Slots that were never set weigh nothing.
    pub fn set(&mut self, slot: usize, weight: f64) {
        debug_assert!(weight >= 0.0 && weight.is_finite());
        if slot >= self.leaves() {
            self.grow(slot + 1);
        }
        let mut node = self.leaves() + slot;
        self.nodes[node] = weight;
        while node > 1 {
            node /= 2;
            self.nodes[node] = self.nodes[2 * node] + self.nodes[2 * node + 1];
        }
    }

    fn grow(&mut self, slots: usize) {
        let leaves = slots.next_power_of_two();
        let old = self.leaves();
        let mut nodes = vec![0.0; 2 * leaves];
        nodes[leaves..leaves + old].copy_from_slice(&self.nodes[old..]);
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node] + nodes[2 * node + 1];
        }
        self.nodes = nodes;
    }

    /// The slot at `part` (in [0, 1)) of the whole weight. Some slot must have weight; one without is never drawn.
    pub fn draw(&self, part: f64) -> usize {
        let leaves = self.leaves();
        let mut rest = part * self.nodes[1];
        let mut node = 1;
        while node < leaves {
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            node *= 2;
            // Rounding may leave `rest` a hair beyond the last slot with weight.
            if rest >= left && right > 0.0 {
                rest -= left;
                node += 1;
            }
        }
        node - leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_draw_finds_the_slot_whose_stretch_holds_it() {
        let mut sums = SumTree::default();
        for (slot, weight) in [1.0, 0.0, 2.0, 0.0, 1.0].into_iter().enumerate() {
            sums.set(slot, weight);
        }
        let drawn = [0.0, 0.2, 0.25, 0.7, 0.75, 0.999].map(|part| sums.draw(part));
        assert_eq!(drawn, [0, 0, 2, 2, 4, 4]);
        sums.set(2, 0.0);
        assert_eq!([0.4, 0.5].map(|part| sums.draw(part)), [0, 4]);
    }

    proptest! {
        #[test]
        fn a_draw_has_weight_whatever_was_set(
            changes in prop::collection::vec((0usize..70, prop_oneof![Just(0.0), Just(f64::MIN_POSITIVE), 0.0..1e12]), 1..200),
            part in 0.0..1.0f64,
        ) {
            let mut sums = SumTree::default();
            let mut weights = [0.0; 70];
            for (slot, weight) in changes {
                sums.set(slot, weight);
                weights[slot] = weight;
                if weights.iter().any(|&weight| weight > 0.0) {
                    let drawn = sums.draw(part);
                    prop_assert!(weights[drawn] > 0.0, "slot {} of {:?}", drawn, weights);
                }
            }
        }
    }
}
