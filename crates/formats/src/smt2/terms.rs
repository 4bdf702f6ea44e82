//! Terms of a script, read with a stack of what is still to be done: `let` nests by the tens of thousands.

use super::names::{Global, Names};
use super::operators::{Application, Operators};
use super::sexpr::{Name, Node, Sexpr, Trees};
use super::value::{Sort, Value, check_width, sort};
use crate::position::{ParseError, Position, fail};

/// How much work the bodies of macros may cause in one command: calls within calls can grow exponentially.
const MOST_MACRO_WORK: u64 = 20_000_000;

#[derive(Clone, Copy)]
enum Task {
    Read(Node),
    /// The operands are on the stack of values.
    Apply(Node),
    /// The values of a `let` are on the stack.
    Bind(Node),
    Unbind(Node),
    /// The term of a `(! term ...)` is on the stack.
    Annotate(Node),
    /// The body of this macro was read, for the node; the call around it goes on.
    Leave {
        number: usize,
        node: Node,
        outer: u64,
        outer_macro: usize,
    },
}

pub(super) struct Terms {
    pub trees: Trees,
    pub names: Names,
    pub operators: Operators,
    calls: u64,
    macro_work: u64,
    /// Macros with smaller numbers may be called: all outside of macros, the earlier ones within.
    callable: usize,
}

impl Terms {
    pub(super) fn new(operators: Operators) -> Self {
        let (trees, names) = (Trees::default(), Names::new());
        Terms { trees, names, operators, calls: 0, macro_work: 0, callable: usize::MAX }
    }

    pub(super) fn sort_of(&self, value: Value) -> Sort {
        value.sort(&self.operators.pool, &self.operators.arrays)
    }

    pub(super) fn sort(&self, node: Node) -> Result<Sort, ParseError> {
        sort(&self.trees, node, &|spelling| match self.names.global(self.trees.known_name(spelling)?) {
            Some(Global::Sort(sort)) => Some(sort),
            Some(Global::Value(_) | Global::Macro(_)) | None => None,
        })
    }

    /// Reads a term.
    pub(super) fn read(&mut self, root: Node) -> Result<Value, ParseError> {
        (self.macro_work, self.callable) = (0, usize::MAX);
        self.names.forget_locals();
        let mut values: Vec<Value> = Vec::new();
        let mut tasks = vec![Task::Read(root)];
        while let Some(task) = tasks.pop() {
            if self.names.call != 0 {
                self.macro_work += 1;
                if self.macro_work > MOST_MACRO_WORK {
                    return fail(self.trees.at(root), "the functions used here unfold to too much text");
                }
            }
            match task {
                Task::Read(node) => {
                    if let Some(value) = self.begin(node, &mut tasks)? {
                        values.push(value);
                    }
                }
                Task::Apply(node) => {
                    let operands = values.split_off(values.len() - (self.trees.parts(node).len() - 1));
                    if let Some(value) = self.apply(node, &operands, &mut tasks)? {
                        values.push(value);
                    }
                }
                Task::Bind(node) => {
                    let names = self.bound_names(node)?;
                    let bound = values.split_off(values.len() - names.len());
                    for (name, value) in names.into_iter().zip(bound) {
                        self.names.bind(name, value);
                    }
                    tasks.extend([Task::Unbind(node), Task::Read(self.trees.parts(node)[2])]);
                }
                Task::Unbind(node) => {
                    for name in self.bound_names(node)? {
                        self.names.unbind(name);
                    }
                }
                Task::Annotate(node) => {
                    if let Some(&value) = values.last() {
                        self.annotate(node, value)?;
                    }
                }
                Task::Leave { number, node, outer, outer_macro } => {
                    let found = values.last().map(|&value| self.sort_of(value));
                    let defined = self.names.macros[number].clone();
                    for &(name, _) in &defined.parameters {
                        self.names.unbind(name);
                    }
                    self.names.call = outer;
                    self.callable = outer_macro;
                    if found != Some(defined.result) {
                        let at = self.trees.at(node);
                        return fail(at, format!("the function's body is not of its sort, {}", defined.result));
                    }
                }
            }
        }
        Ok(values.pop().expect("a term leaves its value"))
    }

