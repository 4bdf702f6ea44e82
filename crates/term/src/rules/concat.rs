//! Concatenations. Loads put together what stores took apart: the pieces of one term, side by side, become it again,
//! whatever the rules made of the pieces in between.

use super::{Pair, PairRule, first};
use crate::bits::mask;
use crate::node::{BvOp, Node, Term};
use crate::pool::Pool;

const CONCAT: &[PairRule] = &[
    concat_zero,
    concat_leans_right,
    concat_zext,
    concat_zeros_below,
    concat_pieces,
    concat_sign,
    concat_sext,
    concat_into_low,
    concat_choices,
    concat_as_shift_or_mask,
];

pub(crate) fn concat(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    first(CONCAT, pool, pair)
}

/// concat(0, x)  →  zext(x)
fn concat_zero(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    (pair.left_const()? == 0).then(|| pool.zext(pair.b, pair.width + pool.width(pair.b)))
}

/// concat(concat(x, y), z)  →  concat(x, concat(y, z))
fn concat_leans_right(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let Node::Concat { high, low } = pair.left else { return None };
    let low = pool.concat(low, pair.b);
    Some(pool.concat(high, low))
}

/// concat(zext(x), y)  →  zext(concat(x, y))
fn concat_zext(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let Node::ZExt { term, width } = pair.left else { return None };
    let both = pool.concat(term, pair.b);
    Some(pool.zext(both, width + pool.width(pair.b)))
}

/// concat(x << k, y)  →  concat(low part of x, concat(0, y));  concat(x & -2^k, y)  →  concat(high part of x, concat(0, y))
fn concat_zeros_below(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let Node::Bin { op, a: x, b: c } = pair.left else { return None };
    let c = pool.as_const(c)?;
    let (from, zeros) = match op {
        BvOp::Shl if 0 < c && c < u128::from(pair.width) => (0, c as u32),
        BvOp::And if c != 0 && c == mask(pair.width) & !mask(c.trailing_zeros().max(1)) => {
            (c.trailing_zeros(), c.trailing_zeros())
        }
        _ => return None,
    };
    let (kept, zeros) = (pool.extract(x, from, pair.width - zeros), pool.constant(zeros, 0));
    let low = pool.concat(zeros, pair.b);
    Some(pool.concat(kept, low))
}

/// Two neighbouring pieces of one term as one piece: one of them is still an extract and names the term, and the other
/// is what an extract of its place gives.
fn one_piece(pool: &mut Pool, high: Term, low: Term) -> Option<Term> {
    let (above, below) = (pool.width(high), pool.width(low));
    if let Node::Extract { term, low: at, width } = pool.node(high)
        && at >= below
        && pool.extract(term, at - below, below) == low
    {
        return Some(pool.extract(term, at - below, width + below));
    }
    if let Node::Extract { term, low: at, width } = pool.node(low)
        && at + width + above <= pool.width(term)
        && pool.extract(term, at + width, above) == high
    {
        return Some(pool.extract(term, at, width + above));
    }
    None
}

/// concat(x from bit b up to c, x from bit a up to b)  →  x from bit a up to c
fn concat_pieces(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    one_piece(pool, pair.a, pair.b)
}

/// concat(sign of x, x)  →  sext(x)
fn concat_sign(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let plausible = matches!((pair.left, pair.right), (Node::Extract { .. }, _) | (_, Node::SExt { .. }));
    let below = pool.width(pair.b);
    let fits = pair.width == 1 && plausible && pool.extract(pair.b, below - 1, 1) == pair.a;
    fits.then(|| pool.sext(pair.b, below + 1))
}

/// concat(sext(x), y)  →  sext(concat(x, y))
fn concat_sext(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let Node::SExt { term, width } = pair.left else { return None };
    let both = pool.concat(term, pair.b);
    Some(pool.sext(both, width + pool.width(pair.b)))
}

