//! What stands around the program in a native run: its arguments, standard input and files, from the test's objects.
//!
//! The objects have the names of KLEE's runtime: `arg00`, `arg01`, ... (zero-terminated), `n_args`, `stdin`, and
//! `A-data`, `B-data`, ... for the files `A`, `B`, ...

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use osier_exec::outcome::Input;

use crate::ktest::KTest;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct World {
    /// The program's name first, if the test has one.
    pub args: Vec<OsString>,
    pub stdin: Vec<u8>,
    pub files: Vec<(String, Vec<u8>)>,
}

pub(super) fn world(test: &KTest) -> World {
    let file = |object: &Input| {
        let letter = object.name.strip_suffix("-data")?;
        let is_file = letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_uppercase());
        is_file.then(|| (letter.to_owned(), object.bytes.clone()))
    };
    World {
        args: arguments(test).into_iter().map(OsString::from_vec).collect(),
        stdin: test.object("stdin").map(|object| object.bytes.clone()).unwrap_or_default(),
        files: test.objects.iter().filter_map(file).collect(),
    }
}

/// The test's command line with the symbolic arguments' values in the place of the options that made them. Values that no
/// option claims come last, in order.
fn arguments(test: &KTest) -> Vec<Vec<u8>> {
    let mut values: VecDeque<Vec<u8>> = test
        .objects
        .iter()
        .filter(|object| is_argument(&object.name))
        .map(|object| until_zero(&object.bytes))
        .collect();
    let mut numbers = test.objects.iter().filter(|object| object.name == "n_args").filter_map(number);
    let mut out = Vec::new();
    let mut rest = test.args.iter();
    while let Some(arg) = rest.next() {
        let option = arg.strip_prefix(b"--").or(arg.strip_prefix(b"-")).unwrap_or_default();
        match option {
            b"sym-arg" => {
                rest.next();
                out.extend(values.pop_front());
            }
            b"sym-args" => {
                let (least, most) = (rest.next(), rest.next());
                rest.next();
                // KLEE makes no object for the number where the option leaves no choice.
                let count = if least == most { least.and_then(|arg| decimal(arg)) } else { numbers.next() };
                let count = count.unwrap_or(values.len()).min(values.len());
                out.extend(values.drain(..count));
            }
            b"sym-files" => drop((rest.next(), rest.next())),
            b"sym-stdin" | b"max-fail" => drop(rest.next()),
            b"sym-stdout" | b"save-all-writes" | b"fd-fail" => {}
            _ => out.push(arg.clone()),
        }
    }
    out.extend(values);
    out
}

fn is_argument(name: &str) -> bool {
    name.strip_prefix("arg").is_some_and(|digits| digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

fn until_zero(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|&byte| byte != 0).collect()
}

fn number(object: &Input) -> Option<usize> {
    let bytes = <[u8; 4]>::try_from(object.bytes.as_slice()).ok()?;
    usize::try_from(i32::from_le_bytes(bytes)).ok()
}

fn decimal(arg: &[u8]) -> Option<usize> {
    std::str::from_utf8(arg).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, bytes: &[u8]) -> Input {
        Input { name: name.into(), bytes: bytes.to_vec() }
    }

    fn args(line: &str, objects: &[Input]) -> String {
        let args = line.split_whitespace().map(|arg| arg.as_bytes().to_vec()).collect();
        let world = world(&KTest::new(args, objects.to_vec()));
        world.args.iter().map(|arg| arg.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn symbolic_arguments_take_their_places() {
        let objects = [
            object("arg00", b"one\0"),
            object("n_args", &[2, 0, 0, 0]),
            object("arg01", b"x\0\0\0"),
            object("arg02", b"yz\0\0"),
        ];
        assert_eq!(args("p --sym-arg 3 -v --sym-args 0 2 3 --sym-files 1 8 end", &objects), "p one -v x yz end");
        assert_eq!(args("p a", &objects), "p a one x yz");
        assert_eq!(args("p --sym-args 0 1 3 z", &[object("n_args", &[0; 4])]), "p z");
        assert_eq!(args("p --sym-args 1 1 3 z --sym-arg 2", &objects[..1]), "p one z");
    }

    #[test]
    fn files_and_stdin_are_found_by_name() {
        let objects =
            [object("A-data", b"file"), object("A-data-stat", b"s"), object("stdin", b"in"), object("x", b"1")];
        let world = world(&KTest::new(vec![], objects.to_vec()));
        assert_eq!(world.files, [("A".to_owned(), b"file".to_vec())]);
        assert_eq!(world.stdin, b"in");
        assert!(world.args.is_empty());
    }
}
