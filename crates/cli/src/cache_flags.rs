//! The options about the file in which answers outlive a run.

use crate::flags::size;
use clap::Args;
use osier::CacheFile;
use std::path::PathBuf;

#[derive(Args, Clone)]
pub struct CacheFlags {
    /// Keep the solver's answers in this file and look for them there first. It is made if it is not there; runs of
    /// different programs may share it, also at the same time.
    #[arg(long, value_name = "FILE", help_heading = "Solver")]
    pub cache: Option<PathBuf>,
    /// The cache takes no more than this: 200M, 1G, a plain number is MiB. When it is full, old answers go.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size, help_heading = "Solver")]
    pub cache_size: u64,
}

impl CacheFlags {
    pub fn file(&self) -> Option<CacheFile> {
        self.cache.as_ref().map(|path| CacheFile { path: path.clone(), bound: self.cache_size })
    }
}
