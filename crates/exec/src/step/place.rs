//! Reads and writes at what a pointer leads to in one state: a place in one object, or one of several.

use crate::{Context, State};
use osier_memory::{ObjectId, Piece, Value, View, translate};
use osier_term::Term;

/// Under `guard`, the access goes to `offset` (64 bits, from the beginning of the object), which lies in the piece.
#[derive(Clone, Copy)]
pub struct Choice {
    pub guard: Term,
    pub piece: Piece,
    pub offset: Term,
}

/// How several places are accessed in one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Together {
    /// Each by itself, under its condition.
    Merged,
    /// All as one array, at an index that depends on the pointer.
    SideBySide,
}

pub enum Place {
    One {
        id: ObjectId,
        offset: Value,
    },
    Several {
        /// The guards are disjoint, and on the path one of them holds.
        choices: Vec<Choice>,
        /// Pieces that the pointer does not lead to, but that belong to the same segment.
        beside: Vec<Piece>,
        together: Together,
        /// The pointer, if it has constants at its roots.
        shaped: Option<Term>,
    },
}

impl Place {
    pub fn read(&self, cx: &mut Context, state: &State, width: u32) -> Value {
        match self {
            Place::One { id, offset } => {
                let contents = &state.memory.object(*id).contents;
                match *offset {
                    Value::Int(offset) => contents.read(&mut cx.pool, offset as usize, width),
                    Value::Term(offset) => {
                        let term = contents.read_at(&mut cx.pool, offset, width);
                        Value::of(&cx.pool, term)
                    }
                }
            }
            Place::Several { choices, together: Together::Merged, .. } => {
                let term = read_merged(cx, state, choices, width);
                Value::of(&cx.pool, term)
            }
            Place::Several { choices, beside, together: Together::SideBySide, shaped } => {
                let term = read_side_by_side(cx, state, choices, beside, *shaped, width);
                Value::of(&cx.pool, term)
            }
        }
    }

    pub fn write(&self, cx: &mut Context, state: &mut State, width: u32, value: Value) {
        match self {
            Place::One { id, offset } => {
                let contents = &mut state.memory.object_mut(*id).contents;
                match *offset {
                    Value::Int(offset) => contents.write(&mut cx.pool, offset as usize, width, value),
                    Value::Term(offset) => contents.write_at(&mut cx.pool, offset, width, value),
                }
            }
            Place::Several { choices, together: Together::Merged, .. } => {
                write_merged(cx, state, choices, width, value)
            }
            Place::Several { choices, beside, together: Together::SideBySide, shaped } => {
                write_side_by_side(cx, state, choices, beside, *shaped, width, value);
            }
        }
    }
}

/// ite(guard, value here, ite(guard, value there, ...))
fn read_merged(cx: &mut Context, state: &State, choices: &[Choice], width: u32) -> Term {
    let mut whole: Option<Term> = None;
    for choice in choices.iter().rev() {
        let here = read_piece(cx, state, choice, choice.offset, width);
        whole = Some(match whole {
            None => here,
            Some(other) => cx.pool.ite(choice.guard, here, other),
        });
    }
    whole.expect("there are choices")
}

fn read_piece(cx: &mut Context, state: &State, choice: &Choice, offset: Term, width: u32) -> Term {
    let Piece { id, start, end } = choice.piece;
    let contents = &state.memory.object(id).contents;
    match cx.pool.as_const(offset) {
        Some(offset) => contents.read(&mut cx.pool, offset as usize, width).term(&mut cx.pool, width),
        None if end - start == contents.len() as u64 => contents.read_at(&mut cx.pool, offset, width),
        None => {
            let views = state.memory.views(&mut cx.pool, &[choice.piece]);
            let index = place_of(cx, choice, offset, views[0].members()[0].place);
            views[0].read(&mut cx.pool, index, width)
        }
    }
}

/// Each object keeps what it has unless its guard holds.
fn write_merged(cx: &mut Context, state: &mut State, choices: &[Choice], width: u32, value: Value) {
    let new = value.term(&mut cx.pool, width);
    let start = |cx: &mut Context, piece: Piece| cx.pool.constant(64, u128::from(piece.start));
    for choice in choices {
        // Where the guard does not hold the offset may be anything: the write then puts back what is at the start.
        let first = start(cx, choice.piece);
        let offset = match cx.pool.as_const(choice.offset) {
            Some(_) => choice.offset,
            None => cx.pool.ite(choice.guard, choice.offset, first),
        };
        let old = read_piece(cx, state, choice, offset, width);
        let written = cx.pool.ite(choice.guard, new, old);
        let written = Value::of(&cx.pool, written);
        let Piece { id, start, end } = choice.piece;
        let whole = end - start == state.memory.object(id).size;
        match cx.pool.as_const(offset) {
            Some(offset) => {
                state.memory.object_mut(id).contents.write(&mut cx.pool, offset as usize, width, written);
            }
            None if whole => state.memory.object_mut(id).contents.write_at(&mut cx.pool, offset, width, written),
            None => {
                let mut views = state.memory.views(&mut cx.pool, &[choice.piece]);
                let index = place_of(cx, choice, offset, views[0].members()[0].place);
                views[0].write(&mut cx.pool, index, width, written);
                state.memory.put_back(&mut cx.pool, &[choice.piece], &views[0]);
            }
        }
    }
}

