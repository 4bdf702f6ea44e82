//! From paths to a module: read, check, open, resolve, lower.

use crate::llvm::{Context, LlvmModule};
use crate::program::{Member, Program, Unit};
use crate::read::{Form, Group, Input, read_all};
use crate::{LoadError, isolated, module};
use osier_ir::Module;
use std::path::PathBuf;
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

/// Loads a program: `.c` is compiled, `.bc` and `.ll` are read, binaries give the bitcode that they carry; several files are
/// one program.
pub fn load(paths: &[PathBuf], options: &Options) -> Result<Loaded, LoadError> {
    if paths.is_empty() {
        return Err(LoadError::NoInput);
    }
    let mut warnings = Vec::new();
    let started = Instant::now();
    let groups = read_all(paths, options, &mut warnings)?;
    let compile_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let libc = match &options.libc {
        Some(path) => {
            let read = std::fs::read(path);
            Some(read.map_err(|error| LoadError::Unreadable { path: path.clone(), reason: error.to_string() })?)
        }
        None => None,
    };
    let libc = libc.as_deref();
    let ours = groups.iter().flat_map(|group| &group.inputs).all(|input| input.form == Form::Compiled);
    let module = if ours {
        let context = Context::new();
        module::lower(&open(&context, &groups, libc)?, &options.entry)?
    } else {
        isolated::lower(&groups, libc, &options.entry)?
    };
    if module.locations.len() == 1 {
        warnings.push("the program has no debug information, so reports cannot name lines: compile with -g".to_owned());
    }
    let lower_seconds = started.elapsed().as_secs_f64();
    Ok(Loaded { module, warnings, compile_seconds, lower_seconds })
}

/// The modules of everything that was read.
pub fn open<'c>(context: &'c Context, groups: &'c [Group], libc: Option<&'c [u8]>) -> Result<Program<'c>, LoadError> {
    let mut units = Vec::with_capacity(groups.len());
    for group in groups {
        let mut members = Vec::with_capacity(group.inputs.len());
        for input in &group.inputs {
            let llvm = open_input(context, input)?;
            members.push(Member { path: input.path.clone(), llvm, unoptimised: input.form == Form::Embedded });
        }
        let strict = group.inputs.iter().all(|input| input.form != Form::Embedded);
        units.push(Unit { members, exported: group.exported.clone(), strict });
    }
    let libc = libc.map(|bytes| context.open("libc", bytes)).transpose();
    let libc = libc.map_err(|failure| LoadError::Parse { path: "the libc".into(), message: failure.0 })?;
    Program::new(units, libc)
}

fn open_input<'c>(context: &'c Context, input: &'c Input) -> Result<LlvmModule<'c>, LoadError> {
    let name = input.path.to_string_lossy();
    let opened = match input.form {
        Form::Text => context.parse(&name, &input.bytes),
        Form::Compiled | Form::Bitcode | Form::Embedded => context.open(&name, &input.bytes),
    };
    let llvm = opened.map_err(|failure| LoadError::Parse { path: input.path.clone(), message: failure.0 })?;
    if !llvm.is_x86_64() || llvm.layout().pointer_bytes() != 8 {
        return Err(LoadError::Target { path: input.path.clone() });
    }
    Ok(llvm)
}
