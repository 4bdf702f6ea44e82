//! Where in a text something stands, and what is wrong there.

use std::fmt;

/// A place in a text. Lines and columns count from one, columns in characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

impl Position {
    /// Where texts begin.
    pub const START: Position = Position { line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a command of a text could not be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub at: Position,
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(at: Position, message: impl Into<String>) -> Self {
        ParseError { at, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for ParseError {}

/// `Err` with a message at a place.
pub(crate) fn fail<T>(at: Position, message: impl Into<String>) -> Result<T, ParseError> {
    Err(ParseError::new(at, message))
}

/// The characters of a text with their places.
#[derive(Clone)]
pub(crate) struct Characters<'a> {
    text: &'a str,
    offset: usize,
    at: Position,
}

impl<'a> Characters<'a> {
    /// `at` is where the text begins in what it is a part of.
    pub(crate) fn new(text: &'a str, at: Position) -> Self {
        Characters { text, offset: 0, at }
    }

    pub(crate) fn at(&self) -> Position {
        self.at
    }

    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    pub(crate) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.offset]
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character after the next one.
    pub(crate) fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.offset += next.len_utf8();
        if next == '\n' {
            self.at = Position { line: self.at.line.saturating_add(1), column: 1 };
        } else {
            self.at.column = self.at.column.saturating_add(1);
        }
        Some(next)
    }

    pub(crate) fn skip_while(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
    }
}
