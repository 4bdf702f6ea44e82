//! Bitcode out of programs, objects and archives that `osier cc` made, and of the shared objects that they need.

use crate::LoadError;
use crate::read::{Form, Group, Input};
use osier_cc::{Binary, BinaryError, Part, binary};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A file's own group first, then those of the shared objects that it needs; and what there is to warn of.
pub fn read_units(path: &Path, bytes: &[u8]) -> Result<(Vec<Group>, Vec<String>), LoadError> {
    let mut warnings = Vec::new();
    let first = open(path, bytes)?;
    if first.parts.iter().all(|part| part.bitcode.is_empty()) {
        return Err(LoadError::NoBitcode { path: path.to_owned() });
    }
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut groups = Vec::new();
    let mut open_files = vec![(path.to_owned(), first)];
    // Breadth first, as the dynamic linker looks symbols up.
    let mut next = 0;
    while next < open_files.len() {
        let (from, read) = &open_files[next];
        next += 1;
        let search: Vec<PathBuf> = folders(from, &read.search);
        for name in read.needed.clone() {
            let found = search.iter().map(|folder| folder.join(&name)).find(|path| path.is_file());
            let Some(library) = found.filter(|path| seen.insert(path.clone())) else { continue };
            let bytes = std::fs::read(&library)
                .map_err(|error| LoadError::Unreadable { path: library.clone(), reason: error.to_string() })?;
            let read = open(&library, &bytes)?;
            open_files.push((library, read));
        }
    }
    for (path, read) in open_files {
        let (parts, without): (Vec<Part>, Vec<Part>) =
            read.parts.into_iter().partition(|part| !part.bitcode.is_empty());
        if !without.is_empty() {
            let names: Vec<String> = without.into_iter().map(|part| part.source).collect();
            warnings.push(format!("{} has no bitcode of {}", path.display(), names.join(", ")));
        }
        if parts.is_empty() {
            continue;
        }
        let inputs = parts.into_iter().map(|part| Input {
            path: format!("{} ({})", path.display(), part.source).into(),
            bytes: part.bitcode,
            form: Form::Embedded,
        });
        let exported = read.exported.map(|names| names.into_iter().collect());
        groups.push(Group { inputs: inputs.collect(), exported });
    }
    Ok((groups, warnings))
}

fn open(path: &Path, bytes: &[u8]) -> Result<Binary, LoadError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let member = |name: &str| std::fs::read(folder.join(name)).ok();
    binary(bytes, &member).map_err(|error| match error {
        BinaryError::OtherKind => LoadError::UnknownKind { path: path.to_owned() },
        BinaryError::Damaged(message) => LoadError::Damaged { path: path.to_owned(), message },
    })
}

/// Where to look for what a file needs: where it says, and beside it. The system's folders hold nothing of ours.
fn folders(path: &Path, search: &[String]) -> Vec<PathBuf> {
    let beside = path.parent().unwrap_or(Path::new("")).to_owned();
    let origin = beside.to_string_lossy().into_owned();
    let origin = if origin.is_empty() { "." } else { &origin };
    let said = search.iter().map(|folder| folder.replace("${ORIGIN}", origin).replace("$ORIGIN", origin));
    said.map(PathBuf::from).chain([beside]).collect()
}
