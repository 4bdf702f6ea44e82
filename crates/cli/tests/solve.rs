//! `osier solve`: what it answers, what it does with bad input, and that it answers logged queries as they were answered.

mod common;

use common::{ENDLESS, OSIER, Place, Said};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

const KQUERY: &str = "array a[4] : w32 -> w8 = symbolic
array t[4] : w32 -> w8 = [1 2 3 4]
(query [] (Eq 1 (Read w8 0 a)))
(query [(Ult (ReadLSB w32 0 a) 10)] (Ult (ReadLSB w32 0 a) 11))
(query [(Ult N0:(ReadLSB w32 0 a) 4) (Eq (w8 3) (Read w8 N0 t))] false [N0 (Read w8 1 a)] [a t])
(query [(Eq false true)] false [] [a])
";

const SCRIPT: &str = "(set-logic QF_ABV)
(declare-const x (_ BitVec 32))
(declare-const p Bool)
(declare-fun |a b| () (Array (_ BitVec 32) (_ BitVec 8)))
(define-fun twice ((v (_ BitVec 32))) (_ BitVec 32) (bvadd v v))
(assert (let ((y (twice x))) (= (bvmul y #x00000003) #x0000001e)))
(assert (and p (bvult x #x00000010) (= (select |a b| x) #x2a)))
(check-sat)
(get-model)
(push 1)
(assert (bvult x #x00000005))
(check-sat)
(pop 1)
(check-sat-assuming ((= x #x00000005) p))
(get-value (x (twice x) p (select |a b| x)))
(check-sat-assuming ((not p)))
(get-unsat-assumptions)
(echo \"done\")
(get-info :name)
(exit)
(check-sat)
";

fn solve(place: &Place, args: &[&str]) -> Said {
    place.osier(&[&["solve"], args].concat())
}

/// The words of the log's own account of its answers, in order.
fn told(log: &str, mark: &str) -> Vec<String> {
    let lines = log.lines().filter_map(|line| line.strip_prefix(mark)?.split_once(": "));
    lines.filter_map(|(_, rest)| rest.split(' ').next().map(str::to_owned)).collect()
}

#[test]
fn kquery_is_answered_in_the_words_of_kleaver() {
    let place = Place::new();
    place.write("q.kquery", KQUERY);
    for args in [&["q.kquery"][..], &["--plain", "q.kquery"], &["--check-answers", "q.kquery"]] {
        let said = solve(&place, args);
        assert_eq!(
            said.out,
            "Query 0:\tINVALID\nQuery 1:\tVALID\nQuery 2:\tINVALID\n\tExpr 0:\t2\n\tExpr 1:\t0\n\
             \tArray 0:\ta[2, 0, 0, 0]\n\tArray 1:\tt[1, 2, 3, 4]\nQuery 3:\tVALID (counterexample request ignored)\n",
            "{args:?}"
        );
        assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn scripts_are_answered_with_models_and_values() {
    let place = Place::new();
    place.write("s.smt2", SCRIPT);
    let said = solve(&place, &["s.smt2"]);
    let array = "(Array (_ BitVec 32) (_ BitVec 8))";
    assert_eq!(
        said.out,
        format!(
            "sat\n(\n  (define-fun x () (_ BitVec 32) #x00000005)\n  (define-fun p () Bool true)\n  \
             (define-fun |a b| () {array} (store ((as const {array}) #x00) #x00000005 #x2a))\n)\nunsat\nsat\n\
             ((x #x00000005)\n ((twice x) #x0000000a)\n (p true)\n ((select |a b| x) #x2a))\nunsat\n((not p))\n\
             \"done\"\n(:name \"Osier\")\n"
        )
    );
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
}

#[test]
fn each_language_becomes_the_other_and_keeps_its_answers() {
    let place = Place::new();
    place.write("q.kquery", KQUERY);
    place.write("s.smt2", SCRIPT);
    place.write("q.smt2", solve(&place, &["--to", "smt2", "q.kquery"]).out);
    place.write("s.kquery", solve(&place, &["--to", "kquery", "s.smt2"]).out);
    let answers = |file: &str| -> Vec<String> {
        let said = solve(&place, &[file]);
        let words = said.out.lines().filter_map(|line| match line.split('\t').nth(1).unwrap_or(line) {
            "sat" | "INVALID" => Some("sat"),
            "unsat" | "VALID" | "VALID (counterexample request ignored)" => Some("unsat"),
            _ => None,
        });
        assert_eq!(said.status, Some(0), "{said:?}");
        words.map(str::to_owned).collect()
    };
    assert_eq!(answers("q.smt2"), ["sat", "unsat", "sat", "unsat"]);
    assert_eq!(answers("s.kquery"), ["sat", "unsat", "sat", "unsat"]);
    assert!(solve(&place, &["q.smt2"]).out.contains("#x00000002"));
}

#[test]
fn a_pipe_is_answered_command_by_command() {
    for format in [&[][..], &["--format", "smt2"]] {
        let mut child = Command::new(OSIER)
            .arg("solve")
            .args(format)
            .arg("-")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap()).lines();
        let (say, heard) = channel();
        std::thread::spawn(move || from.map_while(Result::ok).for_each(|line| say.send(line).unwrap_or_default()));
        // Each response is read before the next command is written.
        for (command, response) in [
            ("(set-option :print-success true)", "success"),
            ("(set-logic QF_BV)", "success"),
            ("(declare-const x (_ BitVec 8)", ""),
            (")", "success"),
            ("(assert (bvult x #x05)) ; (", "success"),
            ("(check-sat)", "sat"),
            ("(assert (frob x))", "(error \"7:10: there is no function `frob`\")"),
            ("(check-sat)", "unknown"),
            ("(get-info :reason-unknown)", "(:reason-unknown \"something that is asserted could not be read\")"),
            ("(reset-assertions)", "success"),
            ("(check-sat)", "sat"),
            ("(exit)", ""),
        ] {
            // In one piece: after `(exit)` nobody may be there to read the end of the line.
            to.write_all(format!("{command}\n").as_bytes()).unwrap();
            if !response.is_empty() {
                let said = heard.recv_timeout(Duration::from_secs(20));
                assert_eq!(said.as_deref(), Ok(response), "{command}");
            }
        }
        // It was the script that ended it, not the end of the pipe.
        assert_eq!(child.wait().unwrap().code(), Some(1));
        drop(to);
    }
}

#[test]
fn what_is_wrong_is_told_with_its_place_and_the_rest_is_answered() {
    let place = Place::new();
    let mut queries: Vec<&str> = KQUERY.lines().collect();
    queries.insert(3, "(query [(Frob 3)]\n false)");
    place.write("bad.kquery", queries.join("\n"));
    let said = solve(&place, &["bad.kquery"]);
    assert_eq!(said.status, Some(1));
    assert!(said.err.starts_with("error: bad.kquery:4:10: "), "{said:?}");
    assert_eq!(said.out.lines().filter(|line| line.starts_with("Query ")).count(), 4, "{said:?}");

    place.write("bad.smt2", "(push)\n(assert (= x 1))\n(check-sat)\n(pop)\n(check-sat)\n(get-model)\n(check-sat");
    let said = solve(&place, &["bad.smt2"]);
    assert_eq!(said.status, Some(1));
    assert_eq!(said.out, "unknown\nsat\n(\n)\n");
    let messages: Vec<&str> = said.err.lines().collect();
    assert_eq!(messages.len(), 3, "{said:?}");
    assert!(messages[0].starts_with("error: bad.smt2:2:12: `x` is not declared"), "{said:?}");
    assert!(messages[1].starts_with("warning: bad.smt2:3:1: no answer"), "{said:?}");
    assert!(messages[2].starts_with("error: bad.smt2:7:1: the command is not closed"), "{said:?}");
}

#[test]
fn files_that_cannot_be_read_are_told_and_the_others_are_answered() {
    let place = Place::new();
    place.write("q.kquery", KQUERY);
    place.write("empty.smt2", "");
    place.write("empty.kquery", "  # nothing\n");
    place.write("rubbish.smt2", b"(check-sat)\x00\xff\xfe\x80");
    std::fs::create_dir(place.path().join("folder.kquery")).unwrap();
    let said = solve(&place, &["missing.smt2", "rubbish.smt2", "folder.kquery", "q.kquery"]);
    assert_eq!(said.status, Some(2));
    assert!(said.out.starts_with("Query 0:\tINVALID\n"), "{said:?}");
    assert_eq!(
        said.err,
        "error: cannot read missing.smt2: No such file or directory\n\
         error: rubbish.smt2 is neither KQuery nor SMT-LIB: the byte at 12 is not text\n\
         error: cannot read folder.kquery: Is a directory\n"
    );
    for name in ["empty.smt2", "empty.kquery"] {
        let said = solve(&place, &[name]);
        assert_eq!((said.status, said.out.as_str()), (Some(0), ""));
        assert_eq!(said.err, format!("warning: there is no query in {name}\n"));
    }
    place.refuses(&["solve", "--to", "c", "q.kquery"], 2, &["--to", "kquery, smt2"]);
    place.refuses(&["solve", "--log-queries", "some", "q.kquery"], 2, &["--log-queries", "`all` or `solver`"]);
    place.refuses(&["solve", "--log-queries", "all,x", "q.kquery"], 2, &["--log-queries", "milliseconds"]);
    place.refuses(&["solve", "--log-queries", "all", "q.kquery"], 2, &["--out=DIR"]);
}

#[test]
fn rubbish_on_standard_input_gets_a_message() {
    let place = Place::new();
    for rubbish in [&b"\x00\xff\xfe\x80\xc3"[..], b"hello (", b")))))", b"array", b"(query"] {
        let output = place.command(&["solve"]).write_stdin(rubbish).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.starts_with("error: standard input:1:1: ") && !err.contains("a bug in Osier"), "{err}");
    }
}

#[test]
fn no_depth_is_too_deep() {
    let place = Place::new();
    let depth = 100_000;
    let deep = |open: &str, core: &str, close: &str| format!("{}{core}{}", open.repeat(depth), close.repeat(depth));
    let term = deep("(bvudiv x ", "x", ")");
    place.write("deep.smt2", format!("(declare-const x (_ BitVec 8))(assert (= {term} #x01))(check-sat)"));
    let read = "(Read w8 0 a)";
    let term = deep(&format!("(UDiv w8 {read} "), read, ")");
    place.write("deep.kquery", format!("array a[1] : w32 -> w8 = symbolic\n(query [] (Eq {term} 1))"));
    place.write("open.smt2", "(assert ".repeat(depth));
    place.write("open.kquery", "(query [(Eq ".repeat(depth));
    for name in ["deep.smt2", "deep.kquery"] {
        let said = solve(&place, &["--solver-timeout", "5s", name]);
        assert!(matches!(said.status, Some(0 | 1)) && said.out.lines().count() == 1, "{:?}", said.status);
    }
    for name in ["open.smt2", "open.kquery"] {
        let said = solve(&place, &[name]);
        assert!(said.status == Some(1) && said.err.starts_with(&format!("error: {name}:1:1")), "{:?}", said.status);
        // A hundred thousand times the same helps nobody.
        assert!(said.err.lines().count() <= 21 && said.err.ends_with("are not shown\n"), "{:?}", said.status);
    }
}

#[test]
fn a_logic_that_there_is_not_gets_one_message() {
    let place = Place::new();
    let text = "(set-logic QF_LRA)\n(declare-const r Real)\n(assert (= r 1.5))\n(check-sat)\n\
                (reset)\n(set-logic QF_BV)\n(check-sat)\n";
    place.write("reals.smt2", text);
    let said = solve(&place, &["reals.smt2"]);
    assert_eq!((said.status, said.out.as_str()), (Some(1), "unsupported\nunknown\nsat\n"));
    assert_eq!(said.err.lines().count(), 1, "{said:?}");
    assert!(said.err.starts_with("error: reals.smt2:1:1: the logic QF_LRA is not supported"), "{said:?}");
}

#[test]
fn an_answer_that_the_script_does_not_expect_is_told() {
    let place = Place::new();
    place.write("s.smt2", "(set-info :status unsat)(check-sat)\n(check-sat)");
    let said = solve(&place, &["s.smt2"]);
    assert_eq!((said.status, said.out.as_str()), (Some(1), "sat\nsat\n"));
    assert_eq!(said.err, "error: s.smt2:1:25: the answer is sat, but the script says that it is unsat\n");
}

#[test]
fn a_query_that_takes_too_long_is_given_up() {
    let place = Place::new();
    // The factors of a product of two large primes.
    let text = "(declare-const x (_ BitVec 128))(declare-const y (_ BitVec 128))\
                (assert (= (bvmul x y) (_ bv45480683265412450207214246211978889 128)))\
                (assert (bvult (_ bv1 128) x))(assert (bvult x y))(assert (bvult y (_ bv288230376151711744 128)))\n";
    place.write("hard.smt2", format!("{text}(check-sat)(get-info :reason-unknown)"));
    for plain in [&[][..], &["--plain", "--no-first-tier"]] {
        let start = Instant::now();
        let said = solve(&place, &[plain, &["--solver-timeout", "200ms", "--stats", "hard.smt2"]].concat());
        assert!(start.elapsed() < Duration::from_secs(20));
        assert_eq!(said.status, Some(1), "{said:?}");
        assert_eq!(said.out, "unknown\n(:reason-unknown \"the time for one query is over\")\n");
        let unknown = said.err.lines().find(|line| line.trim_start().starts_with("unknown")).unwrap();
        assert!(unknown.ends_with(" 1"), "{said:?}");
    }
}

#[test]
fn path_conditions_that_a_run_writes_can_be_solved() {
    let place = Place::with_programs();
    let said = place.osier(&["run", "--out=out", "--write-kqueries", "--write-smt2", "bug.c"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    let mut kinds = [0, 0];
    for entry in std::fs::read_dir(place.path().join("out")).unwrap() {
        let path = entry.unwrap().path();
        let (kind, answer) = match path.extension().and_then(|extension| extension.to_str()) {
            Some("kquery") => (0, "Query 0:\tINVALID\n\tArray 0:\ti["),
            Some("smt2") => (1, "sat\n(\n  (define-fun i "),
            _ => continue,
        };
        kinds[kind] += 1;
        let said = solve(&place, &[path.to_str().unwrap()]);
        assert!(said.status == Some(0) && said.out.starts_with(answer), "{said:?}");
    }
    assert_eq!(kinds, [2, 2]);
}

/// Conditions over several bytes, so that the backend has something to do, and a table.
const ASKS: &str = "#include <klee/klee.h>
static const unsigned char table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
int main(void) {
  unsigned x, y;
  unsigned char i;
  klee_make_symbolic(&x, sizeof x, \"x\");
  klee_make_symbolic(&y, sizeof y, \"y\");
  klee_make_symbolic(&i, sizeof i, \"i\");
  if (x * y == 1000003 && x > 1 && x < 5000)
    return 1;
  if (table[i & 15] * (x % 7) == 45)
    return 2;
  return (x ^ y) > 77777 ? 3 : 4;
}
";

#[test]
fn logged_queries_are_answered_as_they_were() {
    let place = Place::new();
    place.write("asks.c", ASKS);
    let mut counts = vec![];
    for (which, format, mark) in
        [("all", "smt2", "; "), ("all", "kquery", "# "), ("solver", "smt2", "; "), ("solver,60000", "smt2", "; ")]
    {
        let out = format!("--out={}-{format}", which.replace(',', "-"));
        let logging = ["--log-queries", which, "--log-format", format];
        let run = place.osier(&[&["run", "--max-time=20s", &out], &logging[..], &["asks.c"]].concat());
        assert_eq!(run.status, Some(0), "{run:?}");
        let name = format!("{}/queries.{format}", &out[6..]);
        let log = std::fs::read_to_string(place.path().join(&name)).unwrap();
        let expected = told(&log, mark);
        counts.push(expected.len());
        for plain in [&[][..], &["--plain"]] {
            let said = solve(&place, &[plain, &[&name]].concat());
            let answers: Vec<&str> = said.out.lines().map(|line| line.rsplit('\t').next().unwrap()).collect();
            assert_eq!(answers, expected, "{name}: {said:?}");
            assert_eq!(said.status, Some(0), "{name}: {said:?}");
        }
    }
    // As many are asked whatever the language; not all reach a solver, and none takes a minute.
    assert!(counts[0] == counts[1] && counts[2] >= 1 && counts[0] >= counts[2] && counts[3] == 0, "{counts:?}");
}

#[test]
fn what_is_solved_can_be_logged_again() {
    let place = Place::new();
    place.write("q.kquery", KQUERY);
    let first = solve(&place, &["--log-queries", "all", "--out=log", "q.kquery"]);
    assert_eq!(first.status, Some(0), "{first:?}");
    let said = solve(&place, &["log/queries.smt2"]);
    assert_eq!((said.status, said.out.as_str()), (Some(0), "sat\nunsat\nsat\nunsat\n"));
}

#[test]
fn an_interrupted_run_leaves_whole_queries() {
    let place = Place::new();
    place.write("endless.c", ENDLESS);
    let mut child = Command::new(OSIER)
        .args(["run", "--log-queries=all", "--max-time=40s", "--out=out", "endless.c"])
        .current_dir(place.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let log = place.path().join("out/queries.smt2");
    let start = Instant::now();
    // Until some of it was written: there is more than is kept together.
    while std::fs::metadata(&log).map_or(0, |file| file.len()) == 0 && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait().unwrap();
    let text = std::fs::read_to_string(log).unwrap();
    assert!(text.ends_with("(check-sat)\n(pop 1)\n"), "{}", &text[text.len().saturating_sub(200)..]);
    assert_eq!(text.matches("(push 1)").count(), text.matches("(pop 1)").count());
    let said = solve(&place, &["out/queries.smt2"]);
    assert_eq!(said.out.lines().count(), told(&text, "; ").len(), "{:?}", said.status);
}