    /// The value of a name or literal; for all else what is to be done.
    fn begin(&mut self, node: Node, tasks: &mut Vec<Task>) -> Result<Option<Value>, ParseError> {
        let at = self.trees.at(node);
        match self.trees.get(node) {
            Sexpr::Symbol(name) => self.named(at, name).map(Some),
            Sexpr::Bits { width, value } => {
                let width = check_width(at, u128::from(width))?;
                Ok(Some(Value::BitVec(self.operators.pool.constant(width, value))))
            }
            Sexpr::Numeral(_) | Sexpr::Decimal | Sexpr::Text(_) | Sexpr::Keyword(_) => {
                fail(at, format!("`{}` is no term of bit-vectors and arrays", self.trees.text(node)))
            }
            Sexpr::List { .. } => self.begin_list(node, tasks),
        }
    }

    fn named(&mut self, at: Position, name: Name) -> Result<Value, ParseError> {
        if let Some(value) = self.names.local(name) {
            return Ok(value);
        }
        match (self.names.global(name), self.trees.spelling(name)) {
            (Some(Global::Value(value)), _) => Ok(value),
            (Some(Global::Macro(_)), spelling) => fail(at, format!("the function `{spelling}` lacks its operands")),
            (Some(Global::Sort(_)), spelling) => fail(at, format!("`{spelling}` is a sort, not a term")),
            (None, "true") => Ok(Value::Bool(self.operators.pool.truth(true))),
            (None, "false") => Ok(Value::Bool(self.operators.pool.truth(false))),
            (None, spelling) => fail(at, format!("`{spelling}` is not declared")),
        }
    }

    fn begin_list(&mut self, node: Node, tasks: &mut Vec<Task>) -> Result<Option<Value>, ParseError> {
        let at = self.trees.at(node);
        let parts = self.trees.parts(node);
        let Some(&head) = parts.first() else { return fail(at, "`()` is no term") };
        match (self.trees.symbol(head), parts) {
            (Some("let"), &[_, bindings, _]) => {
                self.bound_names(node)?;
                tasks.push(Task::Bind(node));
                let bindings = self.trees.parts(bindings).iter().rev();
                tasks.extend(bindings.map(|&binding| Task::Read(self.trees.parts(binding)[1])));
            }
            (Some("let"), _) => return fail(at, "`let` has a list of bindings and a term"),
            (Some("!"), &[_, term, ..]) => tasks.extend([Task::Annotate(node), Task::Read(term)]),
            (Some("_"), &[_, name, width]) => return self.literal(at, name, width).map(Some),
            (Some("forall" | "exists" | "lambda" | "match" | "!" | "_" | "as"), _) => {
                let text = self.trees.symbol(head).unwrap_or_default();
                return fail(at, format!("`{text}` in this form is not supported: the logic is QF_ABV"));
            }
            (_, [_]) => return fail(at, "an application without operands"),
            (_, [_, operands @ ..]) => {
                tasks.push(Task::Apply(node));
                tasks.extend(operands.iter().rev().map(|&operand| Task::Read(operand)));
            }
            (_, []) => unreachable!("the list has a head"),
        }
        Ok(None)
    }

    /// The names that a `let` binds.
    fn bound_names(&self, node: Node) -> Result<Vec<Name>, ParseError> {
        let bindings = self.trees.parts(node)[1];
        let name = |&binding: &Node| match *self.trees.parts(binding) {
            [name, _] => self.trees.symbol_name(name),
            _ => None,
        };
        let names: Option<Vec<Name>> = self.trees.parts(bindings).iter().map(name).collect();
        names.ok_or_else(|| ParseError::new(self.trees.at(bindings), "a binding is a name and a term: `(name term)`"))
    }

    /// `(_ bv5 32)`
    fn literal(&mut self, at: Position, name: Node, width: Node) -> Result<Value, ParseError> {
        let digits = self.trees.symbol(name).and_then(|name| name.strip_prefix("bv"));
        let value = digits.filter(|d| d.bytes().all(|b| b.is_ascii_digit())).and_then(|d| d.parse::<u128>().ok());
        let (Some(value), Sexpr::Numeral(width)) = (value, self.trees.get(width)) else {
            return fail(at, "expected a literal such as `(_ bv5 32)`");
        };
        let width = check_width(at, width)?;
        Ok(Value::BitVec(self.operators.pool.constant(width, value)))
    }

