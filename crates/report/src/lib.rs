#![forbid(unsafe_code)]
//! What a run leaves behind, for other tools and for people: tests, errors, coverage, figures; and replay, which asks the
//! native program whether Osier was right.
//!
//! It reads finished paths (`osier_exec::outcome`) and plain numbers. It knows no states, terms or solvers, decides
//! nothing about exploration, and never prints: it returns text and writes files.
//!
//! Start with `run_folder` (where things go) and `test_writer` (how a finished path becomes files), then `replay`.

mod batches;
pub mod command_file;
pub mod endings;
pub mod error;
pub mod error_text;
pub mod fault_view;
pub mod journal;
mod json_file;
pub mod ktest;
pub mod lcov;
pub mod progress_file;
pub mod raw;
pub mod replay;
pub mod run_folder;
pub mod screen;
pub mod segments_file;
pub mod show;
pub mod stat;
pub mod stream;
pub mod summary;
pub mod test_writer;
pub mod world_file;

pub use command_file::CommandFile;
pub use endings::{Endings, Expected};
pub use error::{ReportError, Result};
pub use fault_view::render_fault;
pub use journal::{KeptPath, Recorded};
pub use ktest::KTest;
pub use progress_file::ProgressFile;
pub use raw::raw_input;
pub use run_folder::RunFolder;
pub use screen::{Progress, live_line, summary_block};
pub use segments_file::SegmentsFile;
pub use show::show;
pub use stream::{Output, Stream};
pub use summary::Summary;
pub use test_writer::TestWriter;
pub use world_file::World;
