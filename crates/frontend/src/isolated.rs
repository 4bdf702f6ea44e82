//! Malformed files can crash LLVM, so a child process reads, verifies and lowers them, and sends the module back. That the
//! parent never shows such a file to LLVM matters: what LLVM does with one may differ from run to run.

use crate::guard::{Allowance, Ending, in_child};
use crate::llvm::Context;
use crate::load::open;
use crate::read::Group;
use crate::{LoadError, module};
use osier_ir::Module;
use std::mem::ManuallyDrop;

/// What the entry reaches, lowered; or what LLVM cannot read or its verifier finds broken.
pub fn lower(groups: &[Group], libc: Option<&[u8]>, entry: &str) -> Result<Module, LoadError> {
    let inputs = || groups.iter().flat_map(|group| &group.inputs);
    let work = || {
        // Neither is taken down: the child ends here, and that costs as much as reading.
        let context = ManuallyDrop::new(Context::new());
        let program = ManuallyDrop::new(open(&context, groups, libc)?);
        program.read_reachable(entry)?;
        for member in program.members() {
            let broken = |message| LoadError::Invalid { path: member.path.clone(), message };
            member.llvm.verify().map_err(broken)?;
        }
        module::lower(&program, entry)
    };
    let bytes = inputs().map(|input| input.bytes.len()).sum();
    let ending =
        in_child(Allowance::for_file(bytes), work).map_err(|error| LoadError::System { reason: error.to_string() })?;
    let path = || inputs().next().map_or_else(Default::default, |input| input.path.clone());
    match ending {
        Ending::Done { result: Ok(_), said } if !said.is_empty() => {
            Err(LoadError::Invalid { path: path(), message: said })
        }
        Ending::Done { result, said: _ } => result,
        Ending::Died { said } => Err(LoadError::Crash { path: path(), message: said }),
    }
}
