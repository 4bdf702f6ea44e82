//! Segments learnt from a run: `--learn-segments`, then `--segments=ideal:RUN`.

mod common;

use common::Place;
use serde_json::Value;

/// The large row lies in the same table as the others, but only with an argument can an access lead to it.
const ROWS: &str = "#include <klee/klee.h>
#include <stdlib.h>
static int *row(unsigned n) { return calloc(n, sizeof(int)); }
int main(int argc, char **argv) {
  int **rows = malloc(5 * sizeof(int *));
  for (unsigned r = 0; r < 4; r++)
    rows[r] = row(4);
  rows[4] = row(500);
  rows[0][0] = 120;
  rows[4][0] = 7;
  unsigned i, j;
  klee_make_symbolic(&i, sizeof i, \"i\");
  klee_make_symbolic(&j, sizeof j, \"j\");
  klee_assume(i < (argc > 1 ? 5 : 4));
  klee_assume(j < 4);
  int value = rows[i][j];
  if (value == 120)
    exit(1);
  if (value == 7)
    exit(2);
  return 0;
}
";

const LEARN: &[&str] = &["--learn-segments", "--out=learnt"];
const IDEAL: &[&str] = &["--memory=segmented", "--segments=ideal:learnt"];

fn place() -> Place {
    let place = Place::new();
    place.write("rows.c", ROWS);
    place.write("other.c", ROWS.replace("row(500)", "row(501)"));
    place
}

/// The summary of a run of the program with these words behind it.
fn run(place: &Place, options: &[&str], arguments: &[&str]) -> Value {
    let words = [&["run", "--json", "--libc=none"], options, &["rows.c"], arguments].concat();
    let said = place.osier(&words);
    assert_eq!(said.status, Some(0), "{words:?}: {said:?}");
    serde_json::from_str(&said.out).unwrap_or_else(|cause| panic!("{cause}: {said:?}"))
}

fn exits(summary: &Value) -> String {
    summary["exits"].as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ")
}

/// The places in each segment that was learnt, as lines.
fn learnt_lines(place: &Place) -> Vec<Vec<Vec<u64>>> {
    let file = std::fs::read(place.path().join("learnt/segments.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let places =
        |object: &Value| object["at"].as_array().unwrap().iter().map(|at| at["line"].as_u64().unwrap()).collect();
    let objects = |segment: &Value| segment["objects"].as_array().unwrap().iter().map(places).collect();
    file["segments"].as_array().unwrap().iter().map(objects).collect()
}

#[test]
fn learnt_segments_hold_what_met_and_give_the_same_endings() {
    for model in ["--memory=fork", "--memory=auto", "--memory=dynamic", "--memory=merge"] {
        let place = place();
        let by_learning = run(&place, &[LEARN, &[model]].concat(), &[]);
        assert_eq!(learnt_lines(&place), [[[3, 7]]], "{model}");
        let analysed = run(&place, &["--memory=segmented"], &[]);
        let ideal = run(&place, IDEAL, &[]);
        assert_eq!([&by_learning, &analysed, &ideal].map(exits), ["0 1"; 3], "{model}");
        assert_eq!(ideal["paths"]["completed"], 2);
        let largest = |summary: &Value| summary["resolution"]["max_segment_bytes"].as_u64().unwrap();
        assert!(largest(&analysed) > 2000, "{analysed}");
        assert!((64..200).contains(&largest(&ideal)), "{ideal}");
    }
}

#[test]
fn a_pointer_that_leads_beyond_what_was_learnt_is_followed() {
    let place = place();
    run(&place, LEARN, &[]);
    let ideal = run(&place, IDEAL, &["more"]);
    assert_eq!(exits(&ideal), "0 1 2");
    assert_eq!(ideal["resolution"]["forks"], 1, "a state for the segment and one for the large row");
    assert_eq!(exits(&run(&place, &["--memory=fork"], &["more"])), "0 1 2");
}

#[test]
fn without_callers_one_place_is_one_segment() {
    let place = place();
    run(&place, &[LEARN, &["--context=1"]].concat(), &[]);
    assert_eq!(learnt_lines(&place), [[[3]]]);
    let ideal = run(&place, IDEAL, &["more"]);
    assert_eq!((exits(&ideal), &ideal["resolution"]["forks"]), ("0 1 2".to_owned(), &Value::from(0)));
}

#[test]
fn learnt_segments_are_shown() {
    let place = place();
    run(&place, LEARN, &["more"]);
    let said = place.osier(&["points-to", "--libc=none", "--segments=ideal:learnt", "rows.c"]);
    assert!(said.out.contains("1 segments learnt from a run\n\nsegment0: 2 objects, 1 uses\n"), "{said:?}");
    assert!(said.out.contains("  made at rows.c:3 (row) from rows.c:7 (main), 16 bytes\n"), "{said:?}");
    assert!(said.out.contains("  made at rows.c:3 (row) from rows.c:8 (main), 2000 bytes\n"), "{said:?}");
    let said = place.osier(&["points-to", "--libc=none", "--json", "--segments=ideal:learnt", "rows.c"]);
    let page: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(page["segments"][0]["objects"].as_array().unwrap().len(), 2);
}

#[test]
fn what_does_not_fit_is_refused() {
    let place = place();
    run(&place, LEARN, &[]);
    let other = "the segments in learnt were learnt from another program";
    place.refuses(&[&["run", "--libc=none"], IDEAL, &["other.c"]].concat(), 2, &[other]);
    place.refuses(&["points-to", "--libc=none", "--segments=ideal:learnt", "other.c"], 2, &[other]);
    let none = ["run", "--memory=segmented", "--segments=ideal:nowhere", "rows.c"];
    place.refuses(&none, 2, &["nowhere has no segments.json", "--learn-segments"]);
    place.refuses(&["run", "--segments=ideal:learnt", "rows.c"], 2, &["--memory=segmented"]);
    place.refuses(&["run", "--segments=best", "rows.c"], 2, &["ideal:RUN"]);
    place.refuses(&["run", "--memory=segmented", "--learn-segments", "rows.c"], 2, &["--learn-segments"]);
    place.refuses(&["run", "--resume=learnt"], 2, &["no record", "--learn-segments"]);
}
