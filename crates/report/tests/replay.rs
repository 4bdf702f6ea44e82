//! Real native programs, built, run and compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use osier_exec::outcome::{Ending, Fault, Input, Kind, Place};
use osier_report::KTest;
use osier_report::replay::{
    Agreement, BuildOptions, Entry, NativeEnding, NativeProgram, NativeRun, RunOptions, Toolchain, same_ending,
};

const FAULTS: &str = include_str!("faults.c");

fn options() -> BuildOptions {
    BuildOptions {
        toolchain: Toolchain::llvm_22(),
        flags: vec![],
        entry: None,
        sanitize: true,
        signed_overflow: false,
        leaks: false,
    }
}

fn patient() -> RunOptions {
    RunOptions::new(Duration::from_secs(20))
}

fn faults_source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults.c")
}

fn int(name: &str, value: i32) -> Input {
    Input { name: name.into(), bytes: value.to_le_bytes().to_vec() }
}

fn test(objects: Vec<Input>) -> KTest {
    KTest::new(vec![b"faults".to_vec()], objects)
}

fn run_which(program: &NativeProgram, which: i32) -> NativeRun {
    program.run(&test(vec![int("which", which)]), &patient()).unwrap()
}

/// The fault that Osier would report at the line with this mark, called from `main`.
fn said(kind: Kind, mark: &str) -> Ending {
    let line = FAULTS.lines().position(|line| line.ends_with(&format!("// {mark}"))).expect(mark) as u32 + 1;
    let place = Place { file: "tests/faults.c".into(), line, column: 1, function: "f".into() };
    let message = "1 past the end of it".to_owned();
    Ending::Fault(Fault { kind, message, place: place.clone(), notes: vec![], stack: vec![place] })
}

/// Each row: the case, the kind, the mark of its line.
const CASES: &[(i32, Kind, &str)] = &[
    (1, Kind::OutOfBounds, "poke"),
    (2, Kind::UseAfterFree, "poke"),
    (3, Kind::DoubleFree, "double-free"),
    (4, Kind::InvalidFree, "invalid-free"),
    (5, Kind::NullPointer, "poke"),
    (6, Kind::ReadOnlyWrite, "poke"),
    (7, Kind::DivisionByZero, "division-by-zero"),
    (8, Kind::Overshift, "overshift"),
    (9, Kind::Abort, "abort"),
    (10, Kind::Assertion, "assertion"),
    (15, Kind::Unreachable, "unreachable"),
    (16, Kind::OutOfBounds, "out-of-bounds"),
    (17, Kind::OutOfBounds, "out-of-bounds-global"),
    (18, Kind::UseAfterFree, "poke"),
    (24, Kind::Abort, "klee-abort"),
    (29, Kind::OutOfBounds, "check-access"),
];

#[test]
fn sanitizers_confirm_each_kind_at_its_line() {
    let program = NativeProgram::build(&[faults_source()], &options()).unwrap();
    for &(which, kind, mark) in CASES {
        let run = run_which(&program, which);
        assert_eq!(same_ending(&said(kind, mark), &run), Agreement::Same, "case {which}: {:?}", run.ending);
        // Neither another kind, nor another line, nor an exit may pass for it.
        let other_kind = if kind == Kind::Leak { Kind::Abort } else { Kind::Leak };
        assert_ne!(same_ending(&said(other_kind, mark), &run), Agreement::Same, "case {which}");
        let other_mark = if mark == "poke" { "abort" } else { "poke" };
        assert_ne!(same_ending(&said(kind, other_mark), &run), Agreement::Same, "case {which}");
        assert_ne!(same_ending(&Ending::Exit(1), &run), Agreement::Same, "case {which}");
    }
    let kinds = |which| match run_which(&program, which).ending {
        NativeEnding::Fault(fault) => fault.kinds,
        other => panic!("case {which}: {other:?}"),
    };
    assert_eq!(kinds(12), [Kind::StackOverflow]);
    assert_eq!(kinds(13), [Kind::User]);
    assert_eq!(kinds(14), [Kind::InvalidCall, Kind::NullPointer]);
}

