//! KLEE's `.ktest` format: writes version 3, reads versions 0 to 3 and both of KLEE's magic words.
//!
//! All numbers are big-endian 32-bit: magic, version, arguments, two numbers about symbolic arguments (from version 2
//! on), objects. A reader of foreign files trusts no length before it has seen that many bytes.

use std::fmt;
use std::path::Path;

use osier_exec::outcome::Input;

use crate::error::{ReportError, Result};

const MAGIC: &[u8; 5] = b"KTEST";
/// What KLEE wrote before it had the name `.ktest`.
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";
const VERSION: u32 = 3;

/// One test: the program's arguments and the symbolic objects' bytes, in the order in which the program made them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KTest {
    /// The command line, the program's name first. Bytes, because arguments are.
    pub args: Vec<Vec<u8>>,
    pub sym_argvs: u32,
    pub sym_argv_len: u32,
    pub objects: Vec<Input>,
}

/// Why bytes are not a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadKTest {
    Magic,
    Version(u32),
    /// The file ends where `what` should be.
    Truncated {
        what: &'static str,
        offset: usize,
    },
    /// A length that the rest of the file cannot hold.
    TooLong {
        what: &'static str,
        length: u32,
        left: usize,
    },
    Trailing(usize),
}

impl fmt::Display for BadKTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadKTest::Magic => f.write_str("not a .ktest file: it does not begin with KTEST"),
            BadKTest::Version(version) => {
                write!(f, "a .ktest file of version {version}: Osier knows versions up to {VERSION}")
            }
            BadKTest::Truncated { what, offset } => write!(f, "truncated: the file ends at byte {offset}, in {what}"),
            BadKTest::TooLong { what, length, left } => {
                write!(f, "truncated or damaged: {what} claims {length} but only {left} bytes follow")
            }
            BadKTest::Trailing(bytes) => write!(f, "damaged: {bytes} bytes follow the last object"),
        }
    }
}

impl std::error::Error for BadKTest {}

impl KTest {
    pub fn new(args: Vec<Vec<u8>>, objects: Vec<Input>) -> KTest {
        KTest { args, sym_argvs: 0, sym_argv_len: 0, objects }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        encode(&self.args, self.sym_argvs, self.sym_argv_len, &self.objects)
    }

    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<KTest, BadKTest> {
        let mut reader = Reader { bytes, offset: 0 };
        let magic = reader.take(MAGIC.len()).ok_or(BadKTest::Magic)?;
        if magic != MAGIC && magic != OLD_MAGIC {
            return Err(BadKTest::Magic);
        }
        let version = reader.number("the version")?;
        if version > VERSION {
            return Err(BadKTest::Version(version));
        }
        let count = reader.count("the number of arguments", 4)?;
        let args =
            (0..count).map(|_| Ok(reader.block("an argument")?.to_vec())).collect::<std::result::Result<_, _>>()?;
        let (sym_argvs, sym_argv_len) = if version >= 2 {
            (reader.number("the number of symbolic arguments")?, reader.number("the length of symbolic arguments")?)
        } else {
            (0, 0)
        };
        let count = reader.count("the number of objects", 8)?;
        let mut objects = Vec::with_capacity(count);
        for _ in 0..count {
            let name = String::from_utf8_lossy(reader.block("an object's name")?).into_owned();
            let bytes = reader.block("an object's bytes")?.to_vec();
            objects.push(Input { name, bytes });
        }
        match bytes.len() - reader.offset {
            0 => Ok(KTest { args, sym_argvs, sym_argv_len, objects }),
            trailing => Err(BadKTest::Trailing(trailing)),
        }
    }

    pub fn read(path: &Path) -> Result<KTest> {
        let bytes = std::fs::read(path).map_err(|cause| ReportError::file("read", path, cause))?;
        KTest::from_bytes(&bytes)
            .map_err(|problem| ReportError::Content { path: path.to_owned(), problem: problem.to_string() })
    }

    /// The object of that name, if there is exactly one.
    pub fn object(&self, name: &str) -> Option<&Input> {
        let mut found = self.objects.iter().filter(|object| object.name == name);
        found.next().filter(|_| found.next().is_none())
    }
}

/// The writer's form without a `KTest`: the run's arguments are borrowed, not cloned for each test.
pub(crate) fn encode(args: &[Vec<u8>], sym_argvs: u32, sym_argv_len: u32, objects: &[Input]) -> Vec<u8> {
    let size = 25
        + args.iter().map(|arg| 4 + arg.len()).sum::<usize>()
        + objects.iter().map(|object| 8 + object.name.len() + object.bytes.len()).sum::<usize>();
    let mut out = Vec::with_capacity(size);
    let number = |out: &mut Vec<u8>, value: u32| out.extend_from_slice(&value.to_be_bytes());
    let block = |out: &mut Vec<u8>, bytes: &[u8]| {
        number(out, length(bytes.len()));
        out.extend_from_slice(bytes);
    };
    out.extend_from_slice(MAGIC);
    number(&mut out, VERSION);
    number(&mut out, length(args.len()));
    for arg in args {
        block(&mut out, arg);
    }
    number(&mut out, sym_argvs);
    number(&mut out, sym_argv_len);
    number(&mut out, length(objects.len()));
    for object in objects {
        block(&mut out, object.name.as_bytes());
        block(&mut out, &object.bytes);
    }
    out
}

