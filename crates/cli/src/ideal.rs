//! The ideal segments: what met in accesses of an earlier run.

use crate::console::line;
use crate::failure::Failure;
use crate::resume::fingerprint;
use osier::ir::Module;
use osier::report::SegmentsFile;
use osier::report::segments_file::{Made, Object, Place};
use osier::{KnownSegments, ideal_segments};
use std::path::{Path, PathBuf};

/// Who says which objects belong together.
#[derive(Clone, Debug)]
pub enum Source {
    PointsTo,
    /// The run in this folder, which has learnt it.
    Ideal(PathBuf),
}

impl Source {
    pub fn parse(text: &str) -> Result<Source, String> {
        match text.split_once(':') {
            None if text == "points-to" => Ok(Source::PointsTo),
            Some(("ideal", folder)) if !folder.is_empty() => Ok(Source::Ideal(folder.into())),
            Some(_) | None => Err("give points-to, or ideal:RUN with the folder of a run".to_owned()),
        }
    }
}

/// What the run in a folder has learnt about the program with this fingerprint.
fn read(folder: &Path, fingerprint: &str) -> Result<SegmentsFile, Failure> {
    let none = || {
        Failure::usage(format!(
            "{} has no segments.json\n  help: a run with --learn-segments leaves one in its folder",
            folder.display()
        ))
    };
    let file = SegmentsFile::read(folder).map_err(Failure::usage)?.ok_or_else(none)?;
    if file.fingerprint == fingerprint { Ok(file) } else { Err(of_another_program(folder)) }
}

fn of_another_program(folder: &Path) -> Failure {
    Failure::usage(format!(
        "the segments in {} were learnt from another program\n  help: learn them again with --learn-segments",
        folder.display()
    ))
}

/// For the engine.
pub fn known(folder: &Path, module: &Module, fingerprint: &str) -> Result<KnownSegments, Failure> {
    let file = read(folder, fingerprint)?;
    ideal_segments(module, &file).ok_or_else(|| of_another_program(folder))
}

/// Shows what a run has learnt, the largest segments first; of those of one place only the number, unless all are wanted.
pub fn print(folder: &Path, module: &Module, all: bool, json: bool) -> Result<(), Failure> {
    let file = read(folder, &fingerprint(module))?;
    if json {
        return line(serde_json::to_string_pretty(&file).map_err(Failure::broken)?);
    }
    let mut shown: Vec<_> = file.segments.iter().enumerate().collect();
    shown.sort_by_key(|(number, segment)| (std::cmp::Reverse(segment.objects.len()), *number));
    line(format!("{} segments learnt from a run", shown.len()))?;
    let single = shown.iter().filter(|(_, segment)| segment.objects.len() == 1).count();
    for (number, segment) in shown.iter().filter(|(_, segment)| all || segment.objects.len() > 1) {
        let count = segment.objects.len();
        let objects = if count == 1 { "object" } else { "objects" };
        line(format!("\nsegment{number}: {count} {objects}, {} uses", segment.uses))?;
        for object in &segment.objects {
            line(format!("  {}", describe(object)))?;
        }
    }
    if !all && single > 0 {
        line(format!("\n{single} segments of one object (--all shows them)"))?;
    }
    Ok(())
}

fn describe(object: &Object) -> String {
    let name = match &object.made {
        Made::Global(name) => format!("global {name}"),
        Made::At(places) => format!("made at {}", places.iter().map(shown_place).collect::<Vec<_>>().join(" from ")),
    };
    format!("{name}, {} bytes", object.size)
}

fn shown_place(place: &Place) -> String {
    let Place { function, operation, file, line } = place;
    match Path::new(file).file_name() {
        Some(file) if *line > 0 => format!("{}:{line} ({function})", file.display()),
        Some(_) | None => format!("{function}, operation {operation}"),
    }
}
