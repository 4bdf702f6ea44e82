//! KQuery as KLEE and its users write it.

use osier_formats::kquery::{Query, parse};
use osier_formats::{ParseError, Position};
use osier_term::{Assignment, BvOp, Pool, Term, eval};

fn one(text: &str, pool: &mut Pool) -> Query {
    let mut results = parse(text, pool);
    assert_eq!(results.len(), 1, "{results:?}");
    results.pop().unwrap().unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// The value of an expression over `a`, four bytes 1, 2, 0x83 and 4, and `t`, the constants 7, 8 and 255.
#[track_caller]
fn value(expression: &str) -> u128 {
    let mut pool = Pool::new();
    let text = format!(
        "array a[4] : w32 -> w8 = symbolic\narray t[3] : w32 -> w8 = [7 8 0xff]\n(query [] false [{expression}] [a])"
    );
    let query = one(&text, &mut pool);
    let mut assignment = Assignment::new();
    assignment.set(query.arrays[0].1, [1, 2, 0x83, 4].as_slice().into());
    eval(&pool, query.values[0], &assignment)
}

#[track_caller]
fn error(text: &str) -> ParseError {
    let mut results = parse(text, &mut Pool::new());
    assert_eq!(results.len(), 1, "{results:?}");
    results.pop().unwrap().unwrap_err()
}

#[test]
fn numbers_are_written_in_many_ways() {
    for (text, expected) in [
        ("(w32 5)", 5),
        ("5:w8", 5),
        ("(w16 -1)", 0xffff),
        ("(w8 0x1F)", 31),
        ("(w8 0b10_1)", 5),
        ("(w8 0o17)", 15),
        ("(w8 +3)", 3),
        ("true", 1),
        ("(Add w8 200 100)", 44),
        ("(w128 -1)", u128::MAX),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn every_operator_has_its_meaning() {
    let x = "(Read w8 2 a)";
    for (text, expected) in [
        ("(Add w8 $x 1)", 0x84),
        ("(Sub w8 $x 0x84)", 0xff),
        ("(Mul w8 $x 2)", 6),
        ("(UDiv w8 $x 2)", 0x41),
        ("(URem w8 $x 16)", 3),
        ("(SDiv w8 $x 5)", 0xe7),
        ("(SRem w8 $x 5)", 0),
        ("(And w8 $x 0xf0)", 0x80),
        ("(Or w8 $x 4)", 0x87),
        ("(Xor w8 $x 0xff)", 0x7c),
        ("(Not w8 $x)", 0x7c),
        ("(Neg w8 $x)", 0x7d),
        ("(Shl w8 $x 1)", 6),
        ("(LShr w8 $x 1)", 0x41),
        ("(AShr w8 $x 1)", 0xc1),
        ("(Eq $x 0x83)", 1),
        ("(Ne 0x83 $x)", 0),
        ("(Ult $x 1)", 0),
        ("(Ule $x 0x83)", 1),
        ("(Ugt $x 1)", 1),
        ("(Uge $x 0x84)", 0),
        ("(Slt $x 1)", 1),
        ("(Sle $x 0x82)", 0),
        ("(Sgt $x 1)", 0),
        ("(Sge $x 0x83)", 1),
        ("(Concat w24 $x (w8 1) $x)", 0x830183),
        ("(Extract w4 4 $x)", 8),
        ("(ZExt w16 $x)", 0x83),
        ("(SExt w16 $x)", 0xff83),
        ("(ReadLSB w32 0 a)", 0x04830201),
        ("(ReadMSB w16 (w32 1) a)", 0x0283),
        ("(ReadLSB w16 0xffffffff a)", 0x0100),
        ("(Read w8 1 t)", 8),
        ("(Read w8 9 a)", 0),
        ("(Select w8 (Eq $x 0) 1 2)", 2),
    ] {
        assert_eq!(value(&text.replace("$x", x)), expected, "{text}");
    }
}

#[test]
fn labels_and_versions_are_remembered_within_a_query() {
    assert_eq!(value("(Add w8 N0:(Read w8 0 a) (Mul w8 N0 N0))"), 2);
    assert_eq!(value("(Read w8 1 [1=5, 1=6, 2=7] @ a)"), 5);
    assert_eq!(value("(Concat w16 (Read w8 0 U0:[0=9] @ t) (Read w8 1 [1=(w8 3)] @ U0))"), 0x0903);
    assert_eq!(value("(Concat w16 (Read w8 0 U0:[0=9] @ t) (Read w8 0 [1=(w8 3)] @ U0))"), 0x0909);
    assert_eq!(value("(Read w8 0 [] @ a)"), 1);
}

#[test]
fn a_query_has_constraints_a_goal_and_what_to_evaluate() {
    let mut pool = Pool::new();
    let text = "# two queries, as in a log\n\
                array a[1] : w32->w8 = symbolic\n(query [(Ult (Read w8 0 a) 9) true] (Eq 0 (Read w8 0 a)))\n\
                array a[1] : w32 -> w8 = symbolic\narray b[] : w32 -> w8 = [1, 2]\n\
                (query [] false [(Read w8 0 a)] [a b])";
    let queries: Vec<Query> = parse(text, &mut pool).into_iter().map(Result::unwrap).collect();
    let (first, second) = (&queries[0], &queries[1]);
    assert_eq!(first.at, Position { line: 3, column: 1 });
    let byte = second.values[0];
    let (nine, zero) = (pool.constant(8, 9), pool.constant(8, 0));
    let (small, is_zero, truth) = (pool.ult(byte, nine), pool.eq(byte, zero), pool.truth(true));
    assert_eq!((first.constraints.as_slice(), first.goal), ([small, truth].as_slice(), is_zero));
    assert_eq!(second.arrays.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
}

#[test]
fn errors_say_where_and_what() {
    let declared = "array a[4] : w32 -> w8 = symbolic\n";
    for (text, expected) in [
        ("(query [] (Eq 1 2))", "2:12: the width of the operands of `Eq` is not known"),
        ("(query [] false [5])", "2:18: the width of this number is not known; write `(w32 NUMBER)`"),
        ("(query [(Read w8 0 a)] false)", "2:9: expected 1 bits, found 8"),
        ("(query [] (Eq (Read w8 0 b) 1))", "2:26: no array or version `b` is known here"),
        ("(query [] (Eq (Foo w8 0 a) 1))", "2:16: expected an operator, found `Foo`"),
        ("(query [] N7)", "2:11: no expression has the label `N7`"),
        ("(query [] (Eq (w129 1) 2))", "2:16: width 129 is not supported: 1 to 128 bits are"),
        ("(query [] (Eq (Extract w8 1 (w8 1)) 2))", "2:16: 8 bits from bit 1 up are beyond the operand of 8 bits"),
        ("(query [] (Eq (w8 1z) 2))", "2:19: `1z` is not a number"),
        ("(query [] false", "2:16: expected `[`, found the end of the text"),
        ("array b[2] : w32 -> w16 = symbolic", "2:21: elements of 16 bits are not supported: arrays hold bytes, `w8`"),
        ("array b[2] : w32 -> w8 = [1]", "2:9: the size is 2, but 1 values are given"),
        ("]", "2:1: expected `array` or `(query`, found `]`"),
    ] {
        assert_eq!(error(&format!("{declared}{text}")).to_string(), expected, "{text}");
    }
}

#[test]
fn a_bad_query_does_not_lose_the_next_one() {
    for bad in ["(query [(Eq", "(query [(Foo w8 1)] false)", "(query [] false)))", "array x[", "(query [[[ (("] {
        let text =
            format!("{bad}\narray a[1] : w32 -> w8 = symbolic\n(query [] (Eq 1 (Read w8 0 a)))\n(query [] true)");
        let results = parse(&text, &mut Pool::new());
        let good = results.iter().filter(|r| r.is_ok()).count();
        assert!(results.iter().any(Result::is_err), "{bad}");
        assert!(good >= 2, "{bad}: {results:?}");
    }
    let unclosed = parse("(query [(Eq\n(query [] true)", &mut Pool::new());
    assert!(matches!(&unclosed[..], [Err(_), Ok(_)]), "{unclosed:?}");
}

#[test]
fn too_many_symbolic_bytes_are_an_error() {
    let text = "array a[4294967295] : w32 -> w8 = symbolic\narray b[4294967295] : w32 -> w8 = symbolic";
    assert_eq!(error(text).to_string(), "2:7: more than 2^32 symbolic bytes are declared in all");
}

#[test]
fn deep_nesting_is_read() {
    let mut pool = Pool::new();
    let depth = 100_000;
    let text = format!(
        "array a[2] : w32 -> w8 = symbolic (query [(Eq 3 {}(Read w8 0 a){})] false)",
        "(UDiv w8 (Read w8 1 a) ".repeat(depth),
        ")".repeat(depth)
    );
    let query = one(&text, &mut pool);
    let mut inputs: Vec<Term> = vec![];
    pool.for_each_child(query.constraints[0], |t| inputs.push(t));
    assert!(inputs.iter().any(|&t| matches!(pool.node(t), osier_term::Node::Bin { op: BvOp::UDiv, .. })));
    let unclosed = "(Not w8 ".repeat(depth);
    assert!(parse(&format!("(query [{unclosed}"), &mut pool)[0].is_err());
}
