//! `command.json`: the command of a run, from which another run can go on in its folder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::json_file;
use crate::run_folder::RunFolder;

const COMMAND_FILE: &str = "command.json";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CommandFile {
    /// Osier's version.
    pub osier: String,
    /// The folder that the command was given in.
    pub folder: PathBuf,
    /// The options of `osier run`, as they were written.
    pub options: Vec<String>,
    /// The program's files and its arguments.
    pub program: Vec<String>,
    /// Tells whether the program is still the same.
    pub fingerprint: String,
}

impl CommandFile {
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        json_file::write(folder, COMMAND_FILE, self)
    }

    /// Nothing if there is none.
    pub fn read(folder: &Path) -> Result<Option<CommandFile>> {
        json_file::read(folder, COMMAND_FILE, "the command of a run")
    }
}
