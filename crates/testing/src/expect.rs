//! What a test's comments say must happen.

use std::collections::BTreeMap;
use std::fmt;

/// The kinds of error that `summary.json` may name.
pub const KINDS: &[&str] = &[
    "out-of-bounds",
    "use-after-free",
    "double-free",
    "invalid-free",
    "null-pointer",
    "read-only-write",
    "division-by-zero",
    "overshift",
    "signed-overflow",
    "assertion",
    "abort",
    "leak",
    "uninitialised",
    "unreachable",
    "invalid-call",
    "stack-overflow",
    "user",
    "unsupported",
];

/// An error that must be reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedError {
    /// Absent: anywhere.
    pub line: Option<u32>,
    pub kind: String,
    /// What its message contains.
    pub text: String,
}

impl fmt::Display for ExpectedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.kind)?,
            None => write!(f, "anywhere: {}", self.kind)?,
        }
        if self.text.is_empty() { Ok(()) } else { write!(f, ": {}", self.text) }
    }
}

/// A number or an inclusive range of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub low: u64,
    pub high: u64,
}

impl Range {
    pub fn contains(self, number: u64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    fn parse(text: &str) -> Option<Range> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let range = Range { low: low.trim().parse().ok()?, high: high.trim().parse().ok()? };
        (range.low <= range.high).then_some(range)
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high { write!(f, "{}", self.low) } else { write!(f, "{}..{}", self.low, self.high) }
    }
}

/// The exit statuses of the paths that ended by themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statuses {
    Set(Vec<i64>),
    Counted(BTreeMap<i64, u64>),
}

impl Statuses {
    fn parse(text: &str) -> Option<Statuses> {
        if text.contains('*') {
            let pair = |word: &str| {
                let (status, count) = word.split_once('*')?;
                Some((status.parse().ok()?, count.parse().ok()?))
            };
            text.split_whitespace().map(pair).collect::<Option<_>>().map(Statuses::Counted)
        } else {
            let mut set: Vec<i64> = text.split_whitespace().map(|w| w.parse().ok()).collect::<Option<_>>()?;
            set.sort_unstable();
            set.dedup();
            Some(Statuses::Set(set))
        }
    }
}

impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = match self {
            Statuses::Set(set) => set.iter().map(i64::to_string).collect(),
            Statuses::Counted(counts) => counts.iter().map(|(status, count)| format!("{status}*{count}")).collect(),
        };
        f.write_str(&words.join(" "))
    }
}

/// What an object of a test must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputValue {
    /// Fills the object, little-endian.
    Number(i128),
    /// How the object begins.
    Text(Vec<u8>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedInput {
    pub object: String,
    pub value: InputValue,
}

/// One `osier run` of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub options: Vec<String>,
    /// Where its line stands, and the annotations on it, which hold for this run alone.
    line: u32,
    own: Vec<String>,
}

/// All that one file promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectations {
    /// Never empty.
    pub runs: Vec<Run>,
    pub args: Vec<String>,
    pub errors: Vec<ExpectedError>,
    pub error_count: Option<Range>,
    pub paths: Option<Range>,
    pub partial: Option<Range>,
    pub tests: Option<Range>,
    pub exits: Option<Statuses>,
    pub outputs: Vec<Vec<u8>>,
    pub inputs: Vec<Vec<ExpectedInput>>,
    pub absent_inputs: Vec<Vec<ExpectedInput>>,
    /// Lines covered: so many of so many.
    pub covered: Option<(u64, u64)>,
    pub stopped: Option<String>,
    pub prints: Vec<String>,
    /// Why the native program cannot be held to what Osier says.
    pub no_replay: Option<String>,
}

impl Expectations {
    /// Reads the comments of a test. `marker` starts a comment in its language. The error says which line is wrong.
    pub fn parse(source: &str, marker: &str) -> Result<Expectations, String> {
        let mut all = Expectations::default();
        let tilde = format!("{marker}~");
        for (index, line) in source.lines().enumerate() {
            let number = index as u32 + 1;
            let problem = |what: String| format!("line {number}: {what}");
            let mut parts = line.split(&tilde);
            let comment = parts.next().unwrap_or_default().trim_start().strip_prefix(marker).unwrap_or_default().trim();
            let annotations = parts.map(str::trim);
            if let Some(options) = comment.strip_prefix("run:") {
                let own: Vec<String> = annotations.map(str::to_string).collect();
                let mut scratch = Expectations::default();
                own.iter().try_for_each(|annotation| scratch.add(annotation, number)).map_err(problem)?;
                let words = shell_words::split(options).map_err(|e| problem(e.to_string()))?;
                let runs = each_choice(&words).into_iter();
                all.runs.extend(runs.map(|options| Run { options, line: number, own: own.clone() }));
                continue;
            }
            if let Some(args) = comment.strip_prefix("args:") {
                all.args = shell_words::split(args).map_err(|e| problem(e.to_string()))?;
            }
            for annotation in annotations {
                all.add(annotation, number).map_err(problem)?;
            }
        }
        if all.runs.is_empty() {
            all.runs.push(Run::default());
        }
        Ok(all)
    }

