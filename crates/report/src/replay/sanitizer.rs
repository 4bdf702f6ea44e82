//! From a sanitizer's report, or a bare signal, to the kinds of error it can stand for.

use osier_exec::outcome::{Kind, Place};

use super::NativeFault;

/// What a report says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Report {
    Fault(NativeFault),
    /// The sanitizer itself could not go on.
    Broken(String),
}

/// AddressSanitizer's headlines, by how they begin. Segmentation faults need a closer look and are not here.
const ADDRESS: &[(&str, &[Kind])] = &[
    ("heap-buffer-overflow", &[Kind::OutOfBounds]),
    ("stack-buffer-overflow", &[Kind::OutOfBounds]),
    ("stack-buffer-underflow", &[Kind::OutOfBounds]),
    ("global-buffer-overflow", &[Kind::OutOfBounds]),
    ("dynamic-stack-buffer-overflow", &[Kind::OutOfBounds]),
    ("container-overflow", &[Kind::OutOfBounds]),
    ("negative-size-param", &[Kind::OutOfBounds]),
    ("unknown-crash", &[Kind::OutOfBounds]),
    ("heap-use-after-free", &[Kind::UseAfterFree]),
    ("stack-use-after-return", &[Kind::UseAfterFree]),
    ("stack-use-after-scope", &[Kind::UseAfterFree]),
    ("attempting double-free", &[Kind::DoubleFree]),
    ("attempting free on address which was not malloc()-ed", &[Kind::InvalidFree]),
    ("attempting to call malloc_usable_size()", &[Kind::InvalidFree]),
    ("alloc-dealloc-mismatch", &[Kind::InvalidFree]),
    ("bad-free", &[Kind::InvalidFree]),
    ("stack-overflow", &[Kind::StackOverflow]),
    ("FPE", FLOATING_POINT_SIGNAL),
    ("ABRT", &[Kind::Abort]),
    ("ILL", ILLEGAL_SIGNAL),
];

/// What UndefinedBehaviorSanitizer says after `runtime error: `, by a part of it. The order decides.
const UNDEFINED: &[(&str, &[Kind])] = &[
    ("division by zero", &[Kind::DivisionByZero]),
    ("shift exponent", &[Kind::Overshift]),
    ("left shift of", &[Kind::Overshift]),
    ("signed integer overflow", &[Kind::SignedOverflow]),
    ("cannot be represented in type", &[Kind::SignedOverflow]),
    ("null pointer", &[Kind::NullPointer]),
    ("unreachable program point", &[Kind::Unreachable]),
    ("without returning a value", &[Kind::Unreachable]),
    ("incorrect function type", &[Kind::InvalidCall]),
    ("out of bounds", &[Kind::OutOfBounds]),
    ("insufficient space", &[Kind::OutOfBounds]),
];

/// The processor traps on division by zero and on the overflow of the smallest number by -1 alike.
const FLOATING_POINT_SIGNAL: &[Kind] = &[Kind::DivisionByZero, Kind::SignedOverflow];
const ILLEGAL_SIGNAL: &[Kind] = &[Kind::Unreachable, Kind::Abort, Kind::InvalidCall];

/// Reads a report. None if there is no error in it: warnings only, or nothing.
pub(super) fn parse_report(log: &str) -> Option<Report> {
    for (index, line) in log.lines().enumerate() {
        if let Some((_, headline)) = line.split_once("ERROR: AddressSanitizer: ") {
            return Some(address_report(log, index, headline));
        }
        if line.contains("ERROR: LeakSanitizer: detected memory leaks") {
            let message = log.lines().find(|line| line.starts_with("Direct leak")).unwrap_or("memory leak");
            let message = message.trim_end_matches(" allocated from:").to_owned();
            return Some(Report::Fault(NativeFault { kinds: vec![Kind::Leak], message, frames: frames(log, index) }));
        }
        if line.contains("LeakSanitizer has encountered a fatal error") || line.contains("CHECK failed:") {
            return Some(Report::Broken(line.to_owned()));
        }
        if let Some((place, message)) = line.split_once(": runtime error: ") {
            return Some(undefined_report(log, index, place, message));
        }
    }
    None
}

fn address_report(log: &str, index: usize, headline: &str) -> Report {
    let kinds = if headline.starts_with("SEGV") || headline.starts_with("BUS") {
        segmentation_kinds(log, headline)
    } else {
        let known = ADDRESS.iter().find(|(start, _)| headline.starts_with(start));
        match known {
            Some((_, kinds)) => kinds.to_vec(),
            None => return Report::Broken(format!("an unknown report of AddressSanitizer: {headline}")),
        }
    };
    // What follows the address differs from run to run.
    let message = headline.split(" on address 0x").next().unwrap_or(headline);
    let message = message.split(" (pc 0x").next().unwrap_or(message).to_owned();
    Report::Fault(NativeFault { kinds, message, frames: frames(log, index) })
}

