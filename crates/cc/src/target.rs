//! What the libc adds to clang's command line.
//!
//! musl is Debian's, seen through a folder that looks like the root of a system which has nothing but musl and the
//! kernel's headers. So clang itself knows where everything is and in which order it comes, and nothing of the system's own
//! libc is found by accident.

use crate::arguments::{Arguments, Kind, Product};
use std::ffi::{OsStr, OsString};
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Libc {
    Musl,
    Glibc,
}

/// What clang's coverage runtime needs besides musl; an object in the root's folder of libraries.
const CHECKED: &str = include_str!("checked.c");
const CHECKED_OBJECT: &str = "osier-checked.o";

#[derive(Debug)]
pub enum RootError {
    /// musl's development package is not installed.
    NoMusl,
    /// The folder cannot be made.
    Folder(PathBuf, io::Error),
}

/// The folder that shows musl as a system of its own; made when it is not there.
pub fn musl_root(clang: &OsStr) -> Result<PathBuf, RootError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    let parent = cache.unwrap_or_else(std::env::temp_dir).join("osier");
    let root = parent.join("musl-system");
    if root.join("lib").exists() {
        return Ok(root);
    }
    if !Path::new(HEADERS).is_dir() || !Path::new(LIBRARIES).is_dir() {
        return Err(RootError::NoMusl);
    }
    // Several compilers may start at once: each makes a folder of its own, and the first to be ready gives it its name.
    let ours = parent.join(format!("musl-system.{}", std::process::id()));
    make_root(clang, &ours).map_err(|error| RootError::Folder(ours.clone(), error))?;
    let named = std::fs::rename(&ours, &root);
    if named.is_err() {
        let _ = std::fs::remove_dir_all(&ours);
    }
    if root.join("lib").exists() {
        Ok(root)
    } else {
        named.map(|()| root.clone()).map_err(|e| RootError::Folder(root, e))
    }
}

fn make_root(clang: &OsStr, root: &Path) -> io::Result<()> {
    let include = root.join("usr/include");
    std::fs::create_dir_all(&include)?;
    for entry in std::fs::read_dir(HEADERS)? {
        let entry = entry?;
        symlink(entry.path(), include.join(entry.file_name()))?;
    }
    for (name, target) in KERNEL {
        if Path::new(target).is_dir() && !include.join(name).exists() {
            symlink(target, include.join(name))?;
        }
    }
    let lib = root.join("usr/lib");
    std::fs::create_dir(&lib)?;
    for entry in std::fs::read_dir(LIBRARIES)? {
        let entry = entry?;
        symlink(entry.path(), lib.join(entry.file_name()))?;
    }
    symlink("usr/lib", root.join("lib"))?;
    let mut command = Command::new(clang);
    command
        .args(compile_flags(Libc::Musl, root))
        .args(["-O1", "-c", "-x", "c", "-", "-o"])
        .arg(lib.join(CHECKED_OBJECT));
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(CHECKED.as_bytes()))?;
    if child.wait()?.success() { Ok(()) } else { Err(io::Error::other("clang does not compile against musl")) }
}

/// What every compilation needs. It goes before the user's own flags, so that those win.
pub fn compile_flags(libc: Libc, root: &Path) -> Vec<OsString> {
    if libc == Libc::Glibc {
        return Vec::new();
    }
    let mut sysroot = OsString::from("--sysroot=");
    sysroot.push(root);
    vec!["--target=x86_64-linux-musl".into(), sysroot, "--gcc-toolchain=/usr".into()]
}

/// What linking needs: a static program where nothing speaks against it, as it runs anywhere.
pub fn link_flags(libc: Libc, root: &Path, arguments: &Arguments) -> Vec<OsString> {
    if libc == Libc::Glibc || arguments.product() != Product::Binary || arguments.has("-r") {
        return Vec::new();
    }
    // The shared libgcc needs glibc.
    let mut flags = vec!["--start-no-unused-arguments", "-static-libgcc"];
    if !wants_dynamic(arguments) {
        flags.push("-static");
    }
    flags.push("--end-no-unused-arguments");
    let mut flags: Vec<OsString> = flags.into_iter().map(OsString::from).collect();
    if measures_coverage(arguments) {
        flags.push(root.join("lib").join(CHECKED_OBJECT).into());
    }
    flags
}

fn measures_coverage(arguments: &Arguments) -> bool {
    const OPTIONS: &[&str] = &["--coverage", "-coverage", "-fprofile-arcs", "-fprofile-generate"];
    let clangs_own = |name: &str| arguments.values(name).next().is_some() || arguments.has(name);
    OPTIONS.iter().any(|option| arguments.has(option)) || clangs_own("-fprofile-instr-generate")
}

/// Whether the command asks for what only dynamic linking gives: a shared object, exported symbols, a library that is
/// there as a shared object only.
fn wants_dynamic(arguments: &Arguments) -> bool {
    const OPTIONS: &[&str] = &["-shared", "-rdynamic", "-pie", "-static-pie", "-dynamic", "--shared", "-Bdynamic"];
    const WORDS: &[&str] = &["-E", "--export-dynamic", "-Bdynamic", "-shared", "-pie", "-call_shared", "-dy"];
    let passed = |text: &str| text.split(',').any(|word| WORDS.contains(&word));
    let shared = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.ends_with(".so") || name.contains(".so.")
    };
    let inputs = arguments.items.iter().filter(|item| item.kind == Kind::Linked);
    OPTIONS.iter().any(|option| arguments.has(option))
        || arguments.values("-Wl,").any(|text| passed(&text))
        || arguments.values("-Xlinker").any(|text| passed(&text))
        || inputs.into_iter().any(|item| shared(Path::new(item.value())))
        || arguments.values("-l").any(|name| only_shared(&name, arguments))
}

/// Whether the first folder of the user's that has the library has it as a shared object only.
fn only_shared(name: &str, arguments: &Arguments) -> bool {
    let has = |folder: &str, suffix: &str| Path::new(folder).join(format!("lib{name}.{suffix}")).is_file();
    let first = arguments.values("-L").find(|folder| has(folder, "so") || has(folder, "a"));
    first.is_some_and(|folder| !has(&folder, "a"))
}
