//! Runs that are cut short: by the keyboard, by a request to terminate, by a disk that takes no more.

mod common;

use common::{OSIER, Place, Said, one_message};
use osier::report::{Endings, KTest};
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(place: &Place, args: &[&str]) -> Child {
    let mut command = Command::new(OSIER);
    command.args(args).current_dir(place.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// Waits until something is so, but not for ever.
fn until(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn end(mut child: Child) -> Said {
    until("the command ends", || child.try_wait().expect("a child of ours").is_some());
    let status = child.wait().expect("it has ended").code();
    let (mut out, mut err) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    Said { status, out, err }
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("it is running");
}

/// Every test can be read and has an ending; no file is a part of one. Returns the number of tests.
fn tests_in_order(folder: &Path) -> u64 {
    let endings = Endings::read(folder).expect("the list of endings is whole");
    let tests = osier::report::test_writer::tests_in(folder).unwrap();
    for test in &tests {
        KTest::read(test).unwrap();
        assert!(endings.of(test).is_some(), "{} has no ending", test.display());
    }
    let partial = std::fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().contains("partial"));
    assert_eq!(partial.count(), 0);
    tests.len() as u64
}

fn is_interrupted_in_order(signal: Signal, program: &str, args: &[&str]) {
    let place = Place::with_programs();
    place.write("program.c", program);
    let child = start(&place, &[&["run", "--out=out"], args, &["program.c"]].concat());
    let folder = place.path().join("out");
    until("the run starts", || folder.join("endings.txt").exists());
    std::thread::sleep(Duration::from_millis(200));
    send(&child, signal);
    let said = end(child);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{said:?}");
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(folder.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["stopped"], "interrupted");
    assert_eq!(summary["tests"], tests_in_order(&folder));
    assert!(summary["tests"].as_u64() > Some(0));
    assert!(folder.join("coverage.lcov").is_file());
    assert!(said.out.contains("(interrupted)"), "{said:?}");
}

#[test]
fn an_interrupt_ends_a_run_in_order() {
    is_interrupted_in_order(Signal::INT, common::ENDLESS, &[]);
}

#[test]
fn a_request_to_terminate_ends_a_run_in_order() {
    is_interrupted_in_order(Signal::TERM, common::ENDLESS, &[]);
}

#[test]
fn an_interrupt_ends_a_loop_without_symbols() {
    is_interrupted_in_order(Signal::INT, "int main(void) { for (volatile int x = 0;;) x++; }\n", &[]);
}

/// Asks a question that no solver answers in a minute.
const HARD: &str = "#include <klee/klee.h>
int main(void) {
  unsigned long a, b;
  klee_make_symbolic(&a, sizeof a, \"a\");
  klee_make_symbolic(&b, sizeof b, \"b\");
  unsigned long x = a * b + 1, y = a ^ (b * 0x9e3779b97f4a7c15u);
  for (int i = 0; i < 4; i++) {
    x = (x ^ (x >> 29)) * (y | 1);
    y = (y ^ (y >> 31)) * 0xbf58476d1ce4e5b9u + x;
  }
  return x % 1000003 == 77 && y % 1000033 == 99 && a % b == 5;
}
";

#[test]
fn an_interrupt_ends_a_query() {
    is_interrupted_in_order(Signal::INT, HARD, &[]);
}

#[test]
fn a_time_limit_ends_a_query() {
    let place = Place::new();
    place.write("hard.c", HARD);
    let start = Instant::now();
    let said = place.osier(&["run", "--max-time=1s", "hard.c"]);
    assert!(said.status == Some(0) && said.out.contains("(max-time)"), "{said:?}");
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// Has as many paths as there are subsets of its input.
const WIDE: &str = "#include <klee/klee.h>
int main(void) {
  unsigned char bytes[64];
  klee_make_symbolic(bytes, sizeof bytes, \"bytes\");
  int n = 0;
  for (unsigned i = 0; i < sizeof bytes; i++)
    if (bytes[i] == 'a')
      n++;
  return n;
}
";

#[test]
fn at_the_memory_limit_a_run_goes_on_with_what_there_is_room_for() {
    let place = Place::new();
    place.write("wide.c", WIDE);
    let limits = ["--max-memory=40M", "--max-instructions=1000000"];
    let said = place.osier(&[&["run", "--no-pending", "--search=bfs", "--out=out"], &limits[..], &["wide.c"]].concat());
    let summary: serde_json::Value =
        serde_json::from_slice(&std::fs::read(place.path().join("out/summary.json")).unwrap()).unwrap();
    // Were memory that is given back still counted, states would be dropped until none is left.
    assert_eq!(summary["stopped"], "max-instructions", "{said:?}");
    assert!(summary["memory"]["states_dropped"].as_u64() > Some(0), "{said:?}");
    assert!(summary["memory"]["peak_bytes"].as_u64() < Some(80 << 20), "{said:?}");
}

#[test]
fn a_folder_that_vanishes_ends_the_run_with_one_message() {
    let place = Place::with_programs();
    let child = start(&place, &["run", "--no-pending", "--out=out", "endless.c"]);
    until("tests are written", || place.path().join("out/test000002.ktest").exists());
    std::fs::rename(place.path().join("out"), place.path().join("moved")).unwrap();
    let said = end(child);
    assert_eq!(said.status, Some(3), "{said:?}");
    one_message(&said);
    assert!(said.err.starts_with("error: cannot write out/test") && said.out.is_empty(), "{said:?}");
    assert!(!place.path().join("out").exists());
    tests_in_order(&place.path().join("moved"));
}

/// A file system of 64 KiB, in a name space of its own so that it needs no privileges and goes away by itself.
#[test]
fn a_full_disk_ends_the_run_with_one_message() {
    let place = Place::with_programs();
    std::fs::create_dir(place.path().join("small")).unwrap();
    let script = format!(
        "mount -t tmpfs -o size=64k small small || exit 99\n\
         {OSIER} run --no-pending --out=small/out endless.c; status=$?; cp -r small/out out; exit $status"
    );
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "sh", "-c", &script]).current_dir(place.path());
    let output = command.output().expect("unshare is a part of every Linux");
    let said = Said {
        status: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    if !place.path().join("out").exists() && said.status != Some(3) {
        // The vanishing folder above tests the same way out; only the words differ.
        eprintln!("not tested, this machine does not let us mount: {said:?}");
        return;
    }
    assert_eq!(said.status, Some(3), "{said:?}");
    one_message(&said);
    assert!(said.err.starts_with("error: cannot write small/out/"), "{said:?}");
    assert!(said.err.trim_end().ends_with(": the disk is full") && said.out.is_empty(), "{said:?}");
    assert!(tests_in_order(&place.path().join("out")) > 0);
}
