//! Whether a native run ended as Osier said.
//!
//! `Same` only for the same thing seen: the same exit status with all inputs read, or a fault of the same kind in the
//! same line. `CannotTell` where the native side would not notice the fault if it were there, and says why. All else is
//! `Different`.
//!
//! Lines are compared in the innermost frame that both stacks have a file for, since Osier's stack may begin inside its
//! own C library and the native one inside a sanitizer. Not compared are the lines of leaks (seen at exit) and stack
//! overflows (where exactly the stack ends is the machine's affair). An assertion or an error that the program reports
//! agrees, too, if its text is in Osier's message: macros over several lines have no single line.

use std::path::Path;

use osier_exec::outcome::{Cut, Ending, Fault, Kind, Place};

use super::{Checks, NativeEnding, NativeFault, NativeRun};
use crate::endings::Expected;
use crate::stream::difference;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agreement {
    Same,
    /// What the native run did instead.
    Different(String),
    /// Why the native run proves nothing.
    CannotTell(String),
}

use Agreement::{CannotTell, Different, Same};

/// Compares the ending and, after a normal exit, what was written.
pub fn same(expected: &Expected, native: &NativeRun) -> Agreement {
    let agreement = match (same_ending(&expected.ending, native), &expected.ending, &expected.output) {
        (Same, Ending::Exit(_), Some(said)) => {
            let stdout = difference("stdout", &said.stdout, &native.stdout);
            let differs = stdout.or_else(|| difference("stderr", &said.stderr, &native.stderr));
            differs.map_or(Same, |how| Different(format!("{}, but {how}", describe(&native.ending))))
        }
        (agreement, Ending::Exit(_) | Ending::Fault(_) | Ending::Cut(_), _) => agreement,
    };
    match (agreement, native.doubt.as_deref().or(expected.doubt)) {
        (Different(how), Some(doubt)) => CannotTell(format!("{doubt}; the native run: {how}")),
        (agreement, _) => agreement,
    }
}

/// Compares what Osier said with what the native program did.
pub fn same_ending(expected: &Ending, native: &NativeRun) -> Agreement {
    match &native.ending {
        NativeEnding::TimedOut(limit) => {
            return CannotTell(format!("the native run did not end in {} s", limit.as_secs_f64()));
        }
        NativeEnding::NoVerdict(reason) => return CannotTell(reason.clone()),
        NativeEnding::OtherInputs(what) => return Different(format!("the native run is on another path: {what}")),
        NativeEnding::Exit(_)
        | NativeEnding::Fault(_)
        | NativeEnding::SilentExit
        | NativeEnding::AssumptionViolated(_)
        | NativeEnding::Signal(_) => {}
    }
    match expected {
        Ending::Exit(status) => same_exit(*status, native),
        Ending::Fault(fault) => same_fault(fault, native),
        Ending::Cut(Cut::Silent) => match &native.ending {
            NativeEnding::SilentExit | NativeEnding::AssumptionViolated(_) => Same,
            other => CannotTell(format!("the path was given up; the native run: {}", describe(other))),
        },
        Ending::Cut(Cut::RunEnded | Cut::Depth | Cut::Memory | Cut::SolverUnknown | Cut::OtherSide) => {
            CannotTell(format!("the path was left before its end; the native run: {}", describe(&native.ending)))
        }
    }
}

fn same_exit(status: i32, native: &NativeRun) -> Agreement {
    match &native.ending {
        // The system keeps eight bits of a status.
        NativeEnding::Exit(code) if *code == status & 0xff => match native.unread_inputs {
            0 => Same,
            unread => Different(format!("it exited with {code}, but never asked for {unread} of the test's objects")),
        },
        other => Different(describe(other)),
    }
}