/// concat(x, concat(y, z))  →  concat(xy, z), if x and y are constants or pieces that make one piece xy;
/// concat(c, zext(x))  →  concat(c 0, x);  concat(x, y << k)  →  concat(xy, 0), if x and the low part of y make xy
fn concat_into_low(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    match pair.right {
        Node::Concat { high, low } => {
            let joined = match (pair.left_const(), pool.as_const(high)) {
                (Some(c), Some(d)) => {
                    let below = pool.width(high);
                    pool.constant(pair.width + below, c << below | d)
                }
                _ => one_piece(pool, pair.a, high)?,
            };
            Some(pool.concat(joined, low))
        }
        Node::ZExt { term, width } => {
            let zeros = width - pool.width(term);
            let high = pool.constant(pair.width + zeros, pair.left_const()? << zeros);
            Some(pool.concat(high, term))
        }
        Node::Bin { op: BvOp::Shl, a: shifted, b: by } => {
            let width = pool.width(shifted);
            let by = pool.as_const(by).filter(|&by| 0 < by && by < u128::from(width))? as u32;
            let kept = pool.extract(shifted, 0, width - by);
            let (joined, zeros) = (one_piece(pool, pair.a, kept)?, pool.constant(by, 0));
            Some(pool.concat(joined, zeros))
        }
        _ => None,
    }
}

/// concat(if p then x else y, if p then u else v)  →  if p then concat(x, u) else concat(y, v);
/// concat(c, if p then d else e)  →  if p then concat(c, d) else concat(c, e), for constants, and the other way round
fn concat_choices(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let constants = |then, other| pool.as_const(then).and(pool.as_const(other)).is_some();
    let (cond, [x, u], [y, v]) = match (pair.left, pair.right) {
        (Node::Ite { cond: p, then: x, other: y }, Node::Ite { cond: q, then: u, other: v }) if p == q => {
            (p, [x, u], [y, v])
        }
        (Node::Const { .. }, Node::Ite { cond, then, other }) if constants(then, other) => {
            (cond, [pair.a, then], [pair.a, other])
        }
        (Node::Ite { cond, then, other }, Node::Const { .. }) if constants(then, other) => {
            (cond, [then, pair.b], [other, pair.b])
        }
        _ => return None,
    };
    let (then, other) = (pool.concat(x, u), pool.concat(y, v));
    Some(pool.ite(cond, then, other))
}

/// concat(all but the high k bits of x, 0)  →  x << k;  concat(all but the low k bits of x, 0)  →  x & -2^k
fn concat_as_shift_or_mask(pool: &mut Pool, pair: &Pair) -> Option<Term> {
    let Node::Extract { term, low, width } = pair.left else { return None };
    let zeros = pool.width(pair.b);
    let whole = pool.width(term);
    if pair.right_const() != Some(0) || width + zeros != whole {
        return None;
    }
    if low == 0 {
        let by = pool.constant(whole, u128::from(zeros));
        return Some(pool.shl(term, by));
    }
    let kept = pool.constant(whole, !mask(zeros));
    (low == zeros).then(|| pool.and(term, kept))
}

#[cfg(test)]
mod tests {
    use crate::node::{Array, Term};
    use crate::pool::Pool;
    use crate::testing::{Recipe, fires, keeps};

    #[test]
    fn concat_zero() {
        fires("(++ 0 x)", "(zext 16 x)");
        keeps("(++ 1 x)");
        keeps("(++ x 0)");
    }

    #[test]
    fn concat_leans_right() {
        fires("(++ (++ x y) z)", "(++ x (++ y z))");
        keeps("(++ x (++ y z))");
    }

    #[test]
    fn concat_zext() {
        fires("(++ (zext 16 x) y)", "(zext 24 (++ x y))");
        keeps("(++ y (zext 16 x))");
    }

    #[test]
    fn concat_zeros_below() {
        fires("(++ (<< x 6) y)", "(++ (extract 0 2 x) (zext 14 y))");
        fires("(++ (& x -16) 0)", "(++ (extract 4 4 x) 0:12)");
        keeps("(++ (<< x y) y)");
        keeps("(++ (& x 0xa0) y)");
    }

    #[test]
    fn concat_pieces() {
        fires("(++ (extract 8 8 i) (extract 0 8 i))", "(extract 0 16 i)");
        fires("(++ (extract 8 24 i) (extract 0 8 i))", "i");
        keeps("(++ (extract 9 8 i) (extract 0 8 i))");
        keeps("(++ (extract 0 8 i) (extract 8 8 i))");
        keeps("(++ (extract 8 8 i) (extract 0 8 j))");
    }

    #[test]
    fn concat_sign() {
        fires("(++ (extract 7 1 x) x)", "(sext 9 x)");
        keeps("(++ (extract 6 1 x) x)");
        keeps("(++ (extract 7 1 y) x)");
    }