fn length(value: usize) -> u32 {
    u32::try_from(value).expect("a symbolic object of 4 GiB: the engine's limit is far below")
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.offset..)?.get(..size)?;
        self.offset += size;
        Some(taken)
    }

    fn number(&mut self, what: &'static str) -> std::result::Result<u32, BadKTest> {
        let bytes = self.take(4).ok_or(BadKTest::Truncated { what, offset: self.bytes.len() })?;
        Ok(u32::from_be_bytes(bytes.try_into().expect("four bytes")))
    }

    /// A number of things of at least `smallest` bytes each: refused if the rest of the file cannot hold them, so that
    /// no allocation is larger than the file.
    fn count(&mut self, what: &'static str, smallest: usize) -> std::result::Result<usize, BadKTest> {
        let length = self.number(what)?;
        let left = self.bytes.len() - self.offset;
        if length as usize > left / smallest {
            return Err(BadKTest::TooLong { what, length, left });
        }
        Ok(length as usize)
    }

    fn block(&mut self, what: &'static str) -> std::result::Result<&'a [u8], BadKTest> {
        let length = self.number(what)?;
        let left = self.bytes.len() - self.offset;
        self.take(length as usize).ok_or(BadKTest::TooLong { what, length, left })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample() -> KTest {
        KTest {
            args: vec![b"prog.bc".to_vec(), b"--sym-arg".to_vec(), b"3".to_vec()],
            sym_argvs: 1,
            sym_argv_len: 3,
            objects: vec![
                Input { name: "x".into(), bytes: vec![1, 0, 0, 0] },
                Input { name: "empty".into(), bytes: vec![] },
            ],
        }
    }

    #[test]
    fn the_bytes_are_klees() {
        let test = KTest::new(vec![b"p".to_vec()], vec![Input { name: "ab".into(), bytes: vec![7, 8, 9] }]);
        let expected =
            b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x01p\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x02ab\0\0\0\x03\x07\x08\x09";
        assert_eq!(test.to_bytes(), expected);
    }

    #[test]
    fn older_versions_are_read() {
        let version_1 = b"BOUT\n\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\x01a\0\0\0\x01z";
        let test = KTest::from_bytes(version_1).unwrap();
        assert_eq!(test.objects, [Input { name: "a".into(), bytes: b"z".to_vec() }]);
        let mut newer = sample().to_bytes();
        newer[8] = 4;
        assert_eq!(KTest::from_bytes(&newer), Err(BadKTest::Version(4)));
    }

    #[test]
    fn every_truncation_is_an_error() {
        let bytes = sample().to_bytes();
        for end in 0..bytes.len() {
            assert!(KTest::from_bytes(&bytes[..end]).is_err(), "cut at {end}");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(KTest::from_bytes(&longer), Err(BadKTest::Trailing(1)));
    }

    #[test]
    fn a_lying_count_allocates_nothing() {
        let lie = b"KTEST\0\0\0\x03\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff";
        assert!(matches!(KTest::from_bytes(lie), Err(BadKTest::TooLong { length: u32::MAX, left: 0, .. })));
    }

    fn any_test() -> impl Strategy<Value = KTest> {
        let block = || prop::collection::vec(any::<u8>(), 0..20);
        let object = ("[a-z_0-9]{0,9}", block()).prop_map(|(name, bytes)| Input { name, bytes });
        (prop::collection::vec(block(), 0..4), any::<u32>(), any::<u32>(), prop::collection::vec(object, 0..6))
            .prop_map(|(args, sym_argvs, sym_argv_len, objects)| KTest { args, sym_argvs, sym_argv_len, objects })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]

        #[test]
        fn what_is_written_is_read(test in any_test()) {
            prop_assert_eq!(KTest::from_bytes(&test.to_bytes()), Ok(test));
        }

        #[test]
        fn garbage_is_refused_or_read_but_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), magic: bool) {
            let mut bytes = bytes;
            if magic && bytes.len() > 9 {
                bytes[..9].copy_from_slice(b"KTEST\0\0\0\x03");
            }
            if let Ok(test) = KTest::from_bytes(&bytes) {
                prop_assert!(test.objects.len() <= bytes.len());
            }
        }

        #[test]
        fn a_mutated_file_is_refused_or_reads_back(
            test in any_test(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut bytes = test.to_bytes();
            for (index, value) in changes {
                let at = index.index(bytes.len());
                bytes[at] = value;
            }
            if let Ok(read) = KTest::from_bytes(&bytes) {
                prop_assert_eq!(KTest::from_bytes(&read.to_bytes()), Ok(read));
            }
        }
    }
}
