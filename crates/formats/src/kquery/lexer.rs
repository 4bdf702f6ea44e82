//! The words of KQuery.

use crate::position::{Characters, Position};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Brackets and `, : = @`, and every character that has no place in the language.
    Sign(char),
    /// `->`
    Arrow,
    /// Begins with a digit or with a sign and a digit; whether it is a number is seen when its value is needed.
    Number,
    /// Names, labels, operators, keywords and types.
    Word,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub at: Position,
}

impl Token<'_> {
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// What a message calls it.
    pub(super) fn describe(&self) -> String {
        match self.kind {
            Kind::End => "the end of the text".to_owned(),
            Kind::Sign(_) | Kind::Arrow | Kind::Number | Kind::Word => format!("`{}`", self.text),
        }
    }
}

/// The token that comes next; one of kind `End` at the end. Comments reach from `#` to the end of the line.
pub(super) fn next_token<'a>(characters: &mut Characters<'a>) -> Token<'a> {
    loop {
        characters.skip_while(char::is_whitespace);
        if characters.peek() != Some('#') {
            break;
        }
        characters.skip_while(|c| c != '\n');
    }
    let (at, start) = (characters.at(), characters.offset());
    let kind = kind(characters);
    Token { kind, text: characters.since(start), at }
}

fn kind(characters: &mut Characters) -> Kind {
    let Some(first) = characters.next() else { return Kind::End };
    let digit_follows = characters.peek().is_some_and(|c| c.is_ascii_digit());
    match first {
        '-' if characters.peek() == Some('>') => {
            characters.next();
            Kind::Arrow
        }
        '0'..='9' => number(characters),
        '+' | '-' if digit_follows => number(characters),
        'a'..='z' | 'A'..='Z' | '_' | '%' => word(characters),
        _ => Kind::Sign(first),
    }
}

fn number(characters: &mut Characters) -> Kind {
    characters.skip_while(|c| c.is_ascii_alphanumeric() || c == '_');
    Kind::Number
}

fn word(characters: &mut Characters) -> Kind {
    while let Some(c) = characters.peek() {
        let arrow = c == '-' && characters.peek_second() == Some('>');
        if arrow || !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '%')) {
            break;
        }
        characters.next();
    }
    Kind::Word
}

/// The width that a word like `w32` names.
pub(super) fn width(word: &str) -> Option<Result<u32, ()>> {
    let digits = word.strip_prefix('w')?;
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(digits.parse().map_err(|_| ()))
}

/// The value of a number, modulo 2^128: decimal, or with `0x`, `0o` or `0b`; underscores may divide the digits.
pub(super) fn value(number: &str) -> Option<u128> {
    let (negative, digits) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (radix, digits) = match digits.get(..2) {
        Some("0x") => (16, &digits[2..]),
        Some("0o") => (8, &digits[2..]),
        Some("0b") => (2, &digits[2..]),
        _ => (10, digits),
    };
    let mut digits = digits.chars().filter(|&c| c != '_').peekable();
    digits.peek()?;
    let mut value: u128 = 0;
    for c in digits {
        value = value.wrapping_mul(u128::from(radix)).wrapping_add(u128::from(c.to_digit(radix)?));
    }
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut characters = Characters::new(text, Position::START);
        let mut tokens = vec![];
        while tokens.last().is_none_or(|last: &Token| last.kind != Kind::End) {
            tokens.push(next_token(&mut characters));
        }
        tokens
    }

    #[test]
    fn words_numbers_and_signs_are_told_apart() {
        let texts: Vec<&str> = tokens("array A-data[4] : w32->w8 # all of it\n = -1").iter().map(|t| t.text).collect();
        assert_eq!(texts, ["array", "A-data", "[", "4", "]", ":", "w32", "->", "w8", "=", "-1", ""]);
        let last = tokens("a\n  é b").pop().unwrap();
        assert_eq!((last.kind, last.at), (Kind::End, Position { line: 2, column: 6 }));
    }

    #[test]
    fn numbers_have_four_radixes_and_a_sign() {
        let values = ["12", "0xfF", "0b1_01", "0o17", "+3", "-1", "0x", "12a", "0b2", "-"].map(value);
        let expected = [Some(12), Some(255), Some(5), Some(15), Some(3), Some(u128::MAX), None, None, None, None];
        assert_eq!(values, expected);
    }
}
