//! How many bytes of each array a script names outright.
//!
//! Arrays of SMT-LIB have no size, those of terms have. The bytes up to the size found here become an input, and reads
//! beyond it are dealt with one by one (see `arrays.rs`). The size decides how large the terms become, never what they
//! mean, so a look at the words is enough.

use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token};
use crate::position::Position;

/// Larger inputs are not made on the ground of a guess.
const LARGEST: u128 = 1 << 16;

/// For each array the least size that covers `(select array LITERAL)`, and the bound in `(ite (bvult i BOUND) (select
/// array i) ...)`, which is how reads are guarded where arrays do have a size.
pub(super) fn sizes(text: &str) -> FxHashMap<&str, u32> {
    let mut sizes = FxHashMap::default();
    let mut lexer = Lexer::new(text, Position::START);
    // The last tokens, newest last.
    let mut recent: [Option<Token>; 7] = Default::default();
    while let Some((_, token)) = lexer.next() {
        recent.rotate_left(1);
        recent[6] = token.ok();
        // Both may stand at the same place: the end of one read can look like a bound before the next.
        for (array, size) in [bound(&recent), literal(&recent)].into_iter().flatten() {
            if size <= LARGEST {
                let known = sizes.entry(array).or_insert(0);
                *known = size.max(u128::from(*known)) as u32;
            }
        }
    }
    sizes
}

/// `BOUND) (select array`, which may be the end of a guard.
fn bound<'a>(recent: &[Option<Token<'a>>; 7]) -> Option<(&'a str, u128)> {
    match recent {
        [
            _,
            Some(Token::Bits { value, .. }),
            Some(Token::Close),
            Some(Token::Open),
            Some(Token::Symbol("select")),
            Some(Token::Symbol(array)),
            _,
        ] => Some((array, *value)),
        _ => None,
    }
}

/// `(select array LITERAL`
fn literal<'a>(recent: &[Option<Token<'a>>; 7]) -> Option<(&'a str, u128)> {
    match recent {
        [
            _,
            _,
            _,
            Some(Token::Open),
            Some(Token::Symbol("select")),
            Some(Token::Symbol(array)),
            Some(Token::Bits { value, .. }),
        ] => Some((array, value.saturating_add(1))),
        [
            _,
            Some(Token::Open),
            Some(Token::Symbol("select")),
            Some(Token::Symbol(array)),
            Some(Token::Open),
            Some(Token::Symbol("_")),
            Some(Token::Symbol(literal)),
        ] => {
            let value = literal.strip_prefix("bv").and_then(|digits| digits.parse::<u128>().ok());
            value.map(|value| (*array, value.saturating_add(1)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_reads_and_guards_tell_sizes() {
        let text = "(assert (= (select a #x0000000000000003) (select a #x0000000000000001)))\
                    (assert (= (select  b (_ bv7 32) ) #x00))\
                    (assert (= #x00 (ite (bvult i #x0000000000000009) (select c i) #x00)))\
                    (assert (= (select d #xffffffffffffffff) (select d i)))\
                    (assert (= (select e #x0000000000000000) (select e #x0000000000000001)))";
        let sizes = sizes(text);
        let found = ["a", "b", "c", "d", "e"].map(|name| sizes.get(name).copied());
        assert_eq!(found, [Some(4), Some(8), Some(9), None, Some(2)]);
    }
}
