//! From paths to a module: compile, check, parse, link, lower.

use crate::binary::read_units;
use crate::compile::compile;
use crate::guard::{Allowance, Outcome, in_child};
use crate::llvm::{Context, LlvmModule};
use crate::{LoadError, module};
use osier_ir::Module;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

#[derive(Debug, Clone)]
pub struct Options {
    /// Handed to clang after our own flags, so that they win.
    pub cc_flags: Vec<String>,
    pub include_dirs: Vec<PathBuf>,
    pub clang: PathBuf,
    /// The libc as bitcode; what a program needs of it is linked. None: calls of it are unsupported.
    pub libc: Option<PathBuf>,
    /// Only what this function (or a constructor or destructor) can reach is lowered. Empty: everything.
    pub entry: String,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            cc_flags: Vec::new(),
            include_dirs: Vec::new(),
            clang: "clang-22".into(),
            libc: None,
            entry: "main".into(),
        }
    }
}

#[derive(Debug)]
pub struct Loaded {
    pub module: Module,
    /// What the compiler warned of, and what will be missing from reports.
    pub warnings: Vec<String>,
    /// Time spent in clang.
    pub compile_seconds: f64,
    /// Time spent in reading, linking and lowering.
    pub lower_seconds: f64,
}

/// A file's bitcode or text.
struct Input {
    path: PathBuf,
    bytes: Vec<u8>,
    /// clang wrote it just now.
    trusted: bool,
}

/// Loads a program: `.c` is compiled, `.bc` and `.ll` are read, several are linked.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Loaded, LoadError> {
    if paths.is_empty() {
        return Err(LoadError::NoInput);
    }
    let mut warnings = Vec::new();
    let started = Instant::now();
    let inputs = read_all(paths, options, &mut warnings)?;
    let compile_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    check_untrusted(&inputs)?;
    let context = Context::new();
    let mut llvm = link_all(&context, &inputs)?;
    if let Some(path) = &options.libc {
        link_libc(&context, &mut llvm, path)?;
    }
    llvm.decide_constant_intrinsics();
    let module = module::lower(&llvm, &options.entry)?;
    if module.locations.len() == 1 {
        warnings.push("the program has no debug information, so reports cannot name lines: compile with -g".to_owned());
    }
    let lower_seconds = started.elapsed().as_secs_f64();
    Ok(Loaded { module, warnings, compile_seconds, lower_seconds })
}

/// A file's code, and what there is to warn of.
type ReadResult = Result<(Vec<Input>, Vec<String>), LoadError>;

/// Reads the files side by side: most of the time goes to the compiler.
fn read_all(paths: &[PathBuf], options: &Options, warnings: &mut Vec<String>) -> Result<Vec<Input>, LoadError> {
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
    let mut inputs = Vec::with_capacity(paths.len());
    for result in results {
        let (read, said) = result.into_inner().expect("every file was read")?;
        warnings.extend(said);
        inputs.extend(read);
    }
    Ok(inputs)
}

fn read(path: &Path, options: &Options) -> ReadResult {
    let unreadable = |error: std::io::Error| LoadError::Unreadable { path: path.to_owned(), reason: error.to_string() };
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
    if matches!(extension, "c" | "i") {
        std::fs::metadata(path).map_err(unreadable)?;
        let (bytes, messages) = compile(path, options)?;
        let said = (!messages.trim().is_empty()).then(|| messages.trim_end().to_owned());
        return Ok((vec![Input { path: path.to_owned(), bytes, trusted: true }], said.into_iter().collect()));
    }
    let bytes = std::fs::read(path).map_err(unreadable)?;
    if osier_cc::is_binary(&bytes) {
        let (units, warnings) = read_units(path, &bytes)?;
        let parts = units.into_iter().flat_map(|unit| {
            let file = unit.path;
            unit.parts.into_iter().map(move |part| Input {
                path: format!("{} ({})", file.display(), part.source).into(),
                bytes: part.bitcode,
                trusted: false,
            })
        });
        return Ok((parts.collect(), warnings));
    }
    if extension != "ll" && !is_bitcode(&bytes) {
        if extension == "bc" {
            let message = "it does not begin as bitcode does".to_owned();
            return Err(LoadError::Parse { path: path.to_owned(), message });
        }
        return Err(LoadError::UnknownKind { path: path.to_owned() });
    }
    Ok((vec![Input { path: path.to_owned(), bytes, trusted: false }], Vec::new()))
}

