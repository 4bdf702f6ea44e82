//! Binaries as they are, in the world of a test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use osier_exec::outcome::{Ending, Input, Kind};
use osier_report::replay::{Agreement, Isolation, NativeEnding, NativeProgram, NativeRun, RunOptions, Toolchain, same};
use osier_report::world_file::{GivenDir, GivenFile};
use osier_report::{Expected, KTest, Output, Stream, World};
use tempfile::TempDir;

/// Says what it finds around it; what it is asked for is in its first argument.
const PROGRAM: &str = include_str!("world.c");

struct Place {
    folder: TempDir,
    program: NativeProgram,
}

impl Place {
    fn new(flags: &[&str]) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let (source, binary) = (folder.path().join("world.c"), folder.path().join("world"));
        fs::write(&source, PROGRAM).unwrap();
        let status = Command::new("clang-22").args(flags).arg(&source).arg("-o").arg(&binary).status().unwrap();
        assert!(status.success());
        let program = NativeProgram::of_binary(&binary, &Toolchain::llvm_22()).unwrap();
        Place { folder, program }
    }

    fn run(&self, words: &[&str], objects: &[Input], options: &RunOptions) -> NativeRun {
        let args = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        self.program.run(&KTest::new(args, objects.to_vec()), options).unwrap()
    }

    /// What it writes to standard output.
    fn says(&self, words: &[&str], objects: &[Input], options: &RunOptions) -> String {
        let run = self.run(words, objects, options);
        assert_eq!(run.ending, NativeEnding::Exit(0), "{:?}", run.stderr);
        String::from_utf8(run.stdout.beginning).unwrap()
    }
}

fn patient() -> RunOptions {
    RunOptions::new(Duration::from_secs(20))
}

fn object(name: &str, bytes: impl AsRef<[u8]>) -> Input {
    Input { name: name.into(), bytes: bytes.as_ref().to_vec() }
}

fn stat(name: &str, mode: u32, modified: i64) -> Input {
    let mut bytes = vec![0; 144];
    bytes[24..28].copy_from_slice(&mode.to_le_bytes());
    let me = fs::metadata("/proc/self").unwrap();
    bytes[28..32].copy_from_slice(&std::os::unix::fs::MetadataExt::uid(&me).to_le_bytes());
    bytes[32..36].copy_from_slice(&std::os::unix::fs::MetadataExt::gid(&me).to_le_bytes());
    bytes[88..96].copy_from_slice(&modified.to_le_bytes());
    object(name, bytes)
}

#[test]
fn arguments_files_and_streams_are_the_tests() {
    for flags in [&["-static"][..], &[]] {
        let place = Place::new(flags);
        let objects = [
            object("arg00", "-x\0\0"),
            object("A-data", "text"),
            stat("A-data-stat", 0o100_640, 1234),
            object("stdin", "in\n"),
            stat("stdin-stat", 0o100_600, 77),
            stat("stdout-stat", 0o010_620, 0),
        ];
        let say = |words: &[&str]| place.says(words, &objects, &patient());
        assert_eq!(say(&["my echo", "args", "--sym-arg", "3", "end"]), "[my echo][args][-x][end]");
        assert_eq!(say(&["p", "cat", "A", "--sym-arg", "2"]), "text");
        assert_eq!(say(&["p", "stat", "/A", "--sym-arg", "2"]), "file 640 4 1234");
        assert_eq!(say(&["p", "stdin", "--sym-arg", "2"]), "file 600 3 77: in\n");
        assert!(say(&["p", "stdout", "--sym-arg", "2"]).starts_with("pipe 620"));
        let regular = [stat("stdout-stat", 0o100_604, 5)];
        assert!(place.says(&["p", "stdout"], &regular, &patient()).starts_with("file 604"));
        assert!(place.says(&["p", "stdin"], &[], &patient()).starts_with("pipe 600 0"), "empty, and a pipe");
    }
}

#[test]
fn nothing_is_there_but_what_was_given() {
    let place = Place::new(&["-static"]);
    if !place.program.isolation().has_root() {
        eprintln!("not tested: this machine lets us neither change the root nor make name spaces");
        return;
    }
    assert_eq!(place.says(&["p", "list", "/"], &[], &patient()), "");
    assert_eq!(place.says(&["p", "list", "/", "--devices"], &[], &patient()), "dev tmp ");
    assert_eq!(place.says(&["p", "list", "/dev", "--devices"], &[], &patient()), "null zero ");
    assert_eq!(place.says(&["p", "processors"], &[], &patient()), "1");
    assert_eq!(place.says(&["p", "cat", "/dev/null", "--devices"], &[], &patient()), "");
    assert_eq!(place.says(&["p", "where"], &[], &patient()), "/ 22");
    assert_eq!(place.says(&["p", "env"], &[], &patient()), "");

    let host = place.folder.path().join("host");
    fs::create_dir_all(host.join("sub")).unwrap();
    fs::write(host.join("sub/inner"), "inner").unwrap();
    fs::write(place.folder.path().join("file"), "given").unwrap();
    let world = World {
        env: vec!["Z=1=2".into(), "A=".into()],
        files: vec![GivenFile { guest: "/etc/x".into(), host: place.folder.path().join("file"), mode: 0o604 }],
        dirs: vec![GivenDir { guest: "/data".into(), host: host.clone() }],
        stdin: Some(place.folder.path().join("file")),
        ..World::default()
    };
    let variables = vec![("FOR_THE_BUILD".into(), "yes".into())];
    let options = RunOptions { world, variables, ..patient() };
    assert_eq!(place.says(&["p", "list", "/", "--devices"], &[], &options), "data dev etc tmp ");
    assert_eq!(place.says(&["p", "cat", "/data/sub/inner"], &[], &options), "inner");
    assert_eq!(place.says(&["p", "stat", "etc/x"], &[], &options), "file 604 5 1700000000");
    assert_eq!(place.says(&["p", "stdin"], &[], &options), "pipe 600 0 0: given");
    assert_eq!(place.says(&["p", "env"], &[], &options), "Z=1=2 A= FOR_THE_BUILD=yes ");
    // What it changes is its copy.
    assert_eq!(place.says(&["p", "write", "/data/sub/inner"], &[], &options), "written");
    assert_eq!(fs::read(host.join("sub/inner")).unwrap(), b"inner");
}

