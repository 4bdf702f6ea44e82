//! The options that describe the program's world.

mod common;

use common::Place;

/// Shows its arguments, a variable, two files and its standard input.
const LOOKS: &str = r#"#include <stdio.h>
#include <stdlib.h>

static void show(const char *name) {
  char line[64] = "none\n";
  FILE *file = fopen(name, "r");
  if (file && fgets(line, sizeof line, file)) {}
  printf("%s: %s", name, line);
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    printf("[%s]", argv[i]);
  printf("\n%s\n", getenv("NAME") ? getenv("NAME") : "unset");
  show("given");
  show("/deep/er/inner");
  int byte;
  while ((byte = getchar()) != EOF)
    putchar(byte);
  return 0;
}
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("looks.c", LOOKS);
    place.write("given", "from the host\n");
    std::fs::create_dir_all(place.path().join("folder/er")).unwrap();
    place.write("folder/er/inner", "deep\n");
    place.write("input", "typed\n");
    place
}

#[test]
fn host_files_folders_variables_and_standard_input_are_found() {
    let place = place();
    let options = ["--file", "given", "--dir", "folder=/deep", "--env", "NAME=value", "--stdin", "input"];
    let words = [&["run", "--echo"][..], &options, &["looks.c", "-x", "--", "--sym-arg"]].concat();
    let said = place.osier(&words);
    assert_eq!(said.status, Some(0), "{said:?}");
    let expected = "[-x][--][--sym-arg]\nvalue\ngiven: from the host\n/deep/er/inner: deep\ntyped\n";
    assert!(said.out.starts_with(expected), "{said:?}");
    // A replay gets the same world from the run folder.
    let replayed = place.osier(&["replay", "looks.c", "osier-last"]);
    assert_eq!(replayed.status, Some(0), "{replayed:?}");
}

#[test]
fn without_options_the_world_is_empty() {
    let place = place();
    let said = place.osier(&["run", "--echo", "looks.c"]);
    assert!(said.out.starts_with("\nunset\ngiven: none\n/deep/er/inner: none\n"), "{said:?}");
}

#[test]
fn a_template_leaves_its_question_marks_open() {
    let place = Place::new();
    place.write("template", "a?c");
    let program = "#include <stdio.h>\nint main(void) {\n  FILE *f = fopen(\"in\", \"r\");\n  int a = getc(f), b = getc(f), c \
                   = getc(f);\n  if (a != 'a' || c != 'c' || getc(f) != EOF) return 9;\n  if (b == 'b') return 1;\n  return 0;\n}\n";
    place.write("reads.c", program);
    let said = place.osier(&["run", "--sym-file", "in", "template", "reads.c"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let summary = std::fs::read_to_string(place.path().join("osier-last/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["exits"], serde_json::json!({"0": 1, "1": 1}));
}

#[test]
fn options_among_the_arguments_keep_their_place() {
    let place = Place::new();
    place.write(
        "three.c",
        "int main(int argc, char **argv) { return argc == 4 && *argv[2] == 'x' && *argv[3] == 'l'; }\n",
    );
    let said = place.osier(&["run", "three.c", "first", "-sym-arg", "1", "last"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    let shown = place.osier(&["test", "show", "osier-last/test000001.ktest"]);
    assert!(shown.out.contains(r#"["three.c", "first", "--sym-arg", "1", "last"]"#), "{shown:?}");
}

#[test]
fn mistakes_are_named() {
    let place = Place::with_programs();
    place.refuses(&["run", "--sym-arg", "many", "good.c"], 2, &["--sym-arg", "many", "number"]);
    place.refuses(&["run", "--sym-args", "3", "1", "4", "good.c"], 2, &["--sym-args", "3 is more than 1"]);
    place.refuses(&["run", "good.c", "--sym-args", "1"], 2, &["--sym-args needs MIN MAX N"]);
    place.refuses(&["run", "--sym-files", "27", "4", "good.c"], 2, &["A to Z"]);
    place.refuses(&["run", "--file", "missing", "good.c"], 2, &["cannot read missing"]);
    place.refuses(&["run", "--dir", "missing", "good.c"], 2, &["cannot read missing"]);
    place.refuses(&["run", "--stdin", "missing", "good.c"], 2, &["cannot read missing"]);
    place.refuses(&["run", "--env", "NAME", "good.c"], 2, &["NAME=VALUE"]);
    place.refuses(&["run", "--sym-file", "in", "missing", "good.c"], 2, &["cannot read missing"]);
}
