//! The table of rooms in ARCHITECTURE.md against what the crates use.

use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each room with the rooms that it uses.
type Rooms = BTreeMap<String, BTreeSet<String>>;

/// Open to all, so no row names it.
const OPEN: &str = "base";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Nothing for a normal dependency; `dev` and `build` ones are no arrows.
    kind: Option<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The library's package has the project's name; the others have their room's behind it.
fn room(package: &str) -> Option<String> {
    if package == "osier" { Some(package.into()) } else { package.strip_prefix("osier-").map(str::to_owned) }
}

/// The rows of the one table whose head is `room`, `what it is`, `uses`.
fn table(text: &str) -> Rooms {
    let cells = |line: &str| -> Vec<String> {
        line.trim()
            .trim_start_matches('|')
            .trim_end_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let rows = text.lines().skip_while(|line| cells(line) != ["room", "what it is", "uses"]).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .map(|line| {
            let row = cells(line);
            assert_eq!(row.len(), 3, "a row of ARCHITECTURE.md has other than three cells: {line}");
            let uses = row[2].split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
            (row[0].clone(), uses.collect())
        })
        .collect()
}

fn crates(json: &[u8]) -> Rooms {
    let metadata: Metadata = serde_json::from_slice(json).expect("cargo's metadata is JSON");
    let uses = |package: &Package| {
        let normal = package.dependencies.iter().filter(|dependency| dependency.kind.is_none());
        normal.filter_map(|dependency| room(&dependency.name)).filter(|name| name != OPEN).collect()
    };
    let rooms = metadata.packages.iter().filter_map(|package| Some((room(&package.name)?, uses(package))));
    rooms.collect()
}

/// Every difference, as a sentence.
fn differences(table: &Rooms, crates: &Rooms) -> Vec<String> {
    let mut found = Vec::new();
    for (room, uses) in crates {
        let Some(may) = table.get(room) else {
            found.push(format!("{room} has no row"));
            continue;
        };
        found.extend(uses.difference(may).map(|other| format!("{room} uses {other}, which its row does not name")));
        found.extend(may.difference(uses).map(|other| format!("{room} does not use {other}, which its row names")));
    }
    found.extend(
        table.keys().filter(|room| !crates.contains_key(*room)).map(|room| format!("{room} has a row, no crate")),
    );
    found
}

#[test]
fn crates_use_what_the_map_says() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the map is there");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = differences(&table(&text), &crates(&output.stdout));
    assert!(found.is_empty(), "ARCHITECTURE.md and the crates differ:\n  {}", found.join("\n  "));
}

#[test]
fn each_kind_of_difference_is_found() {
    let map = "text\n| room | what it is | uses |\n|---|---|---|\n| ir | data | |\n| exec | steps | ir, term |\n| old | gone | |\n\nmore";
    let json = br#"{"packages": [
        {"name": "osier-ir", "dependencies": [{"name": "osier-base", "kind": null}, {"name": "osier-exec", "kind": "dev"}]},
        {"name": "osier-exec", "dependencies": [{"name": "osier-ir", "kind": null}, {"name": "osier-search", "kind": null}]},
        {"name": "osier", "dependencies": [{"name": "serde", "kind": null}]}
    ]}"#;
    assert_eq!(
        differences(&table(map), &crates(json)),
        [
            "exec uses search, which its row does not name",
            "exec does not use term, which its row names",
            "osier has no row",
            "old has a row, no crate"
        ]
    );
}
