//! The record that the native twin leaves (`runtime/native/ending.h` describes it).

use osier_exec::outcome::{Kind, Place};

use super::{NativeEnding, NativeFault};

/// What the twin said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Record {
    /// None if the program exited by itself: its status is the process's.
    pub ending: Option<NativeEnding>,
    pub unread_inputs: usize,
}

/// None if the text is no record; then nothing is known.
pub(super) fn parse_record(text: &str) -> Option<Record> {
    let value = |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
    let message = value("message").unwrap_or_default().to_owned();
    let place = value("line").and_then(|line| line.parse().ok()).map(|line| Place {
        file: value("file").unwrap_or_default().to_owned(),
        line,
        column: 0,
        function: value("function").unwrap_or_default().to_owned(),
    });
    let fault = |kind| {
        NativeEnding::Fault(NativeFault {
            kinds: vec![kind],
            message: message.clone(),
            frames: place.clone().into_iter().collect(),
        })
    };
    let ending = match value("ending")? {
        "exit" => None,
        "silent-exit" => Some(NativeEnding::SilentExit),
        "assertion" => Some(fault(Kind::Assertion)),
        "abort" => Some(fault(Kind::Abort)),
        "user-error" => Some(fault(Kind::User)),
        "assumption-violated" => Some(NativeEnding::AssumptionViolated(message)),
        "inputs-exhausted" | "input-mismatch" => Some(NativeEnding::OtherInputs(message)),
        "bad-test" | "not-native" => Some(NativeEnding::NoVerdict(message)),
        _ => return None,
    };
    let (used, total) = value("inputs")?.split_once(' ')?;
    let unread_inputs = total.parse::<usize>().ok()?.saturating_sub(used.parse().ok()?);
    Some(Record { ending, unread_inputs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read() {
        let record = parse_record("ending exit\ninputs 1 3\n").unwrap();
        assert_eq!(record, Record { ending: None, unread_inputs: 2 });
        let text = "ending assertion\nfile a.c\nline 7\nfunction f\nmessage x != 3\ninputs 1 1\n";
        let Some(NativeEnding::Fault(fault)) = parse_record(text).unwrap().ending else { panic!("no fault") };
        assert_eq!(fault.kinds, [Kind::Assertion]);
        assert_eq!(fault.frames[0].to_string(), "a.c:7");
        assert_eq!(fault.message, "x != 3");
        assert_eq!(parse_record("ending exi"), None);
        assert_eq!(parse_record(""), None);
    }
}
