//! `progress.csv`: how a run went on, for a plot or for comparing runs at a given time.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use crate::error::{ReportError, Result};
use crate::run_folder::RunFolder;
use crate::screen::Progress;

const PROGRESS_FILE: &str = "progress.csv";
const TITLES: &str = "seconds,instructions,covered,coverable,paths,states,pending,errors,solver_seconds,memory_bytes\n";
/// A row each second at first; later when so much of the time before has passed again, so that a run of days has
/// hundreds of rows.
const STEP: Duration = Duration::from_secs(1);
const GROWTH: u32 = 50;

/// The file, with a row when one is due. A run that goes on from an earlier one adds to its rows.
#[derive(Debug)]
pub struct ProgressFile {
    path: PathBuf,
    file: File,
    due: Duration,
}

impl ProgressFile {
    pub fn open(folder: &RunFolder) -> Result<ProgressFile> {
        let path = folder.path().join(PROGRESS_FILE);
        let opened = OpenOptions::new().append(true).create(true).open(&path);
        let file = opened.map_err(|cause| ReportError::file("write", &path, cause))?;
        let mut opened = ProgressFile { path, file, due: STEP };
        let empty = opened.file.metadata().is_ok_and(|known| known.len() == 0);
        if empty {
            opened.put(TITLES)?;
        }
        Ok(opened)
    }

    pub fn is_due(&self, elapsed: Duration) -> bool {
        elapsed >= self.due
    }

    pub fn add(&mut self, now: &Progress) -> Result<()> {
        self.due = now.elapsed + STEP.max(now.elapsed / GROWTH);
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let row = [
            seconds(now.elapsed),
            now.instructions.to_string(),
            now.coverage.covered.to_string(),
            now.coverage.total.to_string(),
            now.paths_completed.to_string(),
            now.states.to_string(),
            now.pending.to_string(),
            now.errors.to_string(),
            seconds(now.solving),
            now.memory_bytes.to_string(),
        ];
        self.put(&(row.join(",") + "\n"))
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.file.write_all(text.as_bytes()).map_err(|cause| ReportError::file("write", &self.path, cause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::Share;

    fn at(seconds: u64) -> Progress {
        Progress {
            elapsed: Duration::from_secs(seconds),
            coverage: Share { covered: seconds, total: 99 },
            ..Progress::default()
        }
    }

    /// Writes the rows of a session, looked at each second.
    fn session(folder: &RunFolder, seconds: std::ops::RangeInclusive<u64>) {
        let mut file = ProgressFile::open(folder).unwrap();
        for second in seconds {
            let progress = at(second);
            if file.is_due(progress.elapsed) {
                file.add(&progress).unwrap();
            }
        }
    }

    #[test]
    fn rows_become_rarer_and_sessions_add_up() {
        let place = tempfile::tempdir().unwrap();
        let folder = RunFolder::create_at(&place.path().join("out")).unwrap();
        session(&folder, 0..=3);
        session(&folder, 4..=1000);
        let text = std::fs::read_to_string(folder.path().join(PROGRESS_FILE)).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next().unwrap(), TITLES.trim_end());
        let rows: Vec<&str> = lines.collect();
        assert_eq!(rows[..2], ["1.000,0,1,99,0,0,0,0,0.000,0", "2.000,0,2,99,0,0,0,0,0.000,0"]);
        let seconds = |row: &&str| row.split('.').next().unwrap().parse::<u64>().unwrap();
        let times: Vec<u64> = rows.iter().map(seconds).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= 1 + pair[0] / 50), "{times:?}");
        assert!((100..250).contains(&times.len()), "{} rows", times.len());
        assert!(times.last().is_some_and(|&last| last > 975));
    }
}
