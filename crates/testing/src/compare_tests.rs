use super::*;
use crate::{Coverage, Covered, Object, Paths, Summary};
use std::path::PathBuf;

fn reported(kind: &str, line: u32, message: &str) -> ReportedError {
    ReportedError { kind: kind.into(), file: "some/where/p.c".into(), line, message: message.into(), count: 1 }
}

fn outcome(errors: Vec<ReportedError>) -> Outcome {
    let status = Some(i32::from(!errors.is_empty()));
    let half = Covered { covered: 5, total: 10 };
    let test = KTest { args: vec![], objects: vec![Object { name: "x".into(), bytes: vec![0xfb, 0xff] }] };
    Outcome {
        folder: tempfile::TempDir::new().unwrap(),
        status,
        stderr: "a warning".into(),
        summary: Summary {
            stopped: "finished".into(),
            paths: Paths { completed: 3, partial: 0 },
            tests: 1,
            errors,
            coverage: Coverage { lines: half, instructions: half, branches: half },
            exits: [(0, 2), (7, 1)].into(),
        },
        tests: vec![(PathBuf::from("test000001.ktest"), test)],
        outputs: vec![b"hi\n".to_vec()],
    }
}

fn differences(source: &str, outcome: &Outcome) -> Vec<String> {
    compare(&Expectations::parse(source, "//").unwrap(), outcome, "p.c", "exec")
}

#[test]
fn what_holds_is_silent() {
    let all = "//~ paths: 3\n//~ exits: 0*2 7*1\n//~ exits: 0 7\n//~ covered: 50%\n//~ covered: 5/10\n\
               //~ output: hi\\n\n//~ prints: warn\n//~ test: x=-5\n//~ test: x=0xfffb\n//~ no test: x=5\n//~ tests: 1";
    assert_eq!(differences(all, &outcome(vec![])), Vec::<String>::new());
}

#[test]
fn each_expectation_can_fail() {
    let wrong = [
        "//~ paths: 2",
        "//~ partial: 1",
        "//~ tests: 2",
        "//~ errors: 1",
        "//~ exits: 0",
        "//~ exits: 0*3 7*1",
        "//~ covered: 100%",
        "//~ output: hi",
        "//~ prints: wrong",
        "//~ test: x=5",
        "//~ no test: x=-5",
        "//~ stopped: max-time",
    ];
    for line in wrong {
        assert_eq!(differences(line, &outcome(vec![])).len(), 1, "{line}");
    }
}

#[test]
fn errors_must_match_in_kind_line_and_text() {
    let found = outcome(vec![reported("overshift", 2, "shift of a 32-bit value by 40")]);
    assert!(differences("\n//~ overshift: by 40", &found).is_empty());
    assert!(differences("//~ error: overshift", &found).is_empty());
    for wrong in ["\n//~ overshift: by 41", "//~ overshift", "\n//~ abort"] {
        assert_eq!(differences(wrong, &found).len(), 2, "{wrong}: one not reported, one not expected");
    }
}

#[test]
fn the_exit_status_of_the_command_is_checked() {
    let mut found = outcome(vec![]);
    found.status = Some(1);
    assert_eq!(differences("", &found).len(), 1);
}

#[test]
fn folders_are_promises() {
    let expected = Expectations::parse("//~ error: abort", "//").unwrap();
    let found = outcome(vec![reported("abort", 1, "abort called")]);
    assert_eq!(compare(&expected, &found, "p.c", "clean").len(), 1);
    assert!(compare(&expected, &found, "p.c", "bugs").is_empty());
    assert_eq!(compare(&Expectations::default(), &outcome(vec![]), "p.c", "bugs").len(), 1);
}
