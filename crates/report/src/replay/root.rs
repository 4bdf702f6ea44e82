//! The file system that a native run finds: a folder with what the run's kernel has, too, and what the test has.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, Timespec, Timestamps, makedev, mknodat, utimensat};

use super::NativeProgram;
use super::launch::{Binding, Isolation};
use super::world::TestWorld;
use crate::error::{ReportError, Result};
use crate::stat::{Stat, Time};
use crate::world_file::{GivenDir, GivenFile, World};

/// When every run begins by the clock of Osier's kernel: the time of all files that have no other.
const START: Time = Time { seconds: 1_700_000_000, nanoseconds: 0 };

const DEVICES: &[(&str, u32)] = &[("null", 3), ("zero", 5)];

/// A root being filled.
pub(super) struct Root<'a> {
    path: &'a Path,
    /// Who owns what is in it. None if that cannot be chosen.
    owner: Option<(u32, u32)>,
    isolation: Isolation,
    bindings: Vec<Binding>,
    /// All folders, the outer before the inner. They get their time when nothing changes them any more.
    folders: Vec<PathBuf>,
}

impl<'a> Root<'a> {
    /// Makes `path` the root for a test of the program. Returns what has to be bound in it.
    pub fn make(
        path: &'a Path,
        program: &NativeProgram,
        isolation: Isolation,
        given: &World,
        test: &TestWorld,
        kept: &[PathBuf],
    ) -> Result<Vec<Binding>> {
        let privileged = rustix::process::geteuid().is_root();
        let owner = privileged.then_some((given.user, given.group));
        let mut root = Root { path, owner, isolation, bindings: Vec::new(), folders: Vec::new() };
        root.folder(path, 0o755)?;
        if isolation.has_root() {
            root.system_folders()?;
            for library in &program.libraries {
                let at = root.place(&library.guest.to_string_lossy())?;
                fs::hard_link(&library.copy, &at).map_err(|cause| ReportError::file("link", &at, cause))?;
            }
        }
        for GivenDir { guest, host } in &given.dirs {
            let at = root.place(guest)?;
            root.copy_folder(host, &at)?;
        }
        for GivenFile { guest, host, mode } in &given.files {
            let at = root.place(guest)?;
            root.copy_file(host, &at, *mode)?;
        }
        for file in &test.files {
            let at = root.place(&file.path)?;
            write(&at, &file.bytes)?;
            match &file.stat {
                Some(stat) => set_stat(&at, stat, root.owner.is_some()).map_err(|cause| problem(&at, cause))?,
                None => root.finish_file(&at, 0o644)?,
            }
        }
        for folder in kept {
            let to = root.place(&folder.to_string_lossy())?;
            root.folder(&to, 0o755)?;
            root.bindings.push(Binding { from: folder.clone(), to });
        }
        for folder in root.folders.iter().rev() {
            set_times(folder, START, START).map_err(|cause| problem(folder, cause))?;
        }
        Ok(root.bindings)
    }

    /// What every program finds.
    fn system_folders(&mut self) -> Result<()> {
        let dev = self.path.join("dev");
        self.folder(&dev, 0o755)?;
        self.folder(&self.path.join("tmp"), 0o1777)?;
        for &(name, minor) in DEVICES {
            let at = dev.join(name);
            match self.isolation {
                Isolation::Folder => {}
                Isolation::Chroot => {
                    // A container may forbid it: then the device is missing, as in a program's worst days.
                    let mode = Mode::from_raw_mode(0o666);
                    let _ = mknodat(CWD, &at, FileType::CharacterDevice, mode, makedev(1, minor));
                    let _ = fs::set_permissions(&at, fs::Permissions::from_mode(0o666));
                }
                Isolation::Namespace => {
                    write(&at, b"")?;
                    self.bindings.push(Binding { from: Path::new("/dev").join(name), to: at });
                }
            }
        }
        Ok(())
    }

