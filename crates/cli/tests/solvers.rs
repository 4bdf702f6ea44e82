//! `--solver` and what can go wrong with one: a query without an answer is counted and its path kept as partial, and no
//! solver takes the run down with it.

mod common;

use common::{OSIER, Place, Said, one_message};
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Two factors of a product of two primes of 32 bits: nobody finds them in a second.
const HARD: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned p, q;
  klee_make_symbolic(&p, sizeof p, "p");
  klee_make_symbolic(&q, sizeof q, "q");
  if (p > 1 && q > p && (unsigned long)p * q == 3037000493ul * 2654435761ul) return 7;
  return 0;
}
"#;

/// A product that can be found, and one that cannot.
const EASY: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char b[4];
  klee_make_symbolic(b, sizeof b, "b");
  unsigned product = b[0] * b[1] * b[2], sum = b[1] * 7 + b[2] * 13 + b[3] * 29;
  if (product == 30030 / 13 && sum % 101 == 17) return 1;
  if (b[0] > 2 && b[1] > 2 && b[0] * b[1] == 257) return 2;
  return 0;
}
"#;

fn summary(place: &Place) -> Value {
    let text = fs::read_to_string(place.path().join("out/summary.json")).expect("the run has a summary");
    serde_json::from_str(&text).expect("the summary is JSON")
}

fn place_with(program: &str) -> Place {
    let place = Place::new();
    place.write("prog.c", program);
    place
}

/// A solver that does this at each `check-sat`.
fn fake(at_check: &str) -> String {
    let script = format!("while read -r line; do case \"$line\" in *check-sat*) {at_check};; esac; done");
    format!("--solver=smtlib:sh -c '{script}'")
}

#[test]
fn a_hard_query_ends_in_time_is_counted_and_its_path_is_partial() {
    let hanging = fake("sleep 1000");
    for solver in ["--solver=bitwuzla", "--solver=z3", "--solver=race", "--solver-in-process", &hanging] {
        let place = place_with(HARD);
        let said = place.osier(&["run", "--out", "out", "--solver-timeout=500ms", solver, "prog.c"]);
        assert_eq!(said.status, Some(0), "{solver}: {said:?}");
        let summary = summary(&place);
        // It was put off, and then asked once more.
        assert_eq!(summary["queries"]["put_off"], 1, "{solver}: {summary}");
        assert_eq!(summary["queries"]["unknown"], 1, "{solver}: {summary}");
        assert_eq!(summary["paths"]["partial"], 1, "{solver}: {summary}");
        let seconds = summary["queries"]["seconds"].as_f64().expect("a number");
        // How exactly the limit holds is measured elsewhere; the machine may be busy.
        assert!((0.4..10.0).contains(&seconds), "{solver} took {seconds} s");
    }
}

#[test]
fn all_solvers_find_the_same_paths() {
    let mut found = Vec::new();
    for solver in ["--solver=bitwuzla", "--solver=z3", "--solver=race:z3,bitwuzla", "--solver-in-process"] {
        let place = place_with(EASY);
        let said = place.osier(&["run", "--out", "out", "--no-first-tier", "--check-answers", solver, "prog.c"]);
        assert_eq!(said.status, Some(0), "{solver}: {said:?}");
        let summary = summary(&place);
        assert_eq!(summary["queries"]["unknown"], 0, "{solver}: {summary}");
        found.push(summary["paths"].clone());
    }
    assert!(found.iter().all(|paths| paths == &found[0]), "{found:?}");
}

