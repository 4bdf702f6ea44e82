//! `osier ir`: the compact IR as text.

use crate::failure::{BROKEN, Done, Failure};
use crate::flags::IrFlags;
use crate::native::load_program;
use std::io::Write;

pub fn print(flags: &IrFlags) -> Done {
    // Everything is shown unless an entry is named.
    let entry = if flags.build.entry == "main" { "" } else { &flags.build.entry };
    let loaded = load_program(&flags.files, &flags.build, entry)?;
    match write!(std::io::stdout().lock(), "{}", loaded.module) {
        Ok(()) => Ok(0),
        // Whoever reads has seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(0),
        Err(error) => Err(Failure { status: BROKEN, message: format!("cannot write to standard output: {error}") }),
    }
}
