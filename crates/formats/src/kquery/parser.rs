//! Files of KQuery: declarations of arrays, and queries.

use osier_term::{Array, Pool, Term};
use rustc_hash::FxHashMap;

use super::expression::{Cursor, Expressions};
use super::lexer::{Kind, tokens, value};
use super::operators::{Argument, Version, of_any_width, of_width};
use crate::inputs::Inputs;
use crate::position::{ParseError, Position, fail};

/// `(query [constraints] goal [values] [arrays])`: does the goal follow from the constraints? If not, the values and
/// the contents of the arrays are asked for where it fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Query {
    pub at: Position,
    pub constraints: Vec<Term>,
    pub goal: Term,
    pub values: Vec<Term>,
    /// The arrays to evaluate, with the names that the text has for them.
    pub arrays: Vec<(String, Array)>,
}

/// Reads a file of queries. Each query and each error stands in the list in the order of the text; what follows an
/// error is read from the next declaration or query on. An array that is declared twice in the same way is one array.
pub fn parse(text: &str, pool: &mut Pool) -> Vec<Result<Query, ParseError>> {
    let inputs = Inputs::new(pool);
    let expressions = Expressions::new(pool, Cursor::new(tokens(text)));
    let mut parser = Parser { expressions, inputs, contents: FxHashMap::default() };
    let mut results = Vec::new();
    loop {
        let start = parser.expressions.cursor.position();
        let first = parser.expressions.cursor.peek();
        let result = match first.kind {
            Kind::End => return results,
            Kind::Word if first.text == "array" => match parser.declaration() {
                Ok(()) => continue,
                Err(error) => Err(error),
            },
            Kind::Sign('(') => parser.query(),
            Kind::Sign(_) | Kind::Arrow | Kind::Number | Kind::Word => {
                parser.expressions.cursor.take();
                fail(first.at, format!("expected `array` or `(query`, found {}", first.describe()))
            }
        };
        if result.is_err() {
            parser.skip_to_command(start);
        }
        results.push(result);
    }
}

#[derive(Clone, PartialEq, Eq)]
enum Contents {
    Symbolic(u32),
    Constant(Vec<u8>),
}

struct Parser<'p, 'a> {
    expressions: Expressions<'p, 'a>,
    inputs: Inputs,
    contents: FxHashMap<&'a str, Contents>,
}

