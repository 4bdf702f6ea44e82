//! The file system that a native run finds: a folder with what the run's kernel has, too, and what the test has.
//!
//! It is planned first, then made in falling order of names: a file system in memory lists the newest entry first, so that
//! the program finds them in rising order, as in Osier's kernel.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FileType, Mode, Timespec, Timestamps, makedev, mknodat, utimensat};

use super::NativeProgram;
use super::launch::{Binding, Isolation};
use super::world::{SymbolicFile, TestWorld};
use crate::error::{ReportError, Result};
use crate::stat::{Stat, Time};
use crate::world_file::{GivenDir, GivenFile, World};

/// When every run begins by the clock of Osier's kernel: the time of all files that have no other.
const START: Time = Time { seconds: 1_700_000_000, nanoseconds: 0 };

const DEVICES: &[(&str, u32)] = &[("null", 3), ("zero", 5)];

enum Item<'a> {
    Folder(u32),
    /// The minor number of a memory device.
    Device(u32),
    /// A copy of a library, to be linked.
    Library(&'a Path),
    /// The file whose contents it has, and its permissions.
    Copy(PathBuf, u32),
    Symbolic(&'a SymbolicFile),
    /// A folder of the host that shows through.
    Kept(&'a Path),
}

/// What is to be where, by names from the root. What is planned later wins.
#[derive(Default)]
struct Plan<'a>(BTreeMap<PathBuf, Item<'a>>);

impl<'a> Plan<'a> {
    fn new(program: &'a NativeProgram, given: &World, test: &'a TestWorld, kept: &'a [PathBuf]) -> Result<Plan<'a>> {
        let mut plan = Plan::default();
        if program.isolation.has_root() {
            if test.devices {
                plan.add(Path::new("dev"), Item::Folder(0o755));
                plan.add(Path::new("tmp"), Item::Folder(0o1777));
                for &(name, minor) in DEVICES {
                    plan.add(&Path::new("dev").join(name), Item::Device(minor));
                }
            }
            for library in &program.libraries {
                plan.add(&library.guest, Item::Library(&library.copy));
            }
        }
        for GivenDir { guest, host } in &given.dirs {
            plan.add_folder(Path::new(guest), host)?;
        }
        for GivenFile { guest, host, mode } in &given.files {
            plan.add(Path::new(guest), Item::Copy(host.clone(), *mode));
        }
        for file in &test.files {
            plan.add(Path::new(&file.path), Item::Symbolic(file));
        }
        for folder in kept {
            plan.add(folder, Item::Kept(folder));
        }
        Ok(plan)
    }

    fn add(&mut self, guest: &Path, item: Item<'a>) {
        self.0.insert(inside(guest), item);
    }

    fn add_folder(&mut self, guest: &Path, host: &Path) -> Result<()> {
        let unreadable = |cause| ReportError::file("read", host, cause);
        let mode = |data: fs::Metadata| data.permissions().mode() & 0o7777;
        self.add(guest, Item::Folder(mode(fs::metadata(host).map_err(unreadable)?)));
        for entry in fs::read_dir(host).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let (path, at) = (entry.path(), guest.join(entry.file_name()));
            let data = fs::metadata(&path).map_err(|cause| ReportError::file("read", &path, cause))?;
            if data.is_dir() {
                self.add_folder(&at, &path)?;
            } else if data.is_file() {
                self.add(&at, Item::Copy(path, mode(data)));
            }
        }
        Ok(())
    }
}

/// A guest's name as one below the root. It cannot lead out.
fn inside(guest: &Path) -> PathBuf {
    let mut path = PathBuf::new();
    for component in guest.components() {
        match component {
            Component::Normal(name) => path.push(name),
            Component::ParentDir => drop(path.pop()),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    path
}

/// A root being filled.
struct Root<'a> {
    path: &'a Path,
    /// Who owns what is in it. None if that cannot be chosen.
    owner: Option<(u32, u32)>,
    plan: Plan<'a>,
    bindings: Vec<Binding>,
    /// All folders, the outer before the inner. They get their time when nothing changes them any more.
    folders: Vec<PathBuf>,
}

/// Makes `path` the root for a test of the program. Returns what has to be bound in it.
pub(super) fn make_root(
    path: &Path,
    program: &NativeProgram,
    given: &World,
    test: &TestWorld,
    kept: &[PathBuf],
) -> Result<Vec<Binding>> {
    let plan = Plan::new(program, given, test, kept)?;
    let privileged = rustix::process::geteuid().is_root();
    let owner = privileged.then_some((given.user, given.group));
    let mut root = Root { path, owner, plan, bindings: Vec::new(), folders: Vec::new() };
    let items: Vec<PathBuf> = root.plan.0.keys().rev().cloned().collect();
    root.folder(Path::new(""))?;
    for name in items {
        root.make(&name, program.isolation)?;
    }
    for folder in root.folders.iter().rev() {
        set_times(folder, START, START).map_err(|cause| problem(folder, cause))?;
    }
    Ok(root.bindings)
}

impl Root<'_> {
    fn make(&mut self, name: &Path, isolation: Isolation) -> Result<()> {
        self.folder(name.parent().unwrap_or(Path::new("")))?;
        let at = self.path.join(name);
        match &self.plan.0[name] {
            Item::Folder(_) => self.folder(name),
            Item::Device(minor) => self.device(&at, *minor, isolation),
            Item::Library(copy) => fs::hard_link(copy, &at).map_err(|cause| ReportError::file("link", &at, cause)),
            Item::Copy(from, mode) => {
                fs::copy(from, &at).map_err(|cause| ReportError::file("copy", from, cause))?;
                self.finish_file(&at, *mode)
            }
            Item::Symbolic(SymbolicFile { path: _, bytes, stat }) => {
                write(&at, bytes)?;
                match stat {
                    Some(stat) => set_stat(&at, stat, self.owner.is_some()).map_err(|cause| problem(&at, cause)),
                    None => self.finish_file(&at, 0o644),
                }
            }
            Item::Kept(folder) => {
                self.bindings.push(Binding { from: folder.to_path_buf(), to: at });
                self.folder(name)
            }
        }
    }

    /// Makes a folder and those above it, with the permissions that are planned for them.
    fn folder(&mut self, name: &Path) -> Result<()> {
        let at = self.path.join(name);
        if self.folders.contains(&at) {
            return Ok(());
        }
        if let Some(parent) = name.parent() {
            self.folder(parent)?;
        }
        fs::create_dir(&at).map_err(|cause| ReportError::file("make", &at, cause))?;
        let mode = match self.plan.0.get(name) {
            Some(Item::Folder(mode)) => *mode,
            Some(_) | None => 0o755,
        };
        self.finish(&at, mode)?;
        self.folders.push(at);
        Ok(())
    }

    /// A device of its own, if the user and the file system allow it; else the machine's shows through.
    fn device(&mut self, at: &Path, minor: u32, isolation: Isolation) -> Result<()> {
        let mode = Mode::from_raw_mode(0o666);
        let made = mknodat(CWD, at, FileType::CharacterDevice, mode, makedev(1, minor));
        if made.is_ok() && fs::File::open(at).is_ok() {
            return self.finish_file(at, 0o666);
        }
        // It is there, but the file system has no devices.
        let _ = fs::remove_file(at);
        if isolation == Isolation::Namespace {
            write(at, b"")?;
            let from = Path::new("/dev").join(at.file_name().unwrap_or_default());
            self.bindings.push(Binding { from, to: at.to_owned() });
        }
        Ok(())
    }

    fn finish_file(&self, at: &Path, mode: u32) -> Result<()> {
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
        assert_eq!(says(&["p", "list", "/", "--devices"], 0), said("dev tmp "));
        assert_eq!(says(&["p", "where"], 0), said("/ 22"));
        assert_eq!(says(&["p", "stat", "/"], 0).1.split(' ').next(), Some("folder"));
        assert_eq!(says(&["p", "write", "/new"], 1234), said("written"), "the root is the user's");
    }

    #[test]
    fn no_name_leads_out_of_the_root() {
        assert_eq!(inside(Path::new("../../x")), Path::new("x"));
        assert_eq!(inside(Path::new("/a/./../b/c")), Path::new("b/c"));
        assert_eq!(inside(Path::new("/")), Path::new(""));
    }

    #[test]
    fn what_is_planned_later_wins_and_folders_have_their_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let host = folder.path().join("host");
        fs::create_dir_all(host.join("sub")).unwrap();
        fs::write(host.join("sub/file"), "from the folder").unwrap();
        fs::write(folder.path().join("other"), "given").unwrap();
        fs::set_permissions(host.join("sub"), fs::Permissions::from_mode(0o705)).unwrap();
        let world = World {
            files: vec![GivenFile { guest: "/d/sub/file".into(), host: folder.path().join("other"), mode: 0o640 }],
            dirs: vec![GivenDir { guest: "/d".into(), host }],
            ..World::default()
        };
        let program = program(folder.path()).without_root();
        let root = folder.path().join("root");
        let test = super::super::world::world(&KTest::new(vec![], vec![]));
        assert!(make_root(&root, &program, &world, &test, &[]).unwrap().is_empty());
        assert_eq!(fs::read(root.join("d/sub/file")).unwrap(), b"given");
        let mode = |name: &str| fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode("d/sub"), mode("d/sub/file"), mode("")), (0o705, 0o640, 0o755));
    }
}
