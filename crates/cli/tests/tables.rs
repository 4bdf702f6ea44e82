//! Large tables that are written to at symbolic places: `--memory=auto` tries to see them in chunks.

mod common;

use common::Place;
use serde_json::Value;

const TABLE: &str = include_str!("../../../tests/memory/table_in_chunks.c");

/// How many segments were made, and the statuses that the program ended with.
fn segments(place: &Place, options: &[&str]) -> (u64, Vec<String>) {
    let said = place.osier(&[&["run", "--json", "--libc=none"], options, &["table.c"]].concat());
    assert_eq!(said.status, Some(0), "{options:?}: {said:?}");
    let summary: Value = serde_json::from_str(&said.out).unwrap_or_else(|cause| panic!("{cause}: {said:?}"));
    let exits = summary["exits"].as_object().unwrap().keys().cloned().collect();
    (summary["resolution"]["segments"].as_u64().unwrap(), exits)
}

#[test]
fn a_table_that_paths_come_to_afresh_is_tried_in_chunks() {
    let place = Place::new();
    place.write("table.c", TABLE);
    let (some, endings) = segments(&place, &["--memory=auto"]);
    assert!(some > 0, "it was never seen in chunks");
    assert_eq!((0, endings), segments(&place, &["--memory=fork"]));
}

#[test]
fn a_table_that_all_paths_have_from_one_is_seen_whole() {
    let place = Place::new();
    place.write("table.c", TABLE.replace("way < 36", "way < 1").replace("j < 100", "j < 4000"));
    assert_eq!(0, segments(&place, &["--memory=auto"]).0);
}
