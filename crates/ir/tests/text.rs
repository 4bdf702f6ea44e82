//! What prints parses back to the same, and nothing makes the parser fall over.

mod common;

use osier_ir::*;
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

#[track_caller]
fn expect_error(text: &str, line: u32, column: u32, words: &str) {
    let error = text::parse(text).expect_err("not a module");
    assert_eq!((error.line, error.column), (line, column), "{error}");
    assert!(error.message.contains(words), "{error}");
}

#[test]
fn an_error_says_where_and_what() {
    let function = |line: &str| format!("function &f(r0:i32) {{\n  registers i32\nblock0:\n  {line}\n}}\n");
    expect_error("global @g size 4", 1, 17, "expected `align`");
    expect_error("hello", 1, 1, "expected a global, a function or a table");
    expect_error("\n  ~", 2, 3, "a character that means nothing");
    expect_error("global @\"ä\" \"", 1, 13, "does not end on its line");
    expect_error(&function("r0 = plus.i32 r0, r0"), 4, 8, "no such operation as `plus`");
    expect_error(&function("r0 = add.i32.fast r0, r0"), 4, 8, "no such flag as `fast`");
    expect_error(&function("r0 = add r0, r0"), 4, 8, "the width is missing");
    expect_error(&function("r0 = add.i32 r0, 256:i8"), 4, 20, "does not fit in 8 bits");
    expect_error(&function("r0 = add.i32 r0, r0 r0"), 4, 23, "expected the end of the line");
    expect_error(&function("r0 = store.i32 [r0], r0"), 4, 3, "has no result");
    expect_error(&function("call0 &g()"), 4, 9, "no such function");
    expect_error(&function("jump e1->block0"), 5, 1, "e0 is missing");
    expect_error(&function("return ; here"), 4, 10, "expected a place");
    expect_error("function &f() {\nblock1:\n}", 2, 1, "expected block0");
    expect_error("function &f() {\nblock0:\n", 3, 1, "expected `}`");
}

#[test]
fn text_written_by_hand_needs_no_tables() {
    let text = "
// A comment.
declare &puts(r0:i64) -> i32
global @.str size 8 align 1 constant data \"one\\00two\\00\"
function &main(r0:i32, r1:i64) -> i32 { ; hello.c:3:1
  registers i32, i64, i1
block0:
  r2 = cmp.sgt.i32 r0, 1:i32 ; hello.c:4:9
  branch r2, e0->block1, e1->block2[r0 = -1:i32]
block1 +1:
  r0 = call0 &puts(@.str+4) *2
  jump e2->block2
block2:
  return r0 // the place is still that of line 4
}
";
    let module = text::parse(text).unwrap();
    assert_eq!(verify(&module), Ok(()));
    let body = module.functions[FuncId(1)].body.as_ref().unwrap();
    assert_eq!(body.op_locations, [LocId(2); 5]);
    assert_eq!(module.file_of(LocId(2)), "hello.c");
    assert_eq!((body.op_weights[2], body.blocks[BlockId(1)].weight), (2, 4));
    assert_eq!(module.constants[ConstId(1)], Constant::Int { width: 32, value: 0xffff_ffff });
    assert_eq!(text::parse(&module.to_string()), Ok(module));
}
