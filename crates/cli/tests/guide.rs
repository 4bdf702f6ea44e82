//! The guide names everything that there is to name, and shows the example as it is.

mod common;

use common::{BUG, Place};
use osier::outcome::Kind;
use std::path::Path;

fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
}

#[track_caller]
fn has(guide: &str, what: &str) {
    assert!(guide.contains(what), "docs/guide.md does not have {what}");
}

#[test]
fn the_guide_names_every_option() {
    let (guide, place) = (file("docs/guide.md"), Place::new());
    for command in ["run", "replay", "solve"] {
        let help = place.osier(&[command, "--help"]).out;
        let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let options: Vec<&str> = words.filter(|word| word.starts_with("--") && *word != "--help").collect();
        assert!(options.len() > 4, "{help}");
        options.into_iter().for_each(|option| has(&guide, &format!("`{option}")));
    }
}

#[test]
fn the_guide_names_every_strategy_check_and_kind() {
    let guide = file("docs/guide.md");
    osier::STRATEGIES.iter().for_each(|row| has(&guide, &format!("| `{}` |", row.name)));
    osier::MONITORS.iter().for_each(|row| has(&guide, &format!("`{}`", row.name)));
    Kind::ALL.iter().for_each(|kind| has(&guide, &format!("| `{kind}` |")));
}

#[test]
fn the_guide_names_every_key_of_the_summary_and_every_file_of_a_run() {
    let (guide, place) = (file("docs/guide.md"), Place::with_programs());
    place.osier(&["run", "bug.c"]);
    let summary = std::fs::read(place.path().join("osier-last/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    let mut open = vec![&summary];
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Object(fields) => {
                for (key, value) in fields.iter().filter(|(key, _)| key.parse::<i32>().is_err()) {
                    has(&guide, &format!("`{key}`"));
                    open.push(value);
                }
            }
            serde_json::Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    for entry in std::fs::read_dir(place.path().join("osier-last")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        has(
            &guide,
            &format!(
                "`{}`",
                name.replace("000001", "NNNNNN").replace("000002", "NNNNNN").replace("out-of-bounds", "KIND")
            ),
        );
    }
}

#[test]
fn the_guide_names_every_intrinsic() {
    let guide = file("docs/guide.md");
    let header = file("runtime/include/klee/klee.h");
    let names = header.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.starts_with("klee_"));
    for name in names {
        let short = name.strip_prefix("klee_get").filter(|rest| rest.starts_with("_value"));
        assert!(
            guide.contains(name) || short.is_some_and(|name| guide.contains(name)),
            "docs/guide.md does not have {name}"
        );
    }
}

#[test]
fn the_guide_shows_the_examples_as_they_are() {
    let guide = file("docs/guide.md");
    has(&guide, BUG);
    let example = file("crates/osier/examples/paths.rs");
    has(&guide, example.split_once("\n\n").expect("a comment, then the program").1);
}
