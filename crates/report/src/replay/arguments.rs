//! The command line of a test: the recorded words with the symbolic arguments' values in the place of the options that
//! made them.

use std::collections::VecDeque;

use osier_exec::outcome::Input;

use crate::ktest::KTest;

/// The options that KLEE's runtime takes out of a command line, and Osier's beside them, and how many words follow each.
/// Those of symbolic arguments are not here: they leave something behind.
const OPTIONS: &[(&str, usize)] = &[
    ("sym-files", 2),
    ("sym-file", 2),
    ("sym-stdin", 1),
    ("sym-stdout", 0),
    ("max-fail", 1),
    ("fd-fail", 0),
    ("save-all-writes", 0),
    ("devices", 0),
];

/// The program's arguments, its name first. Values that no option claims come last, in order.
pub(crate) fn arguments(test: &KTest) -> Vec<Vec<u8>> {
    let objects = |wanted: fn(&str) -> bool| test.objects.iter().filter(move |object| wanted(&object.name));
    let mut values: VecDeque<Vec<u8>> = objects(is_argument).map(|object| until_zero(&object.bytes)).collect();
    let mut numbers: VecDeque<usize> = objects(|name| name == "n_args").filter_map(number).collect();
    // Where the option leaves no choice KLEE makes no object for the number. Others may: then there is one for each.
    let groups = test.args.iter().filter(|arg| option(arg) == Some("sym-args")).count();
    let always_counted = numbers.len() == groups;
    let mut out = Vec::new();
    let mut words = test.args.iter();
    while let Some(word) = words.next() {
        match option(word) {
            Some("sym-arg") => {
                words.next();
                out.extend(values.pop_front());
            }
            Some("sym-args") => {
                let (least, most) = (words.next(), words.next());
                words.next();
                let count = match least.and_then(|least| decimal(least)) {
                    Some(least_count) if least == most && !always_counted => Some(least_count),
                    Some(_) | None => numbers.pop_front(),
                };
                let count = count.unwrap_or(values.len()).min(values.len());
                out.extend(values.drain(..count));
            }
            name => match OPTIONS.iter().find(|(option, _)| name == Some(option)) {
                Some(&(_, following)) => {
                    words.by_ref().take(following).for_each(drop);
                }
                None => out.push(word.clone()),
            },
        }
    }
    out.extend(values);
    out
}

/// Whether the option stands among the test's words.
pub(super) fn has_option(test: &KTest, name: &str) -> bool {
    test.args.iter().skip(1).any(|word| option(word) == Some(name))
}

/// The name behind one or two dashes, which are all alike to KLEE.
fn option(word: &[u8]) -> Option<&str> {
    let name = word.strip_prefix(b"--").or(word.strip_prefix(b"-"))?;
    std::str::from_utf8(name).ok()
}

pub(crate) fn is_argument(name: &str) -> bool {
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
        let words = arguments(&KTest::new(args, objects.to_vec()));
        words.iter().map(|arg| String::from_utf8_lossy(arg)).collect::<Vec<_>>().join(" ")
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
    fn a_group_without_a_choice_may_or_may_not_have_its_number() {
        let value = |number: u8| object(&format!("arg{number:02}"), &[b'a' + number, 0]);
        let count = |number: u8| object("n_args", &[number, 0, 0, 0]);
        let line = "p --sym-args 1 1 1 | --sym-args 0 2 1 |";
        assert_eq!(args(line, &[value(0), count(2), value(1), value(2)]), "p a | b c |");
        assert_eq!(args(line, &[count(1), value(0), count(2), value(1), value(2)]), "p a | b c |");
        assert_eq!(args("p --sym-args 0 0 1 | --sym-args 0 2 1", &[count(1), value(0)]), "p | a");
    }

    #[test]
    fn every_option_goes_with_its_words() {
        let line =
            "p -sym-files 2 8 --sym-file in.txt 4 a --sym-stdin 8 --sym-stdout b -max-fail 1 --fd-fail --devices c";
        assert_eq!(args(line, &[]), "p a b c");
        assert_eq!(args("p --sym-argument -v -- --file x", &[]), "p --sym-argument -v -- --file x");
    }
}
