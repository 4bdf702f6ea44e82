//! Which words of a command line are which symbolic arguments of a run.

use osier_linux::Argument;
use std::fmt;

/// Why words are no command line of the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// A word where the command line has another one.
    Other {
        word: String,
        expected: String,
    },
    /// A word of more bytes than the symbolic argument in its place.
    TooLong {
        word: String,
        len: u32,
    },
    /// The words end where this should be.
    Missing(String),
    TooMany(String),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Other { word, expected } => write!(f, "`{word}` stands where the run has `{expected}`"),
            Misfit::TooLong { word, len } => {
                write!(f, "`{word}` has {} bytes, the run's argument in its place up to {len}", word.len())
            }
            Misfit::Missing(what) => write!(f, "the words end where the run has {what}"),
            Misfit::TooMany(word) => write!(f, "`{word}` is one word more than the run has arguments"),
        }
    }
}

impl std::error::Error for Misfit {}

/// Which words each argument of a run (without the program's name) takes. Groups take as many as they can.
pub fn fit_arguments(arguments: &[Argument], words: &[Vec<u8>]) -> Result<Vec<Vec<Vec<u8>>>, Misfit> {
    let mut fit = Fit { arguments, words, dead: vec![false; (arguments.len() + 1) * (words.len() + 1)], reason: None };
    match fit.counts(0, 0) {
        Some(counts) => {
            let mut words = words.iter().cloned();
            Ok(counts.into_iter().rev().map(|count| words.by_ref().take(count).collect()).collect())
        }
        None => Err(fit.reason.expect("what does not fit has a reason").1),
    }
}

struct Fit<'a> {
    arguments: &'a [Argument],
    words: &'a [Vec<u8>],
    /// Pairs of an argument and a word from which there is no way on: each is tried once.
    dead: Vec<bool>,
    /// The reason that came furthest, which is the one to tell.
    reason: Option<(usize, Misfit)>,
}

impl Fit<'_> {
    /// How many words each argument from `argument` on takes, the last one first.
    fn counts(&mut self, argument: usize, word: usize) -> Option<Vec<usize>> {
        let pair = argument * (self.words.len() + 1) + word;
        if self.dead[pair] {
            return None;
        }
        let found = self.try_counts(argument, word);
        self.dead[pair] = found.is_none();
        found
    }

    fn try_counts(&mut self, argument: usize, word: usize) -> Option<Vec<usize>> {
        let Some(expected) = self.arguments.get(argument) else {
            return match self.words.get(word) {
                None => Some(Vec::new()),
                Some(extra) => self.fail(word, Misfit::TooMany(text(extra))),
            };
        };
        let (least, most, len) = match *expected {
            Argument::Given(ref given) => {
                return match self.words.get(word) {
                    Some(word_there) if word_there == given => self.after(argument, word, 1),
                    Some(other) => self.fail(word, Misfit::Other { word: text(other), expected: text(given) }),
                    None => self.fail(word, Misfit::Missing(format!("`{}`", text(given)))),
                };
            }
            Argument::Symbolic { len } => (1, 1, len),
            Argument::Several { least, most, len } => (least as usize, most as usize, len),
        };
        let left = &self.words[word..];
        let short = left.iter().take(most).take_while(|word| word.len() <= len as usize).count();
        if let Some(long) = left.get(short).filter(|_| short < most) {
            let too_long = Misfit::TooLong { word: text(long), len };
            self.note(word + short, too_long);
        } else if short < least {
            self.note(word + short, Misfit::Missing(format!("an argument of up to {len} bytes")));
        }
        (least..=short).rev().find_map(|count| self.after(argument, word, count))
    }

    fn after(&mut self, argument: usize, word: usize, count: usize) -> Option<Vec<usize>> {
        let mut counts = self.counts(argument + 1, word + count)?;
        counts.push(count);
        Some(counts)
    }

    fn fail(&mut self, word: usize, reason: Misfit) -> Option<Vec<usize>> {
        self.note(word, reason);
        None
    }

    fn note(&mut self, word: usize, reason: Misfit) {
        if self.reason.as_ref().is_none_or(|(furthest, _)| *furthest < word) {
            self.reason = Some((word, reason));
        }
    }
}

fn text(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<Vec<u8>> {
        line.split_whitespace().map(|word| word.as_bytes().to_vec()).collect()
    }

    fn given(word: &str) -> Argument {
        Argument::Given(word.into())
    }

    fn shown(arguments: &[Argument], line: &str) -> Result<String, String> {
        let fitted = fit_arguments(arguments, &words(line)).map_err(|misfit| misfit.to_string())?;
        let group = |group: &Vec<Vec<u8>>| group.iter().map(|word| text(word)).collect::<Vec<_>>().join(" ");
        Ok(fitted.iter().map(group).collect::<Vec<_>>().join("|"))
    }

    #[test]
    fn words_find_their_places() {
        let several = |least, most, len| Argument::Several { least, most, len };
        let line = [given("-n"), Argument::Symbolic { len: 3 }, several(0, 2, 4), given("end")];
        assert_eq!(shown(&line, "-n abc end").unwrap(), "-n|abc||end");
        assert_eq!(shown(&line, "-n a end end").unwrap(), "-n|a|end|end");
        assert_eq!(shown(&line, "-n a b c end").unwrap(), "-n|a|b c|end");
        assert_eq!(shown(&[several(0, 3, 9), several(2, 2, 1)], "x y z").unwrap(), "x|y z");
        assert_eq!(shown(&[], "").unwrap(), "");
    }

    #[test]
    fn the_furthest_misfit_is_told() {
        let line = [given("-n"), Argument::Symbolic { len: 3 }, Argument::Several { least: 0, most: 1, len: 2 }];
        assert_eq!(shown(&line, "-x abc").unwrap_err(), "`-x` stands where the run has `-n`");
        assert_eq!(shown(&line, "-n abcd").unwrap_err(), "`abcd` has 4 bytes, the run's argument in its place up to 3");
        assert_eq!(shown(&line, "-n").unwrap_err(), "the words end where the run has an argument of up to 3 bytes");
        assert_eq!(shown(&line, "-n a bcd").unwrap_err(), "`bcd` has 3 bytes, the run's argument in its place up to 2");
        assert_eq!(shown(&line, "-n a b c").unwrap_err(), "`c` is one word more than the run has arguments");
        assert_eq!(shown(&[given("x")], "").unwrap_err(), "the words end where the run has `x`");
    }

    #[test]
    fn many_groups_take_no_time() {
        let groups = vec![Argument::Several { least: 0, most: 40, len: 1 }; 40];
        let mut line = vec![b"a".to_vec(); 40];
        line.push(b"long".to_vec());
        assert!(matches!(fit_arguments(&groups, &line), Err(Misfit::TooLong { .. })));
    }
}