/// Beyond the zero page a wild address may have come from a null pointer with a large index as well as from an object.
fn segmentation_kinds(log: &str, headline: &str) -> Vec<Kind> {
    if log.contains("Hint: pc points to the zero page") {
        return vec![Kind::InvalidCall, Kind::NullPointer];
    }
    if log.contains("Hint: PC is at a non-executable region") {
        return vec![Kind::InvalidCall];
    }
    if log.contains("Hint: address points to the zero page") {
        return vec![Kind::NullPointer];
    }
    let known_address = headline.starts_with("SEGV on unknown address 0x");
    if known_address && log.contains("caused by a WRITE memory access") {
        return vec![Kind::ReadOnlyWrite, Kind::OutOfBounds, Kind::NullPointer];
    }
    vec![Kind::OutOfBounds, Kind::NullPointer, Kind::InvalidCall]
}

fn undefined_report(log: &str, index: usize, place: &str, message: &str) -> Report {
    let Some((_, kinds)) = UNDEFINED.iter().find(|(part, _)| message.contains(part)) else {
        return Report::Broken(format!("an unknown report of UndefinedBehaviorSanitizer: {message}"));
    };
    let mut frames = frames(log, index);
    if frames.is_empty() {
        frames.extend(location(place).map(|(file, line, column)| Place {
            file: file.to_owned(),
            line,
            column,
            function: String::new(),
        }));
    }
    Report::Fault(NativeFault { kinds: kinds.to_vec(), message: message.to_owned(), frames })
}

/// The first stack after the headline. Only frames with an absolute path: those of the C library have relative ones or
/// none, and are nobody's to compare with.
fn frames(log: &str, headline: usize) -> Vec<Place> {
    log.lines()
        .skip(headline + 1)
        .skip_while(|line| !line.trim_start().starts_with("#0 "))
        .take_while(|line| line.trim_start().starts_with('#'))
        .filter_map(|line| {
            let (_, rest) = line.split_once(" in ")?;
            let (function, path) = rest.split_at(rest.find(" /")?);
            let (file, line, column) = location(path.trim_start())?;
            Some(Place { file: file.to_owned(), line, column, function: function.to_owned() })
        })
        .collect()
}

/// `file:line:column` or `file:line`.
fn location(text: &str) -> Option<(&str, u32, u32)> {
    let (rest, last) = text.rsplit_once(':')?;
    let last = last.parse().ok()?;
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Some((file, line, last)),
        None => Some((rest, last, 0)),
    }
}

/// What a signal alone says, in a build or a place where no sanitizer spoke. None if it is no sign of a fault.
pub(super) fn signal_fault(signal: i32, stderr: &str) -> Option<NativeFault> {
    let heap = ["free(): ", "malloc(): ", "realloc(): ", "corrupted size", "double free"];
    let (kinds, message): (&[Kind], _) = match signal {
        // The C library found its heap damaged.
        6 if heap.iter().any(|text| stderr.contains(text)) => (
            &[Kind::InvalidFree, Kind::DoubleFree, Kind::OutOfBounds, Kind::UseAfterFree],
            "SIGABRT by the C library's heap",
        ),
        6 => match failed_assertion(stderr) {
            Some(assertion) => return Some(assertion),
            None => (&[Kind::Abort], "SIGABRT"),
        },
        4 => (ILLEGAL_SIGNAL, "SIGILL"),
        5 => (ILLEGAL_SIGNAL, "SIGTRAP"),
        8 => (FLOATING_POINT_SIGNAL, "SIGFPE"),
        7 | 11 => (
            &[
                Kind::NullPointer,
                Kind::OutOfBounds,
                Kind::ReadOnlyWrite,
                Kind::UseAfterFree,
                Kind::InvalidCall,
                Kind::InvalidFree,
                Kind::StackOverflow,
            ],
            if signal == 7 { "SIGBUS" } else { "SIGSEGV" },
        ),
        _ => return None,
    };
    Some(NativeFault { kinds: kinds.to_vec(), message: message.to_owned(), frames: Vec::new() })
}

