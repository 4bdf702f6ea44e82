//! The folder of what `osier cc` adds to clang, made in the cache when it is not there.
//!
//! musl is Debian's, seen through a folder that looks like the root of a system which has nothing but musl and the
//! kernel's headers. So clang itself knows where everything is and in which order it comes, and nothing of the system's own
//! libc is found by accident. Like on any system, what is added to it lies in `usr/local`.
//!
//! Added are headers and a small library which make a program do natively what it does under Osier: the processor that
//! it asks for, and functions that programs otherwise bring along in a form that reads beyond the end of its objects.

use crate::target::{Libc, compile_flags};
use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const HEADERS: &str = "/usr/include/x86_64-linux-musl";
const LIBRARIES: &str = "/usr/lib/x86_64-linux-musl";
/// The kernel's headers, with their names in front of them.
const KERNEL: &[(&str, &str)] = &[
    ("linux", "/usr/include/linux"),
    ("asm", "/usr/include/x86_64-linux-gnu/asm"),
    ("asm-generic", "/usr/include/asm-generic"),
    ("drm", "/usr/include/drm"),
    ("mtd", "/usr/include/mtd"),
    ("sound", "/usr/include/sound"),
    ("video", "/usr/include/video"),
];

/// A file that is added: its name, its text, and whether it is for musl only.
struct Addition {
    name: &'static str,
    text: &'static str,
    only_musl: bool,
}

const ADDED_HEADERS: &[Addition] = &[
    Addition { name: "cpuid.h", text: include_str!("../../../runtime/include/cpuid.h"), only_musl: false },
    Addition { name: "string.h", text: include_str!("string.h"), only_musl: true },
];

/// The library's members, from the sources that the bitcode of the libc has them from.
const ADDED_FUNCTIONS: &[Addition] = &[
    Addition { name: "processor", text: include_str!("../../../runtime/musl/processor.c"), only_musl: false },
    Addition { name: "rawmemchr", text: include_str!("../../../runtime/musl/rawmemchr.c"), only_musl: true },
];

/// What clang's coverage runtime needs besides musl. Not in the library, which comes before that runtime.
const FOR_COVERAGE: Addition = Addition { name: "osier-checked", text: include_str!("checked.c"), only_musl: true };

#[derive(Debug)]
pub enum RootError {
    /// musl's development package is not installed.
    NoMusl,
    /// The folder cannot be made.
    Folder(PathBuf, io::Error),
}

#[derive(Debug)]
pub struct Root {
    pub path: PathBuf,
    pub libc: Libc,
}

