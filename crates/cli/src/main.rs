//! The command: the flag table, the wiring, exit statuses and messages. The only crate that prints or exits.
//!
//! Start reading at `flags.rs`, the one table of options, then `run.rs`.
#![forbid(unsafe_code)]

mod cache_flags;
mod cc;
mod confirm;
mod console;
mod export;
mod failure;
mod flags;
mod ideal;
mod ir;
mod log_flags;
mod make;
mod memory_flags;
mod memory_in_use;
mod native;
mod panics;
mod pending_flags;
mod points_to;
mod replay;
mod resume;
mod run;
mod seed_flags;
mod show;
mod solve;
mod solver_flags;
mod summary;
mod world;

use clap::Parser;
use failure::Failure;
use flags::{Command, Flags, TestCommand};
use panics::Panics;
use std::process::ExitCode;

fn main() -> ExitCode {
    let flags = match Flags::try_parse() {
        Ok(flags) => flags,
        Err(message) => {
            // Help and the version are not mistakes; clap knows where to print which.
            let status = if message.use_stderr() { failure::USAGE } else { 0 };
            let _ = message.print();
            return ExitCode::from(status);
        }
    };
    let panics = Panics::listen();
    let done = panics.guard(|| match flags.command {
        Command::Run(flags) => run::run(*flags, &panics),
        Command::Cc(flags) => cc::compile(flags),
        Command::Ir(flags) => ir::print(&flags),
        Command::PointsTo(flags) => points_to::print(&flags),
        Command::Replay(flags) => replay::replay(&flags),
        Command::Solve(flags) => solve::solve(&flags),
        Command::SolverWorker(flags) => solver_flags::work(&flags),
        Command::Test { command: TestCommand::Show { files } } => show::show(&files),
        Command::Test { command: TestCommand::Make(flags) } => make::make(&flags),
        Command::Test { command: TestCommand::Export(flags) } => export::export(&flags),
    });
    match done {
        Ok(status) => ExitCode::from(status),
        Err(Failure { status, message }) => {
            eprintln!("error: {message}");
            ExitCode::from(status)
        }
    }
}
