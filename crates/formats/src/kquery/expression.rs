//! Expressions and versions, read with a stack of what is still open: logs of queries nest tens of thousands deep.

use osier_term::{Pool, Term};
use rustc_hash::FxHashMap;

use super::lexer::{Kind, Token, width};
use super::operators::{Argument, Call, Operator, Value, Version, apply, check_width, index, number, of_width};
use crate::position::{ParseError, Position, fail};

/// Where the parser stands in the text.
pub(super) struct Cursor<'a> {
    tokens: Vec<Token<'a>>,
    next: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(tokens: Vec<Token<'a>>) -> Self {
        Cursor { tokens, next: 0 }
    }

    pub(super) fn peek(&self) -> Token<'a> {
        self.peek_at(0)
    }

    /// The token `ahead` of the next one; the last one stands for all beyond it.
    pub(super) fn peek_at(&self, ahead: usize) -> Token<'a> {
        self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn accept(&mut self, sign: char) -> bool {
        let found = self.peek().kind == Kind::Sign(sign);
        if found {
            self.take();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: char) -> Result<(), ParseError> {
        if self.accept(sign) {
            return Ok(());
        }
        fail(self.peek().at, format!("expected `{sign}`, found {}", self.peek().describe()))
    }

    /// A type such as `w32`.
    pub(super) fn expect_width(&mut self) -> Result<u32, ParseError> {
        let token = self.peek();
        match self.accept_width()? {
            Some(width) => Ok(width),
            None => fail(token.at, format!("expected a type such as `w32`, found {}", token.describe())),
        }
    }

    fn accept_width(&mut self) -> Result<Option<u32>, ParseError> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return Ok(None);
        }
        match width(token.text) {
            None => Ok(None),
            Some(width) => {
                self.take();
                check_width(token.at, width.unwrap_or(u32::MAX)).map(Some)
            }
        }
    }
}

/// What names stand for in one query. Expressions have names of their own; arrays and versions share theirs.
pub(super) struct Labels<'a> {
    terms: FxHashMap<&'a str, Term>,
    versions: FxHashMap<&'a str, Version>,
    /// Declared outside the queries.
    pub arrays: FxHashMap<String, Version>,
}

impl<'a> Labels<'a> {
    fn version(&self, name: &str) -> Option<Version> {
        self.versions.get(name).or_else(|| self.arrays.get(name)).copied()
    }

    /// Whether the name was free.
    fn define(&mut self, name: &'a str, value: Value) -> bool {
        match value {
            Value::Number(_) => unreachable!("a number without a width has no label"),
            Value::Term(t) => self.terms.insert(name, t).is_none(),
            Value::Version(version) => self.versions.insert(name, version).is_none() && !self.arrays.contains_key(name),
        }
    }
}

struct Frame<'a> {
    label: Option<Token<'a>>,
    at: Position,
    open: Open<'a>,
}

enum Open<'a> {
    Call(Call<'a>),
    /// `[index=value, ...`; the index of the write that is being read.
    Updates {
        writes: Vec<(Argument<'a>, Argument<'a>)>,
        index: Option<Argument<'a>>,
    },
    /// `[...] @`, whose version comes next.
    Base {
        writes: Vec<(Argument<'a>, Argument<'a>)>,
    },
}

pub(super) struct Expressions<'p, 'a> {
    pub pool: &'p mut Pool,
    pub cursor: Cursor<'a>,
    pub labels: Labels<'a>,
    frames: Vec<Frame<'a>>,
}

impl<'p, 'a> Expressions<'p, 'a> {
    pub(super) fn new(pool: &'p mut Pool, cursor: Cursor<'a>, arrays: FxHashMap<String, Version>) -> Self {
        let labels = Labels { terms: FxHashMap::default(), versions: FxHashMap::default(), arrays };
        Expressions { pool, cursor, labels, frames: Vec::new() }
    }

