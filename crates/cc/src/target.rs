//! What the libc adds to clang's command line.

use crate::arguments::{Arguments, Kind, Product};
use crate::root::Root;
use std::ffi::OsString;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Libc {
    Musl,
    Glibc,
}

/// What every compilation needs. It goes before the user's own flags, so that those win.
pub fn compile_flags(root: &Root) -> Vec<OsString> {
    match root.libc {
        // Behind the user's own folders, in front of the compiler's.
        Libc::Glibc => vec!["-isystem".into(), root.headers().into()],
        Libc::Musl => {
            let mut sysroot = OsString::from("--sysroot=");
            sysroot.push(&root.path);
            vec!["--target=x86_64-linux-musl".into(), sysroot, "--gcc-toolchain=/usr".into()]
        }
    }
}

/// What linking needs in front of the user's words: a static program where nothing speaks against it, as it runs anywhere.
pub fn link_flags(root: &Root, arguments: &Arguments) -> Vec<OsString> {
    if root.libc == Libc::Glibc || arguments.product() != Product::Binary || arguments.has("-r") {
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
        flags.push(root.for_coverage().into());
    }
    flags
}

/// The library that comes behind all that the user links and in front of the libraries that clang adds by itself; none
/// where it adds none, and none where there is nothing to link, which clang says best by itself.
pub fn last_library(root: &Root, arguments: &Arguments) -> Option<OsString> {
    const ALONE: &[&str] = &["-r", "-nostdlib", "-nodefaultlibs"];
    let mut inputs = arguments.items.iter().filter(|item| item.kind.is_input()).peekable();
    let missing =
        inputs.peek().is_some() && inputs.all(|item| item.value() != "-" && !Path::new(item.value()).exists());
    let alone = ALONE.iter().any(|option| arguments.has(option));
    let wanted = arguments.product() == Product::Binary && !alone && !missing;
    wanted.then(|| root.library().into())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_linked_where_clang_links_its_own() {
        let root = Root { path: "/root".into(), libc: Libc::Musl };
        let there = std::env::current_exe().unwrap();
        let linked = |line: &str| {
            let line = line.replace("HERE", there.to_str().unwrap());
            let arguments = Arguments::parse(line.split(' ').map(OsString::from).collect());
            last_library(&root, &arguments).is_some()
        };
        for line in ["HERE -o a", "HERE -shared -o a.so", "HERE -nostartfiles", "none.o HERE", "-x c -", "-lm"] {
            assert!(linked(line), "{line}");
        }
        for line in ["-c HERE", "-E HERE", "HERE -r", "HERE -nostdlib", "HERE -nodefaultlibs", "--version", "none.o"] {
            assert!(!linked(line), "{line}");
        }
    }
}
