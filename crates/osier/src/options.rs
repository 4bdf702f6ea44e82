//! What to explore and how, with the defaults that the command line shows.

use crate::{BackendConfig, Error};
use osier_exec::{Config, Limits, MemoryConfig};
use osier_linux::World;
use osier_solver::ChainConfig;
use osier_solver_store::SharedStore;
use std::path::PathBuf;

/// A file of answers that runs share.
#[derive(Clone, Debug)]
pub struct CacheFile {
    pub path: PathBuf,
    /// The most bytes that it takes.
    pub bound: u64,
}

impl CacheFile {
    /// Makes the file if it is not there.
    pub fn open(&self) -> Result<SharedStore, Error> {
        SharedStore::open(&self.path, self.bound).map_err(Error::Cache)
    }
}

#[derive(Clone, Debug)]
pub struct Options {
    pub config: Config,
    /// Arguments, files and all else that the program finds around it.
    pub world: World,
    pub solver: ChainConfig,
    pub backend: BackendConfig,
    /// Strategies, which take turns; none means the default ones.
    pub search: Vec<String>,
    /// Checks besides those that always watch.
    pub checks: Vec<String>,
    /// Keep the chosen state for so many instructions before the strategy chooses again.
    pub batch_instructions: Option<u64>,
    /// Where answers of the solver are kept for other runs.
    pub cache: Option<CacheFile>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            config: Config {
                entry: "main".into(),
                limits: Limits {
                    time: None,
                    instructions: None,
                    forks: None,
                    depth: None,
                    memory: Some(4 << 30),
                    stack_frames: 1 << 18,
                    symbolic_size: 4096,
                },
                all_errors: false,
                exit_on_error: None,
                track_uninitialised: false,
                keep_all_partial: false,
                write_kquery: false,
                write_smt2: false,
                slice: 10_000,
                merge: false,
                seed: 0,
                memory: MemoryConfig::default(),
                pending: None,
                seeds: Vec::new(),
                record: false,
                other_sides: false,
            },
            world: World::default(),
            solver: ChainConfig::default(),
            backend: BackendConfig::default(),
            search: Vec::new(),
            checks: Vec::new(),
            batch_instructions: None,
            cache: None,
        }
    }
}
