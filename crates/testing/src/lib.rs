//! The file-test runner: programs with their expectations written in them, run through the `osier` command and compared
//! with the run folder that it leaves. Also random C programs, our own and csmith's, for differential testing.
//!
//! It sees Osier from outside only: the command line, `summary.json`, `.ktest` files, exit statuses. It links none of
//! the engine, so nothing that it checks can be wrong in the same way on both sides.
//!
//! Start reading at [`Expectations`], then [`run`] and [`compare`]; the programs stand in `tests/` at the top of the
//! project, filed by what they promise.
//!
//! # How a test is written
//!
//! A test is one file, C (`//`) or LLVM text (`;`). Its folder is a promise: `bugs/` must report exactly the errors that
//! are written in it and at least one, `clean/` none; `exec/`, `ir/`, `kernel/`, `libc/`, `memory/`, `pending/` and `solver/` are
//! filed by what they exercise; `fixme/` states what should hold and does not yet, and fails as soon as it does.
//!
//! ```text
//! // run: --search=dfs --cc-flags="-O2"        one run with these options; several lines are several runs, all of which
//!                                              must meet all expectations; none is one run without options
//! // run: --memory={fork,merge}                one run with each
//! // run: --memory=fork //~ paths: 4           what stands on a run's line holds for it alone, and a number there
//!                                              wins over one for all
//! // args: a b                                 the program's arguments
//! buf[i] = 0; //~ out-of-bounds: 1 past the end of buf
//!                                              an error of this kind at this line, whose message contains the text
//!                                              (the text may be left out); several on one line: `//~ A: .. //~ B: ..`
//! //~ error: leak: 16 bytes                    an error of this kind anywhere
//! //~ errors: 3                                errors counted with their repetitions (`--all-errors`)
//! //~ paths: 2                                 paths completed; a number, or a range `2..5` that includes its ends
//! //~ partial: 1                               paths cut short
//! //~ tests: 3                                 tests written
//! //~ exits: 0 1 7                             the set of exit statuses of the paths that ended by themselves;
//! //~ exits: 0*2 7*1                           with how many paths have each
//! //~ output: hello\n                          some path wrote exactly this to its standard output and error
//! //~ test: x=5 s="ab"                         some test has these bytes in these objects: a number fills the object
//!                                              (little-endian), a text is how it begins
//! //~ no test: x=5                             and none has
//! //~ covered: 100%                            lines covered, or `5/7`
//! //~ stopped: max-instructions                why the run stopped; `finished` unless written
//! //~ prints: text                             the command's standard error contains it
//! //~ replay: no, REASON                       the native program cannot be held to this
//! ```
//!
//! Errors are compared as a set: each one reported must be expected and each one expected must be reported. The exit
//! status of the command must be 1 if errors are expected and 0 otherwise. A path's output is read from `NAME.out`
//! beside its `NAME.ktest`.
//!
//! `OSIER_BLESS=1` rewrites, in place, the errors and the numbers of `paths`, `partial`, `tests`, `errors` and `exits`
//! that changed, for review with `git diff`; what stands on the line of a run is left to the author.
#![forbid(unsafe_code)]

mod bless;
mod compare;
pub mod csmith;
pub mod differential;
mod discover;
mod expect;
pub mod generate;
mod ktest;
pub mod pointers;
mod run;
pub mod settings;
mod summary;

pub use bless::{bless, rewritten};
pub use compare::compare;
pub use discover::{TestFile, find_tests, osier_binary, tests_folder};
pub use expect::{Expectations, ExpectedError, ExpectedInput, InputValue, KINDS, Range, Run, Statuses};
pub use ktest::{KTest, Object};
pub use run::{Outcome, build_options, replay, run, run_limited, run_within};
pub use summary::{Coverage, Covered, Paths, ReportedError, Summary};
