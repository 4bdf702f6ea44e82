//! What the file costs as it grows: opening it, a lookup that finds something, one that does not, and adding an answer.
//! `cargo run --release -p osier-solver-store --example lookup_cost`

use std::time::Instant;

use osier_solver::{Key, Store, StoredAnswer};
use osier_solver_store::FileStore;

const BOUND: u64 = 1 << 30;
const ASKED: u64 = 20_000;

fn key(number: u64) -> Key {
    let mut bytes = [0; 16];
    fastrand::Rng::with_seed(number).fill(&mut bytes);
    Key(bytes)
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("answers");
    let answer = StoredAnswer::Sat([7; 12].into());
    let mut there = 0;
    for size in [1_000, 10_000, 100_000, 1_000_000, 4_000_000] {
        let start = Instant::now();
        let mut store = FileStore::open(&path, BOUND).expect("a new file");
        for number in there..size {
            store.put(key(number), &answer);
        }
        for problem in store.finish() {
            println!("{problem}");
        }
        let put = start.elapsed().as_nanos() as f64 / (size - there) as f64 / 1e3;
        there = size;
        drop(store);
        let start = Instant::now();
        let mut store = FileStore::open(&path, BOUND).expect("the file");
        let open = start.elapsed().as_nanos() as f64 / 1e3;
        let mut time = |first: u64, spread: u64, found: bool| {
            let start = Instant::now();
            for i in 0..ASKED {
                assert_eq!(store.get(&key(first + i * 7919 % spread)).is_some(), found);
            }
            start.elapsed().as_nanos() as f64 / ASKED as f64 / 1e3
        };
        let (hit, miss) = (time(0, size, true), time(size, ASKED, false));
        let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
        println!(
            "{size:8} answers, {:4} MiB: open {open:6.1} us, put {put:5.2} us, hit {hit:5.2} us, miss {miss:5.2} us",
            bytes >> 20
        );
    }
}
