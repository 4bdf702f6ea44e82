//! Fewer registers: those of the same width that are never live at the same time share a number.
//!
//! Lowering gives every value a register of its own, which is simple and makes frames of thousands of registers. A
//! frame is copied when a state forks, so it should be as small as what is live at once.

use crate::liveness::live_ranges;
use crate::{Body, Move, Param, PhiMoves, Reg};
use osier_base::EntityVec;
use std::ops::Range;

/// A new register and the points at which it is taken, in order and disjoint.
struct Place {
    width: u8,
    taken: Vec<Range<u32>>,
}

/// Renumbers the registers of a body. Parameters stay distinct from each other. Edge moves that come to move a
/// register to itself are dropped.
///
/// The body must be one that the verifier accepts.
pub fn compact_registers(body: &mut Body, params: &mut [Param]) {
    let ranges = live_ranges(body, params);
    let partners = move_partners(body);
    let mut order: Vec<Reg> = ranges.ids().filter(|&reg| !ranges[reg].is_empty()).collect();
    order.sort_by_key(|&reg| (ranges[reg][0].start, reg));

    let mut places: EntityVec<Reg, Place> = EntityVec::new();
    let mut place_of: EntityVec<Reg, Option<Reg>> = body.registers.ids().map(|_| None).collect();
    for reg in order {
        let width = body.registers[reg];
        let fits = |place: &Place| place.width == width && !overlaps(&place.taken, &ranges[reg]);
        let wished = partners[reg].iter().filter_map(|&partner| place_of[partner]).find(|&p| fits(&places[p]));
        let place = wished
            .or_else(|| places.iter().find(|(_, place)| fits(place)).map(|(id, _)| id))
            .unwrap_or_else(|| places.push(Place { width, taken: Vec::new() }));
        take(&mut places[place].taken, &ranges[reg]);
        place_of[reg] = Some(place);
    }

    let rename = |reg: Reg| place_of[reg].expect("a register that occurs has a place");
    body.rename_registers(rename);
    for param in params {
        param.reg = rename(param.reg);
    }
    body.registers = places.values().map(|place| place.width).collect();
    drop_moves_to_self(body);
}

/// The registers at the other ends of each register's edge moves: sharing with one of them saves the move.
fn move_partners(body: &Body) -> EntityVec<Reg, Vec<Reg>> {
    let mut partners: EntityVec<Reg, Vec<Reg>> = body.registers.ids().map(|_| Vec::new()).collect();
    for step in &body.moves {
        if let Some(src) = step.src.as_reg() {
            partners[step.dst].push(src);
            partners[src].push(step.dst);
        }
    }
    partners
}

fn overlaps(taken: &[Range<u32>], wanted: &[Range<u32>]) -> bool {
    wanted.iter().any(|want| {
        let candidate = taken.partition_point(|range| range.end <= want.start);
        taken.get(candidate).is_some_and(|range| range.start < want.end)
    })
}

/// `wanted` overlaps nothing in `taken`. Ranges that come to touch are joined, which keeps the search short.
fn take(taken: &mut Vec<Range<u32>>, wanted: &[Range<u32>]) {
    for want in wanted {
        let after = taken.partition_point(|range| range.start < want.start);
        let joins_next = taken.get(after).is_some_and(|next| next.start == want.end);
        let joins_last = after > 0 && taken[after - 1].end == want.start;
        match (joins_last, joins_next) {
            (true, true) => taken[after - 1].end = taken.remove(after).end,
            (true, false) => taken[after - 1].end = want.end,
            (false, true) => taken[after].start = want.start,
            (false, false) => taken.insert(after, want.clone()),
        }
    }
}

fn drop_moves_to_self(body: &mut Body) {
    let mut moves: Vec<Move> = Vec::with_capacity(body.moves.len());
    for edge in body.edges.ids() {
        let start = moves.len() as u32;
        moves.extend(body.edge_moves(edge).iter().filter(|step| step.src.as_reg() != Some(step.dst)));
        body.edges[edge].moves = PhiMoves { start, len: moves.len() as u32 - start };
    }
    body.moves = moves;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_come_to_touch_are_joined() {
        let mut taken = vec![4..6, 10..12];
        take(&mut taken, &[1..2, 6..8, 9..10, 20..21]);
        assert_eq!(taken, [1..2, 4..8, 9..12, 20..21]);
        take(&mut taken, &[2..4, 8..9]);
        assert_eq!(taken, [1..12, 20..21]);
        assert!(overlaps(&taken, &[15..16, 11..13]) && !overlaps(&taken, &[0..1, 12..20, 21..30]));
    }
}
