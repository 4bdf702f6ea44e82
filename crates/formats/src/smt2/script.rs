//! Scripts: the commands, and what they leave behind for the commands after them.

use osier_term::{Pool, Term};

use super::arrays::{Arrays, SymbolicArray};
use super::command::{Command, DeclaredValue, Script};
use super::names::{Global, Macro};
use super::operators::Operators;
use super::sexpr::{Name, Node, Sexpr};
use super::terms::Terms;
use super::text::Text;
use super::value::{Sort, Value};
use crate::inputs::Inputs;
use crate::position::{ParseError, Position, fail};

/// More levels than this at once are a mistake.
const MOST_LEVELS: u128 = 100_000;

/// Reads a script. What follows an error is still read; see [`Command::CheckSat`] for what an answer is worth then.
pub fn parse(text: &str, pool: &mut Pool) -> Script {
    let mut session = Session::new(std::mem::take(pool));
    let mut text = Text::new(text, Position::START);
    let mut commands = Vec::new();
    while let Some(command) = session.next(&mut text) {
        let exit = matches!(command, Ok((_, Command::Exit)));
        commands.push(command);
        if exit {
            break;
        }
    }
    let Operators { pool: filled, arrays, .. } = session.terms.operators;
    *pool = filled;
    Script { commands, arrays: arrays.declared }
}

/// Reads a script command by command, from one text or from several that follow one another.
pub struct Session {
    terms: Terms,
    /// For each level whether an assertion of it could not be read.
    lost: Vec<bool>,
    /// The trees of this command are needed later.
    keep: bool,
}

impl Session {
    /// Terms go into the pool, which the session owns.
    pub fn new(mut pool: Pool) -> Self {
        let inputs = Inputs::new(&mut pool);
        let operators = Operators { pool, inputs, arrays: Arrays::default() };
        Session { terms: Terms::new(operators), lost: vec![false], keep: false }
    }

    /// The pool, to look at.
    pub fn terms(&self) -> &Pool {
        &self.terms.operators.pool
    }

    pub fn into_pool(self) -> Pool {
        self.terms.operators.pool
    }

    pub fn pool(&mut self) -> &mut Pool {
        &mut self.terms.operators.pool
    }

    /// The arrays that were declared so far; [`DeclaredValue::Array`] is a place among them.
    pub fn arrays(&self) -> &[SymbolicArray] {
        &self.terms.operators.arrays.declared
    }

    /// The next command of the text; `None` at its end.
    pub fn next(&mut self, text: &mut Text) -> Option<Result<(Position, Command), ParseError>> {
        let mark = self.terms.trees.mark();
        let command = match text.reader.next(&mut self.terms.trees)? {
            Ok(node) => {
                let at = self.terms.trees.at(node);
                self.command(node, text).inspect_err(|_| self.note_loss(node)).map(|command| (at, command))
            }
            Err(error) => {
                self.lost[0] = true;
                Err(error)
            }
        };
        if !std::mem::take(&mut self.keep) {
            self.terms.trees.cut(mark);
        }
        Some(command)
    }

    /// A command could not be read: does that change what is asserted?
    fn note_loss(&mut self, node: Node) {
        let trees = &self.terms.trees;
        let head = trees.parts(node).first().and_then(|&head| trees.symbol(head)).unwrap_or_default();
        if head == "assert" {
            *self.lost.last_mut().expect("there is always a level") = true;
        } else if !head.starts_with("get-") && !head.starts_with("set-") && !head.starts_with("check-sat") {
            self.lost[0] = true;
        }
    }

