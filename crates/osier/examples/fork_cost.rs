//! What it costs to fork a state with 1,000 objects: `cargo run --release -p osier --example fork_cost`.
//!
//! Explores `benches/programs/fork_cost.c` breadth first and looks at the last levels of its tree: so many forks, none
//! of whose states ends meanwhile. All that happens from one fork to the next is charged to the fork (the operations in
//! between, the query, the searcher), so the numbers err on the high side. A path that writes between its forks copies
//! what it shares; the difference to one that does not is the price of a side's first write, which a fork causes twice.

use allocation_counter::measure;
use cpu_time::ThreadTime;
use osier::{Exploration, LoadOptions, Options, load};
use std::error::Error;
use std::path::Path;

/// Levels of the tree that are measured: from where this many forks have been made...
const FROM: u64 = (1 << 9) - 1;
/// ... to where this many have.
const TO: u64 = (1 << 12) - 1;
const ROUNDS: usize = 7;
const MOST_MICROSECONDS: f64 = 5.0;
const MOST_KIB: f64 = 10.0;

/// The price of one fork with what happens up to the next.
#[derive(Clone, Copy)]
struct Price {
    microseconds: f64,
    /// Memory that is still in use afterwards.
    kept: f64,
    /// Memory asked for, given back or not.
    allocated: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let plain = price("-DWRITES=0")?;
    let writing = price("-DWRITES=1")?;
    let whole = combine(plain, writing, |plain, writing| writing + (writing - plain));
    let first_write = combine(plain, writing, |plain, writing| writing - plain);
    println!("forking a state with 1,000 objects   microseconds   KiB kept   KiB allocated");
    print_row("fork, no writes", plain);
    print_row("first write of one side", first_write);
    print_row("fork and both first writes", whole);
    let met = whole.microseconds < MOST_MICROSECONDS && whole.kept.max(whole.allocated) / 1024.0 < MOST_KIB;
    let verdict = if met { "met" } else { "MISSED" };
    println!("goal: under {MOST_MICROSECONDS} microseconds and {MOST_KIB} KiB: {verdict}");
    Ok(())
}

fn print_row(what: &str, price: Price) {
    let Price { microseconds, kept, allocated } = price;
    println!("{what:34} {microseconds:14.2} {:10.2} {:15.2}", kept / 1024.0, allocated / 1024.0);
}

fn combine(a: Price, b: Price, with: impl Fn(f64, f64) -> f64) -> Price {
    Price {
        microseconds: with(a.microseconds, b.microseconds),
        kept: with(a.kept, b.kept),
        allocated: with(a.allocated, b.allocated),
    }
}

/// The median CPU time of some rounds, and the memory of one more: counting takes time of its own.
fn price(flag: &str) -> Result<Price, Box<dyn Error>> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let mut exploration = start(flag)?;
        advance_to(&mut exploration, FROM);
        let started = ThreadTime::now();
        advance_to(&mut exploration, TO);
        times.push(started.elapsed().as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let mut exploration = start(flag)?;
    advance_to(&mut exploration, FROM);
    let memory = measure(|| advance_to(&mut exploration, TO));
    let forks = (TO - FROM) as f64;
    Ok(Price {
        microseconds: times[ROUNDS / 2] / forks * 1e6,
        kept: memory.bytes_current as f64 / forks,
        allocated: memory.bytes_total as f64 / forks,
    })
}

fn start(flag: &str) -> Result<Exploration, Box<dyn Error>> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/programs/fork_cost.c");
    let load_options = LoadOptions { cc_flags: vec![flag.into()], ..LoadOptions::default() };
    let options = Options { search: vec!["bfs".into()], ..Options::default() };
    Ok(Exploration::new(load(&[program], &load_options)?, options)?)
}

fn advance_to(exploration: &mut Exploration, forks: u64) {
    while exploration.totals().counters.forks < forks {
        let going = exploration.advance().expect("the program is within what Osier knows");
        assert!(going, "the program forks {TO} times");
    }
}
