//! `osier ir`: the compact IR as text.

use crate::console::line;
use crate::failure::Done;
use crate::flags::IrFlags;
use crate::native::load_program;

pub fn print(flags: &IrFlags) -> Done {
    // Everything is shown unless an entry is named.
    let entry = if flags.build.entry == "main" { "" } else { &flags.build.entry };
    let loaded = load_program(&flags.files, &flags.build, entry)?;
    line(loaded.module.to_string().trim_end())?;
    Ok(0)
}
