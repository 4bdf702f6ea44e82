//! Text to tokens. A token knows where it begins; lines matter, blanks between tokens do not.
//!
//! A sign belongs to the number that follows it at once: `@table+8` is the address 8 bytes into a global, while the
//! addition in `[@table + 8]` is apart.

use super::ParseError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// `add.i32.nsw`, `r3`, `block0`, `i32`.
    Word(&'a str),
    /// `signed` if a sign was written.
    Number {
        negative: bool,
        magnitude: u128,
        signed: bool,
    },
    /// `@name`.
    Global(Name),
    /// `&name`.
    Function(Name),
    Text(Vec<u8>),
    /// What follows a `;`: a place in the source.
    Place(&'a str),
    Mark(&'static str),
    LineEnd,
    End,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Name {
    Called(String),
    /// `#12`: by number, for what has no name of its own.
    Numbered(u32),
}

pub(super) fn is_name_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || matches!(c, b'_' | b'.' | b'$')
}

pub(super) fn is_name_part(c: u8) -> bool {
    is_name_start(c) || c.is_ascii_digit()
}

/// Longer marks first.
const MARKS: &[&str] = &["->", "=>", "=", ",", ":", "(", ")", "[", "]", "{", "}", "*", "+", "/"];

/// All tokens with the byte at which each begins; the last is `End`.
pub(super) fn lex(text: &str) -> Result<Vec<(Token<'_>, usize)>, ParseError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        let (token, start) = lexer.next()?;
        let ended = token == Token::End;
        tokens.push((token, start));
        if ended {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.at..]
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'a str {
        let start = self.at;
        self.at += self.rest().iter().take_while(|&&c| accept(c)).count();
        &self.text[start..self.at]
    }

    fn next(&mut self) -> Result<(Token<'a>, usize), ParseError> {
        self.take_while(|c| matches!(c, b' ' | b'\t' | b'\r'));
        if self.rest().starts_with(b"//") {
            self.skip_line();
        }
        let start = self.at;
        let token = match *self.rest() {
            [] => Token::End,
            [b'\n', ..] => {
                self.at += 1;
                Token::LineEnd
            }
            [b';', ..] => Token::Place(self.skip_line()[1..].trim()),
            [b'"', ..] => Token::Text(self.string()?),
            [b'@', ..] => Token::Global(self.name()?),
            [b'&', ..] => Token::Function(self.name()?),
            [b'+' | b'-', digit, ..] if digit.is_ascii_digit() => self.number()?,
            [digit, ..] if digit.is_ascii_digit() => self.number()?,
            [c, ..] if is_name_start(c) => Token::Word(self.take_while(is_name_part)),
            _ => {
                let mark = MARKS.iter().find(|mark| self.rest().starts_with(mark.as_bytes()));
                let mark = mark.ok_or_else(|| ParseError::at(self.text, start, "a character that means nothing"))?;
                self.at += mark.len();
                Token::Mark(mark)
            }
        };
        Ok((token, start))
    }

    fn skip_line(&mut self) -> &'a str {
        let line = &self.text[self.at..];
        let line = line.split('\n').next().unwrap_or(line);
        self.at += line.len();
        line
    }

    fn name(&mut self) -> Result<Name, ParseError> {
        self.at += 1;
        let start = self.at;
        match *self.rest() {
            [b'"', ..] => {
                let bytes = self.string()?;
                let name = String::from_utf8(bytes);
                Ok(Name::Called(name.map_err(|_| ParseError::at(self.text, start, "a name that is not UTF-8"))?))
            }
            [b'#', ..] => {
                self.at += 1;
                let digits = self.take_while(|c| c.is_ascii_digit());
                let number = digits.parse();
                Ok(Name::Numbered(number.map_err(|_| ParseError::at(self.text, start, "expected a number"))?))
            }
            [c, ..] if is_name_start(c) => Ok(Name::Called(self.take_while(is_name_part).to_owned())),
            _ => Err(ParseError::at(self.text, start, "expected a name")),
        }
    }

    fn number(&mut self) -> Result<Token<'a>, ParseError> {
        let start = self.at;
        let sign = self.rest()[0];
        let signed = matches!(sign, b'+' | b'-');
        self.at += usize::from(signed);
        let magnitude = self.take_while(|c| c.is_ascii_digit()).parse();
        let magnitude = magnitude.map_err(|_| ParseError::at(self.text, start, "a number of more than 128 bits"))?;
        Ok(Token::Number { negative: sign == b'-', magnitude, signed })
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        let (bytes, len) = unquote(self.rest()).ok_or_else(|| {
            ParseError::at(self.text, self.at, "a text that does not end on its line, or a bad escape in it")
        })?;
        self.at += len;
        Ok(bytes)
    }
}

/// Reads a quoted text; also how long it was, with its quotes. Escapes are `\\`, `\"` and two hexadecimal digits.
pub(super) fn unquote(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut bytes = Vec::new();
    let mut at = 1;
    loop {
        match *text.get(at..)? {
            [b'"', ..] => return Some((bytes, at + 1)),
            [b'\\', c @ (b'\\' | b'"'), ..] => {
                bytes.push(c);
                at += 2;
            }
            [b'\\', high, low, ..] => {
                let digit = |c: u8| (c as char).to_digit(16);
                bytes.push((digit(high)? * 16 + digit(low)?) as u8);
                at += 3;
            }
            [] | [b'\n' | b'\\', ..] => return None,
            [c, ..] => {
                bytes.push(c);
                at += 1;
            }
        }
    }
}

/// The opposite of [`unquote`].
pub(super) fn quote(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for &byte in bytes {
        match byte {
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            b' '..=b'~' => text.push(byte as char),
            _ => text.push_str(&format!("\\{byte:02x}")),
        }
    }
    text.push('"');
    text
}
