//! The objects that a run's set-up makes before the program starts, with given values: what a test needs besides the
//! program's own objects. The order and the names are those of `osier_linux`, which are KLEE's.

use osier_exec::outcome::Input;
use osier_linux::{Argument, Input as StandardInput, SymbolicFile, World};
use osier_report::stat::{Stat, Time};

const REGULAR: u32 = 0o100_000;
const PIPE: u32 = 0o010_000;
const STDOUT_SIZE: usize = 1024;
/// When files of a world were last touched.
const START: Time = Time { seconds: 1_700_000_000, nanoseconds: 0 };

/// What the open parts of a world are in one test. What nothing is said of is as small as can be: the fewest arguments,
/// empty ones, and zero bytes.
#[derive(Clone, Debug, Default)]
pub struct SetUp {
    /// The words of each of the world's arguments, the program's name among them.
    pub arguments: Vec<Vec<Vec<u8>>>,
    /// The bytes of symbolic files, in the world's order.
    pub files: Vec<Option<Vec<u8>>>,
    pub stdin: Option<Vec<u8>>,
}

impl SetUp {
    /// The symbolic objects in the order in which the run makes them.
    pub fn objects(&self, world: &World) -> Vec<Input> {
        let mut objects = Objects { world, made: Vec::new(), arguments: 0 };
        for (at, argument) in world.arguments.iter().enumerate() {
            let words = self.arguments.get(at).map_or(&[][..], Vec::as_slice);
            objects.argument(argument, words);
        }
        for (at, file) in world.symbolic_files.iter().enumerate() {
            let given = self.files.get(at).and_then(Option::as_deref).unwrap_or_default();
            objects.file(&file_object(file), fitted(given, &file.bytes).bytes);
        }
        if world.failures > 0 {
            for call in ["read", "write", "close", "ftruncate", "getcwd", "open"] {
                objects.make(format!("{call}_fail"), vec![0; 4]);
            }
        }
        if let StandardInput::Symbolic { len } = world.stdin {
            let given = self.stdin.as_deref().unwrap_or_default();
            objects.file("stdin", resized(given, len as usize));
        }
        if world.symbolic_stdout {
            objects.file("stdout", vec![0; STDOUT_SIZE]);
        }
        if !objects.made.is_empty() {
            objects.make("model_version".into(), vec![1, 0, 0, 0]);
        }
        objects.made
    }
}

struct Objects<'a> {
    world: &'a World,
    made: Vec<Input>,
    arguments: usize,
}

impl Objects<'_> {
    fn make(&mut self, name: String, bytes: Vec<u8>) {
        self.made.push(Input { name, bytes });
    }

    fn argument(&mut self, argument: &Argument, words: &[Vec<u8>]) {
        let (count, len) = match *argument {
            Argument::Given(_) => return,
            Argument::Symbolic { len } => (1, len),
            Argument::Several { least, most, len } => {
                let count = words.len().max(least as usize);
                if least != most {
                    self.make("n_args".into(), (count as u32).to_le_bytes().to_vec());
                }
                (count, len)
            }
        };
        for at in 0..count {
            let word = words.get(at).map_or(&[][..], Vec::as_slice);
            self.make(format!("arg{:02}", self.arguments), resized(word, len as usize + 1));
            self.arguments += 1;
        }
    }

    fn file(&mut self, name: &str, bytes: Vec<u8>) {
        let World { uid, gid, .. } = *self.world;
        let size = bytes.len() as u64;
        let stat = Stat { mode: REGULAR | 0o644, user: uid, group: gid, size, accessed: START, modified: START };
        self.make(name.into(), bytes);
        self.make(format!("{name}-stat"), stat.to_bytes());
    }
}

/// The name of the object that has a file's bytes.
pub fn file_object(file: &SymbolicFile) -> String {
    format!("{}-data", String::from_utf8_lossy(&file.path).trim_start_matches('/'))
}

/// Bytes as an input of the run takes them, and what had to be done to them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fitted {
    pub bytes: Vec<u8>,
    pub filled: bool,
    pub cut: bool,
    /// Bytes that the template of a file fixes were other ones.
    pub overruled: bool,
}

/// Bytes in the place of a file's; nothing where any byte may stand.
pub fn fitted(given: &[u8], open: &[Option<u8>]) -> Fitted {
    let mut bytes = resized(given, open.len());
    let mut overruled = false;
    for (at, (byte, fixed)) in bytes.iter_mut().zip(open).enumerate() {
        if let Some(fixed) = *fixed {
            overruled |= at < given.len() && *byte != fixed;
            *byte = fixed;
        }
    }
    Fitted { bytes, filled: given.len() < open.len(), cut: given.len() > open.len(), overruled }
}

