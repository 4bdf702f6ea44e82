//! `command.json`: the command of a run, from which another run can go on in its folder.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{ReportError, Result};
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
        let mut text = serde_json::to_string_pretty(self).expect("plain structs always serialise");
        text.push('\n');
        folder.write(COMMAND_FILE, text.as_bytes())
    }

    /// Nothing if there is none.
    pub fn read(folder: &Path) -> Result<Option<CommandFile>> {
        let path = folder.join(COMMAND_FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(ReportError::file("read", &path, cause)),
        };
        let content = |problem: serde_json::Error| ReportError::Content { path, problem: problem.to_string() };
        serde_json::from_str(&text).map(Some).map_err(content)
    }
}