#[test]
fn a_program_in_name_spaces_sees_no_other_process_and_has_no_rights() {
    let place = Place::new(&["-static"]);
    if place.program.isolation() != Isolation::Namespace {
        eprintln!("not tested: this machine does not let us make name spaces");
        return;
    }
    assert_eq!(place.says(&["p", "process"], &[], &patient()), "2 1 2 osier");
    assert_eq!(place.says(&["p", "kill"], &[], &patient()), "-1", "there is nobody to kill");
    assert_eq!(place.says(&["p", "clock"], &[], &patient()), "-1", "the clock is not its own to set");

    let kept = place.folder.path().join("kept");
    fs::create_dir(&kept).unwrap();
    let options = RunOptions { kept: vec![kept.clone()], ..patient() };
    let file = kept.join("file");
    assert_eq!(place.says(&["p", "write", file.to_str().unwrap()], &[], &options), "written");
    assert_eq!(fs::read(&file).unwrap(), b"written");
}

#[test]
fn endings_and_output_are_compared() {
    let place = Place::new(&["-static"]);
    let ends = |words: &[&str]| place.run(words, &[], &patient()).ending;
    assert_eq!(ends(&["p", "exit"]), NativeEnding::Exit(7));
    let kinds = |words: &[&str]| match ends(words) {
        NativeEnding::Fault(fault) => fault.kinds,
        other => panic!("{words:?}: {other:?}"),
    };
    assert_eq!(kinds(&["p", "abort"]), [Kind::Abort]);
    assert_eq!(kinds(&["p", "assert"]), [Kind::Assertion]);
    assert!(kinds(&["p", "null"]).contains(&Kind::NullPointer));
    let short = RunOptions::new(Duration::from_millis(300));
    assert_eq!(place.run(&["p", "endless"], &[], &short).ending, NativeEnding::TimedOut(short.limit));

    let said = |status, stdout: &str| Expected {
        ending: Ending::Exit(status),
        output: Some(Output { stdout: Stream::of(stdout.as_bytes()), stderr: Stream::default() }),
        doubt: None,
    };
    let run = place.run(&["p", "args"], &[], &patient());
    assert_eq!(same(&said(0, "[p][args]"), &run), Agreement::Same);
    assert!(matches!(same(&said(0, "[p]"), &run), Agreement::Different(_)));
    assert!(matches!(same(&said(1, "[p][args]"), &run), Agreement::Different(_)));
    let fails = place.run(&["p", "args"], &[object("read_fail", [1, 0, 0, 0])], &patient());
    assert!(matches!(same(&said(0, "[p]"), &fails), Agreement::CannotTell(_)));
}

#[test]
fn without_a_root_absolute_paths_prove_nothing() {
    let Place { folder, program } = Place::new(&["-static"]);
    let place = Place { folder, program: program.without_root() };
    assert_eq!(place.says(&["p", "cat", "A"], &[object("A-data", "text")], &patient()), "text");
    let said = Expected { ending: Ending::Exit(9), output: None, doubt: None };
    let run = place.run(&["p", "stat", "/"], &[], &patient());
    assert!(matches!(same(&said, &run), Agreement::CannotTell(_)));
    let run = place.run(&["p", "args"], &[], &patient());
    assert!(matches!(same(&said, &run), Agreement::Different(_)));
}

#[test]
fn what_is_no_program_is_said_clearly() {
    let place = Place::new(&["-static"]);
    let refused =
        |path: &Path| NativeProgram::of_binary(path, &Toolchain::llvm_22()).map(|_| ()).unwrap_err().to_string();
    let object: PathBuf = place.folder.path().join("world.o");
    let source = place.folder.path().join("world.c");
    assert!(Command::new("clang-22").arg("-c").arg(&source).arg("-o").arg(&object).status().unwrap().success());
    assert!(refused(&object).contains("it is not linked"), "{}", refused(&object));
    assert!(refused(&source).contains("no 64-bit ELF"));
    assert!(refused(Path::new("/no/such")).contains("/no/such"));
}
