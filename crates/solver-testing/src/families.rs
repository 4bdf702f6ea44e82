//! The kinds of query that programs ask.

use osier_term::{BvOp, Pool, Term};

/// Makes a family of queries.
pub type Family = fn(&mut Pool) -> Vec<Vec<Term>>;

pub const FAMILIES: [(&str, Family); 12] = [
    ("comparisons of 8 bytes", comparisons),
    ("a word against constants", words),
    ("table of 256 bytes", small_table),
    ("hash table of 2400 bytes", hash_table),
    ("symbolic buffer of 32 bytes", buffer::<32>),
    ("symbolic buffer of 128 bytes", buffer::<128>),
    ("symbolic buffer of 1024 bytes", buffer::<1024>),
    ("checked buffer of 32 bytes", checked_buffer::<32>),
    ("checked buffer of 256 bytes", checked_buffer::<256>),
    ("stores at symbolic indices", stores),
    ("products of words", products),
    ("a distributive law", identities),
];

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

/// Symbolic indices into a symbolic buffer.
fn buffer<const SIZE: u32>(pool: &mut Pool) -> Vec<Vec<Term>> {
    let (data, at) = (pool.input("data", SIZE), pool.input("at", 8));
    let both = word(pool, at, 8);
    let (i, j) = (pool.extract(both, 0, 32), pool.extract(both, 32, 32));
    let in_order = pool.ult(i, j);
    let (i, j) = (pool.zext(i, 64), pool.zext(j, 64));
    let (at_i, at_j) = (pool.select(data, i), pool.select(data, j));
    let (first, sum) = (pool.select_at(data, 0), pool.add(at_i, at_j));
    let rising = pool.ult(at_i, at_j);
    let above_first = pool.ult(first, at_i);
    (1..20u128)
        .map(|k| {
            let k = pool.constant(8, k);
            vec![in_order, rising, above_first, pool.eq(sum, k)]
        })
        .collect()
}

/// Every byte of a buffer is checked, and then no index finds a bad one.
fn checked_buffer<const SIZE: u32>(pool: &mut Pool) -> Vec<Vec<Term>> {
    let (data, at) = (pool.input("data", SIZE), pool.input("at", 4));
    let index = word(pool, at, 4);
    let index = pool.zext(index, 64);
    let read = pool.select(data, index);
    let five = pool.constant(8, 5);
    let good = (0..u64::from(SIZE)).map(|i| {
        let byte = pool.select_at(data, i);
        pool.ult(byte, five)
    });
    let good: Vec<Term> = good.collect();
    (0..10u128)
        .map(|k| {
            let k = pool.constant(8, k);
            let is_k = pool.eq(read, k);
            good.iter().copied().chain([is_k]).collect()
        })
        .collect()
}

/// Writes and reads of a small buffer at symbolic indices.
fn stores(pool: &mut Pool) -> Vec<Vec<Term>> {
    let input = pool.input("at", 60);
    let mut buffer = pool.table(&[0; 64]);
    let mut queries = Vec::new();
    for i in 0..30 {
        let (index, read_at) = (pool.select_at(input, i), pool.select_at(input, i + 30));
        let (index, read_at) = (pool.zext(index, 64), pool.zext(read_at, 64));
        let value = pool.constant(8, u128::from(i) + 1);
        buffer = pool.store(buffer, index, value);
        let read = pool.select(buffer, read_at);
        let k = pool.constant(8, u128::from(i) / 2 + 1);
        queries.push(vec![pool.eq(read, k)]);
    }
    queries
}