    fn command(&mut self, node: Node, text: &Text) -> Result<Command, ParseError> {
        let (at, trees) = (self.terms.trees.at(node), &self.terms.trees);
        let parts = trees.parts(node).to_vec();
        let Some(name) = parts.first().and_then(|&head| trees.symbol(head)) else {
            return fail(at, "expected the name of a command");
        };
        match (name, &parts[1..]) {
            ("set-logic", &[logic]) => Ok(Command::SetLogic(trees.text(logic))),
            ("set-option", &[option, value]) => {
                let (option, value) = (trees.text(option), trees.text(value));
                if option == ":global-declarations" {
                    // What follows a declaration at once is taken to hold as long as the declaration does.
                    if !self.terms.names.is_empty() {
                        return fail(at, "`:global-declarations` comes before all declarations");
                    }
                    self.terms.names.declarations_stay = value == "true";
                }
                Ok(Command::SetOption(option, value))
            }
            ("set-info", &[info]) => Ok(Command::SetInfo(trees.text(info), String::new())),
            ("set-info", &[info, value]) => Ok(Command::SetInfo(trees.text(info), trees.text(value))),
            ("declare-const", &[name, sort]) => self.declare(name, sort, text),
            ("declare-fun", &[name, parameters, sort]) => match trees.parts(parameters) {
                [] => self.declare(name, sort, text),
                [_, ..] => fail(trees.at(parameters), "functions that are declared but not defined are not supported"),
            },
            ("define-const", &[name, sort, body]) => self.define(name, None, sort, body),
            ("define-fun", &[name, parameters, sort, body]) => self.define(name, Some(parameters), sort, body),
            ("define-sort", &[name, parameters, sort]) if trees.parts(parameters).is_empty() => {
                let sort = self.terms.sort(sort)?;
                self.name(name, Global::Sort(sort)).map(Command::Define)
            }
            ("assert", &[condition]) => self.assert(condition),
            ("push", levels) => self.push(at, levels),
            ("pop", levels) => self.pop(at, levels),
            ("check-sat", []) => Ok(Command::CheckSat { assuming: vec![], complete: self.complete() }),
            ("check-sat-assuming", &[list]) => {
                let mut assuming = Vec::new();
                for assumption in trees.parts(list).to_vec() {
                    assuming.push((self.terms.trees.text(assumption), self.condition(assumption)?));
                }
                Ok(Command::CheckSat { assuming, complete: self.complete() })
            }
            ("get-model", []) => Ok(Command::GetModel),
            ("get-value", &[list]) => self.get_value(list),
            ("get-unsat-core", []) => Ok(Command::GetUnsatCore),
            ("get-unsat-assumptions", []) => Ok(Command::GetUnsatAssumptions),
            ("get-assertions", []) => Ok(Command::GetAssertions),
            ("get-assignment", []) => Ok(Command::GetAssignment),
            ("get-info", &[info]) => Ok(Command::GetInfo(trees.text(info))),
            ("get-option", &[option]) => Ok(Command::GetOption(trees.text(option))),
            ("echo", &[text]) => match trees.get(text) {
                Sexpr::Text(text) => Ok(Command::Echo(trees.spelling(text).replace("\"\"", "\""))),
                _ => fail(trees.at(text), "`echo` has a string"),
            },
            ("reset", []) => {
                self.start_over(true);
                Ok(Command::Reset)
            }
            ("reset-assertions", []) => {
                self.start_over(!self.terms.names.declarations_stay);
                Ok(Command::ResetAssertions)
            }
            ("exit", []) => Ok(Command::Exit),
            _ if KNOWN.contains(&name) => fail(at, format!("`{name}` in this form is not supported")),
            _ => fail(at, format!("there is no command `{name}`, or it is not supported")),
        }
    }

    fn complete(&self) -> bool {
        !self.lost.contains(&true)
    }

    fn start_over(&mut self, names_too: bool) {
        self.lost = vec![false];
        while self.terms.names.pop() {}
        if names_too {
            self.terms.names.forget_globals();
        }
        self.forget_unnamed();
    }

    /// Gives a symbol its meaning; the symbol's spelling.
    fn name(&mut self, node: Node, global: Global) -> Result<String, ParseError> {
        let at = self.terms.trees.at(node);
        let Some(name) = self.terms.trees.symbol_name(node) else { return fail(at, "expected a symbol") };
        let spelling = self.terms.trees.spelling(name);
        if self.terms.names.define(name, global) {
            Ok(spelling.to_owned())
        } else {
            fail(at, format!("`{spelling}` is declared already"))
        }
    }

    fn declare(&mut self, symbol: Node, sort: Node, text: &Text) -> Result<Command, ParseError> {
        let (at, sort) = (self.terms.trees.at(symbol), self.terms.sort(sort)?);
        let Some(spelling) = self.terms.trees.symbol(symbol) else { return fail(at, "expected a symbol") };
        let Operators { pool, inputs, arrays } = &mut self.terms.operators;
        let value = match sort {
            Sort::Bool | Sort::BitVec(_) => {
                let width = if let Sort::BitVec(width) = sort { width } else { 1 };
                let size = width.div_ceil(8);
                let input = inputs.declare(pool, at, spelling, None, size)?;
                let mut whole = pool.select_at(input, 0);
                for i in 1..size {
                    let byte = pool.select_at(input, u64::from(i));
                    whole = pool.concat(byte, whole);
                }
                let term = pool.truncate(whole, width);
                if sort == Sort::Bool { Value::Bool(term) } else { Value::BitVec(term) }
            }
            Sort::Array { index_width } => {
                let told = if self.terms.names.declarations_stay { vec![] } else { text.bytes_told_next(spelling) };
                let size = if told.is_empty() { text.size(spelling) } else { told.len() as u32 };
                let input = match told.is_empty() {
                    true => inputs.declare(pool, at, spelling, None, size)?,
                    false => pool.table(&told),
                };
                Value::Array(arrays.declare(spelling, index_width, input, size))
            }
        };
        let name = self.name(symbol, Global::Value(value))?;
        Ok(Command::Declare { name, sort, value: self.declared(at, value)? })
    }

    fn declared(&self, at: Position, value: Value) -> Result<DeclaredValue, ParseError> {
        match value {
            Value::Bool(t) => Ok(DeclaredValue::Bool(t)),
            Value::BitVec(t) => Ok(DeclaredValue::BitVec(t)),
            Value::Array(id) => match self.terms.operators.arrays.as_declared(id) {
                Some(number) => Ok(DeclaredValue::Array(number)),
                None => fail(at, "values of arrays are supported for declared arrays only"),
            },
        }
    }

