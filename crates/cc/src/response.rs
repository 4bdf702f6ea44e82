//! `@file` words: read, and written for commands that are too long.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// A file may name files; one that names itself ends here, as it does in clang.
const DEEPEST: usize = 50;

/// Replaces every `@file` by the words of the file. One that cannot be read stays as it is: so does clang.
pub fn expand(words: Vec<OsString>) -> Vec<OsString> {
    let mut all = Vec::new();
    words.into_iter().for_each(|word| expand_word(word, 0, &mut all));
    all
}

fn expand_word(word: OsString, depth: usize, all: &mut Vec<OsString>) {
    let named = word.as_bytes().strip_prefix(b"@").filter(|name| !name.is_empty() && depth < DEEPEST);
    let Some(Ok(text)) = named.map(|name| std::fs::read(OsStr::from_bytes(name))) else {
        all.push(word);
        return;
    };
    split(&text).into_iter().for_each(|word| expand_word(word, depth + 1, all));
}

/// GNU's quoting: blanks part words, a backslash takes the next byte as it is, quotation marks hold words together.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(mark)) if byte == mark => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(byte),
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, None) if byte.is_ascii_whitespace() || byte == 0x0B => {
                words.extend(word.take().map(OsString::from_vec))
            }
            (_, None) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word.map(OsString::from_vec));
    words
}

/// The words as the text of a response file, one to a line.
pub fn quoted(words: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for word in words {
        text.push(b'"');
        for &byte in word.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(byte);
        }
        text.extend(b"\"\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(of: &[&str]) -> Vec<OsString> {
        of.iter().map(OsString::from).collect()
    }

    #[test]
    fn quotation_marks_and_backslashes_hold_words_together() {
        assert_eq!(
            split(b"-c a.c\n\t-DX='a b' \"\" c\\ d \"e\\\"f\""),
            words(&["-c", "a.c", "-DX=a b", "", "c d", "e\"f"])
        );
    }

    #[test]
    fn files_in_files_are_read_and_missing_ones_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
        std::fs::write(path("inner"), "a.c -g").unwrap();
        std::fs::write(path("outer"), format!("-c @{} @missing", path("inner"))).unwrap();
        std::fs::write(path("round"), format!("x @{}", path("round"))).unwrap();
        assert_eq!(expand(words(&[&format!("@{}", path("outer"))])), words(&["-c", "a.c", "-g", "@missing"]));
        assert_eq!(expand(words(&[&format!("@{}", path("round"))])).len(), DEEPEST + 1);
    }

    proptest! {
        #[test]
        fn what_is_quoted_is_read_back(all in prop::collection::vec(prop::collection::vec(1u8.., 0..12), 0..6)) {
            let all: Vec<OsString> = all.into_iter().map(OsString::from_vec).collect();
            prop_assert_eq!(split(&quoted(&all)), all);
        }
    }
}
