//! How far a native run is shut in, and the command that starts it (`runtime/native/launch.c`).

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// What stands between the program and the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation {
    /// Only a folder of its own to be in. Absolute paths lead out of the test's world.
    Folder,
    /// A root of its own.
    Chroot,
    /// A root, processes, users and mounts of its own. Whoever runs it, the program can do no harm.
    Namespace,
}

impl Isolation {
    fn mode(self) -> &'static str {
        match self {
            Isolation::Folder => "folder",
            Isolation::Chroot => "chroot",
            Isolation::Namespace => "namespace",
        }
    }

    pub fn has_root(self) -> bool {
        match self {
            Isolation::Folder => false,
            Isolation::Chroot | Isolation::Namespace => true,
        }
    }

    /// The best that this machine and user allow, found by trying: the launcher launches itself with nothing to do. None
    /// if even the launcher cannot be started from this folder.
    pub(super) fn best(launcher: &Path, folder: &Path) -> Option<Isolation> {
        let root = folder.join("probe");
        fs::create_dir(&root).ok()?;
        let works = |isolation: &Isolation| {
            let launch = Launch { launcher, isolation: *isolation, root: &root, outside: folder, binary: launcher };
            let mut command = launch.command((0, 0), &[], &[]);
            // Too few arguments: it says so and ends.
            command.arg("launch").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            let output = command.output();
            let reached =
                output.is_ok_and(|output| String::from_utf8_lossy(&output.stderr).contains("too few arguments"));
            // A failed attempt leaves its complaint, which is not the test's.
            let _ = fs::remove_file(folder.join("problem"));
            reached
        };
        let best = [Isolation::Namespace, Isolation::Chroot, Isolation::Folder].into_iter().find(works);
        let _ = fs::remove_dir(&root);
        best
    }
}

pub(super) struct Launch<'a> {
    pub launcher: &'a Path,
    pub isolation: Isolation,
    pub root: &'a Path,
    /// Where a problem is written.
    pub outside: &'a Path,
    pub binary: &'a Path,
}

/// A file or folder outside that is bound to one inside.
pub(super) struct Binding {
    pub from: std::path::PathBuf,
    pub to: std::path::PathBuf,
}

impl Launch<'_> {
    /// The command, to which the program's own arguments are added, its name first. The variables are its environment.
    pub fn command(&self, (user, group): (u32, u32), bindings: &[Binding], variables: &[OsString]) -> Command {
        let Launch { launcher, isolation, root, outside, binary } = self;
        let mut command = Command::new(launcher);
        command.arg(isolation.mode()).arg(root).arg(outside).arg(binary);
        command.args([user.to_string(), group.to_string(), bindings.len().to_string()]);
        command.args(bindings.iter().flat_map(|Binding { from, to }| [AsRef::<OsStr>::as_ref(from), to.as_ref()]));
        command.arg(variables.len().to_string()).args(variables).env_clear();
        command
    }
}
