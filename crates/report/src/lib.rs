#![forbid(unsafe_code)]
//! What a run leaves behind.
pub mod endings;
pub mod error;
pub mod error_text;
pub mod fault_view;
pub mod ktest;
pub mod lcov;
pub mod run_folder;
pub mod screen;
pub mod show;
pub mod summary;
pub mod test_writer;