    fn annotate(&mut self, node: Node, value: Value) -> Result<(), ParseError> {
        let annotations = &self.trees.parts(node)[2..];
        let named = annotations.windows(2).find(|pair| self.trees.keyword(pair[0]) == Some(":named"));
        let Some(&[_, name]) = named else { return Ok(()) };
        let at = self.trees.at(name);
        let Some(name) = self.trees.symbol_name(name) else { return fail(at, "`:named` has a symbol") };
        if self.names.call == 0 && !self.names.define(name, Global::Value(value)) {
            return fail(at, format!("`{}` is declared already", self.trees.spelling(name)));
        }
        Ok(())
    }

    fn apply(&mut self, node: Node, operands: &[Value], tasks: &mut Vec<Task>) -> Result<Option<Value>, ParseError> {
        let (at, head) = (self.trees.at(node), self.trees.parts(node)[0]);
        if let Some(name) = self.trees.symbol_name(head) {
            if let Some(Global::Macro(number)) = self.names.global(name)
                && number < self.callable
            {
                return self.enter(number, node, operands, tasks).map(|()| None);
            }
            let spelling = self.trees.spelling(name);
            let application = Application { at, name: spelling, indices: &[], operands };
            return match self.operators.apply(&application) {
                Some(result) => result.map(Some),
                None => fail(self.trees.at(head), format!("there is no function `{spelling}`")),
            };
        }
        match *self.trees.parts(head) {
            [underscore, name, ref numbers @ ..] if self.trees.symbol(underscore) == Some("_") => {
                let number = |&node: &Node| match self.trees.get(node) {
                    Sexpr::Numeral(value) => u32::try_from(value).ok(),
                    _ => None,
                };
                let indices: Option<Vec<u32>> = numbers.iter().map(number).collect();
                let (Some(name), Some(indices)) = (self.trees.symbol(name), indices) else {
                    return fail(self.trees.at(head), "expected an operator such as `(_ extract 7 0)`");
                };
                let application = Application { at, name, indices: &indices, operands };
                match self.operators.apply(&application).filter(|_| !indices.is_empty()) {
                    Some(result) => result.map(Some),
                    None => fail(self.trees.at(head), format!("there is no function `{}`", self.trees.text(head))),
                }
            }
            [word, name, array]
                if self.trees.symbol(word) == Some("as") && self.trees.symbol(name) == Some("const") =>
            {
                let sort = self.sort(array)?;
                match (sort, operands) {
                    (Sort::Array { index_width }, &[Value::BitVec(byte)]) if self.operators.pool.width(byte) == 8 => {
                        let Operators { pool, arrays, .. } = &mut self.operators;
                        Ok(Some(Value::Array(arrays.filled(pool, index_width, byte))))
                    }
                    _ => fail(at, "a constant array has an array sort and a byte"),
                }
            }
            _ => fail(self.trees.at(head), "expected an operator"),
        }
    }

    fn enter(
        &mut self,
        number: usize,
        node: Node,
        operands: &[Value],
        tasks: &mut Vec<Task>,
    ) -> Result<(), ParseError> {
        let defined = self.names.macros[number].clone();
        let sorts: Vec<Sort> = operands.iter().map(|&value| self.sort_of(value)).collect();
        if !defined.parameters.iter().map(|&(_, sort)| sort).eq(sorts) {
            return fail(self.trees.at(node), "the operands are not those that the function was defined for");
        }
        tasks.push(Task::Leave { number, node, outer: self.names.call, outer_macro: self.callable });
        tasks.push(Task::Read(defined.body));
        self.calls += 1;
        self.names.call = self.calls;
        self.callable = number;
        for (&(name, _), &value) in defined.parameters.iter().zip(operands) {
            self.names.bind(name, value);
        }
        Ok(())
    }
}
