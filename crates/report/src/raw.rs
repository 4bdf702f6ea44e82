//! A test's input as plain bytes, as fuzzers keep theirs: one file, one input.

use std::fmt;

use osier_exec::outcome::Input;

use crate::ktest::KTest;
use crate::replay::arguments::is_argument;

/// Why no single object is the test's input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoRawInput {
    /// There is no object of the name that was asked for.
    Absent(String),
    /// All that the test has is about arguments and the like.
    Nothing,
    /// The program made several objects symbolic, and none is a stream or a file.
    Several(Vec<String>),
}

impl fmt::Display for NoRawInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoRawInput::Absent(name) => write!(f, "it has no object {name}"),
            NoRawInput::Nothing => f.write_str("it has no standard input, no file and no object of the program's"),
            NoRawInput::Several(names) => {
                write!(f, "it has several objects, {}: choose one with --object", names.join(", "))
            }
        }
    }
}

impl std::error::Error for NoRawInput {}

/// The bytes that a plain-file seed would give back to the same run: standard input if the test has it, else its first
/// file, else the only object that the program made; or the first object called `name`.
pub fn raw_input<'a>(test: &'a KTest, name: Option<&str>) -> Result<&'a [u8], NoRawInput> {
    let named = |name: &str| test.objects.iter().find(|object| object.name == name);
    if let Some(name) = name {
        return named(name).map(|object| &*object.bytes).ok_or_else(|| NoRawInput::Absent(name.into()));
    }
    let is_file = |object: &&Input| object.name.ends_with("-data") && named(&format!("{}-stat", object.name)).is_some();
    if let Some(object) = named("stdin").or_else(|| test.objects.iter().find(is_file)) {
        return Ok(&object.bytes);
    }
    let own: Vec<&Input> = test.objects.iter().filter(|object| !is_set_up(&object.name)).collect();
    match own[..] {
        [] => Err(NoRawInput::Nothing),
        [object] => Ok(&object.bytes),
        [..] => Err(NoRawInput::Several(own.iter().map(|object| object.name.clone()).collect())),
    }
}

/// Whether the run's set-up makes objects of this name, not the program.
fn is_set_up(name: &str) -> bool {
    matches!(name, "n_args" | "model_version" | "stdout")
        || is_argument(name)
        || name.ends_with("-stat")
        || name.ends_with("_fail")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(names: &[&str]) -> KTest {
        let object = |name: &&str| Input { name: (*name).into(), bytes: name.as_bytes().to_vec() };
        KTest::new(vec![], names.iter().map(object).collect())
    }

    #[test]
    fn streams_come_before_files_and_files_before_objects() {
        let all =
            ["n_args", "arg00", "A-data", "A-data-stat", "read_fail", "stdin", "stdin-stat", "model_version", "x"];
        assert_eq!(raw_input(&test(&all), None), Ok(&b"stdin"[..]));
        assert_eq!(raw_input(&test(&all[..4]), None), Ok(&b"A-data"[..]));
        assert_eq!(raw_input(&test(&["arg00", "model_version", "x"]), None), Ok(&b"x"[..]));
        assert_eq!(raw_input(&test(&all), Some("arg00")), Ok(&b"arg00"[..]));
    }

    #[test]
    fn where_nothing_is_the_input_the_reason_is_told() {
        assert_eq!(raw_input(&test(&["n_args", "arg00", "model_version"]), None), Err(NoRawInput::Nothing));
        assert_eq!(raw_input(&test(&["x"]), Some("y")), Err(NoRawInput::Absent("y".into())));
        // An object of the program's that only looks like a file is one among others.
        let several = raw_input(&test(&["my-data", "y"]), None).unwrap_err();
        assert_eq!(several, NoRawInput::Several(vec!["my-data".into(), "y".into()]));
        assert!(several.to_string().contains("my-data, y: choose one with --object"), "{several}");
    }
}
