//! `--otherside TEST`: an input for the other side of every branch on a test's path, and nothing else.

mod common;

use common::Place;
use osier::report::test_writer::tests_in;
use osier::report::{Endings, KTest};
use serde_json::Value;
use std::path::Path;

/// The path of 5 and 'a': four branches, of which one has no other side (x < 9 after x == 5), a settled loop, an error
/// behind another side, and a switch.
const PROGRAM: &str = r#"
#include <klee/klee.h>
#include <string.h>
int main(void) {
  unsigned x;
  char s[3];
  int table[4] = {1, 2, 3, 4};
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(s, sizeof s, "s");
  s[2] = 0;
  if (x == 5) {
    if (x < 9)
      x++;
  } else
    return 100 / (x - 7);
  switch (s[0]) {
  case 'a': break;
  case 'b': return 2;
  default: return 3;
  }
  return strlen(s) == 2 ? table[x & 3] : 4;
}
"#;

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap()
}

fn inputs(test: &Path) -> (u32, Vec<u8>) {
    let objects = KTest::read(test).unwrap().objects;
    (u32::from_le_bytes(objects[0].bytes[..4].try_into().unwrap()), objects[1].bytes.clone())
}

/// The place of a test of a whole exploration whose input begins so.
fn a_test(place: &Place, x: u32, begins: &[u8]) -> String {
    let folder = place.path().join("all");
    let fits = |test: &&std::path::PathBuf| {
        let (value, bytes) = inputs(test);
        value == x && bytes.starts_with(begins)
    };
    tests_in(&folder).unwrap().iter().find(fits).expect("such a path").display().to_string()
}

fn explored() -> Place {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    let said = place.osier(&["run", "--libc=none", "--out=all", "prog.c"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    place
}

#[test]
fn each_test_leaves_the_path_at_another_branch() {
    let place = explored();
    let test = a_test(&place, 5, b"a\0");
    let said = place.osier(&["run", "--libc=none", "--out=out", "--otherside", &test, "prog.c"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let folder = place.path().join("out");
    let tests = tests_in(&folder).unwrap();
    let endings = Endings::read(&folder).unwrap();
    let list = std::fs::read_to_string(folder.join("endings.txt")).unwrap();
    assert_eq!(list.matches("cut other-side").count(), tests.len() - 1, "{list}");
    assert_eq!(list.matches("exit 4").count(), 1, "the path of the test itself: {list}");
    assert!(endings.of(&tests[0]).is_some());
    let all: Vec<(u32, Vec<u8>)> = tests.iter().map(|test| inputs(test)).collect();
    assert!(all.contains(&(5, vec![b'a', 0, 0])), "{all:?}");
    // Of x, of the first character, and of the end of the string.
    assert_eq!(all.iter().filter(|(x, _)| *x != 5).count(), 1, "{all:?}");
    assert_eq!(all.iter().filter(|(x, s)| *x == 5 && s[0] != b'a').count(), 1, "{all:?}");
    assert_eq!(all.iter().filter(|(x, s)| *x == 5 && s[0] == b'a' && s[1] != 0).count(), 1, "{all:?}");
    assert_eq!(all.len(), 4, "{all:?}");
    assert_eq!(summary(&folder)["paths"]["completed"], 1);
}

/// Every such test, run again, goes another way than the first: together they cover more branches than it does.
#[test]
fn the_other_sides_are_reached() {
    let place = explored();
    let test = a_test(&place, 5, b"a\0");
    let run = |out: &str, test: &str| {
        let said = place.osier(&["run", "--libc=none", "--out", out, "--otherside", test, "prog.c"]);
        assert!(said.status == Some(0) || said.status == Some(1), "{said:?}");
        let folder = place.path().join(out);
        let list = std::fs::read_to_string(folder.join("endings.txt")).unwrap();
        let own: Vec<String> = list.lines().filter(|line| !line.contains("other-side")).map(str::to_owned).collect();
        (own, std::fs::read_to_string(folder.join("coverage.lcov")).unwrap())
    };
    let (own, first) = run("first", &test);
    let sides = |lcov: &str| -> std::collections::BTreeSet<String> {
        lcov.lines()
            .filter(|line| line.starts_with("BRDA:") && !line.ends_with(",0") && !line.ends_with(",-"))
            .map(|line| line.rsplit_once(',').unwrap().0.to_owned())
            .collect()
    };
    for other in tests_in(&place.path().join("first")).unwrap() {
        let (x, s) = inputs(&other);
        let (ending, lcov) = run(&format!("again{x}-{}-{}", s[0], s[1]), &other.display().to_string());
        if (x, s.as_slice()) == (5, &[b'a', 0, 0]) {
            assert_eq!((ending.len(), sides(&lcov)), (own.len(), sides(&first)));
        } else {
            assert!(!sides(&lcov).is_subset(&sides(&first)), "{x} {s:?} goes the same way");
        }
    }
}

#[test]
fn a_test_that_is_none_is_refused() {
    let place = Place::with_programs();
    place.write("bad.ktest", "KTEST\0\0");
    place.refuses(&["run", "--out=out", "--otherside=missing.ktest", "good.c"], 2, &["missing.ktest"]);
    place.refuses(&["run", "--out=out", "--otherside=bad.ktest", "good.c"], 2, &["bad.ktest"]);
    place.refuses(&["run", "--otherside=bad.ktest", "--seed-file=bad.ktest", "good.c"], 2, &["--otherside"]);
}

/// A test that an assumption excludes has no path here, so nothing has another side.
#[test]
fn a_test_that_does_not_fit_gives_nothing() {
    let place = Place::with_programs();
    let said = place.osier(&["run", "--out=all", "good.c"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let narrower =
        "#include <klee/klee.h>\nint main(void) { int x = klee_int(\"x\"); klee_assume(x == 77); return x > 9; }\n";
    place.write("narrower.c", narrower);
    let test = tests_in(&place.path().join("all")).unwrap().remove(0).display().to_string();
    let said = place.osier(&["run", "--out=out", "--otherside", &test, "narrower.c"]);
    assert!(said.err.contains("does not fit the program"), "{said:?}");
    assert_eq!(summary(&place.path().join("out"))["tests"], 0);
}
