//! `--cache`: a second run asks the backend nothing, runs share a file, and a bad file is told.

mod common;

use common::Place;
use serde_json::Value;
use std::fs;

/// Conditions that bind several bytes, so that sets of byte values do not decide them all, and yet so easy that none is
/// put off on a busy machine.
const PROGRAM: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  unsigned product = (b[0] & 15) * (b[1] & 15) * (b[2] & 3), sum = b[1] * 7 + b[2] * 13 + b[3] * 29;
  int paths = 0;
  if (product == 11 * 13 * 3) paths |= 1;
  if ((sum & 63) == 17) paths |= 2;
  if (((product ^ sum) & 31) == 5) paths |= 4;
  return paths;
}
"#;

fn queries(place: &Place, out: &str) -> Value {
    let text = fs::read_to_string(place.path().join(out).join("summary.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["queries"].clone()
}

fn tests(place: &Place, out: &str) -> Vec<Vec<u8>> {
    let mut names: Vec<_> = fs::read_dir(place.path().join(out)).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|name| name.extension().is_some_and(|ending| ending == "ktest"));
    names.sort();
    names.iter().map(|name| fs::read(name).unwrap()).collect()
}

#[test]
fn a_second_run_asks_the_backend_nothing_and_writes_the_same_tests() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    for out in ["first", "second", "third"] {
        let said = place.osier(&["run", "--cache", "answers", "--out", out, "prog.c"]);
        assert_eq!(said.status, Some(0), "{said:?}");
    }
    let (first, second) = (queries(&place, "first"), queries(&place, "second"));
    assert!(first["solved"].as_u64() > Some(0), "{first}");
    assert_eq!((&second["solved"], &second["missed"]), (&0.into(), &0.into()), "{second}");
    assert!(second["stored"].as_u64() > Some(0), "{second}");
    assert!(tests(&place, "first").len() > 3);
    assert_eq!(tests(&place, "first"), tests(&place, "second"));
    assert_eq!(tests(&place, "first"), tests(&place, "third"));
}

#[test]
fn another_program_profits() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    // The same bytes elsewhere in another object, behind one that has nothing to do with it.
    let moved = PROGRAM.replace("unsigned char b[4];", "unsigned char pad[3], c[9], *b = c + 5;");
    let moved = moved.replace(
        "klee_make_symbolic(b, sizeof b, \"b\");",
        "klee_make_symbolic(pad, 3, \"pad\"); klee_make_symbolic(c, sizeof c, \"c\"); if (pad[0] == pad[1]) return 0;",
    );
    place.write("moved.c", &moved);
    for (program, out) in [("prog.c", "first"), ("moved.c", "other")] {
        let said = place.osier(&["run", "--cache", "answers", "--out", out, program]);
        assert_eq!(said.status, Some(0), "{said:?}");
    }
    let other = queries(&place, "other");
    assert!(queries(&place, "first")["solved"].as_u64() > Some(0));
    assert_eq!(other["solved"], 0, "{other}");
}

#[test]
fn bad_files_are_told_and_left_alone() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    place.write("letter", "dear sir or madam\n");
    assert_eq!(place.osier(&["run", "--cache", "answers", "--out", "first", "prog.c"]).status, Some(0));
    let whole = fs::read(place.path().join("answers")).unwrap();
    fs::write(place.path().join("cut"), &whole[..whole.len() / 2]).unwrap();
    let mut flipped = whole.clone();
    flipped[17] ^= 4;
    fs::write(place.path().join("flipped"), &flipped).unwrap();
    let run = |cache: &'static str| ["run", "--cache", cache, "--out", "bad", "prog.c"];
    place.refuses(&run("letter"), 2, &["letter is no cache of answers", "help: name another file"]);
    place.refuses(&run("cut"), 2, &["the cache cut is damaged or was cut", "help: delete it"]);
    place.refuses(&run("flipped"), 2, &["the cache flipped is damaged or was cut"]);
    place.refuses(&run("no/such/answers"), 2, &["cannot use no/such/answers as a cache: No such file"]);
    place.refuses(&run("."), 2, &["cannot use . as a cache"]);
    let small = ["run", "--cache", "new", "--cache-size", "4K", "--out", "bad", "prog.c"];
    place.refuses(&small, 2, &["holds nothing", "--cache-size must be at least 8192"]);
    assert_eq!(fs::read(place.path().join("letter")).unwrap(), b"dear sir or madam\n");
}

/// Records with flipped bits are as if they were not there.
#[test]
fn damaged_answers_are_worked_out_again() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    assert_eq!(place.osier(&["run", "--cache", "answers", "--out", "first", "prog.c"]).status, Some(0));
    let path = place.path().join("answers");
    let mut bytes = fs::read(&path).unwrap();
    for byte in bytes[4096..].iter_mut().filter(|byte| **byte != 0) {
        *byte ^= 0x20;
    }
    fs::write(&path, &bytes).unwrap();
    let said = place.osier(&["run", "--cache", "answers", "--out", "second", "prog.c"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let (first, second) = (queries(&place, "first"), queries(&place, "second"));
    assert_eq!((&second["stored"], &second["solved"]), (&0.into(), &first["solved"]));
    assert_eq!(tests(&place, "first"), tests(&place, "second"));
}