/// The last words of a program that fails an assertion: glibc's `p: a.c:7: f: Assertion `x' failed.` or musl's
/// `Assertion failed: x (a.c: f: 7)`.
fn failed_assertion(stderr: &str) -> Option<NativeFault> {
    let line = stderr.lines().next_back()?;
    let (message, file, line, function) = if let Some(words) = line.strip_prefix("Assertion failed: ") {
        let (message, place) = words.strip_suffix(')')?.rsplit_once(" (")?;
        let (rest, line) = place.rsplit_once(": ")?;
        let (file, function) = rest.rsplit_once(": ")?;
        (message, file, line, function)
    } else {
        let (place, message) = line.strip_suffix("' failed.")?.split_once(": Assertion `")?;
        let (rest, function) = place.rsplit_once(": ")?;
        let (rest, line) = rest.rsplit_once(':')?;
        (message, rest.rsplit_once(": ").map_or(rest, |(_, file)| file), line, function)
    };
    let place = Place { file: file.to_owned(), line: line.parse().ok()?, column: 0, function: function.to_owned() };
    Some(NativeFault { kinds: vec![Kind::Assertion], message: message.to_owned(), frames: vec![place] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abort_after_the_words_of_an_assertion_is_one() {
        for words in ["Assertion failed: x != (3) (dir/a.c: f: 7)\n", "p: dir/a.c:7: f: Assertion `x != (3)' failed.\n"]
        {
            let fault = signal_fault(6, &format!("other: things\n{words}")).unwrap();
            assert_eq!((fault.kinds.as_slice(), fault.message.as_str()), (&[Kind::Assertion][..], "x != (3)"));
            assert_eq!(fault.frames[0].to_string(), "dir/a.c:7");
            assert_eq!(fault.frames[0].function, "f");
        }
        assert_eq!(signal_fault(6, "Assertion failed: x").unwrap().kinds, [Kind::Abort]);
    }

    fn fault(log: &str) -> NativeFault {
        match parse_report(log) {
            Some(Report::Fault(fault)) => fault,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_address_report_gives_kind_message_and_frames() {
        let log = "=====\n==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x7b3d at pc 0x55d3 bp 0x7f sp 0x7f\n\
            WRITE of size 50 at 0x7b3d thread T0\n    #0 0x55d3 in __asan_memset (/x/p+0xd0984) (BuildId: 4c)\n    \
            #1 0x55d3 in ns::f(int, char*) /x y/p.cpp:28:13\n    #2 0x7f in abort stdlib/abort.c:79:7\n    \
            #3 0x55 in main /x y/p.cpp:40\n\nfreed by\n    #0 0x1 in g /x/q.c:1:1\n";
        let fault = fault(log);
        assert_eq!(fault.kinds, [Kind::OutOfBounds]);
        assert_eq!(fault.message, "heap-buffer-overflow");
        let frames: Vec<_> = fault.frames.iter().map(|frame| (frame.to_string(), frame.column)).collect();
        assert_eq!(frames, [("/x y/p.cpp:28".to_owned(), 13), ("/x y/p.cpp:40".to_owned(), 0)]);
        assert_eq!(fault.frames[0].function, "ns::f(int, char*)");
    }

    #[test]
    fn segmentation_faults_are_told_apart() {
        let segv = |hints: &str| {
            fault(&format!("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x5 (pc 0x5 T0)\n{hints}\n")).kinds
        };
        assert_eq!(segv("==1==Hint: address points to the zero page."), [Kind::NullPointer]);
        assert_eq!(segv("==1==The signal is caused by a WRITE memory access.")[0], Kind::ReadOnlyWrite);
        assert_eq!(segv("==1==Hint: PC is at a non-executable region. Maybe a wild jump?"), [Kind::InvalidCall]);
        assert_eq!(segv("")[0], Kind::OutOfBounds);
        assert!(!segv("").contains(&Kind::ReadOnlyWrite));
    }

    #[test]
    fn undefined_behaviour_has_a_place_even_without_a_stack() {
        let kinds = |message: &str| fault(&format!("p.c:19:20: runtime error: {message}\n")).kinds[0];
        assert_eq!(kinds("division by zero"), Kind::DivisionByZero);
        assert_eq!(kinds("shift exponent 40 is too large for 32-bit type 'int'"), Kind::Overshift);
        assert_eq!(kinds("left shift of 1 by 31 places cannot be represented in type 'int'"), Kind::Overshift);
        assert_eq!(kinds("division of -2147483648 by -1 cannot be represented in type 'int'"), Kind::SignedOverflow);
        assert_eq!(kinds("load of null pointer of type 'int'"), Kind::NullPointer);
        assert_eq!(kinds("execution reached an unreachable program point"), Kind::Unreachable);
        assert_eq!(fault("p.c:19:20: runtime error: division by zero\n").frames[0].line, 19);
    }

    #[test]
    fn a_broken_sanitizer_is_no_verdict() {
        let log = "==1==LeakSanitizer has encountered a fatal error.\n";
        assert!(matches!(parse_report(log), Some(Report::Broken(_))));
        assert!(matches!(parse_report("==1==ERROR: AddressSanitizer: new-thing on x\n"), Some(Report::Broken(_))));
        assert_eq!(parse_report("==1==WARNING: AddressSanitizer failed to allocate 0xffff bytes\n"), None);
    }
}
