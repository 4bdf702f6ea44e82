//! Seeds: inputs that a run starts from, made, loaded, followed and given back.

mod common;

use common::{Place, Said};

/// Aborts for one command line and one input, which no search finds at once.
const PICKY: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  char text[8];
  if (fread(text, 1, sizeof text, stdin) < sizeof text)
    return 1;
  if (argc == 3 && !strcmp(argv[1], "--deep") && !strcmp(argv[2], "x") && !memcmp(text, "password", sizeof text))
    abort();
  return 0;
}
"#;

/// Reads a file that is symbolic in a run.
const READER: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *file = fopen("A", "r");
  if (!file)
    return 1;
  int first = getc(file), second = getc(file);
  if (first == 'o' && second == 'k')
    abort();
  return 0;
}
"#;

/// Two objects of its own.
const OBJECTS: &str = r#"#include <klee/klee.h>
#include <stdlib.h>

int main(void) {
  char key[4];
  klee_make_symbolic(key, sizeof key, "key");
  if (key[0] == 'a' && key[1] == 'b' && key[2] == 'c' && key[3] == 'd' && klee_int("n") == -77)
    abort();
  return 0;
}
"#;

/// Reads past the end of a table if two factors are guessed, which takes a solver longer than a seed waits.
const FACTORS: &str = r#"#include <klee/klee.h>
#include <stdint.h>
#include <stdio.h>

static const unsigned char table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

int main(void) {
  uint32_t x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  int guessed = (x > 1) & (x < y) & (y < (1 << 18)) & ((uint64_t)x * y == 36472021147ull);
  printf("%d\n", table[(x & 3) + 8 * guessed]);
  return 0;
}
"#;

/// Allocates as much as the input says, and aborts for more than Osier follows without a seed.
const SIZES: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(void) {
  unsigned char size[2];
  if (fread(size, 1, sizeof size, stdin) < sizeof size)
    return 1;
  size_t length = size[0] | size[1] << 8;
  char *block = calloc(length, 1);
  if (block && length == 20000 && !block[length - 1])
    abort();
  return 0;
}
"#;

const SET_UP: [&str; 6] = ["--sym-args", "0", "2", "6", "--sym-stdin", "8"];

fn place() -> Place {
    let place = Place::new();
    for (name, text) in [("picky.c", PICKY), ("reader.c", READER), ("objects.c", OBJECTS)] {
        place.write(name, text);
    }
    place.write("input", "password");
    place
}

#[track_caller]
fn osier(place: &Place, words: &[&str], status: i32) -> Said {
    let said = place.osier(words);
    assert_eq!(said.status, Some(status), "{words:?}: {said:?}");
    said
}

/// The first path that such a run finishes is the seed's, and aborts.
#[track_caller]
fn aborts_at_once(place: &Place, words: &[&str]) -> Said {
    let said = osier(place, &[&["run", "--max-tests=1"], words].concat(), 1);
    assert!(said.out.contains("error[abort]"), "{said:?}");
    said
}

#[test]
fn a_made_test_is_followed_exactly_and_replays() {
    let place = place();
    let make = ["test", "make", "-o", "seed.ktest", "--stdin", "input", "picky.c"];
    let said = osier(&place, &[&make, &SET_UP[..], &["--", "--deep", "x"]].concat(), 0);
    assert_eq!(
        said.out, "start from it: osier run --seed-file seed.ktest picky.c --sym-args 0 2 6 --sym-stdin 8\n",
        "{said:?}"
    );
    let said = aborts_at_once(&place, &[&["--seed-file=seed.ktest", "picky.c"], &SET_UP[..]].concat());
    assert_eq!(said.err, "", "nothing had to be changed");
    osier(&place, &["replay", "picky.c", "osier-last"], 0);
    let native = osier(&place, &["replay", "picky.c", "seed.ktest"], 0);
    assert!(native.out.contains("seed.ktest: ABRT"), "{native:?}");
    // The run's own test says what the seed said.
    let shown = |file| osier(&place, &["test", "show", file], 0).out.split_once("num objects").unwrap().1.to_owned();
    assert_eq!(shown("seed.ktest"), shown("osier-last/test000001.ktest"));
}

#[test]
fn without_options_all_of_the_input_is_symbolic() {
    let place = place();
    let make = ["test", "make", "-o", "seed.ktest", "--stdin", "input", "picky.c", "--", "--deep", "x"];
    let said = osier(&place, &make, 0);
    let line = "--seed-file seed.ktest picky.c --sym-arg 6 --sym-arg 1 --sym-stdin 8\n";
    assert_eq!(said.out, format!("start from it: osier run {line}"));
    aborts_at_once(&place, &line.split_whitespace().collect::<Vec<_>>());
    place.write("ok", "ok");
    osier(&place, &["test", "make", "-o", "file.ktest", "--file", "ok=A", "reader.c"], 0);
    aborts_at_once(&place, &["--seed-file=file.ktest", "reader.c", "--sym-files", "1", "2"]);
}

