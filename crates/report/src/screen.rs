//! The block at the end of a run and the line that lives during one.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::summary::{Share, Summary};

/// The figures of a run under way.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Progress {
    pub elapsed: Duration,
    pub paths_completed: u64,
    pub states: u64,
    /// States that wait for a query.
    pub pending: u64,
    pub errors: u64,
    pub instructions: u64,
    pub coverage: Share,
    /// Time in the solver, of `elapsed`.
    pub solving: Duration,
    pub memory_bytes: u64,
}

/// One line without its newline, in plain ASCII, that fits a narrow terminal. What matters most comes first.
pub fn live_line(progress: &Progress) -> String {
    let Progress {
        elapsed,
        paths_completed,
        states,
        pending: _,
        errors,
        instructions,
        coverage,
        solving,
        memory_bytes,
    } = *progress;
    let seconds = elapsed.as_secs_f64();
    let (rate, solver_share) = match seconds {
        0.0 => (0, 0.0),
        whole => ((instructions as f64 / whole) as u64, solving.as_secs_f64() * 100.0 / whole),
    };
    format!(
        "{} {} paths {} states {} errors, {} covered, {}/s, solver {solver_share:.0}%, {}",
        duration(seconds),
        count(paths_completed),
        count(states),
        count(errors),
        percent(coverage),
        short(rate),
        bytes(memory_bytes),
    )
}

/// The table at the end of a run.
pub fn summary_block(summary: &Summary) -> String {
    let Summary {
        osier: _,
        program,
        seconds,
        stopped,
        instructions,
        paths,
        tests,
        exits: _,
        errors,
        coverage,
        queries,
        resolution: _,
        memory,
    } = summary;
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    for error in errors {
        *by_kind.entry(&error.kind).or_default() += 1;
    }
    let mut rows = vec![
        ("program", program.clone()),
        ("time", format!("{} ({stopped})", duration(*seconds))),
        (
            "paths",
            format!(
                "{} completed, {} partial, {} pending",
                count(paths.completed),
                count(paths.partial),
                count(paths.pending)
            ),
        ),
        ("tests", count(*tests)),
        ("errors", if errors.is_empty() { "none".to_owned() } else { count(errors.len() as u64) }),
    ];
    rows.extend(by_kind.iter().map(|(kind, number)| ("", format!("{} {kind}", count(*number as u64)))));
    rows.push((
        "covered",
        format!(
            "{} of lines, {} of branches, {} of functions, {} of instructions",
            percent(coverage.lines),
            percent(coverage.branches),
            percent(coverage.functions),
            percent(coverage.instructions)
        ),
    ));
    rows.push(("instructions", format!("{}, {} a second", count(*instructions), short(rate(*instructions, *seconds)))));
    rows.push((
        "queries",
        format!(
            "{} asked, {} by witness, {} cached, {} solved ({} unknown, {} put off) in {}",
            count(queries.asked),
            count(queries.by_witness),
            count(queries.cached),
            count(queries.solved),
            count(queries.unknown),
            count(queries.put_off),
            duration(queries.seconds)
        ),
    ));
    rows.push((
        "memory",
        format!("{} at most, {} states at most", bytes(memory.peak_bytes), count(memory.states_peak))
            + &match memory.states_dropped {
                0 => String::new(),
                dropped => format!(", {} dropped", count(dropped)),
            },
    ));
    rows.iter().map(|(name, value)| format!("{name:>12}  {value}\n")).collect()
}

fn rate(number: u64, seconds: f64) -> u64 {
    if seconds > 0.0 { (number as f64 / seconds) as u64 } else { 0 }
}

fn percent(share: Share) -> String {
    share.percent().map_or("-".to_owned(), |percent| format!("{percent:.1}%"))
}

/// With a comma after each group of three digits.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    for (index, digit) in digits.chars().enumerate() {
        if index != 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Three or four digits and a unit.
fn short(number: u64) -> String {
    match number {
        0..10_000 => count(number),
        10_000..10_000_000 => format!("{} k", count(number / 1000)),
        10_000_000.. => format!("{} M", count(number / 1_000_000)),
    }
}

fn bytes(number: u64) -> String {
    match number {
        0..1_000_000 => format!("{} kB", number / 1000),
        1_000_000..1_000_000_000 => format!("{} MB", number / 1_000_000),
        1_000_000_000.. => format!("{:.1} GB", number as f64 / 1e9),
    }
}

fn duration(seconds: f64) -> String {
    if seconds < 10.0 {
        return format!("{seconds:.2} s");
    }
    if seconds < 60.0 {
        return format!("{seconds:.1} s");
    }
    let whole = seconds as u64;
    match whole / 3600 {
        0 => format!("{}m{:02}s", whole / 60, whole % 60),
        hours => format!("{hours}h{:02}m{:02}s", whole / 60 % 60, whole % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::{CoverageSummary, ErrorEntry, Memory, Paths, Queries};

    #[test]
    fn the_live_line_says_it_all() {
        let progress = Progress {
            elapsed: Duration::from_secs(75),
            paths_completed: 6561,
            states: 12,
            pending: 0,
            errors: 1,
            instructions: 12_345_678,
            coverage: Share { covered: 1, total: 3 },
            solving: Duration::from_secs(15),
            memory_bytes: 120_000_000,
        };
        assert_eq!(
            live_line(&progress),
            "1m15s 6,561 paths 12 states 1 errors, 33.3% covered, 164 k/s, solver 20%, 120 MB"
        );
        assert!(live_line(&Progress::default()).contains("- covered"));
    }

    #[test]
    fn the_block_counts_errors_by_kind() {
        let error = |kind: &str| ErrorEntry { kind: kind.into(), ..ErrorEntry::default() };
        let summary = Summary {
            program: "a.c".into(),
            seconds: 2.0,
            stopped: "finished".into(),
            instructions: 4_000_000,
            paths: Paths { completed: 1234, partial: 1, pending: 0 },
            tests: 1235,
            errors: vec![error("leak"), error("abort"), error("leak")],
            coverage: CoverageSummary { lines: Share { covered: 9, total: 10 }, ..Default::default() },
            queries: Queries { asked: 10, by_witness: 5, cached: 3, solved: 2, seconds: 0.5, ..Default::default() },
            memory: Memory { peak_bytes: 2_500_000_000, states_peak: 7, states_dropped: 3 },
            ..Summary::default()
        };
        assert_eq!(
            summary_block(&summary),
            "     program  a.c
        time  2.00 s (finished)
       paths  1,234 completed, 1 partial, 0 pending
       tests  1,235
      errors  3
              1 abort
              2 leak
     covered  90.0% of lines, - of branches, - of functions, - of instructions
instructions  4,000,000, 2,000 k a second
     queries  10 asked, 5 by witness, 3 cached, 2 solved (0 unknown, 0 put off) in 0.50 s
      memory  2.5 GB at most, 7 states at most, 3 dropped
"
        );
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"].map(str::to_owned));
        assert_eq!([59.96, 3600.0, 3725.9].map(duration), ["60.0 s", "1h00m00s", "1h02m05s"].map(str::to_owned));
    }
}
