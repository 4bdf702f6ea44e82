//! C source to bitcode, by clang.

use crate::{LoadError, Options};
use std::path::Path;
use std::process::Command;

/// Bitcode of a source file, and the compiler's warnings.
///
/// The defaults come first, so that the user's flags (`-O2`, `-D...`) override them. No pass runs afterwards: at `-O0`
/// the code stays marked as unoptimised, which tells lowering that nothing in it is computed speculatively.
pub fn compile(path: &Path, options: &Options) -> Result<(Vec<u8>, String), LoadError> {
    let mut command = Command::new(&options.clang);
    command.args(["-c", "-emit-llvm", "-g", "-O0", "-o", "-"]);
    for directory in &options.include_dirs {
        command.arg("-I").arg(directory);
    }
    command.args(&options.cc_flags).arg(path);
    let output = command
        .output()
        .map_err(|error| LoadError::NoCompiler { clang: options.clang.clone(), reason: error.to_string() })?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok((output.stdout, messages));
    }
    let messages = if messages.trim().is_empty() { output.status.to_string() } else { messages };
    Err(LoadError::Compile { path: path.to_owned(), messages })
}