    /// What one of the runs must meet: what the file says for all, and what the run's own line says, which wins where
    /// both give a number.
    pub fn of_run(&self, run: &Run) -> Result<Expectations, String> {
        let mut all = self.clone();
        run.own.iter().try_for_each(|annotation| all.add(annotation, run.line))?;
        Ok(all)
    }

    fn add(&mut self, annotation: &str, line: u32) -> Result<(), String> {
        let (key, value) = annotation.split_once(':').unwrap_or((annotation, ""));
        let (key, value) = (key.trim(), value.trim());
        if KINDS.contains(&key) {
            self.errors.push(ExpectedError { line: Some(line), kind: key.into(), text: value.into() });
            return Ok(());
        }
        let range = || Range::parse(value).ok_or_else(|| format!("`{key}` needs a number or a range, not `{value}`"));
        match key {
            "error" => {
                let (kind, text) = value.split_once(':').unwrap_or((value, ""));
                if !KINDS.contains(&kind.trim()) {
                    return Err(format!("`{}` is no kind of error", kind.trim()));
                }
                self.errors.push(ExpectedError { line: None, kind: kind.trim().into(), text: text.trim().into() });
            }
            "errors" => self.error_count = Some(range()?),
            "paths" => self.paths = Some(range()?),
            "partial" => self.partial = Some(range()?),
            "tests" => self.tests = Some(range()?),
            "exits" => {
                let statuses =
                    Statuses::parse(value).ok_or_else(|| format!("`{value}` is no list of exit statuses"))?;
                self.exits = Some(statuses);
            }
            "output" => self.outputs.push(unescape(value)?),
            "test" => self.inputs.push(parse_inputs(value)?),
            "no test" => self.absent_inputs.push(parse_inputs(value)?),
            "covered" => self.covered = Some(parse_covered(value)?),
            "stopped" => self.stopped = Some(value.into()),
            "prints" => self.prints.push(value.into()),
            "replay" => match value.split_once(',') {
                Some(("no", reason)) if !reason.trim().is_empty() => self.no_replay = Some(reason.trim().into()),
                _ => return Err("write `replay: no, REASON`".into()),
            },
            _ => return Err(format!("`{key}` is neither a kind of error nor an expectation")),
        }
        Ok(())
    }
}

/// `--memory={fork,merge}` stands for two runs, one with each; every way to choose is a run.
fn each_choice(words: &[String]) -> Vec<Vec<String>> {
    let Some((word, rest)) = words.split_first() else { return vec![Vec::new()] };
    let inside = word.split_once('{').and_then(|(head, tail)| Some((head, tail.split_once('}')?)));
    let chosen: Vec<String> = match inside {
        Some((head, (choices, tail))) => choices.split(',').map(|choice| format!("{head}{choice}{tail}")).collect(),
        None => vec![word.clone()],
    };
    let rests = each_choice(rest);
    let with = |word: &String| rests.iter().map(|rest| [std::slice::from_ref(word), rest].concat()).collect::<Vec<_>>();
    chosen.iter().flat_map(with).collect()
}

fn parse_covered(text: &str) -> Result<(u64, u64), String> {
    let pair = match text.strip_suffix('%') {
        Some(percent) => percent.parse().ok().map(|p| (p, 100)),
        None => text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))),
    };
    pair.ok_or_else(|| format!("`covered` needs `N%` or `N/M`, not `{text}`"))
}

fn parse_inputs(text: &str) -> Result<Vec<ExpectedInput>, String> {
    let words = words_outside_quotes(text);
    if words.is_empty() {
        return Err("`test` needs `object=value`".into());
    }
    let parse = |word: &String| {
        let (object, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is not `object=value`"))?;
        let quoted = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        let value = match quoted {
            Some(inner) => InputValue::Text(unescape(inner)?),
            None => InputValue::Number(parse_number(value).ok_or_else(|| format!("`{value}` is no number"))?),
        };
        Ok(ExpectedInput { object: object.into(), value })
    };
    words.iter().map(parse).collect()
}

fn words_outside_quotes(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        if c.is_whitespace() && !quoted {
            words.push(String::new());
        } else if let Some(word) = words.last_mut() {
            word.push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn parse_number(text: &str) -> Option<i128> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let number = match digits.strip_prefix("0x") {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -number } else { number })
}

/// C's simple escapes: `\n`, `\t`, `\0`, `\\`, `\"`, `\xHH`.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            Some(b'"') => b'"',
            Some(b'x') => {
                let digits: Option<Vec<u32>> = (0..2).map(|_| char::from(rest.next()?).to_digit(16)).collect();
                let digits = digits.ok_or("`\\x` needs two digits")?;
                (digits[0] * 16 + digits[1]) as u8
            }
            other => return Err(format!("unknown escape {:?}", other.map(char::from))),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
#[path = "expect_tests.rs"]
mod tests;
