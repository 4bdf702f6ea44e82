//! The file in which answers outlive a run: `--cache FILE`.
//!
//! This crate knows keys, answers and files. What a key means and whether a model fits is the business of
//! `osier-solver`, whose [`Store`](osier_solver::Store) it implements. It prints nothing: failures while a run is under
//! way are kept until [`FileStore::finish`] tells them.
//!
//! # Why a file of our own
//!
//! The store is a cache, so it needs little of what a database offers, and some things that none of them has at once:
//! several processes that read and write at the same time (redb and fjall lock the file for one), no crash on a file
//! that was cut or has flipped bits, and a fixed bound on its size. LMDB maps the file and trusts its pages: of 60 cut
//! files with 20,000 answers 59 ended the process by a bus error, of 300 with up to eight flipped bits 3 ended it by a
//! segmentation fault and 218 gave wrong bytes. A log of records would have all three, but its index must be rebuilt in
//! memory at every start: seconds and a gigabyte for a full cache of a gigabyte.
//!
//! So the file is a hash table of pages (`layout.rs`). A key names a page; a page holds records one after the other,
//! each with a checksum. A lookup reads one page, at any size of the file and with nothing to load at the start. A new
//! record goes behind the last one of its page, so a write that is cut short damages only itself. Readers take no lock,
//! since a record that is half there fails its checksum. Writers exclude each other by a lock on the file. When a page
//! is full, the table is rewritten with twice as many pages under another name and takes the place of the old one; when
//! the size that was asked for does not allow that, the oldest records of the page go.
//!
//! Start reading at `layout.rs`, then `file.rs`.
#![forbid(unsafe_code)]

mod file;
mod layout;
mod store;

pub use file::OpenError;
pub use store::{FileStore, SharedStore};