impl Root {
    /// The folder for programs that use this libc; made when it is not there.
    pub fn find(clang: &OsStr, libc: Libc) -> Result<Root, RootError> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        Root::find_in(&cache.unwrap_or_else(std::env::temp_dir).join("osier"), clang, libc)
    }

    fn find_in(parent: &Path, clang: &OsStr, libc: Libc) -> Result<Root, RootError> {
        let name = match libc {
            Libc::Musl => format!("cc-musl-{}", stamp()),
            Libc::Glibc => format!("cc-glibc-{}", stamp()),
        };
        let root = Root { path: parent.join(&name), libc };
        if root.path.is_dir() {
            return Ok(root);
        }
        if libc == Libc::Musl && (!Path::new(HEADERS).is_dir() || !Path::new(LIBRARIES).is_dir()) {
            return Err(RootError::NoMusl);
        }
        // Several compilers may start at once: each makes a folder of its own, and the first to be ready gives it its name.
        let ours = Root { path: parent.join(format!("{name}.{}", std::process::id())), libc };
        // Of a process that was stopped and had the same number.
        let _ = std::fs::remove_dir_all(&ours.path);
        let made = ours.make(clang).and_then(|()| std::fs::rename(&ours.path, &root.path));
        if made.is_err() {
            let _ = std::fs::remove_dir_all(&ours.path);
        }
        match made {
            Err(error) if !root.path.is_dir() => Err(RootError::Folder(ours.path, error)),
            Ok(()) | Err(_) => Ok(root),
        }
    }

    /// Where the headers are that come before the libc's.
    pub fn headers(&self) -> PathBuf {
        self.path.join("usr/local/include")
    }

    pub fn library(&self) -> PathBuf {
        self.path.join("usr/local/lib/libosier.a")
    }

    pub fn for_coverage(&self) -> PathBuf {
        self.object(&FOR_COVERAGE)
    }

    fn object(&self, addition: &Addition) -> PathBuf {
        self.path.join("usr/local/lib").join(addition.name).with_extension("o")
    }

    fn has(&self, addition: &&Addition) -> bool {
        !addition.only_musl || self.libc == Libc::Musl
    }

    fn make(&self, clang: &OsStr) -> io::Result<()> {
        if self.libc == Libc::Musl {
            self.show_musl()?;
        }
        std::fs::create_dir_all(self.headers())?;
        for header in ADDED_HEADERS.iter().filter(|header| self.has(header)) {
            std::fs::write(self.headers().join(header.name), header.text)?;
        }
        std::fs::create_dir_all(self.path.join("usr/local/lib"))?;
        let members: Vec<&Addition> = ADDED_FUNCTIONS.iter().filter(|addition| self.has(addition)).collect();
        for addition in members.iter().copied().chain([&FOR_COVERAGE]).filter(|addition| self.has(addition)) {
            self.compile(clang, addition)?;
        }
        let mut archiver = Command::new("ar");
        archiver.arg("rcs").arg(self.library()).args(members.iter().map(|member| self.object(member)));
        succeed(archiver.status()?.success(), "ar does not make a library")
    }

    /// Hidden and independent of its place, for programs and shared objects alike.
    fn compile(&self, clang: &OsStr, addition: &Addition) -> io::Result<()> {
        let mut command = Command::new(clang);
        command.args(compile_flags(self));
        command.args(["-O2", "-fPIC", "-fno-builtin", "-fvisibility=hidden", "-w", "-c", "-x", "c", "-", "-o"]);
        command.arg(self.object(addition)).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(addition.text.as_bytes()))?;
        succeed(child.wait()?.success(), "clang does not compile against the libc")
    }

    fn show_musl(&self) -> io::Result<()> {
        let (include, lib) = (self.path.join("usr/include"), self.path.join("usr/lib"));
        link_all(HEADERS, &include)?;
        for (name, target) in KERNEL {
            if Path::new(target).is_dir() && !include.join(name).exists() {
                symlink(target, include.join(name))?;
            }
        }
        link_all(LIBRARIES, &lib)?;
        symlink("usr/lib", self.path.join("lib"))
    }
}

fn link_all(from: &str, to: &Path) -> io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        symlink(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

fn succeed(success: bool, else_said: &str) -> io::Result<()> {
    if success { Ok(()) } else { Err(io::Error::other(else_said)) }
}

/// Names what the folder is made of and how, so that another version of Osier makes one of its own.
fn stamp() -> String {
    let mut hasher = DefaultHasher::new();
    include_str!("root.rs").hash(&mut hasher);
    for addition in ADDED_HEADERS.iter().chain(ADDED_FUNCTIONS).chain([&FOR_COVERAGE]) {
        (addition.name, addition.text).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn each_libc_has_a_folder_which_is_made_once() {
        let parent = tempfile::tempdir().unwrap();
        let musl = Root::find_in(parent.path(), OsStr::new("clang-22"), Libc::Musl).unwrap();
        assert_eq!(names(&musl.headers()), ["cpuid.h", "string.h"]);
        assert!(musl.library().is_file() && musl.for_coverage().is_file());
        assert!(musl.path.join("usr/include/stdio.h").is_file() && musl.path.join("lib/libc.a").is_file());
        let glibc = Root::find_in(parent.path(), OsStr::new("clang-22"), Libc::Glibc).unwrap();
        assert_eq!(names(&glibc.headers()), ["cpuid.h"]);
        assert_eq!(names(&glibc.path.join("usr/local/lib")), ["libosier.a", "processor.o"]);
        // Nothing is compiled again.
        let again = Root::find_in(parent.path(), OsStr::new("no-such-compiler"), Libc::Musl).unwrap();
        assert_eq!(again.path, musl.path);
        assert_eq!(names(parent.path()).len(), 2);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_not_left_behind() {
        let parent = tempfile::tempdir().unwrap();
        for clang in ["no-such-compiler", "false"] {
            let refused = Root::find_in(parent.path(), OsStr::new(clang), Libc::Musl);
            assert!(matches!(refused, Err(RootError::Folder(..))), "{refused:?}");
            assert!(names(parent.path()).is_empty());
        }
    }
}
