//! Damaged text gets messages and never a panic.

mod common;

use common::{conditions, inputs, steps};
use osier_formats::{kquery, smt2};
use osier_term::Pool;
use proptest::prelude::*;

/// One change to a text.
#[derive(Clone, Debug)]
enum Damage {
    Remove { at: usize, length: usize },
    Insert { at: usize, text: String },
    Copy { from: usize, length: usize, to: usize },
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let pieces = prop::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "=",
        "@",
        ":",
        ",",
        "w0",
        "w999999999999",
        "w33",
        "129",
        "-1",
        "99999999999999999999999",
        "0x",
        "N0",
        "U0",
        "N1:",
        "query",
        "array",
        "symbolic",
        "Read w8",
        "Extract w8",
        "Concat w128",
        "\n",
        "#",
        "\u{e9}",
        "ZExt w1",
        "ReadLSB w256",
        "a",
        "[4294967295]",
    ]);
    let damage = prop_oneof![
        (any::<usize>(), 1usize..20).prop_map(|(at, length)| Damage::Remove { at, length }),
        (any::<usize>(), pieces).prop_map(|(at, text)| Damage::Insert { at, text: format!(" {text} ") }),
        (any::<usize>(), 1usize..60, any::<usize>()).prop_map(|(from, length, to)| Damage::Copy { from, length, to }),
    ];
    prop::collection::vec(damage, 1..6)
}

fn damaged(text: &str, damages: &[Damage]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for damage in damages {
        let place = |at: &usize| at % (text.len() + 1);
        let until = |from: usize, length: &usize| (from + length).min(text.len());
        match damage {
            Damage::Remove { at, length } => {
                let at = place(at);
                text.drain(at..until(at, length));
            }
            Damage::Insert { at, text: more } => {
                let at = place(at);
                text.splice(at..at, more.chars());
            }
            Damage::Copy { from, length, to } => {
                let (from, to) = (place(from), place(to));
                let piece = text[from..until(from, length)].to_vec();
                text.splice(to..to, piece);
            }
        }
    }
    text.into_iter().collect()
}

fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "((_",
        "_",
        "let",
        "((x x))",
        "x",
        "!",
        ":named",
        "y",
        "bvadd",
        "bvult",
        "concat",
        "extract",
        "7",
        "0",
        "200",
        "99999999999999999999",
        "repeat",
        "zero_extend",
        "rotate_left",
        "ite",
        "true",
        "=",
        "distinct",
        "select",
        "store",
        "as",
        "const",
        "(Array (_ BitVec 8) (_ BitVec 8))",
        "#x05",
        "#b1",
        "(_ bv3 8)",
        "(_ bv3 0)",
        "(assert",
        "(push",
        "(pop",
        "(check-sat)",
        "(define-fun f ((v Bool)) Bool",
        "(f",
        "v",
        "(declare-const",
        "Bool",
        "(get-value",
        "(define-sort S ()",
        "(reset)",
        "|",
        "\"",
        "(set-option :global-declarations true)",
        "#",
        "(exit)",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn damaged_kquery_gets_messages(steps in steps(), damages in damages()) {
        let mut pool = Pool::new();
        let inputs = inputs(&mut pool);
        let constraints = conditions(&mut pool, inputs, &steps);
        let text = damaged(&kquery(&pool, &constraints, &inputs), &damages);
        let good = format!("{text}\n(query [] true)");
        let results = kquery::parse(&good, &mut Pool::new());
        prop_assert!(matches!(results.last(), Some(Ok(_))), "{:?}\n{}", results, good);
        for error in results.iter().filter_map(|result| result.as_ref().err()) {
            let lines = good.lines().count() as u32;
            prop_assert!((1..=lines).contains(&error.at.line) && error.at.column >= 1, "{}", error);
        }
    }

    #[test]
    fn any_text_is_answered(text in "[()\\[\\]a-zA-Z0-9:=@,#x \\n\\-]{0,200}") {
        kquery::parse(&text, &mut Pool::new());
    }

    #[test]
    fn damaged_smt2_gets_messages(steps in steps(), damages in damages()) {
        let mut pool = Pool::new();
        let inputs = inputs(&mut pool);
        let constraints = conditions(&mut pool, inputs, &steps);
        let whole = smt2(&pool, &constraints, &inputs);
        let text = damaged(whole.trim_end_matches("(exit)\n"), &damages);
        let script = smt2::parse(&text, &mut Pool::new());
        let lines = text.lines().count() as u32;
        for error in script.commands.iter().filter_map(|result| result.as_ref().err()) {
            prop_assert!((1..=lines).contains(&error.at.line) && error.at.column >= 1, "{}", error);
        }
    }

    #[test]
    fn any_commands_are_answered(words in prop::collection::vec(word(), 0..80)) {
        let text = words.join(" ");
        smt2::parse(&format!("(declare-const x (_ BitVec 8)) (assert {text}"), &mut Pool::new());
        smt2::parse(&text, &mut Pool::new());
    }
}
