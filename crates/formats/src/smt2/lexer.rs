//! The words of SMT-LIB.

use crate::position::{Characters, ParseError, Position, fail};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Open,
    Close,
    /// Without the bars that it may be quoted by.
    Symbol(&'a str),
    /// With its colon.
    Keyword(&'a str),
    /// Without its quotes, with those inside still doubled.
    Text(&'a str),
    /// Cut to the largest number that fits, which is too large wherever numerals are wanted.
    Numeral(u128),
    Decimal,
    /// `#x...` or `#b...`. Of more than 128 bits the upper ones are lost; the width tells.
    Bits {
        width: u32,
        value: u128,
    },
}

#[derive(Clone)]
pub(super) struct Lexer<'a> {
    characters: Characters<'a>,
}

pub(super) fn is_symbol_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

impl<'a> Lexer<'a> {
    /// `at` is where the text begins in what it is a part of.
    pub(super) fn new(text: &'a str, at: Position) -> Self {
        Lexer { characters: Characters::new(text, at) }
    }

    /// The next token and where it stands; `None` at the end.
    pub(super) fn next(&mut self) -> Option<(Position, Result<Token<'a>, ParseError>)> {
        self.skip_space();
        let (at, start) = (self.characters.at(), self.characters.offset());
        let first = self.characters.next()?;
        let token = match first {
            '(' => Ok(Token::Open),
            ')' => Ok(Token::Close),
            '|' => self.quoted(at, '|').map(Token::Symbol),
            '"' => self.string(at),
            '#' => self.bits(at),
            ':' => {
                self.characters.skip_while(is_symbol_character);
                Ok(Token::Keyword(self.characters.since(start)))
            }
            '0'..='9' => {
                self.characters.skip_while(is_symbol_character);
                number(at, self.characters.since(start))
            }
            _ if is_symbol_character(first) => {
                self.characters.skip_while(is_symbol_character);
                Ok(Token::Symbol(self.characters.since(start)))
            }
            _ => fail(at, format!("unexpected character `{}`", first.escape_default())),
        };
        Some((at, token))
    }

    /// The symbol that comes next, if one does.
    pub(super) fn peek_symbol(&mut self) -> &'a str {
        self.skip_space();
        let rest = self.characters.rest();
        let length = rest.find(|c| !is_symbol_character(c)).unwrap_or(rest.len());
        &rest[..length]
    }

    fn skip_space(&mut self) {
        loop {
            self.characters.skip_while(char::is_whitespace);
            if self.characters.peek() != Some(';') {
                return;
            }
            self.characters.skip_while(|c| c != '\n');
        }
    }

    /// What stands between the quote that was read and the next one.
    fn quoted(&mut self, at: Position, quote: char) -> Result<&'a str, ParseError> {
        let start = self.characters.offset();
        self.characters.skip_while(|c| c != quote);
        let inside = self.characters.since(start);
        match self.characters.next() {
            Some(_) => Ok(inside),
            None => fail(at, format!("the closing `{quote}` is missing")),
        }
    }

    fn string(&mut self, at: Position) -> Result<Token<'a>, ParseError> {
        let start = self.characters.offset();
        loop {
            self.quoted(at, '"')?;
            if self.characters.peek() != Some('"') {
                let inside = self.characters.since(start);
                return Ok(Token::Text(&inside[..inside.len() - 1]));
            }
            self.characters.next();
        }
    }

    fn bits(&mut self, at: Position) -> Result<Token<'a>, ParseError> {
        let start = self.characters.offset();
        self.characters.skip_while(is_symbol_character);
        let text = self.characters.since(start);
        let (radix, digit_width) = match text.chars().next() {
            Some('x') => (16, 4),
            Some('b') => (2, 1),
            _ => return fail(at, format!("`#{text}` is no literal: `#x` or `#b` and digits are")),
        };
        let digits = &text[1..];
        let mut value: u128 = 0;
        for c in digits.chars() {
            let Some(digit) = c.to_digit(radix) else { return fail(at, format!("`{c}` is no digit of a literal")) };
            value = value << digit_width | u128::from(digit);
        }
        if digits.is_empty() {
            return fail(at, format!("`#{text}` has no digits"));
        }
        let width = u32::try_from(digits.len()).unwrap_or(u32::MAX).saturating_mul(digit_width);
        Ok(Token::Bits { width, value })
    }
}

fn number<'a>(at: Position, text: &'a str) -> Result<Token<'a>, ParseError> {
    if let Some((whole, fraction)) = text.split_once('.') {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        return if digits(whole) && digits(fraction) {
            Ok(Token::Decimal)
        } else {
            fail(at, format!("`{text}` is not a number"))
        };
    }
    let mut value: u128 = 0;
    for c in text.chars() {
        let Some(digit) = c.to_digit(10) else { return fail(at, format!("`{text}` is not a number")) };
        value = value.saturating_mul(10).saturating_add(u128::from(digit));
    }
    Ok(Token::Numeral(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_every_kind() {
        let mut lexer = Lexer::new("(a |b c| :k \"x\"\"y\" 12 1.5 #x0F #b101) ; end", Position::START);
        let mut tokens = Vec::new();
        while let Some((_, token)) = lexer.next() {
            tokens.push(token.unwrap());
        }
        let expected = [
            Token::Open,
            Token::Symbol("a"),
            Token::Symbol("b c"),
            Token::Keyword(":k"),
            Token::Text("x\"\"y"),
            Token::Numeral(12),
            Token::Decimal,
            Token::Bits { width: 8, value: 15 },
            Token::Bits { width: 3, value: 5 },
            Token::Close,
        ];
        assert_eq!(tokens, expected);
    }
}
