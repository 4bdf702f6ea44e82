//! The options about seeds: inputs that a run starts from.

use crate::console::Console;
use crate::failure::Failure;
use clap::Args;
use osier::{Seed, World, load_seeds};
use std::path::PathBuf;

#[derive(Args, Clone)]
pub struct SeedFlags {
    /// Follow this input first: a .ktest file, or a plain file for standard input, the first symbolic file, or the
    /// program's symbolic object.
    #[arg(long, value_name = "FILE", help_heading = "Exploration")]
    pub seed_file: Vec<PathBuf>,
    /// Follow the inputs of this folder first: a run's tests, a corpus of AFL or libFuzzer, or any files.
    #[arg(long, value_name = "DIR", help_heading = "Exploration")]
    pub seed_dir: Vec<PathBuf>,
}

impl SeedFlags {
    /// The seeds, or the one that is to be followed alone, as inputs of a run in this world. What was changed or skipped is told.
    pub fn load(&self, alone: Option<&PathBuf>, world: &World, console: &Console) -> Result<Vec<Seed>, Failure> {
        let files: Vec<PathBuf> = self.seed_file.iter().chain(alone).cloned().collect();
        let loaded = load_seeds(&files, &self.seed_dir, world).map_err(Failure::usage)?;
        for note in loaded.notes {
            console.message(&format!("warning: {note}"));
        }
        Ok(loaded.seeds)
    }
}