#[test]
fn exits_assumptions_and_inputs_are_told_apart() {
    let program = NativeProgram::build(&[faults_source()], &options()).unwrap();
    let run = |objects| program.run(&test(objects), &patient()).unwrap();
    let ending = |objects| run(objects).ending;
    assert_eq!(ending(vec![int("which", 0)]), NativeEnding::Exit(0));
    assert_eq!(ending(vec![int("which", 11)]), NativeEnding::Exit(0), "leaks are not looked for");
    assert_eq!(ending(vec![int("which", 19)]), NativeEnding::Exit(18), "nor signed overflow");
    assert_eq!(ending(vec![int("which", 20)]), NativeEnding::SilentExit);
    assert!(matches!(ending(vec![int("which", 21)]), NativeEnding::AssumptionViolated(_)));
    assert!(matches!(ending(vec![int("which", 22)]), NativeEnding::OtherInputs(_)));
    assert!(matches!(ending(vec![int("other", 0)]), NativeEnding::OtherInputs(_)));
    assert!(matches!(ending(vec![Input { name: "which".into(), bytes: vec![0; 5] }]), NativeEnding::OtherInputs(_)));
    assert_eq!(ending(vec![int("which", 25), int("range", 2)]), NativeEnding::Exit(2));
    assert!(matches!(ending(vec![int("which", 25), int("range", 3)]), NativeEnding::AssumptionViolated(_)));
    let chosen = Input { name: "klee_choose".into(), bytes: 3u64.to_le_bytes().to_vec() };
    assert_eq!(ending(vec![int("which", 26), chosen]), NativeEnding::Exit(3));
    assert_eq!(ending(vec![int("which", 28)]), NativeEnding::Exit(5));
    // Objects of the environment are not the program's to ask for.
    let stdin = Input { name: "stdin".into(), bytes: vec![1] };
    assert_eq!(ending(vec![stdin, int("which", 27), int("four", 9)]), NativeEnding::Exit(9));
    let unread = run(vec![int("which", 0), int("never", 1)]);
    assert_eq!(unread.unread_inputs, 1);
    assert!(matches!(same_ending(&Ending::Exit(0), &unread), Agreement::Different(_)));
}

#[test]
fn an_endless_program_is_stopped() {
    let program = NativeProgram::build(&[faults_source()], &options()).unwrap();
    let run = program.run(&test(vec![int("which", 23)]), &RunOptions::new(Duration::from_millis(300))).unwrap();
    assert_eq!(run.ending, NativeEnding::TimedOut(Duration::from_millis(300)));
}