#[test]
fn objects_of_the_program_have_their_values_by_name() {
    let place = place();
    place.write("key", "abcd");
    let values = ["--object", "key=key", "--int", "n=-77"];
    osier(&place, &[&["test", "make", "-o", "seed.ktest"], &values[..], &["objects.c"]].concat(), 0);
    aborts_at_once(&place, &["--seed-file=seed.ktest", "objects.c"]);
}

#[test]
fn a_plain_file_is_what_the_run_leaves_open() {
    let place = place();
    place.write("ok", "ok");
    let said = aborts_at_once(&place, &["--seed-file=ok", "reader.c", "--sym-files", "1", "4"]);
    assert_eq!(said.err, "warning: A-data has 4 bytes: of the seeds for it 1 filled up with zeros\n");
    place.write("key", "abcd");
    osier(&place, &["run", "--seed-file=key", "--max-tests=1", "objects.c"], 0);
    let shown = osier(&place, &["test", "show", "osier-last/test000001.ktest"], 0).out;
    assert!(shown.contains("data: \"abcd\""), "{shown}");
}

#[test]
fn what_is_hard_to_check_on_a_seeds_way_is_checked_behind_it() {
    let place = place();
    place.write("factors.c", FACTORS);
    place.write("x", "1234");
    osier(&place, &["run", "--seed-file=x", "factors.c"], 1);
    let endings = std::fs::read_to_string(place.path().join("osier-last/endings.txt")).unwrap();
    assert!(endings.contains(" error out-of-bounds\n"), "{endings}");
    let mut tests = endings.lines().filter(|line| line.contains(" exit 0 ")).filter_map(|line| line.split(' ').next());
    let is_seed = |test: &str| {
        let shown = osier(&place, &["test", "show", &format!("osier-last/{test}.ktest")], 0).out;
        shown.contains("data: \"1234\"")
    };
    assert!(tests.any(is_seed), "{endings}");
}

#[test]
fn a_fuzzers_folder_is_taken_as_it_is() {
    let place = place();
    let queue = place.path().join("out/default/queue");
    std::fs::create_dir_all(queue.join(".state/auto_extras")).unwrap();
    std::fs::create_dir_all(place.path().join("out/default/crashes")).unwrap();
    for (name, bytes) in [
        ("queue/id:000000,time:0,orig:a", "short"),
        ("queue/id:000001,src:000000,op:havoc", "passwords"),
        ("queue/.state/auto_extras/x", "state"),
        ("crashes/README.txt", "read me"),
        ("crashes/id:000000,sig:06", "password"),
        ("fuzzer_stats", "start_time : 1"),
    ] {
        place.write(&format!("out/default/{name}"), bytes);
    }
    let words = ["run", "--seed-dir=out", "--max-tests=2", "picky.c", "--sym-stdin", "8"];
    let said = osier(&place, &words, 0);
    assert_eq!(said.err, "warning: stdin has 8 bytes: of the seeds for it 1 filled up with zeros, 1 cut\n");
}

#[test]
fn what_is_no_seed_is_named_and_skipped() {
    let place = place();
    place.write("bad.ktest", "KTEST");
    place.write("good", "password");
    let options = ["--seed-file=bad.ktest", "--seed-file=good", "--max-tests=1"];
    let said = osier(&place, &[&["run"], &options[..], &["picky.c", "--sym-stdin", "8"]].concat(), 0);
    assert!(said.err.starts_with("warning: skipped a seed: bad.ktest: truncated: the file ends at byte 5"), "{said:?}");
    std::fs::create_dir(place.path().join("empty")).unwrap();
    let run = |seed: &str, words: &[&str]| place.refuses(&["run", seed, "picky.c", "--sym-stdin", "8"], 2, words);
    run("--seed-file=bad.ktest", &["no seed is left to start from", "bad.ktest: truncated"]);
    run("--seed-dir=empty", &["no seed is left to start from", "empty has no file that could be a seed"]);
    run("--seed-dir=nowhere", &["cannot read nowhere: No such file"]);
    run("--seed-file=nowhere", &["cannot read nowhere: No such file"]);
    run("--seed-dir=good", &["cannot read good: Not a directory"]);
}

