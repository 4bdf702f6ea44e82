//! What a run did against what its file promises.

use crate::{Expectations, ExpectedError, ExpectedInput, InputValue, KTest, Outcome, ReportedError, Statuses};
use std::collections::BTreeMap;

/// The differences, one line each and telling both sides; empty if the run met every expectation. `file_name` is the
/// name of the test without folders, and `folder` the promise it is filed under.
pub fn compare(expected: &Expectations, outcome: &Outcome, file_name: &str, folder: &str) -> Vec<String> {
    let mut differences = Vec::new();
    let summary = &outcome.summary;
    compare_errors(&expected.errors, &summary.errors, file_name, &mut differences);
    if folder == "bugs" && expected.errors.is_empty() {
        differences.push("a test in bugs/ must expect an error".into());
    }
    if folder == "clean" && !expected.errors.is_empty() {
        differences.push("a test in clean/ must expect no error".into());
    }
    let mut differ = |what: &str, wanted: &dyn std::fmt::Display, found: &dyn std::fmt::Display| {
        differences.push(format!("{what}: expected {wanted}, found {found}"));
    };
    let found_errors: u64 = summary.errors.iter().map(|error| error.count).sum();
    let numbers = [
        ("paths", expected.paths, summary.paths.completed),
        ("partial", expected.partial, summary.paths.partial),
        ("tests", expected.tests, summary.tests),
        ("errors", expected.error_count, found_errors),
    ];
    for (what, wanted, found) in numbers {
        if let Some(wanted) = wanted.filter(|range| !range.contains(found)) {
            differ(what, &wanted, &found);
        }
    }
    if summary.tests != outcome.tests.len() as u64 {
        differ(".ktest files", &format!("the {} of summary.json", summary.tests), &outcome.tests.len());
    }
    if let Some(wanted) = &expected.exits
        && !statuses_match(wanted, &summary.exits)
    {
        differ("exits", wanted, &Statuses::Counted(summary.exits.clone()));
    }
    let stopped = expected.stopped.as_deref().unwrap_or("finished");
    if stopped != summary.stopped {
        differ("stopped", &stopped, &summary.stopped);
    }
    let lines = summary.coverage.lines;
    if let Some((covered, total)) = expected.covered
        && covered * lines.total != total * lines.covered
    {
        differ("covered", &format!("{covered}/{total}"), &format!("{}/{}", lines.covered, lines.total));
    }
    let statuses: &[i32] = match () {
        () if expected.errors.is_empty() => &[0],
        () if expected.errors.iter().all(|error| error.kind == "unsupported") => &[0, 1],
        () => &[1],
    };
    if !outcome.status.is_some_and(|status| statuses.contains(&status)) {
        differ("exit status of osier", &format!("{statuses:?}"), &format!("{:?}", outcome.status));
    }
    for output in expected.outputs.iter().filter(|output| !outcome.outputs.contains(output)) {
        let mut found: Vec<String> = outcome.outputs.iter().map(|bytes| bytes.escape_ascii().to_string()).collect();
        found.sort();
        found.dedup();
        differ("output", &output.escape_ascii(), &found.join(" | "));
    }
    for text in expected.prints.iter().filter(|text| !outcome.stderr.contains(text.as_str())) {
        differ("prints", text, &format!("\n{}", crate::run::indent(&outcome.stderr)));
    }
    for inputs in &expected.inputs {
        if !outcome.tests.iter().any(|(_, test)| has_inputs(test, inputs)) {
            differ("test", &show_inputs(inputs), &"none such");
        }
    }
    for inputs in &expected.absent_inputs {
        if let Some((path, _)) = outcome.tests.iter().find(|(_, test)| has_inputs(test, inputs)) {
            differ("no test", &show_inputs(inputs), &path.file_name().unwrap_or_default().to_string_lossy());
        }
    }
    differences
}

fn compare_errors(
    expected: &[ExpectedError],
    reported: &[ReportedError],
    file_name: &str,
    differences: &mut Vec<String>,
) {
    for error in expected.iter().filter(|e| !reported.iter().any(|r| matches(e, r, file_name))) {
        differences.push(format!("not reported: {error}"));
    }
    for error in reported.iter().filter(|r| !expected.iter().any(|e| matches(e, r, file_name))) {
        differences.push(format!("not expected: {}:{}: {}: {}", error.file, error.line, error.kind, error.message));
    }
}

/// Whether a reported error is the expected one. A line is a line of the test itself, not of a file that it includes.
pub(crate) fn matches(expected: &ExpectedError, reported: &ReportedError, file_name: &str) -> bool {
    let base = reported.file.rsplit('/').next().unwrap_or_default();
    expected.kind == reported.kind
        && expected.line.is_none_or(|line| line == reported.line && base == file_name)
        && reported.message.contains(&expected.text)
}

fn statuses_match(wanted: &Statuses, found: &BTreeMap<i64, u64>) -> bool {
    match wanted {
        Statuses::Set(set) => found.iter().filter(|(_, count)| **count > 0).map(|(status, _)| status).eq(set),
        Statuses::Counted(counts) => found.iter().filter(|(_, count)| **count > 0).eq(counts),
    }
}

fn has_inputs(test: &KTest, inputs: &[ExpectedInput]) -> bool {
    inputs.iter().all(|input| {
        let objects = test.objects.iter().filter(|object| object.name == input.object);
        objects.into_iter().any(|object| match &input.value {
            InputValue::Text(text) => object.bytes.starts_with(text),
            InputValue::Number(number) => {
                let wanted = number.to_le_bytes();
                object.bytes.len() <= wanted.len() && wanted.starts_with(&object.bytes)
            }
        })
    })
}

fn show_inputs(inputs: &[ExpectedInput]) -> String {
    let show = |input: &ExpectedInput| match &input.value {
        InputValue::Number(number) => format!("{}={number}", input.object),
        InputValue::Text(text) => format!("{}=\"{}\"", input.object, text.escape_ascii()),
    };
    inputs.iter().map(show).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