    fn define(
        &mut self,
        symbol: Node,
        parameters: Option<Node>,
        sort: Node,
        body: Node,
    ) -> Result<Command, ParseError> {
        let result = self.terms.sort(sort)?;
        let mut typed: Vec<(Name, Sort)> = Vec::new();
        let list = parameters.map_or(vec![], |list| self.terms.trees.parts(list).to_vec());
        for parameter in list {
            let trees = &self.terms.trees;
            match *trees.parts(parameter) {
                [name, sort] if let Some(name) = trees.symbol_name(name) => typed.push((name, self.terms.sort(sort)?)),
                _ => return fail(trees.at(parameter), "a parameter is a name and a sort: `(name sort)`"),
            }
        }
        if typed.is_empty() {
            let value = self.terms.read(body)?;
            let found = self.terms.sort_of(value);
            if found != result {
                return fail(self.terms.trees.at(body), format!("the body is of sort {found}, not {result}"));
            }
            return self.name(symbol, Global::Value(value)).map(Command::Define);
        }
        let number = self.terms.names.macros.len();
        let name = self.name(symbol, Global::Macro(number))?;
        self.terms.names.macros.push(Macro { parameters: typed, result, body });
        self.keep = true;
        Ok(Command::Define(name))
    }

    fn condition(&mut self, node: Node) -> Result<Term, ParseError> {
        match self.terms.read(node)? {
            Value::Bool(condition) => Ok(condition),
            other @ (Value::BitVec(_) | Value::Array(_)) => {
                let sort = self.terms.sort_of(other);
                fail(self.terms.trees.at(node), format!("expected a term of sort Bool, not {sort}"))
            }
        }
    }

    fn assert(&mut self, node: Node) -> Result<Command, ParseError> {
        let condition = self.condition(node)?;
        let trees = &self.terms.trees;
        let parts = trees.parts(node);
        let annotated = parts.first().is_some_and(|&head| trees.symbol(head) == Some("!"));
        let named = parts.windows(2).find(|pair| annotated && trees.keyword(pair[0]) == Some(":named"));
        let name = named.and_then(|pair| trees.symbol(pair[1])).map(str::to_owned);
        Ok(Command::Assert { condition, name })
    }

    fn levels(&self, at: Position, levels: &[Node]) -> Result<u32, ParseError> {
        match levels {
            [] => Ok(1),
            &[count] => match self.terms.trees.get(count) {
                Sexpr::Numeral(count) if count.saturating_add(self.lost.len() as u128) <= MOST_LEVELS => {
                    Ok(count as u32)
                }
                _ => fail(self.terms.trees.at(count), format!("expected a number of levels, at most {MOST_LEVELS}")),
            },
            [_, _, ..] => fail(at, "expected one number of levels"),
        }
    }

    fn push(&mut self, at: Position, levels: &[Node]) -> Result<Command, ParseError> {
        let count = self.levels(at, levels)?;
        for _ in 0..count {
            self.terms.names.push();
            self.lost.push(false);
        }
        Ok(Command::Push(count))
    }

    fn pop(&mut self, at: Position, levels: &[Node]) -> Result<Command, ParseError> {
        let count = self.levels(at, levels)?;
        if count as usize >= self.lost.len() {
            return fail(at, format!("`pop` of {count} levels, but only {} are open", self.lost.len() - 1));
        }
        for _ in 0..count {
            self.terms.names.pop();
            self.lost.pop();
        }
        self.forget_unnamed();
        Ok(Command::Pop(count))
    }

    /// Logs of queries open a level for each: what is known of arrays must not pile up.
    fn forget_unnamed(&mut self) {
        if self.terms.names.is_empty() {
            self.terms.operators.arrays.forget_all();
            self.terms.names.macros.clear();
            self.terms.trees.clear();
        }
    }

    fn get_value(&mut self, list: Node) -> Result<Command, ParseError> {
        let mut wanted = Vec::new();
        for term in self.terms.trees.parts(list).to_vec() {
            let value = self.terms.read(term)?;
            wanted.push((self.terms.trees.text(term), self.declared(self.terms.trees.at(term), value)?));
        }
        if wanted.is_empty() {
            return fail(self.terms.trees.at(list), "`get-value` has a list of terms");
        }
        Ok(Command::GetValue(wanted))
    }
}

/// Commands that are supported in some form.
const KNOWN: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-fun",
    "define-const",
    "define-fun",
    "define-sort",
    "echo",
    "exit",
    "get-assertions",
    "get-assignment",
    "get-info",
    "get-model",
    "get-option",
    "get-unsat-assumptions",
    "get-unsat-core",
    "get-value",
    "reset",
    "reset-assertions",
    "set-info",
    "set-logic",
    "set-option",
];
