//! Files of KQuery: declarations of arrays, and queries.

use osier_term::{Array, Pool, Term};
use rustc_hash::FxHashMap;

use super::expression::{Cursor, Expressions};
use super::lexer::{Kind, Token, next_token, value};
use super::operators::{Argument, Version, of_any_width, of_width};
use crate::inputs::Inputs;
use crate::position::{Characters, ParseError, Position, fail};

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
    let mut session = Session::new(std::mem::take(pool));
    let mut text = Text::new(text);
    let results = std::iter::from_fn(|| session.next(&mut text)).collect();
    *pool = session.pool;
    results
}

/// A text with queries.
pub struct Text<'a> {
    characters: Characters<'a>,
    /// The first token of the next command, which ended the one before.
    next: Option<Token<'a>>,
    /// What is wrong behind the query that was read last.
    waiting: Option<ParseError>,
}

impl<'a> Text<'a> {
    pub fn new(text: &'a str) -> Self {
        Text { characters: Characters::new(text, Position::START), next: None, waiting: None }
    }

    /// The tokens of one declaration or query. Neither can begin inside another, so that its end is found whatever
    /// brackets are missing.
    fn command(&mut self) -> Option<Vec<Token<'a>>> {
        let first = self.next.take().unwrap_or_else(|| next_token(&mut self.characters));
        if first.kind == Kind::End {
            return None;
        }
        let mut tokens = vec![first];
        loop {
            let token = next_token(&mut self.characters);
            let query = token.kind == Kind::Sign('(') && next_token(&mut self.characters.clone()).is_word("query");
            if query || token.is_word("array") || token.kind == Kind::End {
                self.next = Some(token);
                tokens.push(Token { kind: Kind::End, text: "", at: token.at });
                return Some(tokens);
            }
            tokens.push(token);
        }
    }
}

/// Reads queries one by one, and keeps what the text has declared.
pub struct Session {
    pool: Pool,
    inputs: Inputs,
    arrays: FxHashMap<String, Version>,
    contents: FxHashMap<String, Contents>,
}

impl Session {
    /// Terms go into the pool, which the session owns.
    pub fn new(mut pool: Pool) -> Self {
        let inputs = Inputs::new(&mut pool);
        Session { pool, inputs, arrays: FxHashMap::default(), contents: FxHashMap::default() }
    }

    pub fn into_pool(self) -> Pool {
        self.pool
    }

    pub fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    /// The next query of the text; `None` at its end.
    pub fn next(&mut self, text: &mut Text) -> Option<Result<Query, ParseError>> {
        loop {
            if let Some(error) = text.waiting.take() {
                return Some(Err(error));
            }
            let cursor = Cursor::new(text.command()?);
            let expressions = Expressions::new(&mut self.pool, cursor, std::mem::take(&mut self.arrays));
            let mut parser = Parser { expressions, inputs: &mut self.inputs, contents: &mut self.contents };
            let result = parser.command();
            let behind = parser.expressions.cursor.peek();
            self.arrays = parser.expressions.labels.arrays;
            if result.is_ok() && behind.kind != Kind::End {
                text.waiting = Some(no_command(behind));
            }
            match result {
                Ok(None) => {}
                Ok(Some(query)) => return Some(Ok(query)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

fn no_command(found: Token) -> ParseError {
    ParseError::new(found.at, format!("expected `array` or `(query`, found {}", found.describe()))
}

#[derive(Clone, PartialEq, Eq)]
enum Contents {
    Symbolic(u32),
    Constant(Vec<u8>),
}

struct Parser<'p, 'a> {
    expressions: Expressions<'p, 'a>,
    inputs: &'p mut Inputs,
    contents: &'p mut FxHashMap<String, Contents>,
}

impl<'a> Parser<'_, 'a> {
    /// Nothing for a declaration.
    fn command(&mut self) -> Result<Option<Query>, ParseError> {
        let first = self.expressions.cursor.peek();
        match first.kind {
            Kind::Word if first.text == "array" => self.declaration().map(|()| None),
            Kind::Sign('(') => self.query().map(Some),
            Kind::Sign(_) | Kind::Arrow | Kind::Number | Kind::Word | Kind::End => Err(no_command(first)),
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
            Contents::Symbolic(size) => self.inputs.declare(pool, at, name, None, *size)?,
            Contents::Constant(bytes) => pool.table(bytes),
        };
        arrays.insert(name.to_owned(), Version { array, domain });
        self.contents.insert(name.to_owned(), contents);
        Ok(())
    }

    /// `(query [constraint ...] goal [value ...] [array ...])`, the last list or the last two left out at will.
    fn query(&mut self) -> Result<Query, ParseError> {
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
