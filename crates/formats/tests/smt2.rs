//! SMT-LIB as other tools write it.

use osier_formats::Position;
use osier_formats::smt2::{Command, DeclaredValue, Script, Sort, parse};
use osier_term::{Assignment, Node, Pool, Term, eval};

/// The commands, all of which are good.
#[track_caller]
fn commands(text: &str, pool: &mut Pool) -> Vec<Command> {
    let script = parse(text, pool);
    script.commands.into_iter().map(|c| c.unwrap_or_else(|error| panic!("{text}\n{error}")).1).collect()
}

fn conditions(script: &Script) -> Vec<Term> {
    let condition = |command: &Result<(Position, Command), _>| match command {
        Ok((_, Command::Assert { condition, .. })) => Some(*condition),
        _ => None,
    };
    script.commands.iter().filter_map(condition).collect()
}

fn set(pool: &Pool, assignment: &mut Assignment, byte: Term, value: u8) {
    let Node::Select { array, .. } = pool.node(byte) else { panic!("{} is no byte", pool.display(byte)) };
    assignment.set(array, [value].as_slice().into());
}

/// The value of a term over the bytes `x` = 0x83 and `y` = 5, after other commands.
#[track_caller]
fn value_after(before: &str, term: &str) -> u128 {
    let mut pool = Pool::new();
    let text = format!(
        "(declare-const x (_ BitVec 8))(declare-fun y () (_ BitVec 8))(get-value (x y)){before}(get-value ({term}))"
    );
    let commands = commands(&text, &mut pool);
    let mut assignment = Assignment::new();
    let Command::GetValue(bytes) = &commands[2] else { panic!("{commands:?}") };
    for ((_, value), byte) in bytes.iter().zip([0x83, 5]) {
        let DeclaredValue::BitVec(t) = value else { panic!("{value:?}") };
        set(&pool, &mut assignment, *t, byte);
    }
    match &commands[commands.len() - 1] {
        Command::GetValue(values) => match values[0].1 {
            DeclaredValue::Bool(t) | DeclaredValue::BitVec(t) => eval(&pool, t, &assignment),
            DeclaredValue::Array(_) => panic!("{term} is an array"),
        },
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn value(term: &str) -> u128 {
    value_after("", term)
}

#[test]
fn every_operator_has_its_meaning() {
    for (term, expected) in [
        ("(bvadd x y #x01)", 0x89),
        ("(bvsub y x)", 0x82),
        ("(bvmul x y)", 0x8f),
        ("(bvudiv x y)", 26),
        ("(bvurem x y)", 1),
        ("(bvsdiv x y)", 0xe7),
        ("(bvsrem x #x04)", 0xff),
        ("(bvsmod x #x04)", 3),
        ("(bvudiv x #x00)", 0xff),
        ("(bvand x #xf0 #xff)", 0x80),
        ("(bvor x y)", 0x87),
        ("(bvxor x y)", 0x86),
        ("(bvnand x y)", 0xfe),
        ("(bvnor x y)", 0x78),
        ("(bvxnor x y)", 0x79),
        ("(bvnot x)", 0x7c),
        ("(bvneg x)", 0x7d),
        ("(bvshl x #x01)", 6),
        ("(bvlshr x #x01)", 0x41),
        ("(bvashr x #x01)", 0xc1),
        ("(bvcomp x #x83)", 1),
        ("(bvult x y)", 0),
        ("(bvule x x)", 1),
        ("(bvugt x y)", 1),
        ("(bvuge y x)", 0),
        ("(bvslt x y)", 1),
        ("(bvsle y x)", 0),
        ("(bvsgt x y)", 0),
        ("(bvsge y x)", 1),
        ("(bvnego x)", 0),
        ("(bvnego #x80)", 1),
        ("(bvuaddo x x)", 1),
        ("(bvsmulo x y)", 1),
        ("(concat x y #b1)", 0x1_060b),
        ("((_ extract 7 4) x)", 8),
        ("((_ zero_extend 8) x)", 0x83),
        ("((_ sign_extend 8) x)", 0xff83),
        ("((_ rotate_left 9) x)", 7),
        ("((_ rotate_right 1) x)", 0xc1),
        ("((_ rotate_left 0) x)", 0x83),
        ("((_ repeat 2) x)", 0x8383),
        ("(_ bv300 16)", 300),
        ("(ite (= x y) x y)", 5),
        ("(ite true (bvult y x) false)", 1),
        ("(= x x #x83)", 1),
        ("(= x y x)", 0),
        ("(distinct x y #x06)", 1),
        ("(distinct x y x)", 0),
        ("(and true (not false) (= x x))", 1),
        ("(or false (= x y))", 0),
        ("(xor true true true)", 1),
        ("(=> false true false)", 1),
        ("(=> true true false)", 0),
        ("(let ((a x) (b y)) (let ((a b) (b a)) (bvsub a b)))", 0x82),
        ("(! (bvadd x y) :named sum)", 0x88),
        (
            "(select (store (store ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x07) (_ bv1 64) x) (_ bv2 64) y) (_ bv1 64))",
            0x83,
        ),
        ("(select ((as const (Array (_ BitVec 8) (_ BitVec 8))) x) y)", 0x83),
        ("(select (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x00) y x) #x05)", 0x83),
        (
            "(select (let ((z ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x09))) (ite (= x y) z (store z y x))) #x05)",
            0x83,
        ),
    ] {
        assert_eq!(value(term), expected, "{term}");
    }
}

#[test]
fn the_signed_modulus_has_the_sign_of_the_divisor() {
    let mut pool = Pool::new();
    let commands = commands(
        "(declare-const a (_ BitVec 8))(declare-const b (_ BitVec 8))(get-value (a b (bvsmod a b)))",
        &mut pool,
    );
    let Command::GetValue(values) = &commands[2] else { panic!("{commands:?}") };
    let terms: Vec<Term> =
        values.iter().map(|(_, v)| if let DeclaredValue::BitVec(t) = v { *t } else { panic!("{v:?}") }).collect();
    for a in i8::MIN..=i8::MAX {
        for b in i8::MIN..=i8::MAX {
            let mut assignment = Assignment::new();
            set(&pool, &mut assignment, terms[0], a as u8);
            set(&pool, &mut assignment, terms[1], b as u8);
            let (a, b) = (i32::from(a), i32::from(b));
            let expected = if b == 0 { a } else { a - b * (f64::from(a) / f64::from(b)).floor() as i32 };
            assert_eq!(eval(&pool, terms[2], &assignment), u128::from(expected as u8), "{a} smod {b}");
        }
    }
}

#[test]
fn functions_are_unfolded_and_do_not_see_what_surrounds_their_use() {
    let double = "(define-fun twice ((v (_ BitVec 8))) (_ BitVec 8) (bvadd v v))";
    assert_eq!(value_after(double, "(twice (twice y))"), 20);
    let sees = "(define-sort Byte () (_ BitVec 8))(define-fun c () Byte (bvadd y #x01))(define-fun f ((v Byte)) Byte (bvadd v c x))";
    assert_eq!(value_after(sees, "(let ((x #x00) (c2 #x64)) (f c2))"), (100 + 6 + 0x83) & 0xff);
    let text = "(define-fun f ((v Bool)) Bool (f v))(assert (f true))";
    let script = parse(text, &mut Pool::new());
    assert_eq!(script.commands[1].as_ref().unwrap_err().to_string(), "1:32: there is no function `f`");
}

#[test]
fn functions_that_unfold_without_end_are_refused() {
    let mut text = String::from("(declare-const p Bool)(define-fun f0 ((v Bool)) Bool (not v))");
    for i in 1..60 {
        text += &format!("(define-fun f{i} ((v Bool)) Bool (xor (f{0} v) (f{0} (not v))))", i - 1);
    }
    let script = parse(&format!("{text}(assert (f59 p))"), &mut Pool::new());
    let error = script.commands.last().unwrap().as_ref().unwrap_err();
    assert!(error.message.contains("unfold to too much"), "{error}");
}

#[test]
fn commands_come_in_order_with_what_they_say() {
    let mut pool = Pool::new();
    let text = "; a comment\n(set-logic QF_ABV)(set-option :produce-models true)(set-info :source |two\nlines|)\
                (declare-const |a b| Bool)(push 1)(assert (! |a b| :named first))(check-sat-assuming ((not |a b|)))\
                (pop)(echo \"say \"\"hi\"\"\")(get-model)(check-sat)(exit)(nonsense";
    let got = commands(text, &mut pool);
    let Command::Declare { value: DeclaredValue::Bool(p), .. } = got[3] else { panic!("{got:?}") };
    let not = pool.not(p);
    let expected = [
        Command::SetLogic("QF_ABV".into()),
        Command::SetOption(":produce-models".into(), "true".into()),
        Command::SetInfo(":source".into(), "|two\nlines|".into()),
        Command::Declare { name: "a b".into(), sort: Sort::Bool, value: DeclaredValue::Bool(p) },
        Command::Push(1),
        Command::Assert { condition: p, name: Some("first".into()) },
        Command::CheckSat { assuming: vec![("(not |a b|)".into(), not)], complete: true },
        Command::Pop(1),
        Command::Echo("say \"hi\"".into()),
        Command::GetModel,
        Command::CheckSat { assuming: vec![], complete: true },
        Command::Exit,
    ];
    assert_eq!(got, expected);
}

#[test]
fn arrays_without_an_end_are_read_anywhere_and_agree_with_themselves() {
    let mut pool = Pool::new();
    let text = "(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))(declare-const i (_ BitVec 32))\
                (declare-const j (_ BitVec 32))(assert (= (select a i) #x05))(assert (= (select a j) #x06))\
                (assert (= (select a #x00000001) #x07))(get-value (i j))";
    let script = parse(text, &mut pool);
    let conditions = conditions(&script);
    let Some(Ok((_, Command::GetValue(places)))) = script.commands.last() else { panic!("{script:?}") };
    let inputs: Vec<_> = places
        .iter()
        .map(|(_, place)| {
            let DeclaredValue::BitVec(t) = place else { panic!("{place:?}") };
            let mut t = *t;
            while let Node::Concat { low, .. } = pool.node(t) {
                t = low;
            }
            let Node::Select { array, .. } = pool.node(t) else { panic!("{}", pool.display(t)) };
            array
        })
        .collect();
    let array = &script.arrays[0];
    assert_eq!((array.size, array.beyond.len()), (2, 2));
    let far: Vec<Term> = array.beyond.iter().map(|&(_, byte)| byte).collect();
    let Node::Ite { other: second, .. } = pool.node(far[1]) else { panic!("{}", pool.display(far[1])) };
    let holds = |i: u32, j: u32, near: [u8; 2], bytes: [u8; 2]| {
        let mut assignment = Assignment::new();
        assignment.set(inputs[0], i.to_le_bytes().as_slice().into());
        assignment.set(inputs[1], j.to_le_bytes().as_slice().into());
        assignment.set(array.input, near.as_slice().into());
        set(&pool, &mut assignment, far[0], bytes[0]);
        set(&pool, &mut assignment, second, bytes[1]);
        conditions.iter().all(|&c| eval(&pool, c, &assignment) == 1)
    };
    assert!(holds(u32::MAX, 70_000, [0, 7], [5, 6]));
    assert!(holds(0, 9, [5, 7], [99, 6]));
    assert!(!holds(9, 9, [5, 7], [5, 6]), "one place holds one byte");
    assert!(!holds(9, 1, [5, 7], [5, 6]), "the second byte is seven");
}

#[test]
fn errors_say_where_and_what() {
    let declared = "(declare-const x (_ BitVec 8))\n";
    for (text, expected) in [
        ("(assert (bvult x #b1))", "2:9: `bvult` needs two bit-vectors of one width, not ((_ BitVec 8), (_ BitVec 1))"),
        ("(assert (bvult x z))", "2:18: `z` is not declared"),
        ("(assert x)", "2:9: expected a term of sort Bool, not (_ BitVec 8)"),
        ("(assert (foo x))", "2:10: there is no function `foo`"),
        ("(assert (and x true))", "2:9: `and` needs operands of sort Bool, not ((_ BitVec 8), Bool)"),
        ("(assert (= x 5))", "2:14: `5` is no term of bit-vectors and arrays"),
        ("(assert (= x ((_ extract 8 1) x)))", "2:14: bits 8 to 1 of a bit-vector of 8 bits"),
        ("(declare-const y (_ BitVec 129))", "2:18: a bit-vector of 129 bits is not supported: 1 to 128 are"),
        ("(declare-const y Int)", "2:18: the sort `Int` is not supported: Bool, BitVec and Array are"),
        ("(declare-const x Bool)", "2:16: `x` is declared already"),
        ("(declare-fun f (Bool) Bool)", "2:16: functions that are declared but not defined are not supported"),
        (
            "(declare-const a (Array (_ BitVec 8) (_ BitVec 16)))",
            "2:18: arrays from (_ BitVec 8) to (_ BitVec 16) are not supported: from at most 64 bits to 8 bits are",
        ),
        ("(assert (forall ((y Bool)) y))", "2:9: `forall` in this form is not supported: the logic is QF_ABV"),
        ("(assert ((_ repeat 99) x))", "2:9: a bit-vector of 792 bits is not supported: 1 to 128 are"),
        ("(pop 2)", "2:1: `pop` of 2 levels, but only 0 are open"),
        ("(frobnicate)", "2:1: there is no command `frobnicate`, or it is not supported"),
        ("(assert (= x #xg0))", "2:14: `g` is no digit of a literal"),
        ("(assert (= x x)", "2:1: the command is not closed: a `)` is missing"),
        (")", "2:1: expected a command, which begins with `(`"),
    ] {
        let script = parse(&format!("{declared}{text}"), &mut Pool::new());
        let error = script.commands.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

#[test]
fn what_follows_an_error_is_read_and_answers_know_of_it() {
    let complete = |text: &str| -> Vec<bool> {
        let script = parse(text, &mut Pool::new());
        let commands = script.commands.iter().filter_map(|c| c.as_ref().ok());
        commands
            .filter_map(|(_, c)| if let Command::CheckSat { complete, .. } = c { Some(*complete) } else { None })
            .collect()
    };
    assert_eq!(complete("(push 1)(assert z)(check-sat)(pop 1)(check-sat)"), [false, true]);
    assert_eq!(complete("(assert (and true\n(check-sat)\n(assert true)\n(check-sat)"), [false, false]);
    assert_eq!(complete("(get-value (z))(check-sat)"), [true]);
    assert_eq!(complete("(assert (= #q1 #b1))(check-sat)"), [false]);
    assert_eq!(complete("(assert z)(reset)(check-sat)"), [true]);
}

#[test]
fn names_end_with_their_level() {
    let script =
        parse("(push 1)(declare-const p Bool)(pop 1)(assert p)(declare-const p Bool)(assert p)", &mut Pool::new());
    let good: Vec<bool> = script.commands.iter().map(Result::is_ok).collect();
    assert_eq!(good, [true, true, true, false, true, true]);
}

#[test]
fn deep_nesting_is_read() {
    let depth = 100_000;
    let lets: String = (0..depth).map(|i| format!("(let ((v{} (bvudiv v{i} #x03))) ", i + 1)).collect();
    let text = format!(
        "(declare-const v0 (_ BitVec 8))(assert (= #x01 {lets} v{depth}{}))(assert (= v0 {}v0{}))",
        ")".repeat(depth),
        "(bvudiv #x01 ".repeat(depth),
        ")".repeat(depth)
    );
    assert_eq!(commands(&text, &mut Pool::new()).len(), 3);
    assert!(parse(&"(assert ".repeat(depth), &mut Pool::new()).commands.iter().all(Result::is_err));
    assert!(parse(&"(".repeat(depth), &mut Pool::new()).commands.iter().all(Result::is_err));
}