fn same_fault(expected: &Fault, native: &NativeRun) -> Agreement {
    if expected.kind == Kind::Unsupported {
        return CannotTell("it is a limit of Osier, not a fault of the program".to_owned());
    }
    if expected.kind == Kind::Uninitialised {
        return CannotTell("no native check looks for uninitialised values".to_owned());
    }
    match &native.ending {
        NativeEnding::Fault(seen) if seen.kinds.contains(&expected.kind) => same_line(expected, seen),
        // `-fsanitize-trap` in the program's own flags: the check is there, its words are not.
        NativeEnding::Fault(seen) if seen.message == "SIGILL" && sanitizers_trap_for(expected.kind) => {
            CannotTell("the native program trapped and does not say why".to_owned())
        }
        NativeEnding::Fault(_) if expected.kind == Kind::OutOfBounds && far_outside(expected) => CannotTell(format!(
            "so far outside its object anything can be met; the native run: {}",
            describe(&native.ending)
        )),
        other
            if is_silent_natively(expected.kind)
                && !native.checks.address
                && !matches!(other, NativeEnding::Exit(_)) =>
        {
            CannotTell(format!(
                "without AddressSanitizer a memory error can do anything; the native run: {}",
                describe(other)
            ))
        }
        NativeEnding::Exit(_) => match why_unseen(expected, native.checks) {
            Some(reason) => CannotTell(reason.to_owned()),
            None => Different(describe(&native.ending)),
        },
        other => Different(describe(other)),
    }
}

fn same_line(expected: &Fault, seen: &NativeFault) -> Agreement {
    let placeless = matches!(expected.kind, Kind::Leak | Kind::StackOverflow);
    let has_text = matches!(expected.kind, Kind::Assertion | Kind::User) && !seen.message.is_empty();
    if placeless || has_text && expected.message.contains(&seen.message) {
        return Same;
    }
    let stack = if expected.stack.is_empty() { std::slice::from_ref(&expected.place) } else { &expected.stack };
    let innermost = |of: &[Place], in_files_of: &[Place]| {
        of.iter().find(|frame| frame.line != 0 && in_files_of.iter().any(|other| same_file(frame, other))).cloned()
    };
    match (innermost(stack, &seen.frames), innermost(&seen.frames, stack)) {
        (Some(said), Some(found)) if same_file(&said, &found) && said.line == found.line => Same,
        // An optimised native function that ends in a call leaves no frame, so its caller looks like the place. That
        // fits what was said, but does not show it.
        (Some(said), Some(found)) if stack.iter().any(|frame| same_file(frame, &found) && frame.line == found.line) => {
            CannotTell(format!("{} at {found}, which called {said}", seen.message))
        }
        (Some(said), Some(found)) => Different(format!("{} at {found}, not at {said}", seen.message)),
        // Neither side can be placed: without debug information, or with a bare signal, the kind is all there is.
        (None, _) | (_, None) if seen.frames.is_empty() || stack.iter().all(|frame| frame.line == 0) => Same,
        (None, _) | (_, None) => Different(format!("{} at {}, in another file", seen.message, seen.frames[0])),
    }
}

/// The kinds of fault that a sanitizer's trap can stand for. The heap's are AddressSanitizer's, which never traps.
fn sanitizers_trap_for(kind: Kind) -> bool {
    match kind {
        Kind::OutOfBounds
        | Kind::NullPointer
        | Kind::DivisionByZero
        | Kind::Overshift
        | Kind::SignedOverflow
        | Kind::Abort
        | Kind::Unreachable
        | Kind::InvalidCall
        | Kind::User => true,
        Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::ReadOnlyWrite
        | Kind::Assertion
        | Kind::Leak
        | Kind::Uninitialised
        | Kind::StackOverflow
        | Kind::Unsupported => false,
    }
}

/// The errors that a plain build goes on after, with damaged data.
fn is_silent_natively(kind: Kind) -> bool {
    match kind {
        Kind::OutOfBounds | Kind::UseAfterFree | Kind::DoubleFree | Kind::InvalidFree => true,
        Kind::NullPointer
        | Kind::ReadOnlyWrite
        | Kind::DivisionByZero
        | Kind::Overshift
        | Kind::SignedOverflow
        | Kind::Assertion
        | Kind::Abort
        | Kind::Leak
        | Kind::Uninitialised
        | Kind::Unreachable
        | Kind::InvalidCall
        | Kind::StackOverflow
        | Kind::User
        | Kind::Unsupported => false,
    }
}

/// By file name: the same source has one path in the bitcode and may have another in the native build.
fn same_file(one: &Place, other: &Place) -> bool {
    one.line != 0 && other.line != 0 && Path::new(&one.file).file_name() == Path::new(&other.file).file_name()
}

