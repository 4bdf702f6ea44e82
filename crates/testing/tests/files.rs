//! Every program under `tests/` is a test: `osier run` must do what its comments say, whether questions about the other
//! sides of branches are asked at once or later.

use libtest_mimic::{Arguments, Failed, Trial};
use osier_testing::{Expectations, TestFile, bless, compare, find_tests, osier_binary, run, tests_folder};

fn main() {
    let arguments = Arguments::from_args();
    let tests = find_tests(&tests_folder()).unwrap_or_else(|problem| panic!("{problem}"));
    let trials = tests.into_iter().map(|test| {
        let name = test.name.clone();
        Trial::test(name, move || check(&test).map_err(Failed::from))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn check(test: &TestFile) -> Result<(), String> {
    let osier = osier_binary()?;
    let source = std::fs::read_to_string(&test.path).map_err(|e| e.to_string())?;
    let expected = Expectations::parse(&source, test.marker)?;
    let file_name = test.path.file_name().unwrap_or_default().to_string_lossy();
    let mut report = String::new();
    let runs = expected
        .runs
        .iter()
        .flat_map(|one| in_both_orders(&one.options).into_iter().map(move |options| (one, options)));
    for (one, options) in runs {
        let outcome = run(&osier, &options, &test.path, &expected.args)?;
        let differences = compare(&expected.of_run(one)?, &outcome, &file_name, &test.folder);
        if !differences.is_empty() {
            report += &format!("osier run {}\n  {}\n", shown(&options), differences.join("\n  "));
            if std::env::var_os("OSIER_BLESS").is_some() && bless(test, &outcome)? {
                report += "  rewritten for review\n";
                break;
            }
        }
    }
    match (test.folder.as_str(), report.is_empty()) {
        ("fixme", true) => Err("holds now: file it under what it promises".into()),
        ("fixme", false) | (_, true) => Ok(()),
        (_, false) => Err(report),
    }
}

/// The options as they are and, unless they say themselves when questions are asked, with pending constraints.
fn in_both_orders(options: &[String]) -> Vec<Vec<String>> {
    let says = |option: &String| {
        ["--pending", "--no-pending", "--relaxed-checks", "--search=zesti"].contains(&option.as_str())
    };
    let deferred = || [options, &["--pending".to_string()]].concat();
    std::iter::once(options.to_vec()).chain((!options.iter().any(says)).then(deferred)).collect()
}

fn shown(options: &[String]) -> String {
    let quote = |word: &String| if word.contains(' ') { format!("'{word}'") } else { word.clone() };
    options.iter().map(quote).collect::<Vec<_>>().join(" ")
}
