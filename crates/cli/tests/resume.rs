//! `--resume RUN`: a run that was cut short anywhere, once or several times, ends with the tests of one left alone.

mod common;

use common::{OSIER, Place};
use osier::report::test_writer::tests_in;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What a path was is in its output: branches, a switch, values that are settled, pointers to several objects, and an
/// error on some paths.
const PROGRAM: &str = r#"
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  unsigned char b[6];
  int left[3] = {1, 2, 3}, right[5] = {4, 5, 6, 7, 8};
  klee_make_symbolic(b, sizeof b, "b");
  int *rows[4] = {left, right, left + 1, right + 2};
  for (int i = 0; i < 3; i++) {
    if (b[i] < 16) putchar('a');
    else if (b[i] > 200) putchar('b');
    else putchar('c');
  }
  switch (b[3]) {
  case 1: case 2: putchar('s'); break;
  case 9: putchar('t'); break;
  default: putchar('u');
  }
  if (b[4] < 4) {
    int *row = rows[b[4]];
    putchar('0' + row[0]);
    char *block = malloc(8 + (b[4] & 1));
    if (!block) return 3;
    free(block);
  }
  if (b[5] == 77 && b[3] == 9) abort();
  printf("%d\n", (b[5] & 3) * 3 == 6);
  return b[3] == 9;
}
"#;

fn summary(folder: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap()
}

/// How every test ends and what it writes, in order, and that each test is there.
fn endings(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("endings.txt")).unwrap();
    let mut lines: Vec<String> = text.lines().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect();
    lines.sort();
    assert_eq!(lines.len(), tests_in(folder).unwrap().len());
    lines
}

/// Besides the run's own numbers: the set of tests, and what was counted.
fn same_results(one: &Path, other: &Path) {
    assert_eq!(endings(one), endings(other));
    let (one, other) = (summary(one), summary(other));
    for key in ["/tests", "/paths/completed", "/paths/partial", "/exits", "/coverage", "/stopped"] {
        assert_eq!(one.pointer(key), other.pointer(key), "{key}");
    }
    let errors = |summary: &Value| summary["errors"].as_array().unwrap().len();
    assert_eq!(errors(&one), errors(&other));
}

const WAYS: &[&[&str]] = &[
    &["--all-errors"],
    &["--all-errors", "--search=dfs"],
    &["--all-errors", "--pending"],
    &["--all-errors", "--pending", "--relaxed-checks"],
    &["--all-errors", "--memory=fork"],
    &["--all-errors", "--memory=fork", "--pending", "--search=random-path"],
];

#[test]
fn limits_of_instructions_one_after_the_other() {
    for (number, way) in WAYS.iter().enumerate() {
        let place = Place::new();
        place.write("prog.c", PROGRAM);
        let run = |more: &[&str]| place.osier(&[&["run", "--out"], more, *way, &["prog.c"]].concat());
        assert_eq!(run(&["alone"]).status, Some(1), "{way:?}");
        let alone = place.path().join("alone");
        let total = summary(&alone)["instructions"].as_u64().unwrap();
        for parts in [2, 3, 7] {
            let out = format!("parts{parts}");
            let limit = format!("--max-instructions={}", total / parts);
            let mut said = run(&[&out, &limit]);
            let folder = place.path().join(&out);
            let mut sessions = 1;
            while summary(&folder)["stopped"] != "finished" {
                assert!(sessions < 60, "{way:?} does not end: {said:?}");
                said = place.osier(&["run", "--resume", &out]);
                sessions += 1;
            }
            assert!(sessions > 1, "way {number} was never cut");
            same_results(&alone, &folder);
            assert!(summary(&folder)["instructions"].as_u64() >= Some(total));
        }
    }
}

