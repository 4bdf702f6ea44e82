//! What a run was given besides symbolic inputs: its environment and copies of host files. `world.json` in the run folder
//! keeps it, so that replay can give the native program the same.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::json_file;
use crate::run_folder::RunFolder;

pub const WORLD_FILE: &str = "world.json";

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct World {
    /// `KEY=VALUE`, in order. There is nothing else in the program's environment.
    pub env: Vec<String>,
    pub files: Vec<GivenFile>,
    pub dirs: Vec<GivenDir>,
    /// The host file that standard input is, if one was given.
    pub stdin: Option<PathBuf>,
    /// Who the program is.
    pub user: u32,
    pub group: u32,
}

/// A host file, whose contents the program finds at `guest`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GivenFile {
    pub guest: String,
    /// Absolute. The contents are not kept: who changes the file changes the tests.
    pub host: PathBuf,
    /// Permissions that the program sees.
    pub mode: u32,
}

/// A host folder, whose contents the program finds below `guest`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GivenDir {
    pub guest: String,
    pub host: PathBuf,
}

/// Splits `HOST[=GUEST]` and makes both absolute. Without GUEST the name is the same, seen from the guest's root.
fn host_and_guest(text: &str) -> std::result::Result<(PathBuf, String), String> {
    let (host, guest) = text.split_once('=').unwrap_or((text, text));
    let absolute = std::fs::canonicalize(host).map_err(|cause| format!("cannot read {host}: {cause}"))?;
    let guest = guest.strip_prefix("./").unwrap_or(guest);
    Ok((absolute, if guest.starts_with('/') { guest.to_owned() } else { format!("/{guest}") }))
}

impl GivenFile {
    /// Reads the value of `--file`.
    pub fn parse(text: &str) -> std::result::Result<GivenFile, String> {
        use std::os::unix::fs::PermissionsExt;
        let (host, guest) = host_and_guest(text)?;
        let data = std::fs::metadata(&host).map_err(|cause| format!("cannot read {}: {cause}", host.display()))?;
        if !data.is_file() {
            return Err(format!("{} is no plain file", host.display()));
        }
        Ok(GivenFile { guest, host, mode: data.permissions().mode() & 0o7777 })
    }
}

impl GivenDir {
    /// Reads the value of `--dir`.
    pub fn parse(text: &str) -> std::result::Result<GivenDir, String> {
        let (host, guest) = host_and_guest(text)?;
        if !host.is_dir() {
            return Err(format!("{} is no folder", host.display()));
        }
        Ok(GivenDir { guest, host })
    }
}

impl World {
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        json_file::write(folder, WORLD_FILE, self)
    }

    /// Reads the world of the run folder. One without the file, KLEE's for example, has an empty world.
    pub fn read(folder: &Path) -> Result<World> {
        Ok(json_file::read(folder, WORLD_FILE, "the world of a run")?.unwrap_or_default())
    }

    /// Adds what `other` has; where both have something of a name, `other` wins.
    pub fn override_with(&mut self, other: &World) {
        let World { env, files, dirs, stdin, user: _, group: _ } = other;
        let key = |entry: &str| entry.split('=').next().unwrap_or_default().to_owned();
        self.env.retain(|entry| env.iter().all(|new| key(new) != key(entry)));
        self.env.extend_from_slice(env);
        self.files.retain(|file| files.iter().all(|new| new.guest != file.guest));
        self.files.extend_from_slice(files);
        self.dirs.retain(|dir| dirs.iter().all(|new| new.guest != dir.guest));
        self.dirs.extend_from_slice(dirs);
        if stdin.is_some() {
            self.stdin.clone_from(stdin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_reads_back_and_none_is_empty() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_at(&base.path().join("run")).unwrap();
        assert_eq!(World::read(folder.path()).unwrap(), World::default());
        let world = World {
            env: vec!["A=1".into()],
            files: vec![GivenFile { guest: "/x".into(), host: "/etc/passwd".into(), mode: 0o640 }],
            dirs: vec![GivenDir { guest: "/d".into(), host: "/etc".into() }],
            stdin: Some("/dev/null".into()),
            user: 1000,
            group: 100,
        };
        world.write(&folder).unwrap();
        assert_eq!(World::read(folder.path()).unwrap(), world);
        std::fs::write(folder.path().join(WORLD_FILE), "{\"env\": 7}").unwrap();
        assert!(World::read(folder.path()).unwrap_err().to_string().contains("not the world of a run"));
        std::fs::write(folder.path().join(WORLD_FILE), "{}").unwrap();
        assert_eq!(World::read(folder.path()).unwrap(), World::default());
    }

    #[test]
    fn files_and_folders_are_named_as_asked() {
        let base = tempfile::tempdir().unwrap();
        let file = base.path().join("ab");
        std::fs::write(&file, "x").unwrap();
        let host = file.to_str().unwrap();
        let guest = |text: &str| GivenFile::parse(text).unwrap().guest;
        assert_eq!(guest(host), host);
        assert_eq!(guest(&format!("{host}=/etc/x")), "/etc/x");
        assert_eq!(guest(&format!("{host}=x")), "/x");
        assert!(GivenFile::parse("/no/such").unwrap_err().contains("/no/such"));
        assert!(GivenFile::parse(base.path().to_str().unwrap()).unwrap_err().contains("no plain file"));
        let folder = GivenDir::parse(&format!("{}=data", base.path().display())).unwrap();
        assert_eq!(folder.guest, "/data");
        assert!(GivenDir::parse(host).unwrap_err().contains("no folder"));
    }

    #[test]
    fn what_is_given_again_wins() {
        let file = |guest: &str, mode| GivenFile { guest: guest.into(), host: "/h".into(), mode };
        let mut world = World { env: vec!["A=1".into(), "B=2".into()], files: vec![file("/x", 1)], ..World::default() };
        let new = World { env: vec!["A=3".into()], files: vec![file("/x", 2), file("/y", 3)], ..World::default() };
        world.override_with(&new);
        assert_eq!(world.env, ["B=2", "A=3"]);
        assert_eq!(world.files, [file("/x", 2), file("/y", 3)]);
    }
}
