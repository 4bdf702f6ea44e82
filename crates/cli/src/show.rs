//! `osier test show`.

use crate::console::line;
use crate::failure::{Done, Failure};
use osier::report::{KTest, show as render};
use std::path::PathBuf;

pub fn show(files: &[PathBuf]) -> Done {
    for file in files {
        let test = KTest::read(file).map_err(Failure::usage)?;
        line(format_args!("{}:\n{}", file.display(), render(&test)))?;
    }
    Ok(0)
}