fn resized(given: &[u8], len: usize) -> Vec<u8> {
    let mut bytes = given.to_vec();
    bytes.resize(len, 0);
    bytes
}

/// A file's `struct stat` as Osier's kernel can have it: KLEE leaves more open. The bytes as they are if they are none.
pub fn possible_stat(bytes: &[u8], may_be_pipe: bool) -> Vec<u8> {
    let Some(mut stat) = Stat::from_bytes(bytes) else { return bytes.to_vec() };
    let is_pipe = stat.mode & 0o170_000 == PIPE;
    stat.mode = stat.mode & 0o777 | 0o600 | if is_pipe && may_be_pipe { PIPE } else { REGULAR };
    for time in [&mut stat.accessed, &mut stat.modified] {
        *time = Time { seconds: time.seconds.clamp(0, u32::MAX.into()), nanoseconds: 0 };
    }
    stat.to_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world() -> World {
        World {
            arguments: vec![
                Argument::Given("prog".into()),
                Argument::Symbolic { len: 2 },
                Argument::Several { least: 0, most: 2, len: 3 },
                Argument::Several { least: 1, most: 1, len: 1 },
            ],
            symbolic_files: vec![SymbolicFile { path: b"/A".to_vec(), bytes: vec![Some(b'x'), None, None] }],
            stdin: StandardInput::Symbolic { len: 4 },
            symbolic_stdout: true,
            failures: 1,
            ..World::default()
        }
    }

    fn names(objects: &[Input]) -> String {
        objects.iter().map(|object| object.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn objects_are_made_in_order_and_with_their_sizes() {
        let (two, none) = (vec![b"a".to_vec(), b"b".to_vec()], vec![]);
        let values = SetUp {
            arguments: vec![none, vec![b"-n".to_vec()], two, vec![b"z".to_vec()]],
            files: vec![Some(b"abcdef".to_vec())],
            stdin: Some(b"in".to_vec()),
        };
        let objects = values.objects(&world());
        assert_eq!(
            names(&objects),
            "arg00 n_args arg01 arg02 arg03 A-data A-data-stat read_fail write_fail close_fail ftruncate_fail \
             getcwd_fail open_fail stdin stdin-stat stdout stdout-stat model_version"
        );
        let bytes = |name: &str| &objects.iter().find(|object| object.name == name).unwrap().bytes;
        assert_eq!((&bytes("arg00")[..], &bytes("n_args")[..]), (&b"-n\0"[..], &[2, 0, 0, 0][..]));
        assert_eq!((&bytes("A-data")[..], &bytes("stdin")[..]), (&b"xbc"[..], &b"in\0\0"[..]));
        assert_eq!(Stat::from_bytes(bytes("stdin-stat")).unwrap().size, 4);
        assert_eq!(names(&SetUp::default().objects(&World::default())), "");
        assert!(names(&SetUp::default().objects(&world())).starts_with("arg00 n_args arg01 A-data "));
    }

    #[test]
    fn what_was_done_to_bytes_is_known() {
        let done = |given: &[u8]| {
            let Fitted { bytes, filled, cut, overruled } = fitted(given, &[None, Some(b'k'), None]);
            (String::from_utf8(bytes).unwrap(), filled, cut, overruled)
        };
        assert_eq!(done(b"akb"), ("akb".into(), false, false, false));
        assert_eq!(done(b"a"), ("ak\0".into(), true, false, false));
        assert_eq!(done(b"abcd"), ("akc".into(), false, true, true));
    }

    #[test]
    fn an_impossible_stat_becomes_a_possible_one() {
        let time = Time { seconds: -5, nanoseconds: 9 };
        let stat = Stat { mode: 0o020_067, user: 0, group: 0, size: 3, accessed: time, modified: time };
        let mended = Stat::from_bytes(&possible_stat(&stat.to_bytes(), true)).unwrap();
        assert_eq!((mended.mode, mended.accessed, mended.size), (0o100_667, Time::default(), 3));
        let pipe = Stat { mode: 0o010_600, ..mended }.to_bytes();
        assert_eq!(possible_stat(&pipe, true), pipe);
        assert_eq!(Stat::from_bytes(&possible_stat(&pipe, false)).unwrap().mode, 0o100_600);
        assert_eq!(possible_stat(b"short", true), b"short");
    }
}