    #[test]
    fn concat_sext() {
        fires("(++ (sext 16 x) y)", "(sext 24 (++ x y))");
        fires("(++ (sext 8 (extract 7 1 x)) x)", "(sext 16 x)");
        keeps("(++ y (sext 16 x))");
    }

    #[test]
    fn concat_into_low() {
        fires("(++ 1 (++ 2 x))", "(++ 258:16 x)");
        fires("(++ 1 (zext 16 x))", "(++ 256:16 x)");
        fires("(++ (extract 8 8 i) (++ (extract 0 8 i) x))", "(++ (extract 0 16 i) x)");
        fires("(++ (extract 3 5 x) (<< x 5))", "(++ x 0:5)");
        keeps("(++ (extract 2 5 x) (<< x 5))");
        keeps("(++ x (++ 2 y))");
        keeps("(++ 1 (sext 16 x))");
    }

    #[test]
    fn concat_choices() {
        fires("(++ (if p x y) (if p y z))", "(if p (++ x y) (++ y z))");
        fires("(++ 1 (if p 2 3))", "(if p 258:16 259:16)");
        fires("(++ (if p 2 3) 1)", "(if p 513:16 769:16)");
        keeps("(++ (if p x y) (if q y z))");
        keeps("(++ 1 (if p x 3))");
    }

    #[test]
    fn concat_as_shift_or_mask() {
        fires("(++ (extract 0 24 i) 0)", "(<< i 8:32)");
        fires("(++ (extract 8 24 i) 0)", "(& i -256:32)");
        keeps("(++ (extract 0 20 i) 0)");
        keeps("(++ (extract 4 24 i) 0)");
        keeps("(++ (extract 0 24 i) 1)");
    }

    fn store_word(pool: &mut Pool, array: Array, word: Term) -> Array {
        (0..u64::from(pool.width(word) / 8)).fold(array, |array, at| {
            let byte = pool.extract(word, at as u32 * 8, 8);
            let index = pool.constant(64, u128::from(at));
            pool.store(array, index, byte)
        })
    }

    fn load_word(pool: &mut Pool, array: Array, bytes: u64) -> Term {
        (1..bytes).fold(pool.select_at(array, 0), |word, at| {
            let byte = pool.select_at(array, at);
            pool.concat(byte, word)
        })
    }

    #[test]
    fn what_is_stored_is_loaded() {
        for text in [
            "i",
            "(+ i j)",
            "(+ (zext 32 x) (zext 32 y))",
            "(+ (sext 32 x) -3:32)",
            "(* (zext 32 x) (sext 32 h))",
            "(- 0:32 (zext 32 x))",
            "(zext 32 x)",
            "(sext 32 x)",
            "(sext 32 (extract 3 9 i))",
            "(zext 32 p)",
            "(sext 32 p)",
            "(<< i 3:32)",
            "(<< i 8:32)",
            "(<< (zext 32 x) 5:32)",
            "(<< (zext 32 x) 30:32)",
            "(<< (sext 32 x) 11:32)",
            "(& i 0xfff:32)",
            "(& i 0xff0:32)",
            "(& i -16:32)",
            "(& i j)",
            "(| i 1:32)",
            "(| i 0x10ff0010:32)",
            "(^ i 0x12345678:32)",
            "(^ i (zext 32 x))",
            "(~ i)",
            "(if p 5:32 0x12345678:32)",
            "(if p i j)",
            "(if p i 0:32)",
            "(if p (zext 32 x) 7:32)",
            "(if p (zext 32 x) (sext 32 y))",
            "(%u i 10:32)",
            "(/s i j)",
            "(>>u i 5:32)",
            "(>>s i 5:32)",
            "(++ x (++ y h))",
            "(++ (extract 3 12 i) (extract 0 20 j))",
            "(<< k 2:64)",
            "(+ (<< k 2:64) 12:64)",
            "(sext 64 (+ i 1:32))",
        ] {
            let (mut pool, inputs) = Recipe::pool();
            let word = Recipe::parse(text).build(&mut pool, &inputs);
            let table = pool.table(&[0xa5; 8]);
            let stored = store_word(&mut pool, table, word);
            let bytes = u64::from(pool.width(word) / 8);
            let loaded = load_word(&mut pool, stored, bytes);
            assert!(loaded == word, "{text}: {} became {}", pool.display(word), pool.display(loaded));
        }
    }
}
