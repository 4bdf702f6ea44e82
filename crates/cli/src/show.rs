//! `osier test show`.

use crate::failure::{BROKEN, Done, Failure, USAGE};
use osier::report::{KTest, show as render};
use std::io::Write;
use std::path::PathBuf;

pub fn show(files: &[PathBuf]) -> Done {
    let mut out = std::io::stdout().lock();
    for file in files {
        let test = KTest::read(file).map_err(|error| Failure { status: USAGE, message: error.to_string() })?;
        match writeln!(out, "{}:\n{}", file.display(), render(&test)) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(0),
            Err(error) => {
                return Err(Failure { status: BROKEN, message: format!("cannot write to standard output: {error}") });
            }
        }
    }
    Ok(0)
}
