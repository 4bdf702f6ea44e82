//! Random programs under Osier against the same programs natively, or under one memory model against the others.
//!
//! `differential [--programs N] [--seed S] [--mode concrete|symbolic|both|models|orders|sanitize] [--keep DIR]`
//!
//! Exit status: 0 all agree, 1 some differ (each is shown, and written to DIR if given), 2 usage.

use osier_testing::differential::{Agreement, Bench};
use osier_testing::generate::{self, Program};
use osier_testing::settings::{MODELS, ORDERS, compare_settings};
use osier_testing::{osier_binary, pointers};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Concrete,
    Symbolic,
    Both,
    /// Programs with symbolic pointers under every memory model.
    Models,
    /// Random programs with pending constraints and without, by every strategy.
    Orders,
    /// No Osier: the generated programs themselves are tried.
    Sanitize,
}

struct Options {
    programs: u64,
    seed: u64,
    mode: Mode,
    keep: Option<PathBuf>,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { programs: 100, seed: 1, mode: Mode::Both, keep: None };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word}: `{value}` is no number"));
        match word.as_str() {
            "--programs" => options.programs = number()?,
            "--seed" => options.seed = number()?,
            "--keep" => options.keep = Some(value.into()),
            "--mode" => {
                options.mode = match value.as_str() {
                    "concrete" => Mode::Concrete,
                    "symbolic" => Mode::Symbolic,
                    "both" => Mode::Both,
                    "models" => Mode::Models,
                    "orders" => Mode::Orders,
                    "sanitize" => Mode::Sanitize,
                    _ => {
                        return Err(format!(
                            "--mode: `{value}` is none of concrete, symbolic, both, models, orders, sanitize"
                        ));
                    }
                }
            }
            _ => return Err(format!("unknown option {word}")),
        }
    }
    Ok(options)
}

/// The comparisons of one program, each with its name.
fn check(program: &Program, mode: Mode, osier: &Path) -> Vec<(&'static str, Result<Agreement, String>)> {
    let on_bench =
        |compare: &dyn Fn(&Bench) -> Result<Agreement, String>| Bench::new(program).and_then(|b| compare(&b));
    let concrete = || ("concrete", on_bench(&|bench| bench.concrete(osier)));
    let symbolic = || ("symbolic", on_bench(&|bench| bench.symbolic(osier)));
    match mode {
        Mode::Concrete => vec![concrete()],
        Mode::Symbolic => vec![symbolic()],
        Mode::Both => vec![concrete(), symbolic()],
        Mode::Models => vec![("models", compare_settings(program, osier, MODELS))],
        Mode::Orders => vec![("orders", compare_settings(program, osier, ORDERS))],
        Mode::Sanitize => vec![("sanitize", on_bench(&|bench| bench.sanitize()))],
    }
}

fn compare_all(options: &Options) -> Result<u64, String> {
    let osier = if options.mode == Mode::Sanitize { PathBuf::new() } else { osier_binary()? };
    let (mut compared, mut cut, mut different) = (0, 0, 0);
    for seed in options.seed..options.seed + options.programs {
        let program = match options.mode {
            Mode::Models => pointers::program(seed),
            // Half of them have pointers to choose from, half have much to compute.
            Mode::Orders if seed % 2 == 0 => pointers::program(seed),
            Mode::Orders | Mode::Concrete | Mode::Symbolic | Mode::Both | Mode::Sanitize => generate::program(seed),
        };
        for (name, result) in check(&program, options.mode, &osier) {
            match result {
                Ok(Agreement::Same(tests)) => compared += tests,
                Ok(Agreement::Cut) => {
                    cut += 1;
                    println!("seed {seed}, {name}: cut short");
                }
                Err(difference) => {
                    different += 1;
                    println!("seed {seed}, {name}: {difference}");
                    if let Some(folder) = &options.keep {
                        let path = folder.join(format!("{name}-{seed}.c"));
                        let written =
                            std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &program.source));
                        written.map_err(|e| format!("{}: {e}", path.display()))?;
                    }
                }
            }
        }
    }
    println!("{} programs: {compared} runs agree, {cut} cut short, {different} differ", options.programs);
    Ok(different)
}

fn main() -> ExitCode {
    let result = parse(std::env::args().skip(1)).and_then(|options| compare_all(&options));
    match result {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(1),
        Err(problem) => {
            eprintln!("differential: {problem}");
            ExitCode::from(2)
        }
    }
}
