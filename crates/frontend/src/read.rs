//! From paths to bytes: sources are compiled, binaries give what they carry.

use crate::binary::read_units;
use crate::compile::compile;
use crate::{LoadError, Options};
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the bytes are, and whose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Bitcode that clang wrote just now: the only one to be trusted.
    Compiled,
    /// LLVM's text.
    Text,
    Bitcode,
    /// Bitcode out of a binary: from before any optimisation.
    Embedded,
}

pub struct Input {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub form: Form,
}

/// What one link brings together: the files that were given, or a shared object.
#[derive(Default)]
pub struct Group {
    pub inputs: Vec<Input>,
    pub exported: Option<FxHashSet<String>>,
}

/// A file's groups, and what there is to warn of.
type ReadResult = Result<(Vec<Group>, Vec<String>), LoadError>;

/// Reads the files side by side, as most of the time goes to the compiler. The first group has what was given, the others
/// are the shared objects that it needs.
pub fn read_all(paths: &[PathBuf], options: &Options, warnings: &mut Vec<String>) -> Result<Vec<Group>, LoadError> {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get()).min(paths.len());
    let results: Vec<OnceLock<ReadResult>> = paths.iter().map(|_| OnceLock::new()).collect();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&i| i < paths.len()) {
                    results[index].get_or_init(|| read(&paths[index], options));
                }
            });
        }
    });
    let mut given = Group::default();
    let mut needed = Vec::new();
    for result in results {
        let (read, said) = result.into_inner().expect("every file was read")?;
        warnings.extend(said);
        let mut read = read.into_iter();
        for group in read.by_ref().take(1) {
            given.inputs.extend(group.inputs);
            // Several files were never linked, so none of them says what the whole exports.
            given.exported = group.exported.filter(|_| paths.len() == 1);
        }
        needed.extend(read);
    }
    Ok([vec![given], needed].into_iter().flatten().collect())
}

fn read(path: &Path, options: &Options) -> ReadResult {
    let unreadable = |error: std::io::Error| LoadError::Unreadable { path: path.to_owned(), reason: error.to_string() };
    let one = |bytes, form| vec![Group { inputs: vec![Input { path: path.to_owned(), bytes, form }], exported: None }];
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if matches!(extension, "c" | "i") {
        std::fs::metadata(path).map_err(unreadable)?;
        let (bytes, messages) = compile(path, options)?;
        let said = (!messages.trim().is_empty()).then(|| messages.trim_end().to_owned());
        return Ok((one(bytes, Form::Compiled), said.into_iter().collect()));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    if osier_cc::is_binary(&bytes) {
        return read_units(path, &bytes);
    }
    match extension {
        "ll" => Ok((one(bytes, Form::Text), Vec::new())),
        _ if is_bitcode(&bytes) => Ok((one(bytes, Form::Bitcode), Vec::new())),
        "bc" => {
            let message = "it does not begin as bitcode does".to_owned();
            Err(LoadError::Parse { path: path.to_owned(), message })
        }
        _ => Err(LoadError::UnknownKind { path: path.to_owned() }),
    }
}

/// Raw bitcode, or bitcode in the wrapper that some systems put around it.
fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B])
}