impl<'a> Parser<'_, 'a> {
    /// Goes to the declaration or query after the one that began at `start`. Neither can begin inside another, so
    /// that is found whatever brackets are missing.
    fn skip_to_command(&mut self, start: usize) {
        let cursor = &mut self.expressions.cursor;
        cursor.go_to(start + 1);
        loop {
            let next = cursor.peek();
            let query = next.kind == Kind::Sign('(') && cursor.peek_at(1).is_word("query");
            if query || next.is_word("array") || next.kind == Kind::End {
                return;
            }
            cursor.take();
        }
    }

    /// `array name[size] : w32 -> w8 = symbolic`, or `= [byte ...]`
    fn declaration(&mut self) -> Result<(), ParseError> {
        let cursor = &mut self.expressions.cursor;
        cursor.take();
        let name = cursor.take();
        if name.kind != Kind::Word {
            return fail(name.at, format!("expected the name of an array, found {}", name.describe()));
        }
        cursor.expect('[')?;
        let size_token = cursor.peek();
        let size = if cursor.accept(']') {
            None
        } else {
            cursor.take();
            let size = value(size_token.text).filter(|_| size_token.kind == Kind::Number);
            let Some(size) = size.and_then(|size| u32::try_from(size).ok()) else {
                return fail(size_token.at, format!("{} is not the size of an array", size_token.describe()));
            };
            cursor.expect(']')?;
            Some(size)
        };
        cursor.expect(':')?;
        let domain_at = cursor.peek().at;
        let domain = cursor.expect_width()?;
        if domain > 64 {
            return fail(domain_at, format!("indices of {domain} bits are not supported: 64 is the limit"));
        }
        if cursor.take().kind != Kind::Arrow {
            return fail(domain_at, "expected `->` after the type of the indices");
        }
        let range_at = cursor.peek().at;
        let range = cursor.expect_width()?;
        if range != 8 {
            return fail(range_at, format!("elements of {range} bits are not supported: arrays hold bytes, `w8`"));
        }
        cursor.expect('=')?;
        let contents = if cursor.peek().is_word("symbolic") {
            cursor.take();
            match size {
                Some(size) => Contents::Symbolic(size),
                None => return fail(size_token.at, "a symbolic array needs a size"),
            }
        } else {
            let bytes = self.bytes()?;
            match size {
                Some(size) if size as usize != bytes.len() => {
                    return fail(size_token.at, format!("the size is {size}, but {} values are given", bytes.len()));
                }
                Some(_) | None => Contents::Constant(bytes),
            }
        };
        self.declare(name.text, name.at, domain, contents)
    }

    fn bytes(&mut self) -> Result<Vec<u8>, ParseError> {
        let cursor = &mut self.expressions.cursor;
        let mut bytes = Vec::new();
        if cursor.peek().kind != Kind::Sign('[') {
            return fail(cursor.peek().at, format!("expected `symbolic` or `[`, found {}", cursor.peek().describe()));
        }
        cursor.take();
        while !cursor.accept(']') {
            let token = cursor.take();
            match value(token.text).filter(|_| token.kind == Kind::Number) {
                Some(value) => bytes.push(value as u8),
                None => return fail(token.at, format!("expected a number or `]`, found {}", token.describe())),
            }
            cursor.accept(',');
        }
        Ok(bytes)
    }

    fn declare(&mut self, name: &'a str, at: Position, domain: u32, contents: Contents) -> Result<(), ParseError> {
        let arrays = &mut self.expressions.labels.arrays;
        let same_domain = arrays.get(name).is_some_and(|known| known.domain == domain);
        if same_domain && self.contents.get(name) == Some(&contents) {
            return Ok(());
        }
        let pool = &mut *self.expressions.pool;
        let array = match &contents {
            Contents::Symbolic(size) => self.inputs.declare(pool, at, name, *size)?,
            Contents::Constant(bytes) => pool.table(bytes),
        };
        arrays.insert(name, Version { array, domain });
        self.contents.insert(name, contents);
        Ok(())
    }

    /// `(query [constraint ...] goal [value ...] [array ...])`, the last list or the last two left out at will.
    fn query(&mut self) -> Result<Query, ParseError> {
        self.expressions.labels.forget_query();
        let at = self.expressions.cursor.take().at;
        let keyword = self.expressions.cursor.take();
        if !keyword.is_word("query") {
            return fail(keyword.at, format!("expected `query`, found {}", keyword.describe()));
        }
        let mut constraints = Vec::new();
        for constraint in self.list()? {
            constraints.push(of_width(self.expressions.pool, constraint, 1)?);
        }
        let goal = self.expressions.read()?;
        let goal = of_width(self.expressions.pool, goal, 1)?;
        let mut query = Query { at, constraints, goal, values: vec![], arrays: vec![] };
        if self.expressions.cursor.accept(')') {
            return Ok(query);
        }
        for value in self.list()? {
            query.values.push(of_any_width(self.expressions.pool, value)?);
        }
        if self.expressions.cursor.accept(')') {
            return Ok(query);
        }
        self.expressions.cursor.expect('[')?;
        while !self.expressions.cursor.accept(']') {
            let name = self.expressions.cursor.take();
            match self.expressions.labels.arrays.get(name.text) {
                Some(declared) => query.arrays.push((name.text.to_owned(), declared.array)),
                None => return fail(name.at, format!("expected the name of an array, found {}", name.describe())),
            }
        }
        self.expressions.cursor.expect(')')?;
        Ok(query)
    }

    /// `[expression ...]`
    fn list(&mut self) -> Result<Vec<Argument<'a>>, ParseError> {
        let mut list = Vec::new();
        self.expressions.cursor.expect('[')?;
        while !self.expressions.cursor.accept(']') {
            list.push(self.expressions.read()?);
        }
        Ok(list)
    }
}
