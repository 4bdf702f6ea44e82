//! When each register holds a value that is still needed, as ranges of points on one line through the body.
//!
//! The line is laid out in regions: a block's operations, then the moves of the edges that leave it, then the next
//! block. Every operation and every move has two points, one at which it reads and, after it, one at which it writes.
//! So a result may take the place of an operand that dies there, two results of one operation may not share a place,
//! and a result that is never read still occupies the point at which it is written.

use crate::{BlockId, Body, EdgeId, Param, Reg};
use fixedbitset::FixedBitSet;
use osier_base::EntityVec;
use std::ops::Range;

/// The parameters are written here, all at once, before the first region.
const PARAMS_WRITTEN: u32 = 1;
const FIRST_POINT: u32 = 2;

#[derive(Clone, Copy)]
enum Place {
    Block(BlockId),
    Edge(EdgeId),
}

struct Region {
    place: Place,
    start: u32,
    steps: u32,
    /// The regions that may come next, by index.
    next: Vec<usize>,
    /// Read before it is written in here; overwritten in here. Over the registers that cross regions.
    reads: FixedBitSet,
    writes: FixedBitSet,
    live_in: FixedBitSet,
}

/// The ranges of each register, in order, disjoint and not touching. None for a register that does not occur.
pub fn live_ranges(body: &Body, params: &[Param]) -> EntityVec<Reg, Vec<Range<u32>>> {
    let mut regions = lay_out(body);
    let crossing = Crossing::new(body, &mut regions);
    propagate(&mut regions, crossing.registers.len());

    let mut ranges: EntityVec<Reg, Vec<Range<u32>>> = body.registers.ids().map(|_| Vec::new()).collect();
    for param in params {
        ranges[param.reg].push(PARAMS_WRITTEN..FIRST_POINT);
    }
    if let Some(entry) = regions.first() {
        // Holds parameters, and in a body that reads what it never wrote those registers too: both from before the
        // first point, so that nothing takes their place.
        for index in entry.live_in.ones() {
            ranges[crossing.registers[index]].push(0..FIRST_POINT);
        }
    }
    let mut open_until: EntityVec<Reg, u32> = body.registers.ids().map(|_| 0).collect();
    for region in &regions {
        add_region(body, &regions, region, &crossing, &mut open_until, &mut ranges);
    }
    ranges.values_mut().for_each(merge);
    ranges
}

/// The registers that some path from the entry reads before it writes them: parameters, in a sound body.
pub fn live_at_entry(body: &Body) -> Vec<Reg> {
    let mut regions = lay_out(body);
    let crossing = Crossing::new(body, &mut regions);
    propagate(&mut regions, crossing.registers.len());
    let entry = regions.first().into_iter().flat_map(|region| region.live_in.ones());
    entry.map(|index| crossing.registers[index]).collect()
}

/// Sorts ranges and joins those that touch or overlap.
fn merge(ranges: &mut Vec<Range<u32>>) {
    ranges.sort_unstable_by_key(|r| (r.start, r.end));
    ranges.dedup_by(|next, kept| {
        let joined = next.start <= kept.end;
        if joined {
            kept.end = kept.end.max(next.end);
        }
        joined
    });
}

fn lay_out(body: &Body) -> Vec<Region> {
    let mut regions: Vec<Region> = Vec::with_capacity(body.blocks.len() + body.edges.len());
    let mut point = FIRST_POINT;
    let mut add = |regions: &mut Vec<Region>, place, steps| {
        let empty = FixedBitSet::new;
        let next = Vec::new();
        regions.push(Region { place, start: point, steps, next, reads: empty(), writes: empty(), live_in: empty() });
        // An empty region gets points as well: what is live through an edge without moves is then seen on the line.
        point += 2 * steps.max(1);
        regions.len() - 1
    };
    let mut region_of_edge: EntityVec<EdgeId, Option<usize>> = body.edges.ids().map(|_| None).collect();
    let mut region_of_block: EntityVec<BlockId, usize> = EntityVec::new();
    for (block, data) in body.blocks.iter() {
        let own = add(&mut regions, Place::Block(block), data.end - data.start);
        region_of_block.push(own);
        for edge in body.terminator(block).edges(body) {
            let region = *region_of_edge[edge]
                .get_or_insert_with(|| add(&mut regions, Place::Edge(edge), body.edges[edge].moves.len));
            regions[own].next.push(region);
        }
    }
    // Moves of an edge that nothing takes still must not name registers that do not exist.
    for (edge, data) in body.edges.iter() {
        let region = region_of_edge[edge].unwrap_or_else(|| add(&mut regions, Place::Edge(edge), data.moves.len));
        regions[region].next.push(region_of_block[data.target]);
    }
    regions
}