/// Why a fault of this kind may be there although the native run exited. None if it would have been seen.
fn why_unseen(expected: &Fault, checks: Checks) -> Option<&'static str> {
    const NO_ADDRESS: &str = "the native build has no AddressSanitizer";
    const NO_UNDEFINED: &str = "the native build does not check for undefined behaviour";
    match expected.kind {
        Kind::OutOfBounds if !checks.address => Some(NO_ADDRESS),
        Kind::OutOfBounds if far_outside(expected) => {
            Some("AddressSanitizer guards 16 bytes around an object; this access may jump over them")
        }
        Kind::UseAfterFree | Kind::DoubleFree | Kind::InvalidFree if !checks.address => Some(NO_ADDRESS),
        Kind::DivisionByZero | Kind::Overshift | Kind::Unreachable if !checks.undefined => Some(NO_UNDEFINED),
        Kind::SignedOverflow if !checks.signed_overflow => Some("the native build does not check signed overflow"),
        Kind::Leak if !checks.leaks => Some("the native build does not look for leaks"),
        Kind::Leak => Some("a stray copy of the pointer can hide a leak from LeakSanitizer"),
        Kind::StackOverflow => Some("the native stack may be larger than Osier's"),
        Kind::InvalidCall => Some("a call through a pointer of the wrong type may work natively"),
        Kind::OutOfBounds
        | Kind::UseAfterFree
        | Kind::DoubleFree
        | Kind::InvalidFree
        | Kind::NullPointer
        | Kind::ReadOnlyWrite
        | Kind::DivisionByZero
        | Kind::Overshift
        | Kind::SignedOverflow
        | Kind::Assertion
        | Kind::Abort
        | Kind::Unreachable
        | Kind::Uninitialised
        | Kind::User
        | Kind::Unsupported => None,
    }
}

/// Whether the access is beyond AddressSanitizer's smallest guard zone, or may be.
fn far_outside(fault: &Fault) -> bool {
    distance(&fault.message).is_none_or(|bytes| bytes > 16)
}

/// How far outside its object an access is, if the message says so: `1 past the end`, `20 bytes before the start`.
fn distance(message: &str) -> Option<u64> {
    let end = ["past the end", "before the start"].iter().find_map(|phrase| message.find(phrase))?;
    message[..end].split_whitespace().rev().take(2).find_map(|word| word.replace(',', "").parse().ok())
}

