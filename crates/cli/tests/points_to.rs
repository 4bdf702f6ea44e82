//! `osier points-to`: what it shows, and what it says of bad input.

use assert_cmd::Command;
use serde_json::Value;

const MATRIX: &str = "void *malloc(unsigned long);
int main(int argc, char **argv) {
  int **matrix = malloc(10 * sizeof(int *));
  for (int i = 0; i < 10; i++)
    matrix[i] = malloc(10 * sizeof(int));
  return matrix[argc][argc];
}
";

fn points_to(arguments: &[&str]) -> (bool, String, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("matrix.c"), MATRIX).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_osier"));
    let output = command.current_dir(folder.path()).arg("points-to").args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[test]
fn segments_and_sets_are_shown_with_their_lines() {
    let (good, shown, _) = points_to(&["--libc", "none", "--all", "--sets", "matrix.c"]);
    assert!(good);
    assert!(shown.contains("segment0: 1 object"), "{shown}");
    assert!(shown.contains("malloc at matrix.c:3 (main), 80 bytes"), "{shown}");
    assert!(shown.contains("matrix.c:6 (main) read: malloc at matrix.c:5 (main), 40 bytes"), "{shown}");
}

#[test]
fn json_holds_the_same() {
    let (good, shown, _) = points_to(&["--libc", "none", "--json", "matrix.c"]);
    assert!(good);
    let page: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(page["segments"].as_array().unwrap().len(), 2);
    assert_eq!(page["complete"], true);
    let sizes: Vec<u64> = page["objects"].as_array().unwrap().iter().filter_map(|o| o["size"].as_u64()).collect();
    assert!(sizes.contains(&80) && sizes.contains(&40), "{sizes:?}");
}

#[test]
fn an_entry_that_is_not_there_is_named() {
    let (good, _, said) = points_to(&["--libc", "none", "--entry", "nowhere", "matrix.c"]);
    assert!(!good && said.contains("nowhere"), "{said}");
}
