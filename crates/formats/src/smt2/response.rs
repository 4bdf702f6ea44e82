//! What a solver prints, read while it is still coming in.

use super::cutter::Cutter;
use super::lexer::{Lexer, Token};
use super::sexpr::{Node, Reader, Sexpr, Trees};
use crate::position::Position;

/// One answer of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    Sat,
    Unsat,
    Unknown,
    /// A command was followed or is not known: no answer to a question.
    Acknowledged,
    /// The answer to `get-value`: bit-vectors of at most 128 bits and truth values, in the order of the question.
    Values(Vec<u128>),
    /// What the solver complains about.
    Error(String),
    /// Anything else that it says.
    Other(String),
}

/// The first response among the bytes, and how many of them belong to it; `None` if it is not there as a whole.
pub fn response(bytes: &[u8]) -> Option<(usize, Response)> {
    let start = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
    // Bytes that are no text belong to no answer that we know; their places must not move.
    let text = std::str::from_utf8(&bytes[start..])
        .or_else(|error| std::str::from_utf8(&bytes[start..][..error.valid_up_to()]));
    let text = text.unwrap_or_default();
    if !text.starts_with('(') {
        let length = bytes[start..].iter().position(u8::is_ascii_whitespace)?;
        let word = String::from_utf8_lossy(&bytes[start..start + length]).into_owned();
        return Some((start + length, of_word(word)));
    }
    // Looks at one character after the other, to stop at the end of the first response.
    let mut cutter = Cutter::default();
    let end = text.char_indices().find_map(|(at, c)| {
        let here = &text[at..at + c.len_utf8()];
        cutter.look(here).map(|_| at + c.len_utf8())
    });
    let Some(end) = end else {
        // What follows is no text, so the bracket never closes.
        return (start + text.len() < bytes.len() && !is_cut_character(&bytes[start + text.len()..]))
            .then(|| (bytes.len(), Response::Other(text.to_owned())));
    };
    Some((start + end, of_list(&text[..end])))
}

/// Whether the bytes may be the beginning of a character whose rest is still coming.
fn is_cut_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

fn of_word(word: String) -> Response {
    match word.as_str() {
        "sat" => Response::Sat,
        "unsat" => Response::Unsat,
        "unknown" => Response::Unknown,
        "success" | "unsupported" => Response::Acknowledged,
        _ => Response::Other(word),
    }
}

fn of_list(text: &str) -> Response {
    if let Some(message) = error_message(text) {
        return Response::Error(message);
    }
    let mut trees = Trees::default();
    let values = match Reader::new(text, Position::START).next(&mut trees) {
        Some(Ok(list)) => trees.parts(list).iter().map(|&pair| value(&trees, pair)).collect(),
        Some(Err(_)) | None => None,
    };
    values.map_or_else(|| Response::Other(text.to_owned()), Response::Values)
}

/// The message of `(error "...")`, whatever stands in it.
fn error_message(text: &str) -> Option<String> {
    let mut lexer = Lexer::new(text, Position::START);
    let mut token = || lexer.next().and_then(|(_, token)| token.ok());
    if token()? != Token::Open || token()? != Token::Symbol("error") {
        return None;
    }
    match token() {
        Some(Token::Text(message)) => Some(message.replace("\"\"", "\"")),
        Some(_) | None => Some(text.to_owned()),
    }
}

/// The second of a pair of term and value: `#x41`, `#b0`, `(_ bv65 8)`, `true`.
fn value(trees: &Trees, pair: Node) -> Option<u128> {
    let [_, value] = *trees.parts(pair) else { return None };
    match trees.get(value) {
        Sexpr::Bits { width: 1..=128, value } => return Some(value),
        Sexpr::Symbol(_) => {
            return match trees.symbol(value)? {
                "true" => Some(1),
                "false" => Some(0),
                _ => None,
            };
        }
        Sexpr::Bits { .. } | Sexpr::Keyword(_) | Sexpr::Text(_) | Sexpr::Numeral(_) | Sexpr::Decimal => return None,
        Sexpr::List { .. } => {}
    }
    let [underscore, number, _] = *trees.parts(value) else { return None };
    if trees.symbol(underscore) != Some("_") {
        return None;
    }
    trees.symbol(number)?.strip_prefix("bv")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_one_by_one_and_only_when_they_are_whole() {
        let text = b"\n sat\n(((select x #x00) #x41) (|a)| #b1) (q (_ bv300 16)) (p true))\nunsat\n";
        let (used, first) = response(text).unwrap();
        assert_eq!((used, first), (5, Response::Sat));
        let (more, second) = response(&text[used..]).unwrap();
        assert_eq!(second, Response::Values(vec![0x41, 1, 300, 1]));
        assert_eq!(response(&text[used + more..]), Some((6, Response::Unsat)));
        for cut in 0..used + more {
            let whole = response(&text[..cut]).map(|(used, _)| used);
            assert_eq!(whole, (cut > 5).then_some(5), "{cut}");
            if (5..used + more).contains(&cut) {
                assert_eq!(response(&text[5..cut]), None, "{cut}");
            }
        }
    }

    #[test]
    fn errors_and_rubbish_are_told_from_answers() {
        let message = "line 1: no \"x)\" here".to_owned();
        assert_eq!(response(b"(error \"line 1: no \"\"x)\"\" here\")\n"), Some((32, Response::Error(message))));
        assert_eq!(response(b"success\n"), Some((7, Response::Acknowledged)));
        for (rubbish, used) in [
            (&b"Segmentation fault\n"[..], 12),
            (b"((a b))\n", 7),
            (b"((a #x1 #x2))", 13),
            (b"())", 2),
            (b"(( #xzz ))", 10),
            (b"((a (_ bv5 8)) 7)", 17),
            (b"\xff\xfe\n", 2),
            (b")) ", 2),
            (b"( \xff )", 5),
        ] {
            match response(rubbish) {
                Some((length, Response::Other(_))) => assert_eq!(length, used, "{rubbish:?}"),
                Some((2, Response::Values(none))) if none.is_empty() => assert_eq!(rubbish, b"())"),
                other => panic!("{rubbish:?} became {other:?}"),
            }
        }
        assert_eq!(response(b"( \xc3"), None, "the rest of a character may still come");
    }
}
