//! What goes where: exit statuses, the run folder, standard output and standard error.

mod common;

use common::{OSIER, Place};
use std::fs::File;
use std::process::{Command, Stdio};

#[test]
fn the_exit_status_says_what_was_found() {
    let place = Place::with_programs();
    assert_eq!(place.osier(&["run", "good.c"]).status, Some(0));
    assert_eq!(place.osier(&["run", "bug.c"]).status, Some(1));
    assert_eq!(place.osier(&["run", "--json", "bug.c"]).status, Some(1));
    assert_eq!(place.osier(&["run", "missing.c"]).status, Some(2));
    assert_eq!(place.osier(&["run", "--out=/proc/nowhere", "good.c"]).status, Some(3));
    assert_eq!(place.osier(&["--help"]).status, Some(0));
    assert_eq!(place.osier(&["--version"]).status, Some(0));
    assert_eq!(place.osier(&[]).status, Some(2));
}

#[test]
fn runs_are_numbered_and_the_last_is_linked() {
    let place = Place::with_programs();
    assert!(place.osier(&["run", "good.c"]).out.ends_with("results in ./osier-out-0\n"));
    assert!(place.osier(&["run", "bug.c"]).out.ends_with("results in ./osier-out-1\n"));
    assert_eq!(std::fs::read_link(place.path().join("osier-last")).unwrap().to_str(), Some("osier-out-1"));
    let last = place.path().join("osier-last");
    for name in ["summary.json", "coverage.lcov", "endings.txt", "messages.txt", "test000001.out-of-bounds.err"] {
        assert!(last.join(name).is_file(), "{name}");
    }
    assert!(!last.join("test000003.ktest").exists());
}

#[test]
fn the_last_row_of_the_progress_says_what_the_summary_says() {
    let place = Place::with_programs();
    place.osier(&["run", "bug.c"]);
    let rows = std::fs::read_to_string(place.path().join("osier-last/progress.csv")).unwrap();
    let values = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let (titles, last) = (values(rows.lines().next().unwrap()), values(rows.lines().last().unwrap()));
    let said = |title: &str| last[titles.iter().position(|other| other == title).unwrap()].clone();
    let summary = std::fs::read(place.path().join("osier-last/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!(said("covered"), summary["coverage"]["instructions"]["covered"].to_string());
    assert_eq!(said("coverable"), summary["coverage"]["instructions"]["total"].to_string());
    assert_eq!(said("instructions"), summary["instructions"].to_string());
    assert_eq!(said("paths"), summary["paths"]["completed"].to_string());
    assert_eq!((said("states"), said("errors")), ("0".to_owned(), "1".to_owned()));
}

#[test]
fn json_is_all_there_is_on_standard_output() {
    let place = Place::with_programs();
    place.write("talks.c", "#include <klee/klee.h>\nint puts(const char *);\nint main(void) { klee_warning(\"hm\"); puts(\"hi\"); return unknown(); }\n");
    let said =
        place.osier(&["run", "--json", "--echo", "--cc-flags=-Wno-error=implicit-function-declaration", "talks.c"]);
    let printed: serde_json::Value = serde_json::from_str(&said.out).expect("JSON and nothing else");
    let file = std::fs::read(place.path().join("osier-last/summary.json")).unwrap();
    assert_eq!(printed, serde_json::from_slice::<serde_json::Value>(&file).unwrap());
    assert_eq!(printed["errors"][0]["kind"], "unsupported");
    assert!(said.err.contains("warning: talks.c:3:") && said.err.contains("hm"), "{}", said.err);
    let messages = std::fs::read_to_string(place.path().join("osier-last/messages.txt")).unwrap();
    assert!(messages.contains("hm"), "{messages}");
}

#[test]
fn there_is_no_decoration_without_a_terminal() {
    let place = Place::with_programs();
    for args in [
        &["run", "bug.c"][..],
        &["run", "--max-time=1s", "--no-tests", "endless.c"],
        &["run", "missing.c"],
        &["--help"],
    ] {
        let said = place.osier(args);
        let plain = |text: &str| text.chars().all(|c| c == '\n' || !c.is_control());
        assert!(plain(&said.out) && plain(&said.err), "{args:?}: {said:?}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let place = Place::with_programs();
    for args in [
        &["run", "bug.c"][..],
        &["run", "--json", "bug.c"],
        &["ir", "bug.c"],
        &["test", "show", "osier-out-0/test000001.ktest"],
    ] {
        let mut command = Command::new(OSIER);
        command.args(args).current_dir(place.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(i32::from(args[0] == "run")), "{args:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
    }
    assert!(place.path().join("osier-out-1/summary.json").is_file());
}

#[test]
fn standard_output_on_a_full_disk_is_a_failure() {
    let place = Place::with_programs();
    assert_eq!(place.osier(&["run", "bug.c"]).status, Some(1));
    for args in [
        &["run", "bug.c"][..],
        &["run", "--json", "bug.c"],
        &["ir", "bug.c"],
        &["test", "show", "osier-out-0/test000001.ktest"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(OSIER);
        let output = command.args(args).current_dir(place.path()).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.starts_with("error: cannot write to standard output: ") && said.lines().count() == 1, "{said}");
    }
}

#[test]
fn a_replay_says_whether_each_test_ends_as_the_run_said() {
    let place = Place::with_programs();
    let said = place.osier(&["run", "--confirm", "bug.c"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    let summary = std::fs::read(place.path().join("osier-last/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!(summary["errors"][0]["confirmed"], true);
    let tests = ["osier-last/test000001.ktest", "osier-last/test000002.ktest"];
    let same = place.osier(&["replay", "bug.c", tests[0], tests[1]]);
    assert_eq!((same.status, same.out.matches(": same: ").count()), (Some(0), 2), "{same:?}");
    let different = place.osier(&["replay", "good.c", tests[0]]);
    assert_eq!((different.status, different.out.matches(": different: ").count()), (Some(1), 1), "{different:?}");
}

#[test]
fn a_failed_confirmation_does_not_lose_the_run() {
    let place = Place::new();
    // The native twin defines the intrinsic too, so the native program does not link.
    place.write("twice.c", "#include <klee/klee.h>\nvoid klee_warning(const char *text) {}\nint main(void) { klee_assert(klee_int(\"x\")); }\n");
    let said = place.osier(&["run", "--confirm", "twice.c"]);
    assert_eq!(said.status, Some(2), "{said:?}");
    common::one_message(&said);
    assert!(said.err.contains("the native build failed"), "{said:?}");
    let summary = std::fs::read(place.path().join("osier-last/summary.json")).unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&summary).unwrap()["errors"][0]["confirmed"].is_null());
}