/// A native ending in words.
pub fn describe(ending: &NativeEnding) -> String {
    match ending {
        NativeEnding::Exit(status) => format!("it exited with {status}"),
        NativeEnding::Fault(NativeFault { kinds: _, message, frames }) => match frames.first() {
            Some(place) => format!("{message} at {place}"),
            None => message.clone(),
        },
        NativeEnding::SilentExit => "it left by klee_silent_exit".to_owned(),
        NativeEnding::AssumptionViolated(what) => format!("the test breaks an assumption: {what}"),
        NativeEnding::OtherInputs(what) => format!("it asked for other inputs: {what}"),
        NativeEnding::Signal(number) => format!("it was killed by signal {number}"),
        NativeEnding::TimedOut(limit) => format!("it did not end in {} s", limit.as_secs_f64()),
        NativeEnding::NoVerdict(reason) => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::stream::{Output, Stream};

    const ALL: Checks = Checks { address: true, undefined: true, signed_overflow: true, leaks: true };

    fn place(file: &str, line: u32) -> Place {
        Place { file: file.into(), line, column: 3, function: "f".into() }
    }

    fn run(ending: NativeEnding) -> NativeRun {
        let (stdout, stderr) = (Stream::default(), Stream::default());
        NativeRun { ending, checks: ALL, unread_inputs: 0, stdout, stderr, doubt: None, elapsed: Duration::ZERO }
    }

    fn fault(kind: Kind, message: &str, stack: &[Place]) -> Ending {
        let place = stack.first().cloned().unwrap_or_default();
        Ending::Fault(Fault { kind, message: message.into(), place, notes: vec![], stack: stack.to_vec() })
    }

    fn seen(kind: Kind, message: &str, frames: &[Place]) -> NativeRun {
        run(NativeEnding::Fault(NativeFault { kinds: vec![kind], message: message.into(), frames: frames.to_vec() }))
    }

    fn is_different(agreement: Agreement) -> bool {
        matches!(agreement, Different(_))
    }

    fn cannot_tell(agreement: Agreement) -> bool {
        matches!(agreement, CannotTell(_))
    }

    #[test]
    fn exits_agree_by_status_and_inputs() {
        assert_eq!(same_ending(&Ending::Exit(-1), &run(NativeEnding::Exit(255))), Same);
        assert!(is_different(same_ending(&Ending::Exit(0), &run(NativeEnding::Exit(1)))));
        let unread = NativeRun { unread_inputs: 1, ..run(NativeEnding::Exit(0)) };
        assert!(is_different(same_ending(&Ending::Exit(0), &unread)));
        assert!(is_different(same_ending(&Ending::Exit(0), &seen(Kind::Leak, "leak", &[]))));
        assert!(is_different(same_ending(&Ending::Exit(0), &run(NativeEnding::OtherInputs("y".into())))));
        assert!(cannot_tell(same_ending(&Ending::Exit(0), &run(NativeEnding::TimedOut(Duration::ZERO)))));
    }

    #[test]
    fn output_is_compared_after_an_exit_only() {
        let said = |ending, stdout: &[u8], stderr: &[u8]| {
            let output = Some(Output { stdout: Stream::of(stdout), stderr: Stream::of(stderr) });
            Expected { ending, output, doubt: None }
        };
        let wrote = |ending| NativeRun { stdout: Stream::of(b"out"), stderr: Stream::of(b"err"), ..run(ending) };
        let exited = wrote(NativeEnding::Exit(0));
        assert_eq!(same(&said(Ending::Exit(0), b"out", b"err"), &exited), Same);
        for (stdout, stderr) in [(&b"out"[..], &b""[..]), (b"", b"err"), (b"err", b"out")] {
            assert!(is_different(same(&said(Ending::Exit(0), stdout, stderr), &exited)));
        }
        assert_eq!(same(&Expected { ending: Ending::Exit(0), output: None, doubt: None }, &exited), Same);
        let by_chance = Expected { doubt: Some("random bytes"), ..said(Ending::Exit(0), b"", b"") };
        assert!(cannot_tell(same(&by_chance, &exited)));
        let aborted =
            wrote(NativeEnding::Fault(NativeFault { kinds: vec![Kind::Abort], message: "".into(), frames: vec![] }));
        assert_eq!(same(&said(fault(Kind::Abort, "", &[]), b"", b""), &aborted), Same);
        let doubted = NativeRun { doubt: Some("calls fail".into()), ..exited };
        assert!(cannot_tell(same(&said(Ending::Exit(0), b"", b""), &doubted)));
        assert!(cannot_tell(same(&said(Ending::Exit(1), b"", b""), &doubted)));
        assert_eq!(same(&said(Ending::Exit(0), b"out", b"err"), &doubted), Same);
    }

    #[test]
    fn faults_agree_by_kind_and_line() {
        let said = fault(Kind::UseAfterFree, "", &[place("src/a.c", 4), place("src/main.c", 9)]);
        let at = |frames: &[Place]| same_ending(&said, &seen(Kind::UseAfterFree, "heap-use-after-free", frames));
        assert_eq!(at(&[place("/x/a.c", 4), place("/x/main.c", 9)]), Same);
        assert!(is_different(at(&[place("/x/a.c", 5), place("/x/main.c", 9)])));
        assert!(is_different(at(&[place("/x/other.c", 4)])));
        assert_eq!(at(&[]), Same);
        let other_kind = seen(Kind::DoubleFree, "attempting double-free", &[place("/x/a.c", 4)]);
        assert!(is_different(same_ending(&said, &other_kind)));
    }

    #[test]
    fn a_fault_inside_the_c_library_is_compared_at_its_caller() {
        let said = fault(Kind::NullPointer, "", &[place("string/memcpy.c", 30), place("a.c", 7)]);
        assert_eq!(same_ending(&said, &seen(Kind::NullPointer, "SEGV", &[place("/x/a.c", 7)])), Same);
        assert!(is_different(same_ending(&said, &seen(Kind::NullPointer, "SEGV", &[place("/x/a.c", 8)]))));
    }

    #[test]
    fn a_fault_at_a_caller_is_not_the_same_and_a_trap_says_nothing_of_the_heap() {
        let stack = [place("a.c", 6), place("a.c", 14)];
        let said = fault(Kind::DoubleFree, "double free", &stack);
        assert!(cannot_tell(same_ending(&said, &seen(Kind::DoubleFree, "double-free", &[place("a.c", 14)]))));
        assert!(is_different(same_ending(&said, &seen(Kind::DoubleFree, "double-free", &[place("a.c", 20)]))));
        assert!(is_different(same_ending(&said, &seen(Kind::Abort, "SIGILL", &[]))));
        let overflow = fault(Kind::SignedOverflow, "addition overflows", &stack);
        assert!(cannot_tell(same_ending(&overflow, &seen(Kind::Abort, "SIGILL", &[]))));
    }

    #[test]
    fn assertions_agree_by_line_or_text() {
        let said = fault(Kind::Assertion, "assertion failed: x != 3", &[place("a.c", 7)]);
        assert_eq!(same_ending(&said, &seen(Kind::Assertion, "x != 3", &[place("a.c", 9)])), Same);
        assert_eq!(same_ending(&said, &seen(Kind::Assertion, "y", &[place("a.c", 7)])), Same);
        assert!(is_different(same_ending(&said, &seen(Kind::Assertion, "y", &[place("a.c", 9)]))));
        assert!(is_different(same_ending(&said, &seen(Kind::Abort, "x != 3", &[place("a.c", 7)]))));
    }

    #[test]
    fn an_access_that_jumps_over_the_guard_is_not_disproved() {
        let exited = run(NativeEnding::Exit(0));
        let said = |message: &str| fault(Kind::OutOfBounds, message, &[place("a.c", 1)]);
        assert!(is_different(same_ending(&said("write of 1 byte, 1 past the end of buf (4 bytes)"), &exited)));
        assert!(is_different(same_ending(&said("read of 4 bytes, 16 bytes before the start of buf"), &exited)));
        assert!(cannot_tell(same_ending(&said("write of 1 byte, 1,000 past the end of buf (4 bytes)"), &exited)));
        assert!(cannot_tell(same_ending(&said("somewhere"), &exited)));
        let elsewhere = seen(Kind::UseAfterFree, "heap-use-after-free", &[place("/x/a.c", 1)]);
        assert!(cannot_tell(same_ending(&said("read of 1 byte, 99 past the end of b"), &elsewhere)));
        assert!(is_different(same_ending(&said("read of 1 byte, 9 past the end of b"), &elsewhere)));
    }

    #[test]
    fn what_is_not_checked_is_not_disproved() {
        let said = |kind| fault(kind, "", &[place("a.c", 1)]);
        let plain = NativeRun { checks: Checks::default(), ..run(NativeEnding::Exit(0)) };
        for &kind in Kind::ALL {
            let never_told = [
                Kind::Leak,
                Kind::Uninitialised,
                Kind::Unsupported,
                Kind::StackOverflow,
                Kind::InvalidCall,
                Kind::OutOfBounds,
            ];
            let checked = same_ending(&said(kind), &run(NativeEnding::Exit(0)));
            assert_eq!(cannot_tell(checked.clone()), never_told.contains(&kind), "{kind}");
            assert_eq!(is_different(checked), !never_told.contains(&kind), "{kind}");
            let seen_by_all =
                [Kind::NullPointer, Kind::ReadOnlyWrite, Kind::Assertion, Kind::Abort, Kind::User].contains(&kind);
            assert_eq!(is_different(same_ending(&said(kind), &plain)), seen_by_all, "{kind}");
        }
    }

    #[test]
    fn paths_that_were_cut_prove_nothing() {
        assert!(cannot_tell(same_ending(&Ending::Cut(Cut::Depth), &run(NativeEnding::Exit(0)))));
        assert_eq!(same_ending(&Ending::Cut(Cut::Silent), &run(NativeEnding::SilentExit)), Same);
        assert!(cannot_tell(same_ending(&Ending::Cut(Cut::Silent), &run(NativeEnding::Exit(0)))));
    }
}
