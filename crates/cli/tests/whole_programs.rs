//! Native binaries replayed with the tests of whole programs.

mod common;

use common::{Place, one_message};
use osier::outcome::Input;
use osier::report::KTest;
use rustix::process::{Pid, Signal, kill_process};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Writes its arguments, then the file A; its status is their number.
const PROGRAM: &str = "#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 0; i < argc; i++)
    printf(\"%s\\n\", argv[i]);
  FILE *file = fopen(\"/A\", \"r\");
  for (int c; file && (c = getc(file)) != EOF;)
    putchar(c);
  return argc;
}
";

fn object(name: &str, bytes: &[u8]) -> Input {
    Input { name: name.into(), bytes: bytes.to_vec() }
}

/// With the binary `prog` and a run folder `run` of two tests.
fn place() -> Place {
    let place = Place::new();
    place.write("prog.c", PROGRAM);
    let mut compiler = Command::new("clang-22");
    compiler.args(["--coverage", "-static", "prog.c", "-o", "prog"]).current_dir(place.path());
    assert!(compiler.status().expect("there is a compiler").success());
    std::fs::create_dir(place.path().join("run")).unwrap();
    for (number, count) in [(1, 0u8), (2, 1)] {
        let args = ["prog", "--sym-args", "0", "1", "3", "--sym-files", "1", "2"];
        let args = args.map(|word| word.as_bytes().to_vec()).to_vec();
        let mut objects = vec![object("n_args", &[count, 0, 0, 0])];
        objects.extend((count > 0).then(|| object("arg00", b"-x\0\0")));
        objects.extend([object("A-data", b"ab"), object("model_version", &[1, 0, 0, 0])]);
        place.write(&format!("run/test00000{number}.ktest"), KTest::new(args, objects).to_bytes());
    }
    place
}

const TESTS: [&str; 2] = ["run/test000001.ktest", "run/test000002.ktest"];

#[test]
fn endings_and_output_are_compared_with_the_run() {
    let place = place();
    place.write("run/endings.txt", "test000001 exit 1 \"prog\\nab\" \"\"\ntest000002 exit 2 \"prog\\n-x\\nab\" \"\"\n");
    let said = place.osier(&["replay", "./prog", TESTS[0], TESTS[1]]);
    let lines = "run/test000001.ktest: same: it exited with 1\nrun/test000002.ktest: same: it exited with 2\n\
                 2 tests: 2 same, 0 different, 0 that a native run cannot tell\n";
    assert_eq!((said.status, said.out.as_str()), (Some(0), lines), "{said:?}");
    place.write("run/endings.txt", "test000001 exit 1 \"prog\\nab\" \"\"\ntest000002 exit 2 \"prog\\n-y\\nab\" \"\"\n");
    let said = place.osier(&["replay", "--jobs=1", "./prog", TESTS[0], TESTS[1]]);
    let different = "run/test000002.ktest: different: it exited with 2, but stdout differs in line 2\n    \
                     said:   \"-y\\n\"\n    native: \"-x\\n\"\n";
    assert!(said.status == Some(1) && said.out.contains(different), "{said:?}");
    assert!(said.out.contains("1 same, 1 different"), "{said:?}");
    assert_eq!(place.osier(&["replay", "./prog", "run"]).out, said.out, "a folder stands for its tests");
    place.write("run/endings.txt", "test000001 exit 1 \"prog\\nab\" \"\"\ntest000002 cut run-ended\n");
    let said = place.osier(&["replay", "./prog", "run"]);
    let count = "1 same, 0 different, 0 that a native run cannot tell, 1 of paths that the run left before their end\n";
    assert!(said.status == Some(0) && said.out.ends_with(count), "{said:?}");
}

#[test]
fn what_the_machine_answers_anew_in_each_run_proves_nothing() {
    let place = Place::new();
    let program = "#include <stdio.h>\n#include <sys/random.h>\n#include <time.h>\n#include <unistd.h>
        int main(int argc, char **argv) {
          unsigned long number = 0;
          if (argv[1][0] == 'r') getrandom(&number, sizeof number, 0);
          if (argv[1][0] == 't') number = time(NULL);
          if (argv[1][0] == 'p') number = getpid() * 1000000;
          printf(\"%lu\\n\", number);
          return 0;
        }";
    place.write("prog.c", program);
    assert_eq!(place.osier(&["cc", "-static", "prog.c", "-o", "prog"]).status, Some(0));
    assert_eq!(place.osier(&["run", "--out=run", "./prog", "--sym-arg", "1"]).status, Some(0));
    let endings = std::fs::read_to_string(place.path().join("run/endings.txt")).unwrap();
    for asked in ["random", "time", "process"] {
        assert!(endings.contains(&format!(" asked {asked}\n")), "{endings}");
    }
    let said = place.osier(&["replay", "./prog", "run"]);
    assert!(said.status == Some(0) && said.out.contains("1 same, 0 different, 3 that"), "{said:?}");
    place.write("run/endings.txt", endings.replace(" asked random", ""));
    let said = place.osier(&["replay", "./prog", "run"]);
    assert!(said.status == Some(1) && said.out.contains("1 same, 1 different, 2 that"), "{said:?}");
}

#[test]
fn tests_without_a_run_are_shown_and_coverage_data_is_kept() {
    let place = place();
    let said = place.osier(&["replay", "--echo", "./prog", TESTS[1]]);
    assert_eq!((said.status, said.out.as_str()), (Some(0), "run/test000002.ktest: it exited with 2\nprog\n-x\nab\n"));
    let data = place.path().join("prog-prog.gcda");
    assert!(!data.exists(), "what it writes stays in its own root");
    let said = place.osier(&["replay", "--keep=.", "./prog", TESTS[0], TESTS[1]]);
    if said.status == Some(2) && said.err.contains("name spaces") {
        eprintln!("not tested: this machine does not let us make name spaces");
        return;
    }
    assert!(said.status == Some(0) && data.exists(), "{said:?}");
}

#[test]
fn the_world_is_the_runs_and_can_be_changed() {
    let place = place();
    let given = place.write("given", "given");
    place.write("other", "other");
    let args = vec![b"prog".to_vec()];
    place.write("run/test000003.ktest", KTest::new(args, vec![]).to_bytes());
    let host = given.canonicalize().unwrap();
    place.write("run/world.json", format!(r#"{{"files":[{{"guest":"/A","host":{host:?},"mode":420}}]}}"#));
    let echoed = |options: &[&str]| {
        place.osier(&[&["replay", "--echo"], options, &["./prog", "run/test000003.ktest"]].concat()).out
    };
    assert!(echoed(&[]).ends_with("prog\ngiven\n"));
    assert!(echoed(&["--file=other=A"]).ends_with("prog\nother\n"));
    place.write("run/world.json", "{");
    place.refuses(&["replay", "./prog", "run/test000003.ktest"], 2, &["world.json"]);
}

#[test]
fn an_interrupt_ends_a_replay_in_order() {
    let place = place();
    place.write("endless.c", "int main(void) { for (;;) ; }\n");
    let mut compiler = Command::new("clang-22");
    assert!(
        compiler.args(["-static", "endless.c", "-o", "endless"]).current_dir(place.path()).status().unwrap().success()
    );
    let mut command = Command::new(common::OSIER);
    command.args(["replay", "--jobs=1", "--limit=2s", "./endless", "run"]).current_dir(place.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1200));
    let started = folders_of(child.id());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let status = child.wait().unwrap();
    let mut err = String::new();
    child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
    assert_eq!((status.code(), err.as_str()), (Some(130), "error: interrupted: not every test was replayed\n"));
    assert!(!started.is_empty());
    started.iter().for_each(|folder| assert!(!folder.exists(), "{} is left behind", folder.display()));
}

/// The folders that the command's children were started from.
fn folders_of(command: u32) -> Vec<PathBuf> {
    let threads = std::fs::read_dir(format!("/proc/{command}/task")).unwrap();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    let folder = |id: &str| Some(std::fs::read_link(format!("/proc/{id}/exe")).ok()?.parent()?.to_owned());
    children.flat_map(|list| list.split_whitespace().filter_map(folder).collect::<Vec<_>>()).collect()
}

#[test]
fn what_cannot_be_is_one_message() {
    let place = place();
    place.refuses(&["replay", "./prog", "prog.c", TESTS[0]], 2, &["./prog is a whole program"]);
    place.refuses(&["replay", "--file=no-such", "./prog", TESTS[0]], 2, &["no-such"]);
    place.refuses(&["replay", "--env=x", "./prog", TESTS[0]], 2, &["NAME=VALUE"]);
    let said = place.osier(&["replay", "--keep=.", "prog.c", TESTS[0]]);
    assert_eq!(said.status, Some(2));
    one_message(&said);
}
