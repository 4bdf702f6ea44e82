use super::*;

fn parse(source: &str) -> Expectations {
    Expectations::parse(source, "//").unwrap()
}

fn options(all: &Expectations) -> Vec<Vec<String>> {
    all.runs.iter().map(|run| run.options.clone()).collect()
}

#[test]
fn errors_keep_their_line_kind_and_text() {
    let all = parse("int x;\nx = 1; //~ overshift: by 40 //~ abort\n//~ error: leak: 16 bytes\n");
    let error = |line, kind: &str, text: &str| ExpectedError { line, kind: kind.into(), text: text.into() };
    let expected = [error(Some(2), "overshift", "by 40"), error(Some(2), "abort", ""), error(None, "leak", "16 bytes")];
    assert_eq!(all.errors, expected);
}

#[test]
fn a_file_without_run_lines_is_run_once() {
    assert_eq!(options(&parse("int main(void) { return 0; }")), [Vec::<String>::new()]);
}

#[test]
fn run_lines_are_split_as_a_shell_splits() {
    let all = parse("// run: --search=dfs --cc-flags=\"-O2 -g\"\n// run:\n// args: a 'b c'\n");
    assert_eq!(options(&all), [vec!["--search=dfs".to_string(), "--cc-flags=-O2 -g".into()], vec![]]);
    assert_eq!(all.args, ["a", "b c"]);
}

#[test]
fn the_marker_of_llvm_text_is_a_semicolon() {
    let all = Expectations::parse("; run: --search=bfs\n;~ paths: 2..5\n", ";").unwrap();
    assert_eq!(all.paths, Some(Range { low: 2, high: 5 }));
    assert_eq!(all.runs[0].options, ["--search=bfs"]);
}

#[test]
fn a_list_of_values_is_a_run_with_each() {
    let all = parse("// run: --memory={fork,merge} --split={8,16} -x //~ paths: 3\n");
    let expected = ["fork 8", "fork 16", "merge 8", "merge 16"].map(|pair| {
        let (model, split) = pair.split_once(' ').unwrap();
        vec![format!("--memory={model}"), format!("--split={split}"), "-x".to_string()]
    });
    assert_eq!(options(&all), expected);
    for run in &all.runs {
        assert_eq!(all.of_run(run).unwrap().paths, Some(Range { low: 3, high: 3 }));
    }
}

#[test]
fn what_stands_on_a_run_line_holds_for_that_run_alone() {
    let all = parse("// run: --memory=fork //~ paths: 5 //~ abort: now\n// run:\n//~ paths: 2\n//~ error: leak\n");
    let (own, other) = (all.of_run(&all.runs[0]).unwrap(), all.of_run(&all.runs[1]).unwrap());
    assert_eq!((own.paths, own.errors.len()), (Some(Range { low: 5, high: 5 }), 2));
    assert_eq!((other.paths, other.errors.len()), (Some(Range { low: 2, high: 2 }), 1));
    assert_eq!(all.runs[0].options, ["--memory=fork"]);
}

#[test]
fn values_of_tests() {
    let all = parse("//~ test: x=-5 s=\"a b\\n\" y=0x10\n//~ no test: x=3\n");
    let values: Vec<&InputValue> = all.inputs[0].iter().map(|input| &input.value).collect();
    let expected = [&InputValue::Number(-5), &InputValue::Text(b"a b\n".to_vec()), &InputValue::Number(16)];
    assert_eq!(values, expected);
    assert_eq!(all.absent_inputs.len(), 1);
}

#[test]
fn exits_are_a_set_or_counts() {
    assert_eq!(parse("//~ exits: 7 0 0").exits, Some(Statuses::Set(vec![0, 7])));
    assert_eq!(parse("//~ exits: 0*2 7*1").exits, Some(Statuses::Counted([(0, 2), (7, 1)].into())));
}

#[test]
fn what_cannot_be_understood_is_refused_with_its_line() {
    for wrong in [
        "//~ out-of-bound: x",
        "//~ paths: two",
        "//~ paths: 5..2",
        "//~ replay: no",
        "//~ error: what",
        "// run: -x //~ paths: a",
    ] {
        let error = Expectations::parse(&format!("\n{wrong}"), "//").unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
