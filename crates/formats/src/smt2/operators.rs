//! What each operator of QF_ABV makes of its operands.

use osier_term::{BvOp, CmpOp, Pool, Term};

use super::arrays::Arrays;
use super::overflow::{negation, overflow};
use super::value::{Sort, Value, check_width};
use crate::inputs::Inputs;
use crate::position::{ParseError, Position, fail};

/// An application: an operator, with the numbers of `(_ name number ...)`, and its operands.
pub(super) struct Application<'a> {
    pub at: Position,
    pub name: &'a str,
    pub indices: &'a [u32],
    pub operands: &'a [Value],
}

pub(super) struct Operators {
    pub pool: Pool,
    pub inputs: Inputs,
    pub arrays: Arrays,
}

impl Operators {
    /// `None` if there is no such operator.
    pub(super) fn apply(&mut self, a: &Application) -> Option<Result<Value, ParseError>> {
        if !a.indices.is_empty() {
            return self.indexed(a);
        }
        if let Some((op, chains)) = arithmetic(a.name) {
            return Some(self.arithmetic(a, op, chains));
        }
        if let Some((op, swap)) = comparison(a.name) {
            return Some(self.comparison(a, op, swap));
        }
        if let Some(predicate) = overflow(a.name) {
            return Some(self.vectors(a, 2, 2).map(|t| Value::Bool(predicate(&mut self.pool, t[0], t[1]))));
        }
        Some(match a.name {
            "not" => self.bools(a, 1, 1).map(|t| Value::Bool(self.pool.not(t[0]))),
            "and" => self.bools(a, 1, usize::MAX).map(|t| self.fold(&t, Pool::and)),
            "or" => self.bools(a, 1, usize::MAX).map(|t| self.fold(&t, Pool::or)),
            "xor" => self.bools(a, 1, usize::MAX).map(|t| self.fold(&t, Pool::xor)),
            "=>" => self.bools(a, 1, usize::MAX).map(|t| self.implies(t)),
            "=" => self.equal(a),
            "distinct" => self.distinct(a),
            "ite" => self.ite(a),
            "concat" => self.concat(a),
            "bvnot" => self.vectors(a, 1, 1).map(|t| Value::BitVec(self.pool.not(t[0]))),
            "bvneg" => self.vectors(a, 1, 1).map(|t| Value::BitVec(self.pool.neg(t[0]))),
            "bvnego" => self.vectors(a, 1, 1).map(|t| Value::Bool(negation(&mut self.pool, t[0]))),
            "bvnand" => self.negated(a, BvOp::And),
            "bvnor" => self.negated(a, BvOp::Or),
            "bvxnor" => self.negated(a, BvOp::Xor),
            "bvcomp" => self.vectors(a, 2, 2).map(|t| Value::BitVec(self.pool.eq(t[0], t[1]))),
            "bvsmod" => self.vectors(a, 2, 2).map(|t| self.smod(t[0], t[1])),
            "select" => self.select(a),
            "store" => self.store(a),
            _ => return None,
        })
    }

    fn describe(&self, operands: &[Value]) -> String {
        let sorts: Vec<String> = operands.iter().map(|v| v.sort(&self.pool, &self.arrays).to_string()).collect();
        sorts.join(", ")
    }

    fn wrong<T>(&self, a: &Application, wanted: &str) -> Result<T, ParseError> {
        fail(a.at, format!("`{}` needs {wanted}, not ({})", a.name, self.describe(a.operands)))
    }

    fn bools(&self, a: &Application, least: usize, most: usize) -> Result<Vec<Term>, ParseError> {
        let terms: Option<Vec<Term>> =
            a.operands.iter().map(|v| if let Value::Bool(t) = v { Some(*t) } else { None }).collect();
        match terms {
            Some(terms) if (least..=most).contains(&terms.len()) => Ok(terms),
            Some(_) | None if most == 1 => self.wrong(a, "one operand of sort Bool"),
            Some(_) | None => self.wrong(a, "operands of sort Bool"),
        }
    }

    /// Bit-vectors of one width.
    fn vectors(&self, a: &Application, least: usize, most: usize) -> Result<Vec<Term>, ParseError> {
        let terms = self.mixed_vectors(a)?;
        let same = terms.windows(2).all(|pair| self.pool.width(pair[0]) == self.pool.width(pair[1]));
        if same && (least..=most).contains(&terms.len()) {
            return Ok(terms);
        }
        match most {
            1 => self.wrong(a, "one bit-vector"),
            2 => self.wrong(a, "two bit-vectors of one width"),
            _ => self.wrong(a, "at least two bit-vectors of one width"),
        }
    }

    fn mixed_vectors(&self, a: &Application) -> Result<Vec<Term>, ParseError> {
        let terms = a.operands.iter().map(|v| if let Value::BitVec(t) = v { Some(*t) } else { None });
        match terms.collect() {
            Some(terms) => Ok(terms),
            None => self.wrong(a, "bit-vectors"),
        }
    }

