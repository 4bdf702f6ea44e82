//! The files of a run folder that are JSON.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{ReportError, Result};
use crate::run_folder::RunFolder;

pub(crate) fn write(folder: &RunFolder, name: &str, content: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(content)
        .map_err(|cause| ReportError::Content { path: folder.path().join(name), problem: cause.to_string() })?;
    text.push('\n');
    folder.write(name, text.as_bytes())
}

/// Nothing if there is none. `what` says what it should be, for the message if it is something else.
pub(crate) fn read<T: DeserializeOwned>(folder: &Path, name: &str, what: &str) -> Result<Option<T>> {
    let path = folder.join(name);
    let text = match std::fs::read(&path) {
        Ok(text) => text,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(cause) => return Err(ReportError::file("read", &path, cause)),
    };
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|problem| ReportError::Content { path, problem: format!("not {what}: {problem}") })
}
