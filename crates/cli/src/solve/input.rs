//! Texts from files and from pipes.

use super::{Language, Run, kquery, smt2};
use crate::failure::Failure;
use osier::solver::formats::Position;
use osier::solver::formats::smt2::Cutter;
use osier::solver::term::Pool;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// How much of a pipe is read at a time.
const CHUNK: usize = 1 << 16;

/// What standard input is called in messages.
const STANDARD_INPUT: &str = "standard input";

pub enum Source {
    Text {
        name: String,
        text: String,
    },
    /// Answered as it comes in.
    Pipe(Pipe),
}

impl Source {
    /// What to read, or why it cannot be.
    pub fn open(file: &Path) -> Result<Source, String> {
        if file == Path::new("-") {
            return Ok(Source::Pipe(Pipe::default()));
        }
        let name = file.display().to_string();
        let bytes = std::fs::read(file).map_err(|error| format!("cannot read {name}: {}", cause(&error)))?;
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::Text { name, text }),
            Err(error) => Err(format!(
                "{name} is neither KQuery nor SMT-LIB: the byte at {} is not text",
                error.utf8_error().valid_up_to()
            )),
        }
    }
}

/// Without the number that the system has for it.
fn cause(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// The language by the file's name, else by its text.
pub fn language_of(file: &Path, text: &str) -> Language {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("kquery" | "pc") => Language::KQuery,
        Some("smt2" | "smt") => Language::Smt2,
        Some(_) | None => beginning(text).unwrap_or(Language::Smt2),
    }
}

/// The language that a text begins in, if there is enough of it to tell.
fn beginning(text: &str) -> Option<Language> {
    let start = text.trim_start();
    let word = start.strip_prefix('(').map(str::trim_start).unwrap_or(start);
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-')?;
    Some(match (start.starts_with('('), &word[..end]) {
        _ if start.starts_with('#') => Language::KQuery,
        (true, "query") | (false, "array") => Language::KQuery,
        (_, _) => Language::Smt2,
    })
}

/// Standard input, as text.
#[derive(Default)]
pub struct Pipe {
    /// Bytes at the end that may be half a character.
    rest: Vec<u8>,
}

impl Pipe {
    /// What has come in, which may be a part of a line; nothing at the end.
    fn more(&mut self) -> Result<Option<String>, Failure> {
        let mut bytes = std::mem::take(&mut self.rest);
        let held = bytes.len();
        bytes.resize(held + CHUNK, 0);
        let count = loop {
            match std::io::stdin().lock().read(&mut bytes[held..]) {
                Ok(count) => break count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Failure::broken(format!("cannot read {STANDARD_INPUT}: {error}"))),
            }
        };
        bytes.truncate(held + count);
        if bytes.is_empty() {
            return Ok(None);
        }
        if count > 0
            && let Err(error) = std::str::from_utf8(&bytes)
            && error.error_len().is_none()
        {
            self.rest = bytes.split_off(error.valid_up_to());
        }
        // Other bytes that are no text become characters that no language has, and get their message.
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }
}

/// Answers standard input: SMT-LIB as its commands come in, KQuery when all of it is there.
pub fn answer_pipe(run: &mut Run, language: Option<Language>, mut pipe: Pipe, pool: Pool) -> Result<Pool, Failure> {
    let mut text = String::new();
    let mut language = language;
    while language.is_none() {
        match pipe.more()? {
            Some(more) => text += &more,
            None => break,
        }
        language = beginning(&text);
    }
    match language {
        Some(Language::KQuery) => {
            while let Some(more) = pipe.more()? {
                text += &more;
            }
            kquery::answer(run, STANDARD_INPUT, &text, pool)
        }
        Some(Language::Smt2) | None => answer_commands(run, pipe, text, pool),
    }
}

fn answer_commands(run: &mut Run, mut pipe: Pipe, first: String, pool: Pool) -> Result<Pool, Failure> {
    let mut solver = smt2::Solver::new(STANDARD_INPUT, pool, true);
    let mut cutter = Cutter::default();
    // Where the text that waits for its end begins in the script.
    let mut at = Position::START;
    let (mut waiting, mut more) = (String::new(), Some(first));
    while let Some(text) = more {
        let complete = cutter.look(&text);
        let before = waiting.len();
        waiting += &text;
        if let Some((length, end)) = complete {
            let rest = waiting.split_off(before + length);
            let ended = solver.answer(run, &waiting, at)?;
            (waiting, at) = (rest, end);
            if ended || run.asker.interrupted() {
                return Ok(solver.into_pool());
            }
        }
        more = pipe.more()?;
    }
    solver.answer(run, &waiting, at)?;
    Ok(solver.into_pool())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_tells_the_language() {
        for text in ["array a[1]", "  (query []", "( query []", "# comment\n"] {
            assert_eq!(beginning(text), Some(Language::KQuery), "{text}");
        }
        for text in ["; comment\n", "(set-logic QF_BV)", "(array a)"] {
            assert_eq!(beginning(text), Some(Language::Smt2), "{text}");
        }
        for text in ["", " ", "(", "(quer", "arra"] {
            assert_eq!(beginning(text), None, "{text}");
        }
    }

    #[test]
    fn names_tell_more_than_beginnings() {
        assert_eq!(language_of(Path::new("a.pc"), "(set-logic"), Language::KQuery);
        assert_eq!(language_of(Path::new("a.smt2"), "array a[1]"), Language::Smt2);
        assert_eq!(language_of(Path::new("a.txt"), "array a[1]"), Language::KQuery);
        assert_eq!(language_of(Path::new("a.txt"), "hello"), Language::Smt2);
    }
}
