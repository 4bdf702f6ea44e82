//! Places in the source: files under the name a person can open, locations interned.

use crate::llvm::{FileRef, Place};
use osier_ir::{LocId, Location, Module};
use rustc_hash::FxHashMap;
use std::path::Path;

#[derive(Default)]
pub struct Places {
    files: FxHashMap<FileRef, u32>,
    files_by_name: FxHashMap<String, u32>,
    locations: FxHashMap<Location, LocId>,
}

/// Location 0 is the unknown place in the nameless file 0.
pub fn begin(module: &mut Module) {
    module.files.push(String::new());
    module.locations.push(Location::default());
}

impl Places {
    pub fn location(&mut self, module: &mut Module, place: Option<Place>) -> LocId {
        let Some(place) = place else { return LocId(0) };
        let file = self.file(module, place.file);
        let location = Location { file, line: place.line, column: place.column };
        *self.locations.entry(location).or_insert_with(|| module.locations.push(location))
    }

    fn file(&mut self, module: &mut Module, file: FileRef) -> u32 {
        if let Some(&index) = self.files.get(&file) {
            return index;
        }
        let (directory, name) = file.names();
        let name = usable_name(&directory, &name);
        let index = *self.files_by_name.entry(name.clone()).or_insert_with(|| {
            module.files.push(name);
            module.files.len() as u32 - 1
        });
        self.files.insert(file, index);
        index
    }
}

/// A relative name stays as it is where it can be opened from here; elsewhere its directory makes it whole.
fn usable_name(directory: &str, name: &str) -> String {
    if directory.is_empty() || Path::new(name).is_absolute() || Path::new(name).exists() {
        return name.to_owned();
    }
    Path::new(directory).join(name).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_relative_name_is_joined_only_if_it_cannot_be_opened_from_here() {
        assert_eq!(usable_name("/elsewhere", "Cargo.toml"), "Cargo.toml");
        assert_eq!(usable_name("/elsewhere", "no_such.c"), "/elsewhere/no_such.c");
        assert_eq!(usable_name("/elsewhere", "/usr/include/stdio.h"), "/usr/include/stdio.h");
        assert_eq!(usable_name("", "no_such.c"), "no_such.c");
    }
}
