//! Malformed files can crash LLVM, so a child process reads, verifies and lowers them first, just as the parent will.

use crate::guard::{Allowance, Outcome, in_child};
use crate::llvm::Context;
use crate::load::open;
use crate::read::{Form, Group};
use crate::{LoadError, module};
use std::mem::ManuallyDrop;
use std::path::PathBuf;

/// Refuses what LLVM cannot read or its verifier finds broken, as far as the entry reaches.
pub fn check_untrusted(groups: &[Group], libc: Option<&[u8]>, entry: &str) -> Result<(), LoadError> {
    let inputs = || groups.iter().flat_map(|group| &group.inputs);
    let Some(first) = inputs().find(|input| input.form != Form::Compiled) else { return Ok(()) };
    let check = || {
        // Neither is taken down: the child ends here, and that costs as much as reading.
        let context = ManuallyDrop::new(Context::new());
        let program = ManuallyDrop::new(open(&context, groups, libc).map_err(|error| encode(&error))?);
        program.read_reachable(entry).map_err(|error| encode(&error))?;
        for member in program.members() {
            let broken = |message| LoadError::Invalid { path: member.path.clone(), message };
            member.llvm.verify().map_err(|message| encode(&broken(message)))?;
        }
        // The verifier passes debug information that LLVM's own accessors refuse by aborting. What else is wrong, the
        // parent finds out by itself.
        let _ = module::lower(&program, entry);
        Ok(())
    };
    let bytes = inputs().map(|input| input.bytes.len()).sum();
    let outcome =
        in_child(Allowance::for_file(bytes), check).map_err(|error| LoadError::System { reason: error.to_string() })?;
    let path = first.path.clone();
    match outcome {
        Outcome::Passed(said) if said.is_empty() => Ok(()),
        Outcome::Passed(message) => Err(LoadError::Invalid { path, message }),
        Outcome::Refused(message) => Err(decode(&message)),
        Outcome::Died(message) => Err(LoadError::Crash { path, message }),
    }
}

const FIELD: char = '\0';

/// An error as text, to cross from the child to the parent: its kind, the path, the words.
fn encode(error: &LoadError) -> String {
    let (kind, path, message) = match error {
        LoadError::Invalid { path, message } => ("invalid", path.clone(), message.clone()),
        LoadError::Target { path } => ("target", path.clone(), String::new()),
        LoadError::Link { path, message } => ("link", path.clone(), message.clone()),
        LoadError::Parse { path, message } => ("parse", path.clone(), message.clone()),
        other => ("parse", PathBuf::new(), other.to_string()),
    };
    format!("{kind}{FIELD}{}{FIELD}{message}", path.display())
}

fn decode(text: &str) -> LoadError {
    // LLVM may have said something itself before.
    let mut fields = text.rsplitn(3, FIELD);
    let message = fields.next().unwrap_or_default().to_owned();
    let path = PathBuf::from(fields.next().unwrap_or_default());
    let kind = fields.next().unwrap_or_default();
    if kind.ends_with("invalid") {
        LoadError::Invalid { path, message }
    } else if kind.ends_with("target") {
        LoadError::Target { path }
    } else if kind.ends_with("link") {
        LoadError::Link { path, message }
    } else {
        LoadError::Parse { path, message }
    }
}