fn pieces_of(choices: &[Choice], beside: &[Piece]) -> Vec<Piece> {
    choices.iter().map(|choice| choice.piece).chain(beside.iter().copied()).collect()
}

fn note_segment(cx: &mut Context, views: &[View]) {
    cx.counters.segments += views.len() as u64;
    let largest = views.iter().map(View::len).max().unwrap_or(0) as u64;
    cx.counters.max_segment_bytes = cx.counters.max_segment_bytes.max(largest);
}

fn read_side_by_side(
    cx: &mut Context,
    state: &State,
    choices: &[Choice],
    beside: &[Piece],
    shaped: Option<Term>,
    width: u32,
) -> Term {
    let pieces = pieces_of(choices, beside);
    let views = state.memory.views(&mut cx.pool, &pieces);
    note_segment(cx, &views);
    let mut whole: Option<Term> = None;
    for view in &views {
        let Some((guard, index)) = index_into(cx, state, choices, view, shaped) else { continue };
        let here = view.read(&mut cx.pool, index, width);
        whole = Some(match whole {
            None => here,
            Some(other) => cx.pool.ite(guard, here, other),
        });
    }
    whole.expect("there are choices")
}

fn write_side_by_side(
    cx: &mut Context,
    state: &mut State,
    choices: &[Choice],
    beside: &[Piece],
    shaped: Option<Term>,
    width: u32,
    value: Value,
) {
    let pieces = pieces_of(choices, beside);
    let mut views = state.memory.views(&mut cx.pool, &pieces);
    note_segment(cx, &views);
    let targets: Vec<Option<(Term, Term)>> =
        views.iter().map(|view| index_into(cx, state, choices, view, shaped)).collect();
    let alone = targets.iter().flatten().count() == 1;
    for (view, target) in views.iter_mut().zip(targets) {
        let Some((guard, index)) = target else { continue };
        let written = if alone {
            value
        } else {
            let old = view.read(&mut cx.pool, index, width);
            let new = value.term(&mut cx.pool, width);
            let written = cx.pool.ite(guard, new, old);
            Value::of(&cx.pool, written)
        };
        view.write(&mut cx.pool, index, width, written);
        state.memory.put_back(&mut cx.pool, &pieces, view);
    }
}

/// Where in a view the pointer leads to, and the condition that it leads there at all. Where the condition does not
/// hold, the index is that of some byte of the view. Nothing if no choice lies in the view.
fn index_into(
    cx: &mut Context,
    state: &State,
    choices: &[Choice],
    view: &View,
    shaped: Option<Term>,
) -> Option<(Term, Term)> {
    let members: Vec<(&Choice, u64)> =
        view.members().iter().filter_map(|m| Some((choices.get(m.piece)?, m.place))).collect();
    let (first, place) = *members.first()?;
    let mut guard = cx.pool.truth(false);
    for (choice, _) in &members {
        guard = cx.pool.or(guard, choice.guard);
    }
    let whole = |choice: &Choice| choice.piece.end - choice.piece.start == state.memory.object(choice.piece.id).size;
    if let Some(pointer) = shaped
        && members.len() == choices.len()
        && choices.iter().all(whole)
    {
        let place = |address: u64| {
            let object = state.memory.find(address)?;
            let (_, place) = members.iter().find(|(choice, _)| choice.piece.id == object.id)?;
            Some(place.wrapping_add(address.wrapping_sub(object.base)))
        };
        return Some((guard, translate(&mut cx.pool, &state.memory, pointer, &place)));
    }
    let mut index = if members.len() == choices.len() {
        place_of(cx, first, first.offset, place)
    } else {
        cx.pool.constant(64, u128::from(place))
    };
    for (choice, place) in members.into_iter().rev() {
        let here = place_of(cx, choice, choice.offset, place);
        index = cx.pool.ite(choice.guard, here, index);
    }
    Some((guard, index))
}

/// An offset into the object as an index into a view that has the piece at `place`.
fn place_of(cx: &mut Context, choice: &Choice, offset: Term, place: u64) -> Term {
    let distance = cx.pool.constant(64, u128::from(place.wrapping_sub(choice.piece.start)));
    cx.pool.add(offset, distance)
}
