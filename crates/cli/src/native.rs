//! What `run` and `replay` share: files, flags, loading, and the native program.

use crate::failure::Failure;
use crate::flags::BuildFlags;
use osier::report::ReportError;
use osier::report::replay::{BuildOptions, Entry, NativeProgram, Toolchain, is_elf};
use osier::{Error, LoadError, LoadOptions, Loaded, installed_libc, load};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The compiler's flags, each option's value split as a shell would.
pub fn cc_flags(flags: &BuildFlags) -> Result<Vec<String>, Failure> {
    let mut all = Vec::new();
    for text in &flags.cc_flags {
        let split = shlex::split(text);
        all.extend(split.ok_or_else(|| Failure::usage(format!("--cc-flags has an open quotation mark: {text}")))?);
    }
    Ok(all)
}

/// Whether a file is part of a program: by its name, or because it is a binary.
pub fn is_program_file(path: &Path) -> bool {
    matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "bc" | "ll")) || is_binary_file(path)
}

/// How many of the first words are the program's files. A linked program is one: what follows are its arguments, whatever
/// their names.
pub fn program_files(words: &[String]) -> usize {
    if words.first().is_some_and(|word| is_elf(Path::new(word)) && !is_linkable(Path::new(word))) {
        return 1;
    }
    words.iter().take_while(|word| is_program_file(Path::new(word))).count()
}

fn is_binary_file(path: &Path) -> bool {
    let mut start = [0; 8];
    let read = std::fs::File::open(path).and_then(|mut file| file.read(&mut start));
    read.is_ok_and(|length| osier_cc::is_binary(&start[..length]))
}

pub fn load_program(files: &[PathBuf], flags: &BuildFlags, entry: &str) -> Result<Loaded, Failure> {
    let libc = match &flags.libc {
        Some(file) if file.as_os_str() == "none" => None,
        Some(file) => Some(file.clone()),
        None => installed_libc(),
    };
    let options = LoadOptions { cc_flags: cc_flags(flags)?, entry: entry.to_string(), libc, ..LoadOptions::default() };
    load(files, &options).map_err(|error| match error {
        // The machine lacks something; the request was right.
        Error::Load(LoadError::NoCompiler { .. } | LoadError::System { .. }) | Error::Headers(_) => {
            Failure::broken(error)
        }
        Error::Load(_) | Error::Engine(_) | Error::Search(_) | Error::Check(_) | Error::Cache(_) | Error::Solver(_) => {
            Failure::usage(error)
        }
    })
}

/// The native program that tests are replayed on: a binary as it is, or what the files are built to.
pub fn build_native(
    files: &[PathBuf],
    flags: &BuildFlags,
    sanitize: bool,
    checks: &[String],
) -> Result<NativeProgram, Failure> {
    for file in files {
        // Said here in a line, and by the compiler in many.
        std::fs::metadata(file).map_err(|cause| Failure::usage(format!("cannot read {}: {cause}", file.display())))?;
    }
    if let Some(binary) = files.iter().find(|file| is_elf(file) && !is_linkable(file)) {
        if files.len() > 1 {
            let name = binary.display();
            return Err(Failure::usage(format!("{name} is a whole program: nothing can be linked with it")));
        }
        return NativeProgram::of_binary(binary, &Toolchain::llvm_22()).map_err(report_failure);
    }
    let has = |name: &str| checks.iter().any(|check| check == name || check == "all");
    let entry = (flags.entry != "main").then(|| Entry { function: flags.entry.clone(), returns_int: true });
    let options = BuildOptions {
        toolchain: Toolchain::llvm_22(),
        flags: cc_flags(flags)?,
        entry,
        sanitize,
        signed_overflow: has("signed-overflow"),
        leaks: has("leak"),
    };
    NativeProgram::build(files, &options).map_err(report_failure)
}

/// Whether the linker takes it, by its name.
fn is_linkable(path: &Path) -> bool {
    matches!(path.extension().and_then(|extension| extension.to_str()), Some("o" | "a" | "so"))
}

/// What the user can put right is a mistake of usage; the rest is a failure of the machine.
pub fn report_failure(error: ReportError) -> Failure {
    match error {
        ReportError::FolderInUse(_)
        | ReportError::Content { .. }
        | ReportError::Build { .. }
        | ReportError::NotReplayable { .. } => Failure::usage(error),
        ReportError::File { .. } => Failure::broken(error),
    }
}