    /// Where a name of the guest is, with the folders above it made. It cannot lead out.
    fn place(&mut self, guest: &str) -> Result<PathBuf> {
        let mut at = self.path.to_owned();
        let mut names = Vec::new();
        for component in Path::new(guest).components() {
            match component {
                Component::Normal(name) => names.push(name),
                Component::ParentDir => drop(names.pop()),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
        let Some((last, above)) = names.split_last() else { return Ok(at) };
        for name in above {
            at.push(name);
            self.folder(&at, 0o755)?;
        }
        Ok(at.join(last))
    }

    fn folder(&mut self, at: &Path, mode: u32) -> Result<()> {
        match fs::create_dir(at) {
            Ok(()) => {}
            Err(cause) if cause.kind() == io::ErrorKind::AlreadyExists && at.is_dir() => return Ok(()),
            Err(cause) => return Err(ReportError::file("make", at, cause)),
        }
        self.folders.push(at.to_owned());
        self.finish(at, mode)
    }

    fn copy_folder(&mut self, from: &Path, to: &Path) -> Result<()> {
        let unreadable = |cause| ReportError::file("read", from, cause);
        let mode = fs::metadata(from).map_err(unreadable)?.permissions().mode() & 0o7777;
        self.folder(to, mode)?;
        for entry in fs::read_dir(from).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let (inner, at) = (entry.path(), to.join(entry.file_name()));
            let data = fs::metadata(&inner).map_err(|cause| ReportError::file("read", &inner, cause))?;
            if data.is_dir() {
                self.copy_folder(&inner, &at)?;
            } else if data.is_file() {
                self.copy_file(&inner, &at, data.permissions().mode() & 0o7777)?;
            }
        }
        Ok(())
    }

    fn copy_file(&mut self, from: &Path, to: &Path, mode: u32) -> Result<()> {
        fs::copy(from, to).map_err(|cause| ReportError::file("copy", from, cause))?;
        self.finish_file(to, mode)
    }

    fn finish_file(&mut self, at: &Path, mode: u32) -> Result<()> {
        self.finish(at, mode)?;
        set_times(at, START, START).map_err(|cause| problem(at, cause))
    }

    fn finish(&self, at: &Path, mode: u32) -> Result<()> {
        if let Some((user, group)) = self.owner {
            chown(at, Some(user), Some(group)).map_err(|cause| problem(at, cause))?;
        }
        fs::set_permissions(at, fs::Permissions::from_mode(mode)).map_err(|cause| problem(at, cause))
    }
}

/// Gives a file what the test's `struct stat` says of it.
pub(super) fn set_stat(at: &Path, stat: &Stat, may_chown: bool) -> io::Result<()> {
    if may_chown {
        chown(at, Some(stat.user), Some(stat.group))?;
    }
    fs::set_permissions(at, fs::Permissions::from_mode(stat.permissions()))?;
    set_times(at, stat.accessed, stat.modified)
}

pub(super) fn timestamps(accessed: Time, modified: Time) -> Timestamps {
    let time = |time: Time| Timespec {
        tv_sec: time.seconds,
        tv_nsec: i64::try_from(time.nanoseconds).ok().filter(|&count| count < 1_000_000_000).unwrap_or(0),
    };
    Timestamps { last_access: time(accessed), last_modification: time(modified) }
}

fn set_times(at: &Path, accessed: Time, modified: Time) -> io::Result<()> {
    Ok(utimensat(CWD, at, &timestamps(accessed, modified), AtFlags::empty())?)
}

fn write(at: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(at, bytes).map_err(|cause| ReportError::file("write", at, cause))
}

fn problem(at: &Path, cause: io::Error) -> ReportError {
    ReportError::file("set up", at, cause)
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::Duration;

    use super::*;
    use crate::ktest::KTest;
    use crate::replay::{NativeEnding, RunOptions, Toolchain};

    fn program(folder: &Path) -> NativeProgram {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/world.c");
        let binary = folder.join("world");
        let built = Command::new("clang-22").arg("-static").arg(source).arg("-o").arg(&binary).status().unwrap();
        assert!(built.success());
        NativeProgram::of_binary(&binary, &Toolchain::llvm_22()).unwrap()
    }

    /// The tests of whole programs use the best isolation that there is; this is the second best.
    #[test]
    fn with_privileges_and_without_name_spaces_there_is_still_a_root() {
        if !rustix::process::geteuid().is_root() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let program = NativeProgram { isolation: Isolation::Chroot, ..program(folder.path()) };
        let says = |words: &[&str], user| {
            let test = KTest::new(words.iter().map(|word| word.as_bytes().to_vec()).collect(), vec![]);
            let world = World { user, group: user, ..World::default() };
            let options = RunOptions { world, ..RunOptions::new(Duration::from_secs(20)) };
            let run = program.run(&test, &options).unwrap();
            (run.ending, String::from_utf8(run.stdout.beginning).unwrap())
        };
        let said = |text: &str| (NativeEnding::Exit(0), text.to_owned());
        assert_eq!(says(&["p", "list", "/"], 0), said("dev tmp "));
        assert_eq!(says(&["p", "where"], 0), said("/ 22"));
        assert_eq!(says(&["p", "stat", "/"], 0).1.split(' ').next(), Some("folder"));
        assert_eq!(says(&["p", "write", "/new"], 1234), said("written"), "the root is the user's");
    }

    #[test]
    fn no_name_leads_out_of_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let isolation = Isolation::Folder;
        let mut root = Root { path: at, owner: None, isolation, bindings: vec![], folders: vec![] };
        assert_eq!(root.place("../../x").unwrap(), at.join("x"));
        assert_eq!(root.place("/a/./../b/c").unwrap(), at.join("b/c"));
        assert_eq!(root.place("/").unwrap(), at);
        assert!(at.join("b").is_dir() && !at.join("a").exists());
    }
}
