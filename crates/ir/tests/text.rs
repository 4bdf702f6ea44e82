//! What prints parses back to the same, and nothing makes the parser fall over.

mod common;

use osier_ir::{text, verify};
use proptest::prelude::*;

fn tape() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(any::<u64>(), 0..1500)
}

/// The tokens of the language, so that random text gets past the first word.
const WORDS: &[&str] = &[
    "function",
    "declare",
    "global",
    "&f",
    "@g",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\n",
    "\n",
    "->",
    "=>",
    "=",
    ",",
    ":",
    "*",
    "+",
    "+8",
    "-1",
    "3",
    "i32",
    "i64*2",
    "registers",
    "block0",
    "block0:\n",
    "block1",
    "r0",
    "r1",
    "e0",
    "call0",
    "table0",
    "c0",
    "add.i32",
    "load.i8",
    "jump",
    "branch",
    "switch.i32",
    "return",
    "from",
    "as",
    "size",
    "align",
    "data",
    "\"x\"",
    "constants",
    "locations",
    "sites",
    "texts",
    "files",
    "file",
    "; a.c:1:2",
    "; loc9",
    ";",
    "undef",
    "// no",
    "é",
    "\"",
    "340282366920938463463374607431768211455",
    "99999999999999999999999999999999999999999",
    "registers i1*4294967295",
    "trap.sanitizer.9",
    "alloca",
    "&\"",
    "@#7",
    "default",
];

proptest! {
    #[test]
    fn a_module_prints_and_parses_back_to_itself(words in tape()) {
        let module = common::module(words);
        prop_assert_eq!(verify(&module), Ok(()));
        let printed = module.to_string();
        match text::parse(&printed) {
            Ok(parsed) => {
                prop_assert_eq!(&parsed, &module, "{}", printed);
                prop_assert_eq!(parsed.to_string(), printed);
            }
            Err(error) => prop_assert!(false, "{}\n{}", error, printed),
        }
    }

    #[test]
    fn random_text_is_refused_or_read_but_never_panics(text in "\\PC*|[ -~\n]*") {
        let _ = text::parse(&text);
    }

    #[test]
    fn random_words_are_refused_or_read_but_never_panic(words in prop::collection::vec(0..WORDS.len(), 0..60)) {
        let text = words.into_iter().map(|word| WORDS[word]).collect::<Vec<_>>().join(" ");
        if let Ok(module) = text::parse(&text) {
            let _ = verify(&module);
            prop_assert_eq!(text::parse(&module.to_string()), Ok(module));
        }
    }

    #[test]
    fn a_damaged_text_never_panics(words in tape(), at in any::<prop::sample::Index>(), with in 0..WORDS.len()) {
        let printed = common::module(words).to_string();
        let mut lines: Vec<String> = printed.lines().map(String::from).collect();
        if !lines.is_empty() {
            let line = &mut lines[at.index(printed.lines().count())];
            let middle = (0..=line.len() / 2).rev().find(|&byte| line.is_char_boundary(byte)).unwrap_or(0);
            line.insert_str(middle, WORDS[with]);
        }
        if let Ok(module) = text::parse(&lines.join("\n")) {
            let _ = verify(&module);
            let _ = module.to_string();
        }
    }
}