    fn fold(&mut self, terms: &[Term], op: impl Fn(&mut Pool, Term, Term) -> Term) -> Value {
        let mut whole = terms[0];
        for &t in &terms[1..] {
            whole = op(&mut self.pool, whole, t);
        }
        Value::Bool(whole)
    }

    fn implies(&mut self, mut terms: Vec<Term>) -> Value {
        let mut whole = terms.pop().expect("at least one operand");
        for t in terms.into_iter().rev() {
            let not = self.pool.not(t);
            whole = self.pool.or(not, whole);
        }
        Value::Bool(whole)
    }

    fn arithmetic(&mut self, a: &Application, op: BvOp, chains: bool) -> Result<Value, ParseError> {
        let terms = self.vectors(a, 2, if chains { usize::MAX } else { 2 })?;
        let mut whole = terms[0];
        for &t in &terms[1..] {
            whole = self.pool.bin(op, whole, t);
        }
        Ok(Value::BitVec(whole))
    }

    fn comparison(&mut self, a: &Application, op: CmpOp, swap: bool) -> Result<Value, ParseError> {
        let terms = self.vectors(a, 2, 2)?;
        let (x, y) = if swap { (terms[1], terms[0]) } else { (terms[0], terms[1]) };
        Ok(Value::Bool(self.pool.cmp(op, x, y)))
    }

    fn negated(&mut self, a: &Application, op: BvOp) -> Result<Value, ParseError> {
        let terms = self.vectors(a, 2, 2)?;
        let plain = self.pool.bin(op, terms[0], terms[1]);
        Ok(Value::BitVec(self.pool.not(plain)))
    }

    /// The remainder with the sign of the divisor.
    fn smod(&mut self, a: Term, b: Term) -> Value {
        let pool = &mut self.pool;
        let zero = pool.constant(pool.width(a), 0);
        let rest = pool.srem(a, b);
        let (rest_sign, sign) = (pool.slt(rest, zero), pool.slt(b, zero));
        let (differ, some) = (pool.xor(rest_sign, sign), pool.ne(rest, zero));
        let (moved, move_it) = (pool.add(rest, b), pool.and(differ, some));
        Value::BitVec(pool.ite(move_it, moved, rest))
    }

    /// Operands of one sort, as terms; arrays are not compared.
    fn comparable(&self, a: &Application) -> Result<Vec<Term>, ParseError> {
        let sorts: Vec<Sort> = a.operands.iter().map(|v| v.sort(&self.pool, &self.arrays)).collect();
        if sorts.len() < 2 || sorts.windows(2).any(|pair| pair[0] != pair[1]) {
            return self.wrong(a, "two or more operands of one sort");
        }
        let terms = a.operands.iter().map(|v| match v {
            Value::Bool(t) | Value::BitVec(t) => Some(*t),
            Value::Array(_) => None,
        });
        let terms: Option<Vec<Term>> = terms.collect();
        terms.ok_or_else(|| ParseError::new(a.at, format!("`{}` between arrays is not supported", a.name)))
    }

    fn equal(&mut self, a: &Application) -> Result<Value, ParseError> {
        let terms = self.comparable(a)?;
        let pairs: Vec<Term> = terms.windows(2).map(|pair| self.pool.eq(pair[0], pair[1])).collect();
        Ok(self.fold(&pairs, Pool::and))
    }

    fn distinct(&mut self, a: &Application) -> Result<Value, ParseError> {
        let terms = self.comparable(a)?;
        let mut all = self.pool.truth(true);
        for (i, &x) in terms.iter().enumerate() {
            for &y in &terms[..i] {
                let differ = self.pool.ne(y, x);
                all = self.pool.and(all, differ);
            }
        }
        Ok(Value::Bool(all))
    }

    fn ite(&mut self, a: &Application) -> Result<Value, ParseError> {
        let [Value::Bool(cond), then, other] = *a.operands else {
            return self.wrong(a, "a condition and two choices");
        };
        if then.sort(&self.pool, &self.arrays) != other.sort(&self.pool, &self.arrays) {
            return self.wrong(a, "two choices of one sort");
        }
        match (then, other) {
            (Value::Bool(then), Value::Bool(other)) => Ok(Value::Bool(self.pool.ite(cond, then, other))),
            (Value::BitVec(then), Value::BitVec(other)) => Ok(Value::BitVec(self.pool.ite(cond, then, other))),
            (Value::Array(then), Value::Array(other)) => Ok(Value::Array(self.arrays.choice(cond, then, other))),
            (Value::Bool(_) | Value::BitVec(_) | Value::Array(_), _) => unreachable!("the sorts are the same"),
        }
    }

