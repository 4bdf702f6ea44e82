//! A script cut into its commands, and which of them need floating point.

use osier::solver::formats::Position;
use osier::solver::formats::smt2::Cutter;

/// A command as it stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    pub at: Position,
    /// In bytes, from the beginning of the text.
    pub offset: usize,
    pub text: &'a str,
}

/// The commands of a text that begins at `at`. What is left at the end without being one comes last.
pub fn pieces(text: &str, at: Position) -> impl Iterator<Item = Piece<'_>> {
    let (mut at, mut offset) = (at, 0);
    std::iter::from_fn(move || {
        let space = length_of_space(&text[offset..]);
        at = after(at, &text[offset..offset + space]);
        offset += space;
        let rest = &text[offset..];
        let mut cutter = Cutter::default();
        let end = rest.char_indices().find_map(|(place, c)| {
            let end = place + c.len_utf8();
            cutter.look(&rest[place..end]).map(|_| end)
        });
        let piece = Piece { at, offset, text: &rest[..end.unwrap_or(rest.len())] };
        at = after(at, piece.text);
        offset += piece.text.len();
        (!piece.text.is_empty()).then_some(piece)
    })
}

/// White space and comments at the beginning.
fn length_of_space(text: &str) -> usize {
    let mut rest = text.trim_start();
    while rest.starts_with(';') {
        rest = rest.split_once('\n').map_or("", |(_, next)| next).trim_start();
    }
    text.len() - rest.len()
}

/// Where a text ends that begins at `at`.
fn after(at: Position, text: &str) -> Position {
    match text.rsplit_once('\n') {
        Some((before, last)) => Position {
            line: at.line + 1 + before.matches('\n').count() as u32,
            column: last.chars().count() as u32 + 1,
        },
        None => Position { line: at.line, column: at.column + text.chars().count() as u32 },
    }
}

impl<'a> Piece<'a> {
    /// Its first words: the name of the command and what follows.
    pub fn words(&self) -> impl Iterator<Item = &'a str> {
        words(self.text)
    }

    pub fn name(&self) -> &'a str {
        self.words().next().unwrap_or_default()
    }

    /// What it says behind its name, if that is one word.
    pub fn argument(&self) -> &'a str {
        self.words().nth(1).unwrap_or_default()
    }

    /// Whether it speaks of floating point, by its logic or by words that have no other meaning. `fp` alone may be the
    /// name of anything.
    pub fn needs_floats(&self) -> bool {
        if self.name() == "set-logic" {
            return self.argument().contains("FP");
        }
        self.words().any(|word| SORTS.contains(&word) || CONVERSIONS.contains(&word) || is_operator(word))
    }
}

const SORTS: [&str; 6] = ["FloatingPoint", "Float16", "Float32", "Float64", "Float128", "RoundingMode"];
const CONVERSIONS: [&str; 3] = ["to_fp", "to_fp_unsigned", "to_fp_bv"];
const OPERATORS: &str = " abs neg add sub mul div fma sqrt rem roundToIntegral min max leq lt geq gt eq isNormal isSubnormal \
                         isZero isInfinite isNaN isNegative isPositive to_ubv to_sbv to_real to_ieee_bv ";

fn is_operator(word: &str) -> bool {
    word.strip_prefix("fp.").is_some_and(|name| OPERATORS.contains(&format!(" {name} ")))
}

/// Where the first command begins that needs floating point.
pub fn first_float(text: &str, at: Position) -> Option<Piece<'_>> {
    // Looking for words in a text is much faster than cutting it into commands.
    let mentioned = ["FP", "Float", "RoundingMode", "fp.", "to_fp"].iter().any(|word| text.contains(word));
    if !mentioned {
        return None;
    }
    pieces(text, at).find(Piece::needs_floats)
}

/// Words between white space and brackets, without quoted ones and comments.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '(' || c == ')');
            rest = match rest.chars().next()? {
                ';' => rest.split_once('\n').map_or("", |(_, next)| next),
                quote @ ('"' | '|') => rest[1..].split_once(quote).map_or("", |(_, next)| next),
                _ => {
                    let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"' | '|' | ';');
                    let (word, next) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                    rest = next;
                    return Some(word);
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_their_places() {
        let text = " ; no (\n(a |)|\n \")\") (b)\n; end\n(c";
        let found: Vec<_> = pieces(text, Position { line: 3, column: 5 }).collect();
        let at = |line, column| Position { line, column };
        assert_eq!(
            found,
            [
                Piece { at: at(4, 1), offset: 8, text: "(a |)|\n \")\")" },
                Piece { at: at(5, 7), offset: 21, text: "(b)" },
                Piece { at: at(7, 1), offset: 31, text: "(c" },
            ]
        );
        assert!(found.iter().all(|piece| text[piece.offset..].starts_with(piece.text)));
        assert_eq!(pieces("", Position::START).count(), 0);
    }

    #[test]
    fn floating_point_is_told_by_its_words_alone() {
        let needs = |text: &str| first_float(text, Position::START).is_some();
        for text in [
            "(set-logic QF_ABVFP)",
            "(set-logic QF_FP)",
            "(declare-const f (_ FloatingPoint 8 24))",
            "(declare-fun f () Float32)",
            "(declare-const r RoundingMode)",
            "(assert (fp.isNaN x))",
            "(assert (= x ((_ fp.to_ubv 8) RNE y)))",
            "(define-fun f ((x (_ BitVec 32))) Bool (fp.lt ((_ to_fp 8 24) x) ((_ to_fp 8 24) x)))",
        ] {
            assert!(needs(text), "{text}");
        }
        for text in [
            "(set-logic QF_ABV)",
            "(declare-const fp (_ BitVec 32))",
            "(declare-const fp.0 Bool)",
            "(declare-const |Float32| Bool)",
            "(echo \"fp.add\")",
            "; Float32\n(check-sat)",
            "(declare-const Floating Bool)",
        ] {
            assert!(!needs(text), "{text}");
        }
        let second = first_float("(check-sat)\n (assert (fp.isNaN x))", Position::START).unwrap();
        assert_eq!((second.offset, second.at), (13, Position { line: 2, column: 2 }));
    }
}
