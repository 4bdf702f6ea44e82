//! A text with commands, and what can be seen in it beyond the command that is being read.

use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token};
use super::sexpr::Reader;
use super::sizes::sizes;
use crate::position::Position;

/// A script or a part of one. The parts of a script must be cut where a command ends, see [`Cutter`](super::Cutter).
pub struct Text<'a> {
    pub(super) reader: Reader<'a>,
    sizes: FxHashMap<&'a str, u32>,
}

impl<'a> Text<'a> {
    /// `at` is where the text begins in the script.
    pub fn new(text: &'a str, at: Position) -> Self {
        Text { reader: Reader::new(text, at), sizes: sizes(text) }
    }

    /// The bytes that the text names of an array.
    pub(super) fn size(&self, array: &str) -> u32 {
        self.sizes.get(array).copied().unwrap_or(0)
    }

    /// The first bytes of an array, if the assertions that follow are `(assert (= (select ARRAY 0) BYTE))`, then 1, 2
    /// and so on: that is how tables are written. They hold as long as the array is declared, so it may as well be
    /// declared as a table.
    pub(super) fn bytes_told_next(&self, array: &str) -> Vec<u8> {
        let mut ahead = self.reader.ahead();
        let mut bytes = Vec::new();
        while let Some(byte) = byte_told(&mut ahead, array, bytes.len() as u128) {
            bytes.push(byte);
        }
        bytes
    }
}

fn byte_told(ahead: &mut Lexer, array: &str, place: u128) -> Option<u8> {
    let before = ["assert", "=", "select"];
    for word in before {
        next_is(ahead, &Token::Open)?;
        next_is(ahead, &Token::Symbol(word))?;
    }
    next_is(ahead, &Token::Symbol(array))?;
    let Token::Bits { value: index, .. } = next(ahead)? else { return None };
    next_is(ahead, &Token::Close)?;
    let Token::Bits { value: byte, width: 8 } = next(ahead)? else { return None };
    next_is(ahead, &Token::Close)?;
    next_is(ahead, &Token::Close)?;
    (index == place).then_some(byte as u8)
}

fn next<'a>(ahead: &mut Lexer<'a>) -> Option<Token<'a>> {
    ahead.next()?.1.ok()
}

fn next_is(ahead: &mut Lexer, wanted: &Token) -> Option<()> {
    (next(ahead)? == *wanted).then_some(())
}
