//! Loading, with the public headers at hand: neither an installed command nor a user of the library needs a source tree.

use crate::Error;
use osier_frontend::{Loaded, Options};
use osier_report::replay::RUNTIME;
use std::io;
use std::path::PathBuf;
use tempfile::TempDir;

/// Loads a program: `.c` is compiled by clang, which finds `klee/klee.h` and `osier.h`; `.bc` and `.ll` are read; several
/// files are linked.
pub fn load(files: &[PathBuf], options: &Options) -> Result<Loaded, Error> {
    let headers = unpack_headers().map_err(Error::Headers)?;
    let mut options = options.clone();
    // After the caller's own folders, so that those win.
    options.include_dirs.push(headers.path().to_owned());
    Ok(osier_frontend::load(files, &options)?)
}

/// The libc as bitcode where `scripts/libc` puts it, if it is there.
pub fn installed_libc() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let module = cache.join("osier/musl-1.2.3.bc");
    module.is_file().then_some(module)
}

/// A folder that goes away with the value.
fn unpack_headers() -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("osier-include-").tempdir()?;
    for (name, text) in RUNTIME {
        if let Some(name) = name.strip_prefix("include/") {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
            std::fs::write(path, text)?;
        }
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_finds_the_headers_and_the_callers_own_come_first() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("prog.c");
        std::fs::write(&source, "#include <klee/klee.h>\n#include <osier.h>\nint main(void) { return OURS; }\n")
            .unwrap();
        std::fs::write(folder.path().join("osier.h"), "#define OURS klee_int(\"x\")\n").unwrap();
        let options = Options { include_dirs: vec![folder.path().to_owned()], ..Options::default() };
        assert!(load(std::slice::from_ref(&source), &options).is_ok());
        let refused = load(&[source], &Options::default()).unwrap_err();
        assert!(matches!(refused, Error::Load(osier_frontend::LoadError::Compile { .. })), "{refused}");
    }
}
