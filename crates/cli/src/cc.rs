//! `osier cc`: clang, with bitcode in what it makes.

use crate::failure::{Done, Failure};
use crate::flags::CcFlags;
use std::ffi::OsStr;

pub fn compile(flags: CcFlags) -> Done {
    // The words as they were given: clap takes a `--` out of them.
    let words = std::env::args_os().skip_while(|word| word != "cc").skip(1).collect();
    let CcFlags { words: _ } = flags;
    let compiled = osier_cc::compile(OsStr::new("clang-22"), words).map_err(Failure::broken)?;
    for warning in &compiled.warnings {
        eprintln!("osier cc: warning: {warning}");
    }
    Ok(compiled.status)
}
