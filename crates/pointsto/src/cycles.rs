//! Cycles of the constraint graph: nodes on a cycle of copies have the same set and become one; a pointer that is moved
//! on a cycle is moved any number of times, so that its offset becomes a stride.

use crate::graph::Graph;

/// Collapses the cycles among what the roots reach, and gives the leaders in an order in which each comes before those
/// that it flows to, but for cycles with a shift in them.
pub fn collapse(graph: &mut Graph, roots: &[u32]) -> Vec<u32> {
    let (around, numbers) = components(graph, roots, true, |_, _| true);
    let mut suspects = Vec::new();
    for members in around.iter().filter(|members| members.len() > 1) {
        for &member in members {
            let number = numbers.of(member);
            for (to, shift) in graph.shifts_mut(member) {
                if numbers.of(*to) == number {
                    *shift = shift.on_cycle();
                }
            }
        }
        suspects.extend(members);
    }
    if !suspects.is_empty() {
        let (same, _) = components(graph, &suspects, false, |from, to| numbers.of(from) == numbers.of(to));
        for members in same.iter().filter(|members| members.len() > 1) {
            graph.merge(members);
        }
    }
    around.into_iter().rev().flatten().collect()
}

/// The component of each node that was visited.
struct Numbers(Vec<u32>);

const NONE: u32 = u32::MAX;

impl Numbers {
    fn of(&self, node: u32) -> Option<u32> {
        self.0.get(node as usize).copied().filter(|&number| number != NONE)
    }
}

/// Tarjan's strongly connected components, without recursion; those that others flow to come first.
fn components(
    graph: &mut Graph,
    roots: &[u32],
    with_shifts: bool,
    follow: impl Fn(u32, u32) -> bool,
) -> (Vec<Vec<u32>>, Numbers) {
    let count = graph.len();
    let mut index = vec![0u32; count];
    let mut low = vec![0u32; count];
    let mut numbers = vec![NONE; count];
    let mut found: Vec<Vec<u32>> = Vec::new();
    let mut next_index = 1;
    let mut path: Vec<u32> = Vec::new();
    let mut stack: Vec<(u32, usize)> = Vec::new();
    for &root in roots {
        if index[root as usize] != 0 {
            continue;
        }
        stack.push((root, 0));
        while let Some((node, edge)) = stack.last_mut() {
            let at = *node as usize;
            if *edge == 0 && index[at] == 0 {
                graph.refresh_edges(*node);
                index[at] = next_index;
                low[at] = next_index;
                next_index += 1;
                path.push(*node);
            }
            let copies = graph.copies(*node);
            let next = match copies.get(*edge) {
                Some(&to) => Some(to),
                None if with_shifts => graph.shifts(*node).get(*edge - copies.len()).map(|&(to, _)| to),
                None => None,
            };
            match next {
                Some(to) => {
                    *edge += 1;
                    if !follow(*node, to) {
                        continue;
                    }
                    if index[to as usize] == 0 {
                        stack.push((to, 0));
                    } else if numbers[to as usize] == NONE {
                        low[at] = low[at].min(index[to as usize]);
                    }
                }
                None => {
                    let node = *node;
                    stack.pop();
                    if let Some(&(parent, _)) = stack.last() {
                        low[parent as usize] = low[parent as usize].min(low[at]);
                    }
                    if low[at] == index[at] {
                        let start = path.iter().rposition(|&member| member == node).unwrap_or(0);
                        let members = path.split_off(start);
                        for &member in &members {
                            numbers[member as usize] = found.len() as u32;
                        }
                        found.push(members);
                    }
                }
            }
        }
    }
    (found, Numbers(numbers))
}
