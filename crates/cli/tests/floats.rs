//! `osier solve` on scripts with floating point, which go to a solver as text.

mod common;

use common::{OSIER, Place, Said};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// 1 + 2^-24 is 1 if rounded to even; 200.75 is 200 if cut off; 5 is 5.
const SCRIPT: &str = "(set-logic QF_ABVFP)
(declare-const f (_ FloatingPoint 8 24))
(declare-const b (_ BitVec 8))
(declare-const r RoundingMode)
(define-fun one () Float32 ((_ to_fp 8 24) RNE 1.0))
(assert (let ((tiny (fp #b0 #x67 #b00000000000000000000000))) (= f (fp.add r one tiny))))
(push 1)
(assert (and (= r RNE) (not (= f one))))
(check-sat)
(pop 1)
(assert (not (= f one)))
(assert (= b ((_ fp.to_ubv 8) RTZ ((_ to_fp 8 24) RNE 200.75))))
(check-sat)
(get-value (b (fp.isNaN f)))
(check-sat-assuming ((fp.isNaN f)))
(get-unsat-assumptions)
(reset)
(set-logic QF_BV)
(declare-const x (_ BitVec 8))
(assert (= x #x05))
(check-sat)
(declare-const y Float16)
(assert (= y ((_ to_fp_unsigned 5 11) RNE x)))
(check-sat)
(get-model)
(echo \"done\")
(exit)
(check-sat)
";

const ANSWERS: &str = "unsat\nsat\n(\n  (b #b11001000)\n  ((fp.isNaN f) false)\n)\nunsat\n((fp.isNaN f))\nsat\nsat\n(\n  \
                       (define-fun x () (_ BitVec 8) #b00000101)\n  \
                       (define-fun y () (_ FloatingPoint 5 11) (fp #b0 #b10001 #b0100000000))\n)\n\"done\"\n";

/// A law that does not hold for floating point, but nearly: minutes of work.
const HARD: &str = "(set-logic QF_FP)
(define-sort F () Float64)
(declare-const a F)(declare-const b F)(declare-const c F)
(define-fun k () F ((_ to_fp 11 53) RNE 1.0))
(assert (and (fp.lt k a) (fp.lt a (fp.add RNE k k)) (fp.lt k b) (fp.lt b (fp.add RNE k k)) (fp.lt k c) (fp.lt c (fp.add RNE k k))))
(assert (fp.gt (fp.sub RNE (fp.mul RNE a (fp.mul RNE b c)) (fp.mul RNE (fp.mul RNE a b) c)) ((_ to_fp 11 53) RNE 0.0001)))
(check-sat)
(assert (fp.isNaN a))
(check-sat)
";

fn solve(place: &Place, args: &[&str]) -> Said {
    place.osier(&[&["solve"], args].concat())
}

#[test]
fn floating_point_is_answered_by_bitwuzla() {
    let place = Place::new();
    place.write("f.smt2", SCRIPT);
    let said = solve(&place, &["--stats", "f.smt2"]);
    assert_eq!(said.out, ANSWERS);
    assert_eq!(said.status, Some(0), "{said:?}");
    let row = |name: &str| said.err.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    assert_eq!((row("queries"), row("  sat"), row("  unsat")), (Some(5), Some(3), Some(2)), "{said:?}");
}

#[test]
fn a_program_that_reads_scripts_gets_them_too() {
    let place = Place::new();
    place
        .write("f.smt2", "(declare-const f Float32)\n(assert (fp.isNaN f))\n(check-sat)\n(get-value ((fp.isNaN f)))\n");
    // What any such program does, as far as this script needs it.
    place.write(
        "solver",
        "while read -r line; do case $line in *echo*) text=${line#*\\\"}; echo \"${text%%\\\"*}\";; \
                 *check-sat*) echo sat;; *get-value*) echo '((it 1))';; esac; done\n",
    );
    let said = solve(&place, &["--solver=smtlib:sh solver", "f.smt2"]);
    assert_eq!((said.status, said.out.as_str(), said.err.as_str()), (Some(0), "sat\n((it 1))\n", ""));
    place.write(
        "dies",
        "while read -r line; do case $line in *echo*) text=${line#*\\\"}; echo \"${text%%\\\"*}\";; \
                 *check-sat*) echo trouble >&2; exit 9;; esac; done\n",
    );
    let said = solve(&place, &["--solver=smtlib:sh dies", "f.smt2"]);
    assert_eq!((said.status, said.out.lines().next()), (Some(1), Some("unknown")), "{said:?}");
    assert!(said.err.contains("f.smt2:3:1: no answer: ") && said.err.contains("trouble"), "{said:?}");
}

#[test]
fn what_cannot_be_done_with_floating_point_is_told_once() {
    let place = Place::new();
    place.write("f.smt2", "(set-logic QF_FP)\n(declare-const f Float32)\n(assert (fp.isNaN f))\n(check-sat)\n");
    for (args, out, message) in [
        (["--solver=z3", "f.smt2"], "unknown\n", "--solver='smtlib:z3 -in' does that"),
        (["--to=kquery", "f.smt2"], "", "floating point cannot be translated"),
    ] {
        let said = solve(&place, &args);
        assert_eq!((said.status, said.out.as_str()), (Some(1), out), "{args:?}");
        assert_eq!(said.err.lines().count(), 1, "{said:?}");
        assert!(said.err.starts_with("error: f.smt2:1:1: ") && said.err.contains(message), "{said:?}");
    }
}

#[test]
fn mistakes_have_their_place_and_the_rest_is_answered() {
    let place = Place::new();
    let text = "; a script\n(declare-const f Float32) (push 1)\n (assert (fp.isNaN f))\n(check-sat)\n(get-value (no))\n\
                (get-value ((fp.isZero f)))\n(declare-const\n  g Flat)\n(pop 1)\n(set-info :status unsat)\n(check-sat)\n\
                (assert (fp.isNaN\n  h))\n(check-sat)\n(get-model)\n";
    place.write("f.smt2", text);
    let said = solve(&place, &["f.smt2"]);
    assert_eq!(
        said.out,
        "sat\n(((fp.isZero f) false))\nsat\nunknown\n\
         (error \"15:1: there is no model: the last answer was not sat, or something changed since\")\n"
    );
    let places: Vec<&str> = said.err.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(
        places,
        ["f.smt2:5:13", "f.smt2:8:5", "f.smt2:11:1", "f.smt2:13:3", "f.smt2:14:1", "f.smt2:15:1"],
        "{said:?}"
    );
    assert_eq!(said.status, Some(1));
}

#[test]
fn a_hard_question_is_given_up_in_time() {
    let place = Place::new();
    place.write("f.smt2", HARD);
    let start = Instant::now();
    let said = solve(&place, &["--solver-timeout=300ms", "f.smt2"]);
    assert!(start.elapsed() < Duration::from_secs(10), "{said:?}");
    assert_eq!((said.status, said.out.as_str()), (Some(1), "unknown\nunsat\n"), "the next question has its answer");
    assert_eq!(said.err, "warning: f.smt2:7:1: no answer: the time for one query is over\n");
}

#[test]
fn a_pipe_is_answered_as_it_comes() {
    let mut command = Command::new(OSIER);
    let mut child = command.args(["solve", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut ask = |text: &str| {
        writeln!(to, "{text}").unwrap();
        let mut line = String::new();
        from.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    };
    assert_eq!(ask("(set-option :print-success true)"), "success");
    assert_eq!(ask("(declare-const x (_ BitVec 16))"), "success");
    assert_eq!(ask("(assert (= x #x3c00))"), "success");
    assert_eq!(ask("(check-sat)"), "sat");
    assert_eq!(ask("(assert (fp.isNaN ((_ to_fp 5 11) x)))"), "success");
    assert_eq!(ask("(check-sat)"), "unsat");
    assert_eq!(ask("(assert\n (fp.isNaN y))"), "(error \"8:12: undefined symbol 'y'\")");
    assert_eq!(ask("(reset)(check-sat)"), "sat");
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
