//! Tests and their values as text, in the manner of KLEE's ktest-tool, which knows nothing of the lines `command` and
//! `stat`: the command line with the test's arguments in it, and what a `struct stat` says.

use std::fmt::Write;

use osier_exec::outcome::Input;

use crate::ktest::KTest;
use crate::replay::arguments::{arguments, is_argument};
use crate::stat::Stat;

/// The whole test, for `osier test show`.
pub fn show(test: &KTest) -> String {
    let args: Vec<_> = test.args.iter().map(|arg| quoted(arg)).collect();
    let mut out = format!("args       : [{}]\n", args.join(", "));
    let command = arguments(test);
    if command != test.args {
        let words: Vec<_> = command.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(out, "command    : {}", words.join(" "));
    }
    let _ = writeln!(out, "num objects: {}", test.objects.len());
    for (index, Input { name, bytes }) in test.objects.iter().enumerate() {
        let mut row = |what: &str, value: &dyn std::fmt::Display| {
            let _ = writeln!(out, "object {index}: {what}: {value}");
        };
        row("name", &quoted(name.as_bytes()));
        row("size", &bytes.len());
        if let Some(stat) = stat_of(name, bytes) {
            row("stat", &stat);
            continue;
        }
        row("data", &quoted(bytes));
        row("hex ", &format_args!("0x{}", hex(bytes)));
        if let Some((signed, unsigned)) = integers(bytes) {
            row("int ", &signed);
            row("uint", &unsigned);
        }
        row("text", &text(bytes));
    }
    out
}

/// What the object says if it is a file's `struct stat`, by its name and size.
fn stat_of(name: &str, bytes: &[u8]) -> Option<Stat> {
    Stat::from_bytes(bytes).filter(|_| name.ends_with("-stat"))
}

/// Bytes beyond this many are counted, not printed, in a one-line value.
const SHORT: usize = 64;

/// One line for an error report: the number if it can be one, and the bytes as a string.
pub(crate) fn value_line(input: &Input) -> String {
    let Input { name, bytes } = input;
    if let Some(stat) = stat_of(name, bytes) {
        return format!("{name} = {stat}");
    }
    if is_argument(name) {
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        return format!("{name} = {}", quoted(&bytes[..end]));
    }
    let string = if bytes.len() > SHORT {
        format!("{}... ({} bytes)", quoted(&bytes[..SHORT]), bytes.len())
    } else {
        quoted(bytes)
    };
    match integers(bytes) {
        Some((signed, _)) => format!("{name} = {signed} {string}"),
        None => format!("{name} = {string}"),
    }
}

fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Signed and unsigned value, little-endian as in the program's memory, of objects that are as long as an integer.
fn integers(bytes: &[u8]) -> Option<(i64, u64)> {
    let bits = match bytes.len() {
        1 | 2 | 4 | 8 => bytes.len() as u32 * 8,
        _ => return None,
    };
    let unsigned = bytes.iter().rev().fold(0u64, |value, &byte| value << 8 | u64::from(byte));
    Some((((unsigned << (64 - bits)) as i64) >> (64 - bits), unsigned))
}

/// Printable characters as they are, dots for the rest.
fn text(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stat::Time;

    #[test]
    fn a_test_is_shown_as_ktest_tool_does() {
        let test = KTest::new(
            vec![b"prog.bc".to_vec()],
            vec![
                Input { name: "x".into(), bytes: vec![0xfe, 0xff, 0xff, 0xff] },
                Input { name: "s".into(), bytes: b"a\0b".to_vec() },
            ],
        );
        assert_eq!(
            show(&test),
            "args       : [\"prog.bc\"]\nnum objects: 2\n\
             object 0: name: \"x\"\nobject 0: size: 4\nobject 0: data: \"\\xfe\\xff\\xff\\xff\"\n\
             object 0: hex : 0xfeffffff\nobject 0: int : -2\nobject 0: uint: 4294967294\nobject 0: text: ....\n\
             object 1: name: \"s\"\nobject 1: size: 3\nobject 1: data: \"a\\x00b\"\n\
             object 1: hex : 0x610062\nobject 1: text: a.b\n"
        );
    }

    #[test]
    fn a_world_is_shown_as_what_it_means() {
        let (accessed, modified) = (Time::default(), Time { seconds: 86_400, nanoseconds: 0 });
        let stat = Stat { mode: 0o010_600, user: 1, group: 2, size: 8, accessed, modified };
        let argument = Input { name: "arg00".into(), bytes: b"-n\0\0".to_vec() };
        let stat = Input { name: "stdin-stat".into(), bytes: stat.to_bytes() };
        let said =
            "pipe, mode 0600, 8 bytes, user 1, group 2, modified 1970-01-02 00:00:00, accessed 1970-01-01 00:00:00";
        assert_eq!(value_line(&argument), "arg00 = \"-n\"");
        assert_eq!(value_line(&stat), format!("stdin-stat = {said}"));
        let args = ["echo", "--sym-arg", "3", "x"].map(|word| word.as_bytes().to_vec()).to_vec();
        let shown = show(&KTest::new(args, vec![argument, stat]));
        assert!(shown.contains("\ncommand    : \"echo\" \"-n\" \"x\"\n"), "{shown}");
        assert!(shown.contains(&format!("object 1: size: 144\nobject 1: stat: {said}\n")), "{shown}");
        assert!(!shown.contains("object 1: data"), "{shown}");
    }

    #[test]
    fn integers_of_every_size() {
        assert_eq!(integers(&[0x80]), Some((-128, 128)));
        assert_eq!(integers(&[1, 2]), Some((513, 513)));
        assert_eq!(integers(&[0xff; 8]), Some((-1, u64::MAX)));
        assert_eq!(integers(&[0; 3]), None);
        assert_eq!(integers(&[]), None);
    }

    #[test]
    fn long_values_are_cut() {
        let line = value_line(&Input { name: "buf".into(), bytes: vec![b'a'; 5000] });
        assert!(line.len() < 120 && line.ends_with("... (5000 bytes)"), "{line}");
        assert_eq!(value_line(&Input { name: "n".into(), bytes: vec![65] }), "n = 65 \"A\"");
    }
}