/// Raw bitcode, or bitcode in the wrapper that some systems put around it.
fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B])
}

/// Malformed files can crash LLVM, so a child process reads and verifies them first.
fn check_untrusted(inputs: &[Input]) -> Result<(), LoadError> {
    for input in inputs.iter().filter(|input| !input.trusted) {
        let check = || {
            // Neither is taken down: the child ends here, and that costs as much as reading.
            let context = std::mem::ManuallyDrop::new(Context::new());
            let llvm = std::mem::ManuallyDrop::new(parse(&context, input).map_err(|error| encode(&error))?);
            llvm.verify().map_err(|message| format!("{INVALID_MARK}{message}"))
        };
        let outcome = in_child(Allowance::for_file(input.bytes.len()), check)
            .map_err(|error| LoadError::System { reason: error.to_string() })?;
        let path = input.path.clone();
        match outcome {
            Outcome::Passed(said) if said.is_empty() => {}
            Outcome::Passed(message) => return Err(LoadError::Invalid { path, message }),
            Outcome::Refused(message) => return Err(decode(path, message)),
            Outcome::Died(message) => return Err(LoadError::Crash { path, message }),
        }
    }
    Ok(())
}

const INVALID_MARK: char = '\u{1}';
const TARGET_MARK: char = '\u{2}';

/// An error of [`parse`] as text, to cross from the child to the parent. A mark says which it is.
fn encode(error: &LoadError) -> String {
    match error {
        LoadError::Parse { message, .. } => message.clone(),
        LoadError::Target { .. } => TARGET_MARK.to_string(),
        other => other.to_string(),
    }
}

fn decode(path: PathBuf, message: String) -> LoadError {
    if let Some(message) = message.strip_prefix(INVALID_MARK) {
        return LoadError::Invalid { path, message: message.to_owned() };
    }
    if message.starts_with(TARGET_MARK) {
        return LoadError::Target { path };
    }
    LoadError::Parse { path, message }
}

/// Reads an input: one that clang wrote, or that the child has verified.
fn parse<'c>(context: &'c Context, input: &Input) -> Result<LlvmModule<'c>, LoadError> {
    let path = || input.path.clone();
    let llvm = context
        .parse(&input.path.to_string_lossy(), &input.bytes)
        .map_err(|failure| LoadError::Parse { path: path(), message: failure.0 })?;
    if !llvm.is_x86_64() || llvm.layout().pointer_bytes() != 8 {
        return Err(LoadError::Target { path: path() });
    }
    Ok(llvm)
}

/// Run before the constructors of a program that has parts of the libc in it.
pub(crate) const LIBC_INIT: &std::ffi::CStr = c"__osier_libc_init";

fn link_libc<'c>(context: &'c Context, program: &mut LlvmModule<'c>, path: &Path) -> Result<(), LoadError> {
    let bytes = std::fs::read(path)
        .map_err(|error| LoadError::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
    let library = context
        .open_library(&bytes)
        .map_err(|failure| LoadError::Parse { path: path.to_owned(), message: failure.0 })?;
    if program.link_needed(library, LIBC_INIT) {
        return Ok(());
    }
    Err(LoadError::Link { path: path.to_owned(), message: context.take_complaints() })
}

fn link_all<'c>(context: &'c Context, inputs: &[Input]) -> Result<LlvmModule<'c>, LoadError> {
    let (first, rest) = inputs.split_first().expect("there is at least one input");
    let mut whole = parse(context, first)?;
    for input in rest {
        let part = parse(context, input)?;
        if !whole.link(part) {
            return Err(LoadError::Link { path: input.path.clone(), message: context.take_complaints() });
        }
    }
    Ok(whole)
}
