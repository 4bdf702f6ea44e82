//! The public headers, written out for the compiler: an installed command needs no source tree.

use crate::failure::Failure;
use osier::report::replay::RUNTIME;
use std::path::Path;

/// A folder with `klee/klee.h` and `osier.h` that goes away with the value.
pub struct Headers(tempfile::TempDir);

impl Headers {
    pub fn unpack() -> Result<Headers, Failure> {
        let failed = |cause| Failure::broken(format!("cannot write the headers to a temporary folder: {cause}"));
        let folder = tempfile::Builder::new().prefix("osier-include-").tempdir().map_err(failed)?;
        for (name, text) in RUNTIME {
            if let Some(name) = name.strip_prefix("include/") {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().unwrap_or(folder.path())).map_err(failed)?;
                std::fs::write(path, text).map_err(failed)?;
            }
        }
        Ok(Headers(folder))
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }
}
