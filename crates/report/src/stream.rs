//! What a path or a native run wrote to one stream: the beginning as it is, the whole by length and hash.

use std::fmt::Write;

/// Of each stream this much is kept. Beyond it a difference is noticed, but cannot be shown.
pub const KEPT: usize = 64 << 10;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    /// At most [`KEPT`] bytes.
    pub beginning: Vec<u8>,
    pub length: u64,
    /// FNV-1a of all of it: the same in every version and on every machine.
    pub hash: u64,
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_FACTOR: u64 = 0x0000_0100_0000_01b3;

impl Default for Stream {
    fn default() -> Stream {
        Stream { beginning: Vec::new(), length: 0, hash: FNV_START }
    }
}

impl Stream {
    pub fn of(bytes: &[u8]) -> Stream {
        let mut stream = Stream::default();
        stream.extend(bytes);
        stream
    }

    pub fn extend(&mut self, bytes: &[u8]) {
        let room = KEPT - self.beginning.len();
        self.beginning.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
        self.hash = bytes.iter().fold(self.hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(FNV_FACTOR));
    }

    pub fn is_whole(&self) -> bool {
        self.length == self.beginning.len() as u64
    }

    /// One word without line ends: `"text"`, and `+LENGTH:HASH` behind it where the text is not all.
    pub(crate) fn to_word(&self) -> String {
        let mut word = format!("\"{}\"", self.beginning.escape_ascii());
        if !self.is_whole() {
            let _ = write!(word, "+{}:{:016x}", self.length, self.hash);
        }
        word
    }

    /// Reads a word from the beginning of a line; returns what follows it, too.
    pub(crate) fn from_word(line: &str) -> Option<(Stream, &str)> {
        let mut rest = line.strip_prefix('"')?.bytes();
        let mut text = Vec::new();
        loop {
            match rest.next()? {
                b'"' => break,
                b'\\' => text.push(match rest.next()? {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'x' => {
                        let mut digit = || char::from(rest.next()?).to_digit(16);
                        (digit()? << 4 | digit()?) as u8
                    }
                    quoted @ (b'"' | b'\'' | b'\\') => quoted,
                    _ => return None,
                }),
                plain => text.push(plain),
            }
        }
        let rest = &line[line.len() - rest.len()..];
        let Some(whole) = rest.strip_prefix('+') else { return Some((Stream::of(&text), rest)) };
        let end = whole.find(' ').unwrap_or(whole.len());
        let (length, hash) = whole[..end].split_once(':')?;
        let (length, hash) = (length.parse().ok()?, u64::from_str_radix(hash, 16).ok()?);
        Some((Stream { beginning: text, length, hash }, &whole[end..]))
    }
}

/// What was written to standard output and standard error.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Output {
    pub stdout: Stream,
    pub stderr: Stream,
}

/// The first difference, in the manner of diff; none if both are the same.
pub fn difference(name: &str, said: &Stream, native: &Stream) -> Option<String> {
    if said == native {
        return None;
    }
    let lines = |stream: &Stream| -> Vec<Vec<u8>> {
        stream.beginning.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (said_lines, native_lines) = (lines(said), lines(native));
    let same = said_lines.iter().zip(&native_lines).take_while(|(one, other)| one == other).count();
    let shown = |lines: &[Vec<u8>]| match lines.get(same) {
        Some(line) if line.len() > SHOWN => format!("\"{}\"... ({} bytes)", line[..SHOWN].escape_ascii(), line.len()),
        Some(line) => format!("\"{}\"", line.escape_ascii()),
        None => "nothing more".to_owned(),
    };
    if said.beginning == native.beginning {
        return Some(format!(
            "{name} differs after {} bytes: {} bytes were said, {} written",
            said.beginning.len(),
            said.length,
            native.length
        ));
    }
    Some(format!(
        "{name} differs in line {}\n    said:   {}\n    native: {}",
        same + 1,
        shown(&said_lines),
        shown(&native_lines)
    ))
}

/// Of a line that differs this much is shown.
const SHOWN: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_read_back(text: Vec<u8>, more in 0u64..3) {
            let mut stream = Stream::of(&text);
            stream.length += more;
            let line = format!("{} rest", stream.to_word());
            prop_assert!(!line.contains('\n'));
            prop_assert_eq!(Stream::from_word(&line), Some((stream, " rest")));
        }

        #[test]
        fn parts_make_the_whole(text: Vec<u8>, at in 0usize..100) {
            let (first, second) = text.split_at(at.min(text.len()));
            let mut stream = Stream::of(first);
            stream.extend(second);
            prop_assert_eq!(stream, Stream::of(&text));
        }
    }

    #[test]
    fn long_streams_are_kept_in_part_and_still_told_apart() {
        let (mut one, mut other) = (vec![b'a'; KEPT + 2], vec![b'a'; KEPT + 2]);
        assert_eq!(difference("stdout", &Stream::of(&one), &Stream::of(&other)), None);
        other[KEPT + 1] = b'b';
        let (long, changed) = (Stream::of(&one), Stream::of(&other));
        assert!(!long.is_whole() && long.beginning == changed.beginning);
        assert!(difference("stdout", &long, &changed).unwrap().contains("differs after 65536 bytes"));
        assert_eq!(Stream::from_word(&long.to_word()), Some((long, "")));
        one.truncate(KEPT);
        assert!(Stream::of(&one).is_whole());
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let text = difference("stdout", &Stream::of(b"a\nb\nc\n"), &Stream::of(b"a\nx\nc\n")).unwrap();
        assert_eq!(text, "stdout differs in line 2\n    said:   \"b\\n\"\n    native: \"x\\n\"");
        let text = difference("stderr", &Stream::of(b""), &Stream::of(b"oops")).unwrap();
        assert_eq!(text, "stderr differs in line 1\n    said:   nothing more\n    native: \"oops\"");
        let text = difference("stdout", &Stream::of(b"a\n"), &Stream::of(b"a")).unwrap();
        assert!(text.contains("line 1"), "{text}");
    }

    #[test]
    fn a_damaged_word_is_none() {
        for word in ["", "x", "\"open", "\"\\q\"", "\"\\x4\"", "\"\"+1", "\"\"+1:zz"] {
            assert_eq!(Stream::from_word(word), None, "{word}");
        }
    }
}