#[test]
fn leaks_and_signed_overflow_only_if_asked_for() {
    let options = BuildOptions { leaks: true, signed_overflow: true, ..options() };
    let program = NativeProgram::build(&[faults_source()], &options).unwrap();
    let overflow = run_which(&program, 19);
    assert_eq!(same_ending(&said(Kind::SignedOverflow, "signed-overflow"), &overflow), Agreement::Same);
    match run_which(&program, 11).ending {
        NativeEnding::Fault(fault) => assert_eq!(fault.kinds, [Kind::Leak]),
        // Where the system forbids tracing, LeakSanitizer says that it cannot work.
        NativeEnding::NoVerdict(reason) => assert!(reason.contains("LeakSanitizer"), "{reason}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plain_build_sees_signals_and_assertions() {
    let options = BuildOptions { sanitize: false, ..options() };
    let program = NativeProgram::build(&[faults_source()], &options).unwrap();
    for which in [5, 6, 7, 9, 10] {
        let &(_, kind, mark) = CASES.iter().find(|case| case.0 == which).unwrap();
        let run = run_which(&program, which);
        assert_eq!(same_ending(&said(kind, mark), &run), Agreement::Same, "case {which}: {:?}", run.ending);
    }
    let overshift = same_ending(&said(Kind::Overshift, "overshift"), &run_which(&program, 8));
    assert!(matches!(overshift, Agreement::CannotTell(_)), "{overshift:?}");
}

#[test]
fn bitcode_is_replayed_with_address_checks() {
    let folder = tempfile::tempdir().unwrap();
    for (name, flags) in [("faults.bc", &["-c"][..]), ("faults.ll", &["-S"][..])] {
        let bitcode = folder.path().join(name);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/include");
        let status = std::process::Command::new("clang-22")
            .args(["-g", "-emit-llvm"])
            .args(flags)
            .arg("-I")
            .arg(include)
            .arg(faults_source())
            .arg("-o")
            .arg(&bitcode)
            .status()
            .unwrap();
        assert!(status.success());
        let program = NativeProgram::build(&[bitcode], &options()).unwrap();
        assert!(program.checks().address && !program.checks().undefined);
        for which in [1, 2, 3, 5, 10, 16] {
            let &(_, kind, mark) = CASES.iter().find(|case| case.0 == which).unwrap();
            let run = run_which(&program, which);
            assert_eq!(same_ending(&said(kind, mark), &run), Agreement::Same, "{name} {which}: {:?}", run.ending);
        }
    }
}

fn build_text(name: &str, text: &str, options: &BuildOptions) -> osier_report::Result<NativeProgram> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join(name);
    fs::write(&source, text).unwrap();
    NativeProgram::build(&[source], options)
}

#[test]
fn another_entry_is_called_whether_or_not_there_is_a_main() {
    let function =
        "#include <osier.h>\nint check(void) { int x; osier_make_symbolic(&x, sizeof x, \"x\"); return x + 1; }\n";
    let with_main = format!("{function}int main(void) {{ return 99; }}\n");
    let entry = |returns_int| Some(Entry { function: "check".into(), returns_int });
    for text in [function, &with_main] {
        let program = build_text("a.c", text, &BuildOptions { entry: entry(true), ..options() }).unwrap();
        let run = program.run(&test(vec![int("x", 4)]), &patient()).unwrap();
        assert_eq!((run.ending, run.unread_inputs), (NativeEnding::Exit(5), 0));
    }
    let program = build_text("a.c", function, &BuildOptions { entry: entry(false), ..options() }).unwrap();
    let run = program.run(&test(vec![int("x", 4)]), &patient()).unwrap();
    assert_eq!(run.ending, NativeEnding::Exit(0));
}

#[test]
fn arguments_files_and_input_reach_the_program() {
    let text = r#"
        #include <fstream>
        #include <iostream>
        #include <string>
        #include <cstring>
        int main(int argc, char **argv) {
            std::string line, content;
            std::getline(std::cin, line);
            std::getline(std::ifstream("A"), content);
            std::cout << argv[0] << '|' << (argc > 1 ? argv[1] : "") << '|' << line << '|' << content;
            return argc;
        }"#;
    let program = build_text("a.cpp", text, &options()).unwrap();
    let object = |name: &str, bytes: &[u8]| Input { name: name.into(), bytes: bytes.to_vec() };
    let args = ["cat", "--sym-arg", "3"].map(|arg| arg.as_bytes().to_vec()).to_vec();
    let objects = vec![object("arg00", b"-n\0\0"), object("stdin", b"in\n"), object("A-data", b"file")];
    let run = program.run(&KTest::new(args, objects), &patient()).unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout.beginning), "cat|-n|in|file");
    assert_eq!(run.ending, NativeEnding::Exit(2));
}

#[test]
fn what_cannot_be_built_is_said_once_and_clearly() {
    let broken = build_text("a.c", "int main(void) { return undeclared; }\n", &options()).unwrap_err().to_string();
    assert!(broken.contains("undeclared"), "{broken}");
    let rust = build_text("a.rs", "fn main() {}", &options()).unwrap_err().to_string();
    assert!(rust.contains("cannot replay") && rust.contains("a.rs"), "{rust}");
    let toolchain = Toolchain { clang: "no-such-compiler".into(), ..Toolchain::llvm_22() };
    let missing = build_text("a.c", "", &BuildOptions { toolchain, ..options() }).unwrap_err().to_string();
    assert!(missing.contains("no-such-compiler"), "{missing}");
}
