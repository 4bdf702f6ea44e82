//! Programs that csmith makes, under Osier against the same programs natively.
//!
//! `csmith [--programs N] [--seed S] [--level -O0] [--jobs J] [--native-seconds T] [--seconds T] [--keep DIR]`
//!
//! Exit status: 0 all agree (but for those skipped and too slow), 1 some differ or are unsupported (each is shown, and
//! written to DIR if given), 2 usage, or something else failed.

use osier_testing::csmith::{Limits, Sample, Verdict};
use osier_testing::osier_binary;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

struct Options {
    programs: u64,
    seed: u64,
    jobs: u64,
    levels: Vec<String>,
    limits: Limits,
    keep: Option<PathBuf>,
}

/// How many programs fared how, at one level.
#[derive(Clone, Copy, Default)]
struct Tally {
    same: u64,
    different: u64,
    unsupported: u64,
    skipped: u64,
    too_slow: u64,
}

fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, String> {
    let limits = Limits { native: Duration::from_secs(3), osier: Duration::from_secs(60) };
    let mut options = Options { programs: 300, seed: 1, jobs: 2, levels: Vec::new(), limits, keep: None };
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word}: `{value}` is no number"));
        match word.as_str() {
            "--programs" => options.programs = number()?,
            "--seed" => options.seed = number()?,
            "--jobs" => options.jobs = number()?.max(1),
            "--level" => options.levels.push(value),
            "--native-seconds" => options.limits.native = Duration::from_secs(number()?),
            "--seconds" => options.limits.osier = Duration::from_secs(number()?),
            "--keep" => options.keep = Some(value.into()),
            _ => return Err(format!("unknown option {word}")),
        }
    }
    if options.levels.is_empty() {
        options.levels = ["-O0", "-O2"].map(String::from).to_vec();
    }
    Ok(options)
}

fn count(tally: &mut Tally, verdict: &Verdict) {
    *match verdict {
        Verdict::Same => &mut tally.same,
        Verdict::Differs(_) => &mut tally.different,
        Verdict::Unsupported(_) => &mut tally.unsupported,
        Verdict::Skipped => &mut tally.skipped,
        Verdict::TooSlow => &mut tally.too_slow,
    } += 1;
}

/// What a verdict says that a person should look at.
fn complaint(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Differs(text) | Verdict::Unsupported(text) => Some(text),
        Verdict::TooSlow => Some("too slow"),
        Verdict::Same | Verdict::Skipped => None,
    }
}

fn one_program(options: &Options, osier: &Path, seed: u64, tallies: &Mutex<Vec<Tally>>) -> Result<(), String> {
    let sample = Sample::generate(seed)?;
    let named = |problem: String| format!("seed {seed}: {problem}");
    let ends = sample.ends(options.limits.native).map_err(named)?;
    for (index, level) in options.levels.iter().enumerate() {
        let verdict =
            if ends { sample.compare(osier, level, options.limits).map_err(named)? } else { Verdict::Skipped };
        if let Ok(mut tallies) = tallies.lock() {
            count(&mut tallies[index], &verdict);
        }
        let Some(complaint) = complaint(&verdict) else { continue };
        println!("seed {seed}, {level}: {complaint}");
        if let Some(folder) = &options.keep {
            let path = folder.join(format!("csmith-{seed}.c"));
            let kept = std::fs::create_dir_all(folder).and_then(|()| std::fs::copy(&sample.source, &path));
            kept.map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(())
}

fn compare_all(options: &Options) -> Result<bool, String> {
    let osier = osier_binary()?;
    let tallies = Mutex::new(vec![Tally::default(); options.levels.len()]);
    let next = AtomicU64::new(options.seed);
    let work = || -> Result<(), String> {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= options.seed + options.programs {
                return Ok(());
            }
            one_program(options, &osier, seed, &tallies)?;
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker panicked")?)
    })?;
    let tallies = tallies.into_inner().map_err(|_| "a worker panicked")?;
    println!("{:>8} {:>6} {:>7} {:>12} {:>8} {:>9}", "", "same", "differ", "unsupported", "skipped", "too slow");
    let mut agree = true;
    for (level, tally) in options.levels.iter().zip(tallies) {
        let Tally { same, different, unsupported, skipped, too_slow } = tally;
        println!("{level:>8} {same:>6} {different:>7} {unsupported:>12} {skipped:>8} {too_slow:>9}");
        agree &= different == 0 && unsupported == 0;
    }
    Ok(agree)
}

fn main() -> ExitCode {
    let result = parse(std::env::args().skip(1)).and_then(|options| compare_all(&options));
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(problem) => {
            eprintln!("csmith: {problem}");
            ExitCode::from(2)
        }
    }
}
