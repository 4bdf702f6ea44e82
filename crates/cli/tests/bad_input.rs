//! Wrong files and wrong options: one message that says what, where and what to do, and nothing left behind.

mod common;

use common::Place;

#[test]
fn files_that_are_no_programs() {
    let place = Place::with_programs();
    place.write("not.bc", "hello\n");
    place.write("empty.bc", "");
    place.write("empty.ll", "");
    place.write("empty.c", "");
    place.write("notes.txt", "hello\n");
    place.write("bad.ll", "define i32 @main() {\n  ret i32 nonsense\n}\n");
    for name in ["folder", "folder.bc", "folder.ll"] {
        std::fs::create_dir(place.path().join(name)).unwrap();
    }
    for command in ["run", "ir"] {
        place.refuses(&[command, "not.bc"], 2, &["not.bc", "help: make it with `clang-22 -c -emit-llvm`"]);
        place.refuses(&[command, "empty.bc"], 2, &["empty.bc", "bitcode"]);
        place.refuses(&[command, "bad.ll"], 2, &["bad.ll:2:11"]);
        place.refuses(&[command, "missing.c"], 2, &["cannot read missing.c: No such file"]);
        place.refuses(&[command, "missing.bc"], 2, &["cannot read missing.bc: No such file"]);
        place.refuses(&[command, "good.c", "missing.bc"], 2, &["cannot read missing.bc: No such file"]);
        place.refuses(&[command, "folder.bc"], 2, &["cannot read folder.bc: Is a directory"]);
        place.refuses(&[command, "folder.ll"], 2, &["cannot read folder.ll: Is a directory"]);
    }
    place.refuses(&["run", "empty.ll"], 2, &["the program defines no function `main`"]);
    place.refuses(&["run", "empty.c"], 2, &["the program defines no function `main`"]);
    place.refuses(
        &["run", "folder"],
        2,
        &["folder is no program: name a binary built by `osier cc`, or .c, .bc or .ll files, first"],
    );
    place.refuses(&["run", "notes.txt", "good.c"], 2, &["notes.txt is no program"]);
    place.refuses(&["ir", "notes.txt"], 2, &["notes.txt is neither C source", "help: compile it with"]);
}

#[test]
fn a_source_that_does_not_compile() {
    let place = Place::new();
    place.write("broken.c", "int main( {\n");
    place.refuses(&["run", "broken.c"], 2, &["clang does not accept broken.c", "broken.c:1:11: error: expected"]);
    place.refuses(&["ir", "broken.c"], 2, &["clang does not accept broken.c"]);
}

#[test]
fn options_that_do_not_exist_or_are_out_of_range() {
    let place = Place::with_programs();
    place.refuses(&["run", "--frobnicate", "good.c"], 2, &["unexpected argument '--frobnicate'", "--help"]);
    place.refuses(&["run", "--max-tim=3", "good.c"], 2, &["--max-tim", "--max-time"]);
    place.refuses(&["run", "--max-time=-3", "good.c"], 2, &["--max-time", "negative"]);
    place.refuses(&["run", "--max-time=soon", "good.c"], 2, &["--max-time", "ms, s, m or h"]);
    place.refuses(&["run", "--max-memory=much", "good.c"], 2, &["--max-memory", "K, M or G"]);
    place.refuses(&["run", "--max-memory=99999999999G", "good.c"], 2, &["--max-memory", "too large"]);
    place.refuses(&["run", "--max-depth=99999999999", "good.c"], 2, &["--max-depth", "0..=4294967295"]);
    place.refuses(&["run", "--seed=x", "good.c"], 2, &["--seed"]);
    place.refuses(&["run", "--cc-flags='-DX", "good.c"], 2, &["--cc-flags", "quotation mark"]);
    place.refuses(&["run"], 2, &["PROGRAM"]);
    place.refuses(&["explore", "good.c"], 2, &["unrecognized subcommand 'explore'"]);
    place.refuses(&["replay", "good.c"], 2, &["no test given: name .ktest files"]);
    place.refuses(&["replay", "a.ktest"], 2, &["cannot read a.ktest"]);
    place.write("a.ktest", "");
    place.refuses(&["replay", "a.ktest"], 2, &["no program given"]);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let place = Place::with_programs();
    place.refuses(&["run", "--search=deepest", "good.c"], 2, &["'deepest'", "--search", "dfs, bfs", "nurs:covnew"]);
    place.refuses(&["run", "--search=dfs,deepest", "good.c"], 2, &["'deepest'"]);
    place.refuses(&["run", "--check=typos", "good.c"], 2, &["'typos'", "--check", "all, ", "signed-overflow", "leak"]);
    place.refuses(&["replay", "--check=typos", "good.c", "a.ktest"], 2, &["'typos'", "signed-overflow", "leak"]);
    place.refuses(&["run", "--exit-on-error=typo", "good.c"], 2, &["'typo'", "out-of-bounds", "unsupported"]);
    place.refuses(&["run", "--entry=start", "good.c"], 2, &["no function `start`", "help:"]);
}