impl Region {
    fn end(&self) -> u32 {
        self.start + 2 * self.steps.max(1)
    }

    fn step(&self, body: &Body, step: u32, mut on_use: impl FnMut(Reg), mut on_def: impl FnMut(Reg)) {
        match self.place {
            Place::Block(block) => {
                let op = &body.block_ops(block)[step as usize];
                op.for_each_def(body, on_def);
                op.for_each_use(body, |operand| operand.as_reg().into_iter().for_each(&mut on_use));
            }
            Place::Edge(edge) => {
                let step = body.edge_moves(edge)[step as usize];
                on_def(step.dst);
                step.src.as_reg().into_iter().for_each(on_use);
            }
        }
    }
}

/// The registers that are live across the start of some region: usually few, so the sets stay small.
struct Crossing {
    registers: Vec<Reg>,
}

impl Crossing {
    /// Also fills in what each region reads and writes.
    fn new(body: &Body, regions: &mut [Region]) -> Self {
        let mut registers: Vec<Reg> = Vec::new();
        let mut index: EntityVec<Reg, Option<u32>> = body.registers.ids().map(|_| None).collect();
        // The region, plus one, that wrote a register last: a mark that needs no clearing.
        let mut written_in: EntityVec<Reg, u32> = body.registers.ids().map(|_| 0).collect();
        let mut reads: Vec<Vec<u32>> = Vec::with_capacity(regions.len());
        for (mark, region) in (1u32..).zip(regions.iter()) {
            let mut exposed = Vec::new();
            for step in 0..region.steps {
                let mut defs = Vec::new();
                region.step(
                    body,
                    step,
                    |reg| {
                        if written_in[reg] != mark {
                            exposed.push(*index[reg].get_or_insert_with(|| {
                                registers.push(reg);
                                registers.len() as u32 - 1
                            }));
                        }
                    },
                    |reg| defs.push(reg),
                );
                for reg in defs {
                    written_in[reg] = mark;
                }
            }
            reads.push(exposed);
        }
        for (region, exposed) in regions.iter_mut().zip(reads) {
            region.reads = FixedBitSet::with_capacity(registers.len());
            region.writes = FixedBitSet::with_capacity(registers.len());
            region.reads.extend(exposed.into_iter().map(|i| i as usize));
            let mut writes = std::mem::take(&mut region.writes);
            for step in 0..region.steps {
                region.step(body, step, |_| {}, |reg| writes.extend(index[reg].map(|i| i as usize)));
            }
            region.writes = writes;
        }
        Crossing { registers }
    }
}

/// The usual backward data flow; visiting against the layout makes it settle in a few rounds.
fn propagate(regions: &mut [Region], registers: usize) {
    for region in regions.iter_mut() {
        region.live_in = FixedBitSet::with_capacity(registers);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for current in (0..regions.len()).rev() {
            let mut live = live_out(regions, &regions[current], registers);
            live.difference_with(&regions[current].writes);
            live.union_with(&regions[current].reads);
            if live != regions[current].live_in {
                regions[current].live_in = live;
                changed = true;
            }
        }
    }
}

fn live_out(regions: &[Region], region: &Region, registers: usize) -> FixedBitSet {
    let mut live = FixedBitSet::with_capacity(registers);
    for &next in &region.next {
        live.union_with(&regions[next].live_in);
    }
    live
}

/// `open_until[r]` is the end of the range that is being followed upwards, 0 if none is; all are 0 between regions.
fn add_region(
    body: &Body,
    regions: &[Region],
    region: &Region,
    crossing: &Crossing,
    open_until: &mut EntityVec<Reg, u32>,
    ranges: &mut EntityVec<Reg, Vec<Range<u32>>>,
) {
    for index in live_out(regions, region, crossing.registers.len()).ones() {
        open_until[crossing.registers[index]] = region.end();
    }
    for step in (0..region.steps).rev() {
        let read = region.start + 2 * step;
        let write = read + 1;
        let mut uses = Vec::new();
        region.step(
            body,
            step,
            |reg| uses.push(reg),
            |reg| {
                let end = std::mem::take(&mut open_until[reg]);
                ranges[reg].push(write..end.max(write + 1));
            },
        );
        for reg in uses {
            if open_until[reg] == 0 {
                open_until[reg] = read + 1;
            }
        }
    }
    for index in region.live_in.ones() {
        let reg = crossing.registers[index];
        let end = std::mem::take(&mut open_until[reg]);
        ranges[reg].push(region.start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn touching_ranges_become_one() {
        let mut ranges = vec![6..9, 1..2, 2..4, 7..8];
        merge(&mut ranges);
        assert_eq!(ranges, [1..4, 6..9]);
    }
}
