//! KQuery files, answered in the words of KLEE's kleaver.

use super::Run;
use crate::console::line;
use crate::failure::Failure;
use osier::solver::Answer;
use osier::solver::formats::Question;
use osier::solver::formats::kquery::{Query, Session, Text};
use osier::solver::term::{Array, ArrayNode, Assignment, Evaluator, Pool, Term};

/// Answers all queries of a text. The pool goes on to the next file.
pub fn answer(run: &mut Run, name: &str, text: &str, pool: Pool) -> Result<Pool, Failure> {
    let mut session = Session::new(pool);
    let mut text = Text::new(text);
    let mut number = 0;
    while let Some(query) = session.next(&mut text) {
        match query {
            Ok(query) => {
                ask(run, session.pool(), &query, number)?;
                number += 1;
            }
            Err(error) => run.complain(name, &error),
        }
        if run.asker.interrupted() {
            break;
        }
    }
    Ok(session.into_pool())
}

fn ask(run: &mut Run, pool: &mut Pool, query: &Query, number: u32) -> Result<(), Failure> {
    let Query { at: _, constraints, goal, values, arrays } = query;
    let mut constraints = constraints.clone();
    // The goal holds everywhere exactly if there is no place where it fails.
    let fails = pool.not(*goal);
    if !pool.is_true(fails) {
        constraints.push(fails);
    }
    run.questions += 1;
    if run.translates() {
        let inputs: Vec<Array> = arrays.iter().map(|&(_, array)| array).collect();
        return run.write(pool, &Question { constraints: &constraints, values, inputs: &inputs });
    }
    let wants_values = !values.is_empty() || !arrays.is_empty();
    let said = match run.asker.ask(pool, &constraints) {
        Answer::Unsat if wants_values => "VALID (counterexample request ignored)".to_owned(),
        Answer::Unsat => "VALID".to_owned(),
        Answer::Sat(model) => format!("INVALID{}", values_in(pool, &model, values, arrays)),
        Answer::Unknown(reason) => {
            run.all_answered = false;
            format!("FAIL (reason: {reason})")
        }
    };
    line(format_args!("Query {number}:\t{said}"))
}

fn values_in(pool: &Pool, model: &Assignment, values: &[Term], arrays: &[(String, Array)]) -> String {
    let mut said = String::new();
    let mut evaluator = Evaluator::new(pool, model);
    for (i, &value) in values.iter().enumerate() {
        said += &format!("\n\tExpr {i}:\t{}", evaluator.eval(value));
    }
    for (i, (name, array)) in arrays.iter().enumerate() {
        let bytes: Vec<String> = match pool.array_node(*array) {
            ArrayNode::Input { size, .. } => {
                (0..u64::from(size)).map(|index| model.get(*array, index).to_string()).collect()
            }
            ArrayNode::Table { bytes } => bytes.iter().map(u8::to_string).collect(),
            ArrayNode::Store { .. } => unreachable!("only arrays that were declared have names"),
        };
        said += &format!("\n\tArray {i}:\t{name}[{}]", bytes.join(", "));
    }
    said
}
