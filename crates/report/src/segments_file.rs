//! `segments.json`: which objects met in accesses of a run, by where they were made.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::json_file;
use crate::run_folder::RunFolder;

const SEGMENTS_FILE: &str = "segments.json";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SegmentsFile {
    /// Tells whether the program is still the same.
    pub fingerprint: String,
    /// So many places tell allocations apart: that of the allocation, and its callers.
    pub context: usize,
    pub segments: Vec<Segment>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Segment {
    /// So many operations had a pointer that led to several of the objects.
    pub uses: usize,
    pub objects: Vec<Object>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    #[serde(flatten)]
    pub made: Made,
    /// Bytes; of the largest, where a place makes several sizes.
    pub size: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Made {
    Global(String),
    /// The allocation, then the calls that led to it, innermost first.
    At(Vec<Place>),
}

/// An operation: its function and number, and for people the line, 0 if it is not known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub function: String,
    pub operation: u32,
    pub file: String,
    pub line: u32,
}

impl SegmentsFile {
    pub fn write(&self, folder: &RunFolder) -> Result<()> {
        json_file::write(folder, SEGMENTS_FILE, self)
    }

    /// Nothing if there is none.
    pub fn read(folder: &Path) -> Result<Option<SegmentsFile>> {
        json_file::read(folder, SEGMENTS_FILE, "the segments of a run")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let base = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_at(&base.path().join("out")).unwrap();
        assert_eq!(SegmentsFile::read(folder.path()).unwrap(), None);
        let place = Place { function: "f".into(), operation: 3, file: "a.c".into(), line: 7 };
        let objects = vec![
            Object { made: Made::Global("table".into()), size: 40 },
            Object { made: Made::At(vec![place.clone(), place]), size: 8 },
        ];
        let segments = vec![Segment { uses: 2, objects }];
        let file = SegmentsFile { fingerprint: "0123".into(), context: 4, segments };
        file.write(&folder).unwrap();
        assert_eq!(SegmentsFile::read(folder.path()).unwrap(), Some(file));
        folder.write(SEGMENTS_FILE, b"{}").unwrap();
        assert!(SegmentsFile::read(folder.path()).unwrap_err().to_string().contains("segments.json"));
    }
}
