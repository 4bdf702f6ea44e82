//! The folder that a run leaves: its name, its link, its plain files. `test_writer` fills it with tests.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::error::{ReportError, Result};

const PREFIX: &str = "osier-out-";
const LINK: &str = "osier-last";
const MESSAGES_FILE: &str = "messages.txt";

/// A run's folder, made and empty. Dropping it removes nothing.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    messages: File,
    link_problem: Option<ReportError>,
}

impl RunFolder {
    /// Makes the next free `osier-out-N` in `base` and points `osier-last` at it.
    pub fn create_numbered(base: &Path) -> Result<RunFolder> {
        fs::create_dir_all(base).map_err(|cause| ReportError::file("make", base, cause))?;
        let entries = fs::read_dir(base).map_err(|cause| ReportError::file("list", base, cause))?;
        let taken = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_prefix(PREFIX)?.parse().ok());
        let mut number = taken.max().map_or(0, |last: u64| last + 1);
        let path = loop {
            let path = base.join(format!("{PREFIX}{number}"));
            match fs::create_dir(&path) {
                Ok(()) => break path,
                // Another run took the number between the listing and now.
                Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(cause) => return Err(ReportError::file("make", &path, cause)),
            }
        };
        let link_problem = link_last(base, &path).err();
        RunFolder::open_messages(path, link_problem)
    }

    /// Makes `path` the folder; it must not exist, or be an empty folder. No link: the user knows where it is.
    pub fn create_at(path: &Path) -> Result<RunFolder> {
        match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
            Ok(true) => {}
            Ok(false) => return Err(ReportError::FolderInUse(path.to_owned())),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|cause| ReportError::file("make", path, cause))?;
            }
            // The path itself is a file, or something above it is.
            Err(cause) if cause.kind() == io::ErrorKind::NotADirectory && path.exists() => {
                return Err(ReportError::FolderInUse(path.to_owned()));
            }
            Err(cause) if cause.kind() == io::ErrorKind::NotADirectory => {
                return Err(ReportError::file("make", path, cause));
            }
            Err(cause) => return Err(ReportError::file("list", path, cause)),
        }
        RunFolder::open_messages(path.to_owned(), None)
    }

    /// The folder of an earlier run, to go on in it.
    pub fn reopen(path: &Path) -> Result<RunFolder> {
        let file = path.join(MESSAGES_FILE);
        let messages = OpenOptions::new().append(true).create(true).open(&file);
        let messages = messages.map_err(|cause| ReportError::file("write", &file, cause))?;
        Ok(RunFolder { path: path.to_owned(), messages, link_problem: None })
    }

    fn open_messages(path: PathBuf, link_problem: Option<ReportError>) -> Result<RunFolder> {
        let file = path.join(MESSAGES_FILE);
        let messages = OpenOptions::new()
            .append(true)
            .create_new(true)
            .open(&file)
            .map_err(|cause| ReportError::file("write", &file, cause))?;
        Ok(RunFolder { path, messages, link_problem })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why `osier-last` could not be set. The run's results do not depend on it, so it is no error.
    pub fn link_problem(&self) -> Option<&ReportError> {
        self.link_problem.as_ref()
    }

    /// Appends one message to `messages.txt`, at once: what was said before a crash stays.
    pub fn message(&self, text: &str) -> Result<()> {
        (&self.messages)
            .write_all(format!("{}\n", text.trim_end()).as_bytes())
            .map_err(|cause| ReportError::file("write", &self.path.join(MESSAGES_FILE), cause))
    }

    /// Writes a file of the folder whole or not at all, replacing an older one.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        write_whole(&self.path.join(name), content)
    }
}

/// Writes beside the target and renames: a reader sees the old file or the new one, never a part.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<()> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.partial", std::process::id()));
    let partial = path.with_file_name(name);
    let written = fs::write(&partial, content).and_then(|()| fs::rename(&partial, path));
    written.map_err(|cause| {
        // The cause is what the user must hear of; a partial file that cannot be removed either adds nothing.
        let _ = fs::remove_file(&partial);
        ReportError::file("write", path, cause)
    })
}

/// Creates a file that must not exist, with one write. A half-written one is taken away again.
pub(crate) fn write_new(path: &Path, content: &[u8]) -> Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(|cause| ReportError::file("write", path, cause))?;
    file.write_all(content).map_err(|cause| {
        let _ = fs::remove_file(path);
        ReportError::file("write", path, cause)
    })
}

fn link_last(base: &Path, folder: &Path) -> Result<()> {
    let link = base.join(LINK);
    let fresh = base.join(format!(".{LINK}.{}", std::process::id()));
    let target = folder.file_name().unwrap_or_default();
    symlink(target, &fresh).and_then(|()| fs::rename(&fresh, &link)).map_err(|cause| {
        let _ = fs::remove_file(&fresh);
        ReportError::file("link", &link, cause)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_on_after_the_highest() {
        let base = tempfile::tempdir().unwrap();
        assert!(RunFolder::create_numbered(base.path()).unwrap().path().ends_with("osier-out-0"));
        fs::create_dir(base.path().join("osier-out-7")).unwrap();
        fs::create_dir(base.path().join("osier-out-x")).unwrap();
        let folder = RunFolder::create_numbered(base.path()).unwrap();
        assert!(folder.path().ends_with("osier-out-8"));
        assert_eq!(fs::read_link(base.path().join(LINK)).unwrap(), Path::new("osier-out-8"));
        assert!(folder.link_problem().is_none());
    }

    #[test]
    fn a_link_that_cannot_be_set_is_told_but_does_not_fail() {
        let base = tempfile::tempdir().unwrap();
        fs::create_dir_all(base.path().join(LINK).join("in the way")).unwrap();
        let folder = RunFolder::create_numbered(base.path()).unwrap();
        assert!(folder.link_problem().unwrap().to_string().contains("osier-last"));
        let names: Vec<_> = fs::read_dir(base.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names.len(), 2, "no remains: {names:?}");
    }

    #[test]
    fn a_named_folder_must_be_free() {
        let base = tempfile::tempdir().unwrap();
        let out = base.path().join("a/b");
        let folder = RunFolder::create_at(&out).unwrap();
        folder.message("hello\n").unwrap();
        folder.message("again").unwrap();
        assert_eq!(fs::read_to_string(out.join("messages.txt")).unwrap(), "hello\nagain\n");
        let refused = RunFolder::create_at(&out).unwrap_err();
        assert!(matches!(refused, ReportError::FolderInUse(_)), "{refused}");
        let file = RunFolder::create_at(&out.join("messages.txt")).unwrap_err();
        assert!(matches!(file, ReportError::FolderInUse(_)), "{file}");
        let below = RunFolder::create_at(&out.join("messages.txt/below")).unwrap_err();
        assert!(matches!(below, ReportError::File { action: "make", .. }), "{below}");
        fs::create_dir(base.path().join("empty")).unwrap();
        RunFolder::create_at(&base.path().join("empty")).unwrap();
    }

    #[test]
    fn files_are_replaced_whole() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_at(&base.path().join("out")).unwrap();
        folder.write("summary.json", b"{}").unwrap();
        folder.write("summary.json", b"{1}").unwrap();
        assert_eq!(fs::read(folder.path().join("summary.json")).unwrap(), b"{1}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_full_disk_is_named() {
        let error = ReportError::file("write", Path::new("x"), io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(error.to_string(), "cannot write x: the disk is full");
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let folder = RunFolder { path: PathBuf::from("out"), messages: full, link_problem: None };
        assert_eq!(folder.message("x").unwrap_err().to_string(), "cannot write out/messages.txt: the disk is full");
    }
}
