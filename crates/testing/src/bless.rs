//! Rewriting expectations to what a run did, for review.

use crate::compare::matches;
use crate::{Expectations, Outcome, ReportedError, Statuses, TestFile};

/// The keys whose values are rewritten where they stand.
const REWRITTEN: &[&str] = &["paths", "partial", "tests", "errors", "exits"];

/// Rewrites the file in place. Says whether anything changed. What stands on the line of a run stays as it is.
pub fn bless(test: &TestFile, outcome: &Outcome) -> Result<bool, String> {
    let problem = |e: std::io::Error| format!("{}: {e}", test.path.display());
    let source = std::fs::read_to_string(&test.path).map_err(problem)?;
    let expected = Expectations::parse(&source, test.marker)?;
    let file_name = test.path.file_name().unwrap_or_default().to_string_lossy();
    let text = rewritten(&source, test.marker, &expected, outcome, &file_name);
    if text == source {
        return Ok(false);
    }
    std::fs::write(&test.path, text).map_err(problem)?;
    Ok(true)
}

/// The source with its expectations about errors and numbers replaced by what was found. Expectations that hold stay
/// as they are written, so that a short text or a range is not blown up.
pub fn rewritten(source: &str, marker: &str, expected: &Expectations, outcome: &Outcome, file_name: &str) -> String {
    let tilde = format!("{marker}~");
    let reported = &outcome.summary.errors;
    let unexpected: Vec<&ReportedError> =
        reported.iter().filter(|r| !expected.errors.iter().any(|e| matches(e, r, file_name))).collect();
    let mut lines = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let number = index as u32 + 1;
        let mut parts = line.split(&tilde);
        let code = parts.next().unwrap_or_default();
        if code.trim_start().strip_prefix(marker).is_some_and(|comment| comment.trim_start().starts_with("run:")) {
            lines.push(line.to_string());
            continue;
        }
        let mut annotations: Vec<String> =
            parts.filter_map(|part| updated(part.trim(), number, expected, outcome, file_name)).collect();
        let here = unexpected.iter().filter(|r| r.line == number && base_name(&r.file) == file_name);
        annotations.extend(here.map(|r| format!("{}: {}", r.kind, r.message)));
        if annotations.is_empty() {
            // A line that held nothing but expectations goes with them; its error's line number must not move, so
            // only lines after all code may go, which is where they are written.
            if !line.contains(&tilde) || !code.trim().is_empty() {
                lines.push(code.trim_end().to_string());
            }
            continue;
        }
        let joined: Vec<String> = annotations.iter().map(|a| format!("{tilde} {a}")).collect();
        lines.push(format!(
            "{}{}",
            if code.trim().is_empty() { code.to_string() } else { format!("{} ", code.trim_end()) },
            joined.join(" ")
        ));
    }
    let elsewhere = unexpected.iter().filter(|r| r.line == 0 || base_name(&r.file) != file_name);
    lines.extend(elsewhere.map(|r| format!("{tilde} error: {}: {}", r.kind, r.message)));
    lines.join("\n") + "\n"
}

/// An annotation as it should read now, or nothing if it names an error that was not reported.
fn updated(text: &str, line: u32, expected: &Expectations, outcome: &Outcome, file_name: &str) -> Option<String> {
    let key = text.split(':').next().unwrap_or_default().trim();
    let summary = &outcome.summary;
    if key == "error" || crate::KINDS.contains(&key) {
        let own = Expectations::parse(&format!("//~ {text}"), "//").ok()?;
        let mut error = own.errors.into_iter().next()?;
        error.line = error.line.map(|_| line);
        return summary.errors.iter().any(|r| matches(&error, r, file_name)).then(|| text.to_string());
    }
    if !REWRITTEN.contains(&key) {
        return Some(text.to_string());
    }
    let number = |range: Option<crate::Range>, found: u64| {
        let holds = range.is_some_and(|range| range.contains(found));
        if holds { text.to_string() } else { format!("{key}: {found}") }
    };
    Some(match key {
        "paths" => number(expected.paths, summary.paths.completed),
        "partial" => number(expected.partial, summary.paths.partial),
        "tests" => number(expected.tests, summary.tests),
        "errors" => number(expected.error_count, summary.errors.iter().map(|error| error.count).sum()),
        "exits" => match &expected.exits {
            Some(Statuses::Counted(_)) => format!("exits: {}", Statuses::Counted(summary.exits.clone())),
            Some(Statuses::Set(_)) | None => {
                format!("exits: {}", Statuses::Set(summary.exits.keys().copied().collect()))
            }
        },
        other => unreachable!("{other} is not among the rewritten keys"),
    })
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Coverage, Covered, Paths, Summary};

    fn rewrite(source: &str, errors: &[(&str, u32, &str)]) -> String {
        let error = |(kind, line, message): &(&str, u32, &str)| ReportedError {
            kind: kind.to_string(),
            file: if *line == 0 { String::new() } else { "dir/p.c".into() },
            line: *line,
            message: message.to_string(),
            count: 1,
        };
        let all = Covered { covered: 1, total: 1 };
        let outcome = Outcome {
            folder: tempfile::TempDir::new().unwrap(),
            status: Some(1),
            stderr: String::new(),
            summary: Summary {
                stopped: "finished".into(),
                paths: Paths { completed: 4, partial: 0 },
                tests: 4,
                errors: errors.iter().map(error).collect(),
                coverage: Coverage { lines: all, instructions: all, branches: all },
                exits: [(0, 3), (9, 1)].into(),
            },
            tests: vec![],
            outputs: vec![],
        };
        rewritten(source, "//", &Expectations::parse(source, "//").unwrap(), &outcome, "p.c")
    }

    #[test]
    fn what_holds_is_left_alone() {
        let source = "// run: --search=dfs //~ paths: 9\nx(); //~ abort: abort\n//~ paths: 2..5\n//~ exits: 0 9\n";
        assert_eq!(rewrite(source, &[("abort", 2, "abort called")]), source);
    }

    #[test]
    fn errors_come_and_go_and_numbers_change() {
        let source = "x(); //~ abort\ny();\n//~ paths: 2\n//~ error: leak\n//~ exits: 0*1\n";
        let errors = [("overshift", 2, "by 40"), ("stack-overflow", 0, "too deep")];
        let expected = "x();\ny(); //~ overshift: by 40\n//~ paths: 4\n//~ exits: 0*3 9*1\n\
                        //~ error: stack-overflow: too deep\n";
        assert_eq!(rewrite(source, &errors), expected);
    }
}