    fn concat(&mut self, a: &Application) -> Result<Value, ParseError> {
        let terms = self.mixed_vectors(a)?;
        if terms.len() < 2 {
            return self.wrong(a, "at least two bit-vectors");
        }
        check_width(a.at, terms.iter().map(|&t| u128::from(self.pool.width(t))).sum())?;
        let whole = terms[1..].iter().fold(terms[0], |high, &low| self.pool.concat(high, low));
        Ok(Value::BitVec(whole))
    }

    fn select(&mut self, a: &Application) -> Result<Value, ParseError> {
        match *a.operands {
            [Value::Array(array), Value::BitVec(index)] if self.arrays.index_width(array) == self.pool.width(index) => {
                let byte = self.arrays.select(&mut self.pool, &mut self.inputs, a.at, array, index)?;
                Ok(Value::BitVec(byte))
            }
            _ => self.wrong(a, "an array and an index"),
        }
    }

    fn store(&mut self, a: &Application) -> Result<Value, ParseError> {
        match *a.operands {
            [Value::Array(array), Value::BitVec(index), Value::BitVec(value)]
                if self.arrays.index_width(array) == self.pool.width(index) && self.pool.width(value) == 8 =>
            {
                Ok(Value::Array(self.arrays.store(&mut self.pool, array, index, value)))
            }
            _ => self.wrong(a, "an array, an index and a byte"),
        }
    }

    fn indexed(&mut self, a: &Application) -> Option<Result<Value, ParseError>> {
        let known = ["extract", "zero_extend", "sign_extend", "rotate_left", "rotate_right", "repeat"];
        if !known.contains(&a.name) {
            return None;
        }
        Some(self.vectors(a, 1, 1).and_then(|t| self.indexed_of(a, t[0])).map(Value::BitVec))
    }

    fn indexed_of(&mut self, a: &Application, t: Term) -> Result<Term, ParseError> {
        let width = self.pool.width(t);
        let wide = |by: u32| check_width(a.at, u128::from(width) + u128::from(by));
        match (a.name, a.indices) {
            ("extract", &[high, low]) if low <= high && high < width => Ok(self.pool.extract(t, low, high - low + 1)),
            ("extract", &[high, low]) => fail(a.at, format!("bits {high} to {low} of a bit-vector of {width} bits")),
            ("zero_extend", &[by]) => Ok(self.pool.zext(t, wide(by)?)),
            ("sign_extend", &[by]) => Ok(self.pool.sext(t, wide(by)?)),
            ("rotate_left", &[by]) => Ok(self.rotated(t, by % width)),
            ("rotate_right", &[by]) => Ok(self.rotated(t, (width - by % width) % width)),
            ("repeat", &[times]) if times > 0 => {
                check_width(a.at, u128::from(width) * u128::from(times))?;
                Ok((1..times).fold(t, |whole, _| self.pool.concat(whole, t)))
            }
            _ => fail(a.at, format!("`{}` with other numbers than it has", a.name)),
        }
    }

    /// Rotated to the left by less than the width.
    fn rotated(&mut self, t: Term, by: u32) -> Term {
        if by == 0 {
            return t;
        }
        let width = self.pool.width(t);
        let (low, high) = (self.pool.extract(t, 0, width - by), self.pool.extract(t, width - by, by));
        self.pool.concat(low, high)
    }
}

/// Operators from bit-vectors to a bit-vector, and whether they take more than two.
fn arithmetic(name: &str) -> Option<(BvOp, bool)> {
    Some(match name {
        "bvadd" => (BvOp::Add, true),
        "bvmul" => (BvOp::Mul, true),
        "bvand" => (BvOp::And, true),
        "bvor" => (BvOp::Or, true),
        "bvxor" => (BvOp::Xor, true),
        "bvsub" => (BvOp::Sub, false),
        "bvudiv" => (BvOp::UDiv, false),
        "bvsdiv" => (BvOp::SDiv, false),
        "bvurem" => (BvOp::URem, false),
        "bvsrem" => (BvOp::SRem, false),
        "bvshl" => (BvOp::Shl, false),
        "bvlshr" => (BvOp::LShr, false),
        "bvashr" => (BvOp::AShr, false),
        _ => return None,
    })
}

/// Comparisons, and whether their operands change places.
fn comparison(name: &str) -> Option<(CmpOp, bool)> {
    Some(match name {
        "bvult" => (CmpOp::Ult, false),
        "bvule" => (CmpOp::Ule, false),
        "bvugt" => (CmpOp::Ult, true),
        "bvuge" => (CmpOp::Ule, true),
        "bvslt" => (CmpOp::Slt, false),
        "bvsle" => (CmpOp::Sle, false),
        "bvsgt" => (CmpOp::Slt, true),
        "bvsge" => (CmpOp::Sle, true),
        _ => return None,
    })
}
