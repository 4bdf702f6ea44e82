//! How objects and places are called in messages.

use crate::outcome::Place;
use crate::{Program, State};
use osier_ir::{FuncId, LocId};
use osier_memory::{Object, Origin};

/// What a report calls an object: its variable's name, or where it was allocated.
pub fn object_name(program: &Program, object: &Object) -> String {
    match object.origin {
        Origin::Global(global) => program.module.globals[global].name.clone(),
        Origin::Stack { site, .. } => program.module.sites[site].name.clone(),
        Origin::Arguments { function } => format!("the arguments of {}", program.module.functions[function].name),
        Origin::Heap { allocator } => format!("block from {allocator}{}", at_line(program, object.allocated_at)),
        Origin::Fixed => format!("the fixed object at {:#x}", object.base),
        Origin::Environment { name } => name.to_string(),
    }
}

/// ` at file.c:12` with the file's base name, or nothing where the place is unknown.
pub fn at_line(program: &Program, location: LocId) -> String {
    let line = program.module.locations[location].line;
    if line == 0 {
        return String::new();
    }
    let file = program.module.file_of(location);
    format!(" at {}:{line}", file.rsplit('/').next().unwrap_or(file))
}

/// A place in a function.
pub fn place_of(program: &Program, location: LocId, function: Option<FuncId>) -> Place {
    let at = program.module.locations[location];
    Place {
        file: program.module.file_of(location).to_string(),
        line: at.line,
        column: at.column,
        function: function.map(|f| program.module.functions[f].name.clone()).unwrap_or_default(),
    }
}

/// A report shows so many frames: endless recursion has more than anybody reads.
const MOST_FRAMES: usize = 64;

/// Where a state is, innermost frame first.
pub fn stack_of(program: &Program, state: &State) -> Vec<Place> {
    let place = |frame: &crate::Frame| {
        let body = program.module.functions[frame.function].body.as_ref();
        let location = body.and_then(|body| body.op_locations.get(frame.pc as usize).copied()).unwrap_or(LocId(0));
        place_of(program, location, Some(frame.function))
    };
    state.frames.iter().rev().take(MOST_FRAMES).map(|frame| place(frame)).collect()
}

/// The location of the operation that a state is about to execute; inside a library without debug information, that of
/// the call that led there.
pub fn here(program: &Program, state: &State) -> LocId {
    let place = |frame: &crate::Frame| {
        let body = program.module.functions[frame.function].body.as_ref();
        body.and_then(|body| body.op_locations.get(frame.pc as usize).copied()).unwrap_or(LocId(0))
    };
    let known = |location: &LocId| program.module.locations[*location].line != 0;
    state.frames.iter().rev().map(|frame| place(frame)).find(known).unwrap_or(LocId(0))
}