#[test]
fn tests_that_are_none() {
    let place = Place::with_programs();
    let header = b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x06good.c\0\0\0\0\0\0\0\0";
    let objects = b"\0\0\0\x01\0\0\0\x01x\0\0\0\x04\0\0\0\0";
    let whole = [&header[..], objects].concat();
    place.write("cut.ktest", &whole[..whole.len() - 2]);
    place.write("head.ktest", &whole[..12]);
    place.write("longer.ktest", [&whole[..], b"more"].concat());
    place.write("new.ktest", b"KTEST\0\0\0\x09");
    place.write("garbage.ktest", "garbage");
    place.write("empty.ktest", "");
    std::fs::create_dir(place.path().join("folder.ktest")).unwrap();
    for before in [&["test", "show"][..], &["replay", "good.c"]] {
        let with = |name| [before, &[name]].concat();
        place.refuses(&with("cut.ktest"), 2, &["cut.ktest: truncated or damaged", "claims 4 but only 2 bytes follow"]);
        place.refuses(&with("head.ktest"), 2, &["head.ktest: truncated: the file ends at byte 12"]);
        place.refuses(&with("longer.ktest"), 2, &["longer.ktest: damaged: 4 bytes follow"]);
        place.refuses(&with("new.ktest"), 2, &["new.ktest", "version 9", "up to 3"]);
        place.refuses(&with("garbage.ktest"), 2, &["garbage.ktest: not a .ktest file"]);
        place.refuses(&with("empty.ktest"), 2, &["empty.ktest: not a .ktest file"]);
        place.refuses(&with("missing.ktest"), 2, &["cannot read missing.ktest: No such file"]);
    }
    place.refuses(&["test", "show", "folder.ktest"], 2, &["cannot read folder.ktest: Is a directory"]);
    // A folder stands for the tests in it.
    place.refuses(&["replay", "good.c", "folder.ktest"], 2, &["no test given"]);
    place.write("whole.ktest", whole);
    assert_eq!(place.osier(&["test", "show", "whole.ktest"]).status, Some(0));
    place.refuses(&["replay", "missing.c", "whole.ktest"], 2, &["cannot read missing.c: No such file"]);
}

#[test]
fn results_that_have_no_place() {
    let place = Place::with_programs();
    std::fs::create_dir(place.path().join("full")).unwrap();
    place.write("full/something", "");
    place.refuses(&["run", "--out=full", "good.c"], 2, &["full is not an empty folder: name one that does not exist"]);
    place.refuses(&["run", "--out=good.c", "good.c"], 2, &["good.c is not an empty folder"]);
    place.refuses(&["run", "--out=good.c/below", "good.c"], 3, &["cannot make good.c/below: Not a directory"]);
    place.refuses(&["run", "--out=/proc/nowhere", "good.c"], 3, &["cannot make /proc/nowhere"]);
    place.refuses(&["run", "--out=", "good.c"], 2, &["--out"]);
}

#[test]
fn a_machine_that_lacks_something_is_no_mistake_of_the_user() {
    let place = Place::with_programs();
    let output = place.command(&["run", "good.c"]).env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("help: install clang-22"), "{output:?}");
    let output = place.command(&["run", "good.c"]).env("TMPDIR", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the headers"), "{output:?}");
    assert_eq!(place.names().len(), 3);
}