    /// Reads one expression.
    pub(super) fn read(&mut self) -> Result<Argument<'a>, ParseError> {
        self.frames.clear();
        loop {
            let Some(mut value) = self.begin()? else { continue };
            loop {
                let Some(frame) = self.frames.pop() else { return Ok(value) };
                match self.continued(frame, value)? {
                    Some(whole) => value = whole,
                    None => break,
                }
            }
        }
    }

    /// Reads what stands at the beginning of an expression or version: all of it, or it becomes a frame.
    fn begin(&mut self) -> Result<Option<Argument<'a>>, ParseError> {
        let first = self.cursor.peek();
        let wants_version = self.wants_version();
        let labelled = first.kind == Kind::Word && self.cursor.peek_at(1).kind == Kind::Sign(':');
        let label = labelled.then(|| {
            self.cursor.take();
            self.cursor.take();
            first
        });
        let token = self.cursor.take();
        let at = token.at;
        match token.kind {
            Kind::Sign('[') if wants_version => {
                let open = if self.cursor.accept(']') {
                    self.cursor.expect('@')?;
                    Open::Base { writes: vec![] }
                } else {
                    Open::Updates { writes: vec![], index: None }
                };
                self.frames.push(Frame { label, at, open });
                Ok(None)
            }
            Kind::Word if wants_version => match self.labels.version(token.text) {
                Some(version) => self.labelled(label, Argument { value: Value::Version(version), at }).map(Some),
                None => fail(at, format!("no array or version `{}` is known here", token.text)),
            },
            _ if wants_version => fail(at, format!("expected an array or version, found {}", token.describe())),
            Kind::Sign('(') => self.begin_call(label, at),
            Kind::Number | Kind::Word => {
                let value = self.atom(token)?;
                self.labelled(label, Argument { value, at }).map(Some)
            }
            Kind::Sign(_) | Kind::Arrow | Kind::End => {
                fail(at, format!("expected an expression, found {}", token.describe()))
            }
        }
    }

    fn wants_version(&self) -> bool {
        match self.frames.last().map(|frame| &frame.open) {
            Some(Open::Call(call)) => call.operator.reads() && call.arguments.len() == 1,
            Some(Open::Base { .. }) => true,
            Some(Open::Updates { .. }) | None => false,
        }
    }

    fn atom(&mut self, token: Token<'a>) -> Result<Value<'a>, ParseError> {
        if token.kind == Kind::Number {
            if !self.cursor.accept(':') {
                return Ok(Value::Number(token));
            }
            let width = self.cursor.expect_width()?;
            return number(self.pool, token, width).map(Value::Term);
        }
        match token.text {
            "true" | "false" => Ok(Value::Term(self.pool.truth(token.text == "true"))),
            _ => match self.labels.terms.get(token.text) {
                Some(&t) => Ok(Value::Term(t)),
                None => fail(token.at, format!("no expression has the label `{}`", token.text)),
            },
        }
    }

    fn begin_call(&mut self, label: Option<Token<'a>>, at: Position) -> Result<Option<Argument<'a>>, ParseError> {
        if let Some(width) = self.cursor.accept_width()? {
            let token = self.cursor.take();
            if token.kind != Kind::Number {
                return fail(token.at, format!("expected a number, found {}", token.describe()));
            }
            let value = Value::Term(number(self.pool, token, width)?);
            self.cursor.expect(')')?;
            return self.labelled(label, Argument { value, at }).map(Some);
        }
        let name = self.cursor.take();
        let Some(operator) = Operator::named(name.text) else {
            return fail(name.at, format!("expected an operator, found {}", name.describe()));
        };
        let width = self.cursor.accept_width()?;
        if self.cursor.peek().kind == Kind::Sign(')') {
            return fail(self.cursor.peek().at, format!("`{}` has no operands", name.text));
        }
        let call = Call { operator, name: name.text, width, at: name.at, arguments: vec![] };
        self.frames.push(Frame { label, at, open: Open::Call(call) });
        Ok(None)
    }

    /// Hands a part to the innermost frame. Gives what the frame stands for if that was its last part.
    fn continued(&mut self, mut frame: Frame<'a>, part: Argument<'a>) -> Result<Option<Argument<'a>>, ParseError> {
        let value = match &mut frame.open {
            Open::Call(call) => {
                call.arguments.push(part);
                if !self.cursor.accept(')') {
                    self.frames.push(frame);
                    return Ok(None);
                }
                Value::Term(apply(self.pool, call)?)
            }
            Open::Updates { writes, index } => {
                match index.take() {
                    None => {
                        self.cursor.expect('=')?;
                        *index = Some(part);
                    }
                    Some(index) => {
                        writes.push((index, part));
                        if !self.cursor.accept(',') {
                            self.cursor.expect(']')?;
                            self.cursor.expect('@')?;
                            frame.open = Open::Base { writes: std::mem::take(writes) };
                        }
                    }
                }
                self.frames.push(frame);
                return Ok(None);
            }
            Open::Base { writes } => {
                let Value::Version(mut version) = part.value else { return fail(part.at, "expected an array") };
                // The newest write stands first.
                for &(at, value) in writes.iter().rev() {
                    let at = index(self.pool, at, version.domain)?;
                    let value = of_width(self.pool, value, 8)?;
                    version.array = self.pool.store(version.array, at, value);
                }
                Value::Version(version)
            }
        };
        self.labelled(frame.label, Argument { value, at: frame.at }).map(Some)
    }

    fn labelled(&mut self, label: Option<Token<'a>>, argument: Argument<'a>) -> Result<Argument<'a>, ParseError> {
        let Some(label) = label else { return Ok(argument) };
        if let Value::Number(token) = argument.value {
            return fail(token.at, "a number with a label needs a width, as in `(w32 5)`");
        }
        if !self.labels.define(label.text, argument.value) {
            return fail(label.at, format!("the label `{}` is defined twice", label.text));
        }
        Ok(argument)
    }
}
