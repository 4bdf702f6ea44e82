//! Times the backend on the kinds of query that programs ask. `cargo run --release --example measure`.

use std::time::Instant;

use osier_solver::{Answer, Query, Solver};
use osier_solver_bitwuzla::{Bitwuzla, BitwuzlaConfig};
use osier_term::{BvOp, Pool, Term};

/// Per query in microseconds: median and mean.
fn report(name: &str, mut times: Vec<f64>, sat: usize) {
    let total: f64 = times.iter().sum();
    let count = times.len();
    times.sort_by(f64::total_cmp);
    println!(
        "{name:32} {count:5} queries, {sat:5} sat, median {:8.0} us, mean {:8.0} us, max {:8.0}",
        times[count / 2],
        total / count as f64,
        times[count - 1]
    );
}

fn ask(solver: &mut Bitwuzla, pool: &mut Pool, queries: &[Vec<Term>], name: &str) {
    let mut times = Vec::new();
    let mut sat = 0;
    for constraints in queries {
        let start = Instant::now();
        let answer = solver.check(pool, &Query { constraints }).unwrap();
        times.push(start.elapsed().as_secs_f64() * 1e6);
        sat += usize::from(matches!(answer, Answer::Sat(_)));
    }
    report(name, times, sat);
}

/// Comparisons between neighbouring bytes, as a tokenizer makes them.
fn comparisons(pool: &mut Pool) -> Vec<Vec<Term>> {
    let input = pool.input("text", 8);
    let bytes: Vec<Term> = (0..8).map(|i| pool.select_at(input, i)).collect();
    let mut random = 12345u32;
    let mut next = |bound: u32| {
        random = random.wrapping_mul(1664525).wrapping_add(1013904223);
        (random >> 16) % bound
    };
    (0..2000)
        .map(|_| {
            (0..6)
                .map(|_| {
                    let (a, b) = (bytes[next(8) as usize], bytes[next(8) as usize]);
                    let k = pool.constant(8, next(256).into());
                    let sum = pool.add(a, k);
                    let c = if next(2) == 0 { pool.ult(sum, b) } else { pool.eq(sum, b) };
                    if next(2) == 0 { pool.not(c) } else { c }
                })
                .collect()
        })
        .collect()
}

/// A word of four bytes compared with constants.
fn words(pool: &mut Pool) -> Vec<Vec<Term>> {
    let input = pool.input("n", 4);
    let word = word(pool, input, 4);
    let mut path = Vec::new();
    (0..300u128)
        .map(|i| {
            let k = pool.constant(32, i * 7);
            let c = pool.eq(word, k);
            let mut query: Vec<Term> = path.clone();
            query.push(c);
            path.push(pool.not(c));
            query
        })
        .collect()
}

fn word(pool: &mut Pool, input: osier_term::Array, size: u64) -> Term {
    let mut word = pool.select_at(input, 0);
    for i in 1..size {
        let byte = pool.select_at(input, i);
        word = pool.concat(byte, word);
    }
    word
}

/// A hash table of 300 pointers, five set, indexed by a times-33 hash modulo 300.
fn hash_table(pool: &mut Pool) -> Vec<Vec<Term>> {
    let input = pool.input("key", 6);
    let mut bytes = vec![0u8; 2400];
    for (i, slot) in [17usize, 60, 123, 200, 299].into_iter().enumerate() {
        bytes[slot * 8..slot * 8 + 8].copy_from_slice(&(0x1234_0000_0000u64 + i as u64 * 0x100_0000).to_le_bytes());
    }
    let table = pool.table(&bytes);
    let mut hash = pool.constant(32, 5381);
    let mut queries = Vec::new();
    for i in 0..6 {
        let byte = pool.select_at(input, i);
        let (wide, k) = (pool.zext(byte, 32), pool.constant(32, 33));
        let scaled = pool.mul(hash, k);
        hash = pool.add(scaled, wide);
        let modulus = pool.constant(32, 300);
        let slot = pool.bin(BvOp::URem, hash, modulus);
        let (slot, eight) = (pool.zext(slot, 64), pool.constant(64, 8));
        let start = pool.mul(slot, eight);
        let mut pointer: Option<Term> = None;
        for j in 0..8u128 {
            let j = pool.constant(64, j);
            let at = pool.add(start, j);
            let byte = pool.select(table, at);
            pointer = Some(pointer.map_or(byte, |low| pool.concat(byte, low)));
        }
        let pointer = pointer.unwrap();
        let zero = pool.constant(64, 0);
        let is_null = pool.eq(pointer, zero);
        let is_set = pool.not(is_null);
        let third = pool.constant(64, 0x1234_0200_0000);
        let is_third = pool.eq(pointer, third);
        queries.extend([vec![is_null], vec![is_set], vec![is_third], vec![is_set, is_third]]);
    }
    queries
}

fn small_table(pool: &mut Pool) -> Vec<Vec<Term>> {
    let input = pool.input("c", 2);
    let bytes: Vec<u8> = (0..=255u8).map(|i| i.wrapping_mul(37) ^ (i >> 3)).collect();
    let table = pool.table(&bytes);
    let (a, b) = (pool.select_at(input, 0), pool.select_at(input, 1));
    let (ia, ib) = (pool.zext(a, 64), pool.zext(b, 64));
    let (ta, tb) = (pool.select(table, ia), pool.select(table, ib));
    (0..200u128)
        .map(|i| {
            let sum = pool.add(ta, tb);
            let k = pool.constant(8, i);
            let c = pool.eq(sum, k);
            let d = pool.ult(ta, k);
            vec![c, d]
        })
        .collect()
}

/// Products of two words, some possible and some not.
fn products(pool: &mut Pool) -> Vec<Vec<Term>> {
    let (x, y) = (pool.input("x", 4), pool.input("y", 4));
    let (x, y) = (word(pool, x, 4), word(pool, y, 4));
    let product = pool.mul(x, y);
    let two = pool.constant(32, 2);
    let (x_big, y_big) = (pool.ult(two, x), pool.ult(two, y));
    (0..10u128)
        .map(|i| {
            let k = pool.constant(32, 1_000_003 * 7919 + i * 104_729);
            let c = pool.eq(product, k);
            vec![c, x_big, y_big]
        })
        .collect()
}

/// An identity that only algebra or much search can see, over 12 bits.
fn identities(pool: &mut Pool) -> Vec<Vec<Term>> {
    let input = pool.input("abc", 6);
    let whole = word(pool, input, 6);
    let (a, b, c) = (pool.extract(whole, 0, 10), pool.extract(whole, 16, 10), pool.extract(whole, 32, 10));
    let sum = pool.add(a, b);
    let left = pool.mul(sum, c);
    let (ac, bc) = (pool.mul(a, c), pool.mul(b, c));
    let right = pool.add(ac, bc);
    vec![vec![pool.ne(left, right)]]
}

fn main() {
    let families: [(&str, fn(&mut Pool) -> Vec<Vec<Term>>); 6] = [
        ("products of words", products),
        ("a distributive law", identities),
        ("comparisons of bytes", comparisons),
        ("a word against constants", words),
        ("table of 256 bytes", small_table),
        ("hash table of 2400 bytes", hash_table),
    ];
    for (name, family) in families {
        let mut pool = Pool::new();
        let queries = family(&mut pool);
        let mut solver = Bitwuzla::new(BitwuzlaConfig::default());
        ask(&mut solver, &mut pool, &queries, name);
    }
}