/// Kills the run when so many tests are there. False if it was faster.
fn killed_at(place: &Place, args: &[&str], folder: &Path, tests: usize) -> bool {
    let mut command = Command::new(OSIER);
    command.args(args).current_dir(place.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the command starts");
    let start = Instant::now();
    loop {
        if tests_in(folder).is_ok_and(|found| found.len() >= tests) {
            child.kill().expect("a child of ours");
        }
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return status.code().is_none();
        }
        assert!(start.elapsed() < Duration::from_secs(60), "it neither ends nor writes tests");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn killed_at_several_moments() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    for way in [&["--all-errors", "--pending"][..], &["--all-errors"]] {
        let alone = place.path().join(format!("alone{}", way.len()));
        let said = place.osier(&[&["run", "--out", alone.to_str().unwrap()], way, &["prog.c"]].concat());
        assert_eq!(said.status, Some(1), "{said:?}");
        let all = endings(&alone).len();
        for at in [0, 1, all / 3, all / 2, all - 1] {
            let out = format!("killed{}-{at}", way.len());
            let folder = place.path().join(&out);
            killed_at(&place, &[&["run", "--out", &out], way, &["prog.c"]].concat(), &folder, at);
            if !folder.join("command.json").exists() || !folder.join("paths.journal").exists() {
                // Before there was anything to go on from.
                continue;
            }
            killed_at(&place, &["run", "--resume", &out], &folder, (at + all) / 2);
            let said = place.osier(&["run", "--resume", &out]);
            assert_eq!(said.status, Some(1), "{said:?}");
            same_results(&alone, &folder);
        }
    }
}

/// A record that ends in the middle of an event, at whatever byte, is as good as one that ends before it.
#[test]
fn a_torn_record_is_taken_as_far_as_it_goes() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    let said = place.osier(&["run", "--out=alone", "--all-errors", "prog.c"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    let alone = place.path().join("alone");
    let record = std::fs::read(alone.join("paths.journal")).unwrap();
    let mut random = fastrand::Rng::with_seed(7);
    for torn in 0..6 {
        let folder = place.path().join(format!("torn{torn}"));
        std::fs::create_dir(&folder).unwrap();
        for entry in std::fs::read_dir(&alone).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        std::fs::write(folder.join("paths.journal"), &record[..random.usize(0..record.len())]).unwrap();
        let said = place.osier(&["run", "--resume", folder.to_str().unwrap()]);
        assert_eq!(said.status, Some(1), "{said:?}");
        same_results(&alone, &folder);
    }
}

#[test]
fn a_finished_run_has_nothing_left() {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    place.osier(&["run", "--out=alone", "--all-errors", "prog.c"]);
    place.osier(&["run", "--out=out", "--all-errors", "prog.c"]);
    let before = summary(&place.path().join("out"));
    let said = place.osier(&["run", "--resume=out"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    same_results(&place.path().join("alone"), &place.path().join("out"));
    assert_eq!(summary(&place.path().join("out"))["instructions"], before["instructions"]);
}

#[test]
fn what_cannot_go_on_is_refused() {
    let place = Place::with_programs();
    std::fs::create_dir(place.path().join("empty")).unwrap();
    place.refuses(&["run", "--resume=empty"], 2, &["empty has no record of a run"]);
    place.refuses(&["run", "--resume=missing"], 2, &["missing"]);
    place.refuses(&["run", "--resume=good.c"], 2, &["good.c"]);
    place.write("prog.c", PROGRAM);
    place.osier(&["run", "--out=out", "--max-instructions=3000", "prog.c"]);
    place.refuses(&["run", "--resume=out", "prog.c"], 2, &["name no program"]);
    place.refuses(&["run", "--resume=out", "--search=dfs"], 2, &["--search cannot be changed"]);
    place.write("prog.c", PROGRAM.replace("b[i] < 16", "b[i] < 17"));
    place.refuses(&["run", "--resume=out"], 2, &["the program has changed", "--seed-dir"]);
    place.osier(&["run", "--out=merged", "--use-merge", "good.c"]);
    place.refuses(&["run", "--resume=merged"], 2, &["--use-merge"]);
}
