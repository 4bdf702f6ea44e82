//! What stands around the program in a native run, read from the test's objects.
//!
//! They have the names of KLEE's runtime: `arg00`, `arg01`, ... (zero-terminated) and `n_args`; `A-data`, `B-data`, ... for
//! the files `A`, `B`, ...; `stdin`; `stdout`; and for each of these a `struct stat`, whose name ends in `-stat`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use osier_exec::outcome::Input;

use super::arguments::{arguments, has_option};
use crate::ktest::KTest;
use crate::stat::Stat;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct TestWorld {
    /// The program's name first, if the test has one.
    pub args: Vec<OsString>,
    /// None if it is not symbolic.
    pub stdin: Option<Vec<u8>>,
    pub stdin_stat: Option<Stat>,
    pub stdout_stat: Option<Stat>,
    pub files: Vec<SymbolicFile>,
    /// Whether there are `/dev/null`, `/dev/zero` and `/tmp`.
    pub devices: bool,
    /// A system call that fails in the test, as a native run cannot make it.
    pub failing_call: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SymbolicFile {
    /// As the test names it, from the root.
    pub path: String,
    pub bytes: Vec<u8>,
    pub stat: Option<Stat>,
}

pub(super) fn world(test: &KTest) -> TestWorld {
    let stat = |name: &str| test.object(&format!("{name}-stat")).and_then(|object| Stat::from_bytes(&object.bytes));
    let file = |object: &Input| {
        let path = object.name.strip_suffix("-data")?;
        let stat = stat(&object.name);
        let is_file = stat.is_some() || path.len() == 1 && path.bytes().all(|byte| byte.is_ascii_uppercase());
        is_file.then(|| SymbolicFile { path: path.to_owned(), bytes: object.bytes.clone(), stat })
    };
    let fails = |object: &&Input| is_failure(&object.name) && object.bytes.iter().any(|&byte| byte != 0);
    TestWorld {
        args: arguments(test).into_iter().map(OsString::from_vec).collect(),
        stdin: test.object("stdin").map(|object| object.bytes.clone()),
        stdin_stat: stat("stdin"),
        stdout_stat: stat("stdout"),
        files: test.objects.iter().filter_map(file).collect(),
        devices: has_option(test, "devices"),
        failing_call: test.objects.iter().find(fails).map(|object| object.name.clone()),
    }
}

/// Which call of a kind fails (KLEE's `--max-fail`), or whether a call does; 0 if none.
fn is_failure(name: &str) -> bool {
    let calls = ["syscall", "read", "write", "open", "close", "ftruncate", "getcwd", "chmod", "fchmod"];
    name.strip_suffix("_fail").is_some_and(|call| calls.contains(&call))
}

impl TestWorld {
    /// Whether the program was told of a place that only the right root has.
    pub fn names_the_root(&self) -> bool {
        let leaves = |arg: &OsString| {
            let arg = arg.as_encoded_bytes();
            arg.first() == Some(&b'/') || arg.windows(2).any(|pair| pair == b"..")
        };
        self.args.iter().skip(1).any(leaves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stat::Time;

    fn object(name: &str, bytes: &[u8]) -> Input {
        Input { name: name.into(), bytes: bytes.to_vec() }
    }

    #[test]
    fn files_and_streams_are_found_by_name() {
        let (accessed, modified) = (Time::default(), Time { seconds: 7, nanoseconds: 0 });
        let stat = Stat { mode: 0o100_600, user: 0, group: 0, size: 3, accessed, modified };
        let bytes = stat.to_bytes();
        let objects = [
            object("A-data", b"file"),
            object("A-data-stat", b"s"),
            object("etc/x-data", b"abc"),
            object("etc/x-data-stat", &bytes),
            object("my-data", b"1"),
            object("stdin", b"in"),
            object("stdin-stat", &bytes),
            object("stdout-stat", &bytes),
            object("x", b"1"),
        ];
        let world = world(&KTest::new(vec![], objects.to_vec()));
        let found: Vec<_> = world.files.iter().map(|file| (file.path.as_str(), file.stat)).collect();
        assert_eq!(found, [("A", None), ("etc/x", Some(stat))]);
        assert_eq!(world.stdin.as_deref(), Some(&b"in"[..]));
        assert_eq!((world.stdin_stat, world.stdout_stat), (Some(stat), Some(stat)));
        assert_eq!((world.failing_call, world.devices), (None, false));
        assert!(world.args.is_empty());
    }

    #[test]
    fn calls_that_fail_and_absolute_paths_are_noticed() {
        let fails = |bytes: &[u8]| world(&KTest::new(vec![], vec![object("read_fail", bytes)])).failing_call;
        assert_eq!(fails(&[0; 4]), None);
        assert_eq!(fails(&[0, 1, 0, 0]), Some("read_fail".to_owned()));
        let leaves = |words: &[&str]| {
            let args = words.iter().map(|word| word.as_bytes().to_vec()).collect();
            world(&KTest::new(args, vec![])).names_the_root()
        };
        let args = ["p", "--devices"].map(|word| word.as_bytes().to_vec()).to_vec();
        assert!(world(&KTest::new(args, vec![])).devices);
        assert!(!leaves(&["/bin/p", "a/b", "x"]));
        assert!(leaves(&["p", "/a"]) && leaves(&["p", "a/.."]));
    }
}