#[test]
fn a_killed_worker_costs_one_query() {
    let place = place_with(HARD);
    let mut run = Command::new(OSIER)
        .args(["run", "--out", "out", "prog.c"])
        .current_dir(place.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts");
    let start = Instant::now();
    let parent = run.id().to_string();
    // The worker of this run, once it is there and at work.
    loop {
        assert!(start.elapsed() < Duration::from_secs(30), "no worker was started");
        let found = Command::new("pgrep").args(["-P", &parent, "-f", "solver-worker"]).output().expect("pgrep runs");
        if let Some(worker) = String::from_utf8_lossy(&found.stdout).lines().next() {
            std::thread::sleep(Duration::from_millis(300));
            assert!(Command::new("kill").args(["-9", worker]).status().expect("kill runs").success());
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(run.wait().expect("it ends").code(), Some(0));
    let summary = summary(&place);
    assert!(summary["queries"]["unknown"].as_u64().is_some_and(|unknown| unknown >= 1), "{summary}");
    assert_eq!(summary["paths"]["partial"], 1, "{summary}");
    assert_eq!(summary["stopped"], "finished", "{summary}");
}

#[test]
fn rubbish_and_death_cost_queries_and_not_the_run() {
    for at_check in
        ["echo Segmentation fault", "echo \"(error)\"", "if test -n \"$n\"; then exit; fi; n=1; echo unknown"]
    {
        let place = place_with(EASY);
        let said = place.osier(&["run", "--out", "out", "--no-first-tier", &fake(at_check), "prog.c"]);
        assert_eq!(said.status, Some(0), "{at_check}: {said:?}");
        let summary = summary(&place);
        let unknown = summary["queries"]["unknown"].as_u64().expect("a number");
        assert!(unknown >= 1 && summary["paths"]["partial"].as_u64() >= Some(unknown.min(1)), "{at_check}: {summary}");
    }
}

#[test]
fn a_solver_that_lies_is_found_out_and_the_query_is_kept() {
    let place = place_with(EASY);
    let said =
        place.osier(&["run", "--out", "out", "--no-first-tier", "--check-answers", &fake("echo unsat"), "prog.c"]);
    assert_eq!(said.status, Some(3), "{said:?}");
    one_message(&said);
    assert!(said.err.contains("disagree") && said.err.contains("disputed.smt2"), "{said:?}");
    let script = fs::read_to_string(place.path().join("out/disputed.smt2")).expect("the query is kept");
    place.write("again.smt2", script);
    let answered = place.osier(&["solve", "again.smt2"]);
    assert!(answered.out.starts_with("sat"), "{answered:?}");
}

#[test]
fn what_is_no_solver_is_refused() {
    let place = place_with(EASY);
    let refuse =
        |solver: &str, status, words: &[&str]| place.refuses(&["run", "--out", "out", solver, "prog.c"], status, words);
    refuse("--solver=yices", 2, &["yices", "bitwuzla, z3"]);
    refuse("--solver=race:z3", 2, &["two solvers"]);
    refuse("--solver=smtlib:", 2, &["cvc5 --incremental"]);
    refuse("--solver=smtlib:/no/such/solver -q", 2, &["/no/such/solver -q"]);
}

/// The number behind a row of `--stats`.
fn row(said: &Said, name: &str) -> Option<u64> {
    said.err.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

#[test]
fn it_is_told_how_array_reads_were_put_to_solvers() {
    let place = Place::new();
    let input = "array a[8] : w32 -> w8 = symbolic\narray i[4] : w32 -> w8 = symbolic\n\
                 (query [(Ult N0:(ReadLSB w32 0 i) 7) (Ult (Read w8 N0 a) (Read w8 (Add w32 N0 1) a))] false)\n";
    place.write("q.kquery", input);
    for args in [&["--no-first-tier"][..], &["--no-first-tier", "--solver-in-process"], &[]] {
        let said = place.osier(&[&["solve", "--stats", "--caches-only"], args, &["q.kquery"]].concat());
        assert_eq!((said.status, said.out.as_str()), (Some(0), "Query 0:\tINVALID\n"), "{said:?}");
        let names = ["array reads, by theory", "  by tree over index", "  by few entries"];
        let reads: Vec<_> = names.iter().map(|name| row(&said, name).expect("there is such a row")).collect();
        assert!(reads.iter().sum::<u64>() > 0, "{args:?}: {said:?}");
    }
}

#[test]
fn a_run_can_tell_what_its_queries_came_to() {
    let place = Place::with_programs();
    let said = place.osier(&["run", "--stats", "bug.c"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(row(&said, "queries").is_some_and(|count| count > 0), "{said:?}");
    let summary = fs::read_to_string(place.path().join("osier-last/summary.json")).expect("there is a summary");
    let summary: Value = serde_json::from_str(&summary).expect("it is JSON");
    assert!(summary["queries"]["arrays"]["tree"].is_u64(), "{summary}");
}
