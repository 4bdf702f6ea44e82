//! A program that is there already: an ELF binary, run as it is.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::Endianness;
use object::elf::{FileHeader64, PT_INTERP};
use object::read::elf::{FileHeader, ProgramHeader};
use tempfile::TempDir;

use super::build::{NativeProgram, compile_launcher};
use super::launch::Isolation;
use super::{Checks, Toolchain};
use crate::error::{ReportError, Result};

/// Whether the file begins as an ELF file does.
pub fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    read.is_ok() && &magic == b"\x7fELF"
}

impl NativeProgram {
    /// Takes a binary as it is: only what the processor and the C library notice is seen.
    pub fn of_binary(path: &Path, toolchain: &Toolchain) -> Result<NativeProgram> {
        let binary = fs::canonicalize(path).map_err(|cause| ReportError::file("read", path, cause))?;
        let loader = interpreter(&binary)?;
        let libraries = match &loader {
            Some(loader) => libraries(loader, &binary)?,
            None => Vec::new(),
        };
        let (folder, launcher, isolation) = isolated_folder(toolchain)?;
        let mut kept = Vec::new();
        for (index, library) in libraries.into_iter().enumerate() {
            let copy = folder.path().join(format!("library{index}"));
            fs::copy(&library, &copy).map_err(|cause| ReportError::file("copy", &library, cause))?;
            kept.push(Library { copy, guest: library });
        }
        Ok(NativeProgram {
            folder,
            binary,
            checks: Checks::default(),
            symbolizer: None,
            launcher,
            isolation,
            has_twin: false,
            libraries: kept,
        })
    }
}

/// A part of the C library and the like, without which a binary does not start.
#[derive(Debug)]
pub(super) struct Library {
    /// On the file system of the tests' roots, so that it can be linked instead of copied.
    pub copy: PathBuf,
    pub guest: PathBuf,
}

/// The folder for launcher and roots: in memory if that can be, else where temporary files are; and how well a program can
/// be shut in there.
fn isolated_folder(toolchain: &Toolchain) -> Result<(TempDir, PathBuf, Isolation)> {
    let temporary = std::env::temp_dir();
    let mut best: Option<(TempDir, PathBuf, Isolation)> = None;
    for base in [Path::new("/dev/shm"), &temporary] {
        let made = tempfile::Builder::new().prefix("osier-replay-").tempdir_in(base);
        let folder = match made {
            Ok(folder) => folder,
            Err(_) if base != temporary => continue,
            Err(cause) => return Err(ReportError::file("make a folder in", base, cause)),
        };
        let launcher = compile_launcher(toolchain, folder.path())?;
        let isolation = Isolation::best(&launcher, folder.path());
        if isolation == Some(Isolation::Namespace) {
            return Ok((folder, launcher, Isolation::Namespace));
        }
        if let (Some(isolation), None) = (isolation, &best) {
            best = Some((folder, launcher, isolation));
        }
    }
    best.ok_or_else(|| {
        let cause = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        ReportError::file("execute a program in", &temporary, cause)
    })
}

/// The dynamic loader that the binary names; none if it is linked statically.
fn interpreter(binary: &Path) -> Result<Option<PathBuf>> {
    let bytes = fs::read(binary).map_err(|cause| ReportError::file("read", binary, cause))?;
    let unfit = |reason: &str| ReportError::NotReplayable { path: binary.to_owned(), reason: reason.to_owned() };
    let header = FileHeader64::<Endianness>::parse(bytes.as_slice())
        .map_err(|_| unfit("it is no 64-bit ELF file that this machine can run"))?;
    let damaged = |_| unfit("it is damaged");
    let endian = header.endian().map_err(damaged)?;
    if header.e_type(endian) != object::elf::ET_EXEC && header.e_type(endian) != object::elf::ET_DYN {
        return Err(unfit("it is not linked: give the whole program"));
    }
    for segment in header.program_headers(endian, bytes.as_slice()).map_err(damaged)? {
        if segment.p_type(endian) == PT_INTERP {
            let name = segment.data(endian, bytes.as_slice()).map_err(|()| unfit("it is damaged"))?;
            let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
            return Ok(Some(PathBuf::from(String::from_utf8_lossy(name).into_owned())));
        }
    }
    Ok(None)
}

/// The loader and all that it would load, by its own word.
fn libraries(loader: &Path, binary: &Path) -> Result<Vec<PathBuf>> {
    let output = Command::new(loader)
        .arg("--list")
        .arg(binary)
        .output()
        .map_err(|cause| ReportError::file("start the loader", loader, cause))?;
    let text = String::from_utf8_lossy(&output.stdout);
    if let Some(missing) = text.lines().find(|line| line.ends_with("not found")) {
        let reason = format!("a library is missing: {}", missing.trim());
        return Err(ReportError::NotReplayable { path: binary.to_owned(), reason });
    }
    let mut found = vec![loader.to_owned()];
    for library in text.lines().filter_map(listed_path) {
        if !found.contains(&library) {
            found.push(library);
        }
    }
    Ok(found)
}

/// The path in `libc.so.6 => /lib/libc.so.6 (0x7f00)` or `/lib64/ld.so (0x7f00)`.
fn listed_path(line: &str) -> Option<PathBuf> {
    let (path, _) = line.rsplit_once(" (0x")?;
    let path = path.split_once(" => ").map_or(path, |(_, path)| path).trim();
    path.starts_with('/').then(|| path.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_libraries_is_read() {
        let path = |line: &str| listed_path(line).map(|path| path.display().to_string());
        assert_eq!(path("\tlibc.so.6 => /lib/x/libc.so.6 (0x00007f)"), Some("/lib/x/libc.so.6".into()));
        assert_eq!(path("\t/lib64/ld-linux-x86-64.so.2 (0x00007f)"), Some("/lib64/ld-linux-x86-64.so.2".into()));
        assert_eq!(path("\tlinux-vdso.so.1 (0x00007ffd)"), None);
        assert_eq!(path("\tstatically linked"), None);
    }

    #[test]
    fn our_own_binary_names_its_loader_and_text_is_no_binary() {
        let own = std::env::current_exe().unwrap();
        assert!(is_elf(&own));
        let loader = interpreter(&own).unwrap().expect("tests are linked dynamically");
        let needed = libraries(&loader, &own).unwrap();
        assert!(needed.iter().any(|library| library.to_string_lossy().contains("libc.")), "{needed:?}");
        let text = tempfile::NamedTempFile::new().unwrap();
        fs::write(text.path(), "\x7fELF but not really").unwrap();
        assert!(interpreter(text.path()).unwrap_err().to_string().contains("no 64-bit ELF"));
        assert!(!is_elf(Path::new("/no/such/file")));
    }
}