#[test]
fn tests_that_cannot_be_made_are_refused() {
    let place = place();
    let make = |words: &[&str], said: &[&str]| {
        place.refuses(&[&["test", "make", "-o", "seed.ktest"], words].concat(), 2, said);
    };
    make(&["p", "--sym-arg", "3", "--", "long"], &["`long` has 4 bytes", "up to 3"]);
    make(&["p", "-v", "--sym-arg", "3", "--", "-x", "a"], &["`-x` stands where the run has `-v`"]);
    make(&["p", "--sym-arg", "3", "--"], &["the words end where the run has an argument of up to 3 bytes"]);
    make(&["p", "--sym-arg", "3", "--", "a", "b"], &["`b` is one word more"]);
    make(&["p", "--sym-args", "2", "1", "3"], &["--sym-args: 2 is more than 1"]);
    make(&["--stdin", "nowhere", "p"], &["cannot read nowhere: No such file"]);
    make(&["--file", "nowhere=A", "p"], &["cannot read nowhere: No such file"]);
    make(&["--file", "input=A", "--file", "input=A", "p"], &["/A is given twice"]);
    make(&["--object", "x", "p"], &["--object x: write NAME=FILE"]);
    make(&["--int", "x=300:1", "p"], &["300 does not fit into 1 bytes"]);
    make(&["--int", "x=3:3", "p"], &["write NAME=VALUE"]);
    make(&[], &["PROGRAM"]);
    place.refuses(&["test", "make", "p"], 2, &["--out"]);
    place.refuses(&["test", "make", "-o", "no/such/seed", "p"], 3, &["cannot write no/such/seed"]);
}

#[test]
fn inputs_that_are_too_long_or_short_are_fitted_and_it_is_told() {
    let place = place();
    let make = ["test", "make", "-o", "seed.ktest", "--stdin", "input", "p", "--sym-stdin"];
    let said = osier(&place, &[&make[..], &["5"]].concat(), 0);
    assert_eq!(said.err, "warning: stdin has 5 bytes in the run: what was given is cut\n");
    let said = osier(&place, &[&make[..], &["9"]].concat(), 0);
    assert_eq!(said.err, "warning: stdin has 9 bytes in the run: what was given is filled up with zeros\n");
    assert!(osier(&place, &["test", "show", "seed.ktest"], 0).out.contains("data: \"password\\x00\""));
}

#[test]
fn a_runs_inputs_go_out_as_plain_files_and_come_in_again() {
    let place = place();
    osier(&place, &["run", "--out=run", "picky.c", "--sym-stdin", "8"], 0);
    let said = osier(&place, &["test", "export", "-o", "corpus", "run", "run/test000001.ktest"], 0);
    let files: Vec<_> = std::fs::read_dir(place.path().join("corpus")).unwrap().map(|e| e.unwrap().path()).collect();
    assert!(said.out.starts_with(&format!("{} new inputs in corpus, ", files.len())), "{said:?} {files:?}");
    assert!(files.iter().all(|file| std::fs::metadata(file).unwrap().len() == 8), "{files:?}");
    let again = osier(&place, &["run", "--seed-dir=corpus", "picky.c", "--sym-stdin", "8"], 0);
    assert_eq!(again.err, "", "{again:?}");
    // The folder grows: what is there stays, and what is known is not written again.
    osier(&place, &["test", "make", "-o", "test000001.ktest", "--stdin", "input", "p"], 0);
    let said = osier(&place, &["test", "export", "-o", "corpus", "run", "test000001.ktest"], 0);
    assert!(said.out.starts_with("1 new inputs in corpus"), "{said:?}");
    assert_eq!(std::fs::read_dir(place.path().join("corpus")).unwrap().count(), files.len() + 1);
    osier(&place, &["test", "export", "-o", "stats", "--object", "stdin-stat", "run"], 0);
    place.refuses(&["test", "export", "-o", "c", "--object", "x", "run"], 2, &["nothing to export", "no object x"]);
    place.refuses(&["test", "export", "-o", "c", "nowhere.ktest"], 2, &["cannot read nowhere.ktest"]);
    place.write("empty", "");
    place.refuses(&["test", "export", "-o", "c", "empty"], 2, &["empty: not a .ktest file"]);
    place.refuses(&["test", "export", "-o", "empty", "run"], 3, &["cannot make empty"]);
}

#[test]
fn the_page_on_seeds_names_every_option_and_shows_the_program_as_it_is() {
    let file = |path: &str| {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        std::fs::read_to_string(&path).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()))
    };
    let (page, program, place) = (file("docs/seeds.md"), file("examples/record.c"), place());
    for command in ["make", "export"] {
        let help = osier(&place, &["test", command, "--help"], 0).out;
        let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let options = words.filter(|word| word.len() > 3 && word.starts_with("--"));
        for option in options.filter(|option| *option != "--help" && !option.starts_with("--sym-")) {
            assert!(page.contains(&format!("`{option}")), "docs/seeds.md does not have {option}");
        }
    }
    assert!(page.contains(&program[program.find("#include").unwrap()..]));
    assert!(file("docs/guide.md").contains("(seeds.md)"));
}

#[test]
fn a_seed_is_followed_where_it_allocates_more_than_is_followed_otherwise() {
    let place = place();
    place.write("sizes.c", SIZES);
    place.write("input", " N");
    aborts_at_once(&place, &["--seed-file=input", "sizes.c", "--sym-stdin", "2"]);
    osier(&place, &["replay", "sizes.c", "osier-last"], 0);
}
