//! Texts that are read command by command, and what one command leaves for the next.

use osier_formats::smt2::{self, Command, Cutter, Text};
use osier_formats::{Position, Question, kquery};
use osier_term::{ArrayNode, Assignment, Node, Pool, Term, eval};

fn asserted(session: &mut smt2::Session, text: &str, at: Position) -> Vec<Term> {
    let mut text = Text::new(text, at);
    let mut asserted = vec![];
    while let Some(command) = session.next(&mut text) {
        if let Command::Assert { condition, .. } = command.expect("the text is good").1 {
            asserted.push(condition);
        }
    }
    asserted
}

#[test]
fn a_script_may_come_in_parts() {
    let whole = "(declare-const x (_ BitVec 8))\n(define-fun f ((a (_ BitVec 8))) Bool (= a x))\n(assert (f #x07))";
    let mut at_once = smt2::Session::new(Pool::new());
    let expected = asserted(&mut at_once, whole, Position::START);
    let mut session = smt2::Session::new(Pool::new());
    let (mut cutter, mut found, mut waiting, mut at) = (Cutter::default(), vec![], String::new(), Position::START);
    for c in whole.chars() {
        let before = waiting.len();
        waiting.push(c);
        if let Some((length, end)) = cutter.look(&c.to_string()) {
            let rest = waiting.split_off(before + length);
            found.extend(asserted(&mut session, &waiting, at));
            (waiting, at) = (rest, end);
        }
    }
    assert_eq!(found, expected);
    let error = session.next(&mut Text::new("(assert y)", at)).unwrap().unwrap_err();
    assert_eq!(error.to_string(), "3:26: `y` is not declared");
}

#[test]
fn what_is_declared_again_is_the_same_input() {
    let query = "(push 1)(declare-const x (_ BitVec 16))(declare-const a (Array (_ BitVec 32) (_ BitVec 8)))\
                 (assert (bvult x #x0007))(assert (= (select a ((_ zero_extend 16) x)) (select a #x00000003)))(pop 1)";
    let mut session = smt2::Session::new(Pool::new());
    let first = asserted(&mut session, query, Position::START);
    assert_eq!(asserted(&mut session, query, Position::START), first);
    // Of another width it is another one.
    let other = asserted(
        &mut session,
        &query.replace("16)", "8)").replace("extend 8", "extend 24").replace("#x0007", "#x07"),
        Position::START,
    );
    assert_ne!(other[0], first[0]);

    let mut session = kquery::Session::new(Pool::new());
    let query = "array a[2] : w32 -> w8 = symbolic\n(query [(Eq 7 (Read w8 0 a))] false)\n";
    let text = format!("{query}{query}{}", query.replace("a[2]", "a[3]"));
    let mut text = kquery::Text::new(&text);
    let conditions: Vec<Term> =
        std::iter::from_fn(|| session.next(&mut text)).map(|query| query.unwrap().constraints[0]).collect();
    assert_eq!(conditions[0], conditions[1]);
    assert_ne!(conditions[0], conditions[2]);
}

const TABLE: &str = "(declare-const i (_ BitVec 64))(declare-fun t () (Array (_ BitVec 64) (_ BitVec 8)))
(assert (= (select t #x0000000000000000) #x07))
(assert (= (select t #x0000000000000001) #x09))";
const READ: &str = "(assert (= (select t i) #x09))";

/// Whether the terms read a table, and whether they read an input called `t`.
fn reads(pool: &Pool, terms: &[Term]) -> (bool, bool) {
    let (mut table, mut input) = (false, false);
    let mut open = terms.to_vec();
    while let Some(term) = open.pop() {
        if let Node::Select { array, .. } = pool.node(term) {
            match pool.array_node(array) {
                ArrayNode::Table { .. } => table = true,
                ArrayNode::Input { name, .. } => input |= name == "t",
                ArrayNode::Store { .. } => {}
            }
        }
        pool.for_each_child(term, |child| open.push(child));
    }
    (table, input)
}

#[test]
fn bytes_told_right_after_the_declaration_are_a_table() {
    let mut session = smt2::Session::new(Pool::new());
    let conditions = asserted(&mut session, &format!("{TABLE}{READ}"), Position::START);
    assert!(conditions[..2].iter().all(|&told| session.terms().is_true(told)));
    assert_eq!(reads(session.terms(), &conditions), (true, false));

    // Not if they may be taken back without the declaration, or are not told at once.
    for text in [
        format!("(set-option :global-declarations true)(push 1){TABLE}(pop 1){READ}"),
        TABLE.replacen("(assert", "(push 1)(assert", 1) + "(pop 1)" + READ,
        TABLE.replace("0000)", "0002)") + READ,
    ] {
        let mut session = smt2::Session::new(Pool::new());
        let conditions = asserted(&mut session, &text, Position::START);
        assert_eq!(reads(session.terms(), &conditions), (false, true), "{text}");
    }
}

#[test]
fn declarations_cannot_become_global_too_late() {
    let mut session = smt2::Session::new(Pool::new());
    let mut text = Text::new("(declare-const x Bool)(set-option :global-declarations true)", Position::START);
    assert!(session.next(&mut text).unwrap().is_ok());
    assert!(session.next(&mut text).unwrap().is_err());
}

#[test]
fn questions_follow_one_another_in_one_text_and_ask_for_values() {
    let mut pool = Pool::new();
    let input = pool.input("x", 2);
    let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
    let (nine, sum) = (pool.constant(8, 9), pool.add(a, b));
    let condition = pool.ult(sum, nine);
    let question = Question { constraints: &[condition], values: &[sum], inputs: &[input] };

    let text = kquery::question(&pool, &question).repeat(2);
    let mut read = Pool::new();
    let queries: Vec<kquery::Query> = kquery::parse(&text, &mut read).into_iter().map(Result::unwrap).collect();
    assert_eq!((queries.len(), queries[0].values.len(), queries[0].arrays.len()), (2, 1, 1));
    let mut model = Assignment::new();
    model.set(queries[0].arrays[0].1, vec![3, 4].into());
    assert_eq!(eval(&read, queries[0].values[0], &model), 7);

    let text = format!("{}{}", smt2::HEADER, smt2::question(&pool, &question).repeat(2));
    let script = smt2::parse(&text, &mut Pool::new());
    let commands: Vec<Command> = script.commands.into_iter().map(|command| command.unwrap().1).collect();
    let asked = commands.iter().filter(|command| matches!(command, Command::CheckSat { complete: true, .. })).count();
    let wanted =
        commands.iter().filter(|command| matches!(command, Command::GetValue(list) if list.len() == 2)).count();
    assert_eq!((asked, wanted), (2, 2));
}
