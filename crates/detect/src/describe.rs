//! The words that messages share: sizes, names of objects, and notes on where they come from and where they went.

use osier_exec::outcome::Note;
use osier_exec::{Access, Explaining, Program, object_name, place_of};
use osier_ir::{FuncId, LocId};
use osier_memory::{Life, Object, Origin};

/// `1 byte`, `4 bytes`.
pub(crate) fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_string(),
        _ => format!("{count} bytes"),
    }
}

/// `read of 4 bytes`, `write of 1 byte`.
pub(crate) fn access(access: &Access) -> String {
    format!("{} of {}", if access.write { "write" } else { "read" }, bytes(access.len))
}

/// Compilers call string literals `.str`, `.str.1` and so on.
fn is_string_literal(name: &str) -> bool {
    name == ".str" || name.starts_with(".str.")
}

fn is_literal(program: &Program, object: &Object) -> bool {
    matches!(object.origin, Origin::Global(global) if is_string_literal(&program.module.globals[global].name))
}

/// The size of an object; for one of symbolic size, that of the witness.
pub(crate) fn size(cx: &Explaining<'_>, object: &Object) -> u64 {
    object.limit.map_or(object.size, |limit| cx.value(limit) as u64)
}

/// `buf (4 bytes)`.
pub(crate) fn sized_name(cx: &Explaining<'_>, object: &Object) -> String {
    let name =
        if is_literal(cx.program, object) { "a string literal".to_string() } else { object_name(cx.program, object) };
    format!("{name} ({})", bytes(size(cx, object)))
}

/// The same, for an object that must not be written: `constant table (8 bytes)`.
pub(crate) fn constant_name(cx: &Explaining<'_>, object: &Object) -> String {
    let name = sized_name(cx, object);
    if is_literal(cx.program, object) { name } else { format!("constant {name}") }
}

/// A note for a place, or none if the place is unknown: such a note would say nothing.
fn note(program: &Program, text: &str, location: LocId, function: Option<FuncId>) -> Option<Note> {
    let known = program.module.locations[location].line != 0;
    known.then(|| Note { text: text.to_string(), place: Some(place_of(program, location, function)) })
}

/// Where an object was declared or allocated, and where it was freed, as far as that is known.
pub(crate) fn life_notes(program: &Program, object: &Object) -> Vec<Note> {
    let made = match object.origin {
        Origin::Global(global) => note(program, "declared here", program.module.globals[global].location, None),
        Origin::Stack { function, site } => {
            note(program, "declared here", program.module.sites[site].location, Some(function))
        }
        Origin::Heap { .. } | Origin::Fixed => note(program, "allocated here", object.allocated_at, None),
        Origin::Arguments { .. } | Origin::Environment { .. } => None,
    };
    let freed = match object.life {
        Life::Freed { at } => note(program, "freed here", at, None),
        Life::Live | Life::Returned => None,
    };
    made.into_iter().chain(freed).collect()
}
