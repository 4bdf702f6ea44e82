//! The gate graph: what bits are made of. Gates that are built alike are one gate, constants never enter one, and
//! negations stand on edges, so that a bit and its negation share everything below.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A gate's output or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Bit(u32);

impl Bit {
    pub(crate) const FALSE: Bit = Bit(0);
    pub(crate) const TRUE: Bit = Bit(1);

    pub(crate) fn constant(value: bool) -> Bit {
        if value { Bit::TRUE } else { Bit::FALSE }
    }

    pub(crate) fn as_constant(self) -> Option<bool> {
        (self.0 <= 1).then_some(self == Bit::TRUE)
    }

    pub(crate) fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The gate's output itself.
    fn plain(self) -> Bit {
        Bit(self.0 & !1)
    }

    fn negated_if(self, condition: bool) -> Bit {
        Bit(self.0 ^ u32::from(condition))
    }
}

impl Not for Bit {
    type Output = Bit;

    fn not(self) -> Bit {
        Bit(self.0 ^ 1)
    }
}

/// What a gate computes. The fields are in a normal form, which the constructors of [`Gates`] make.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Gate {
    /// Only the first one, whose output is false.
    False,
    /// One bit of an input byte: any value.
    Free,
    And(Bit, Bit),
    Xor(Bit, Bit),
    /// The second bit if the first is true, else the third.
    Mux(Bit, Bit, Bit),
    /// What at least two of them say: a carry, or a step of a comparison.
    Majority(Bit, Bit, Bit),
}

impl Gate {
    pub(crate) fn for_each_child(self, mut each: impl FnMut(Bit)) {
        match self {
            Gate::False | Gate::Free => {}
            Gate::And(a, b) | Gate::Xor(a, b) => {
                each(a);
                each(b);
            }
            Gate::Mux(a, b, c) | Gate::Majority(a, b, c) => {
                each(a);
                each(b);
                each(c);
            }
        }
    }
}

pub(crate) struct Gates {
    gates: Vec<Gate>,
    /// How many gates use each one; 255 stands for more, too.
    users: Vec<u8>,
    known: FxHashMap<Gate, Bit>,
}

impl Gates {
    pub(crate) fn new() -> Self {
        Gates { gates: vec![Gate::False], users: vec![0], known: FxHashMap::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.gates.len()
    }

    pub(crate) fn gate(&self, at: usize) -> Gate {
        self.gates[at]
    }

    /// How many gates use this one or its negation, as far as 255.
    pub(crate) fn users(&self, bit: Bit) -> u8 {
        self.users[bit.gate()]
    }

    fn push(&mut self, gate: Gate) -> Bit {
        let at = u32::try_from(self.gates.len()).ok().filter(|&at| at < 1 << 31).expect("gates are limited in number");
        self.gates.push(gate);
        self.users.push(0);
        gate.for_each_child(|child| {
            let users = &mut self.users[child.gate()];
            *users = users.saturating_add(1);
        });
        Bit(at << 1)
    }

    fn shared(&mut self, gate: Gate) -> Bit {
        if let Some(&bit) = self.known.get(&gate) {
            return bit;
        }
        let bit = self.push(gate);
        self.known.insert(gate, bit);
        bit
    }

    pub(crate) fn free(&mut self) -> Bit {
        self.push(Gate::Free)
    }

    pub(crate) fn and(&mut self, a: Bit, b: Bit) -> Bit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Bit::FALSE || a == !b {
            return Bit::FALSE;
        }
        if a == Bit::TRUE || a == b {
            return b;
        }
        // a & (a & x) is a & x, and a & (!a & x) is false.
        for (outer, inner) in [(a, b), (b, a)] {
            if let (false, Gate::And(x, y)) = (inner.is_negated(), self.gates[inner.gate()]) {
                if outer == x || outer == y {
                    return inner;
                }
                if outer == !x || outer == !y {
                    return Bit::FALSE;
                }
            }
        }
        self.shared(Gate::And(a, b))
    }

    pub(crate) fn or(&mut self, a: Bit, b: Bit) -> Bit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        let negated = a.is_negated() != b.is_negated();
        let (a, b) = (a.plain().min(b.plain()), a.plain().max(b.plain()));
        let bit = if a == b {
            Bit::FALSE
        } else if a == Bit::FALSE {
            b
        } else {
            self.shared(Gate::Xor(a, b))
        };
        bit.negated_if(negated)
    }

    pub(crate) fn mux(&mut self, cond: Bit, then: Bit, other: Bit) -> Bit {
        if let Some(value) = cond.as_constant() {
            return if value { then } else { other };
        }
        if then == other {
            return then;
        }
        if then == !other {
            return self.xor(cond, other);
        }
        if then == Bit::TRUE || then == cond {
            return self.or(cond, other);
        }
        if then == Bit::FALSE || then == !cond {
            return self.and(!cond, other);
        }
        if other == Bit::FALSE || other == cond {
            return self.and(cond, then);
        }
        if other == Bit::TRUE || other == !cond {
            return self.or(!cond, then);
        }
        let (cond, then, other) = if cond.is_negated() { (!cond, other, then) } else { (cond, then, other) };
        let negated = then.is_negated();
        self.shared(Gate::Mux(cond, then.negated_if(negated), other.negated_if(negated))).negated_if(negated)
    }

    pub(crate) fn majority(&mut self, a: Bit, b: Bit, c: Bit) -> Bit {
        let mut three = [a, b, c];
        three.sort_unstable();
        let [a, b, c] = three;
        // Sorted, so constants come first and a bit stands next to its negation.
        if a == b || b == !c {
            return a;
        }
        if b == c || a == !b {
            return c;
        }
        match a.as_constant() {
            Some(false) => return self.and(b, c),
            Some(true) => return self.or(b, c),
            None => {}
        }
        // The majority of negations is the negation of the majority.
        let negated = three.iter().filter(|bit| bit.is_negated()).count() >= 2;
        let [a, b, c] = three.map(|bit| bit.negated_if(negated));
        self.shared(Gate::Majority(a, b, c)).negated_if(negated)
    }
}

/// The outputs of all gates, where `free` says what the free bits are, the first made first.
#[cfg(test)]
pub(crate) fn outputs(gates: &Gates, free: &[bool]) -> Vec<bool> {
    let mut free = free.iter();
    let mut outputs: Vec<bool> = Vec::new();
    for &gate in &gates.gates {
        let of = |bit: Bit| outputs[bit.gate()] != bit.is_negated();
        let output = match gate {
            Gate::False => false,
            Gate::Free => *free.next().expect("a value for each free bit"),
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(cond, then, other) => of(if of(cond) { then } else { other }),
            Gate::Majority(a, b, c) => u8::from(of(a)) + u8::from(of(b)) + u8::from(of(c)) >= 2,
        };
        outputs.push(output);
    }
    outputs
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every gate over every choice of operands out of constants, free bits, a gate over them and all negations.
    #[test]
    fn folding_keeps_the_meaning() {
        let mut gates = Gates::new();
        let free = [gates.free(), gates.free(), gates.free()];
        let both = gates.and(free[0], free[1]);
        let mut operands = vec![Bit::FALSE, Bit::TRUE];
        operands.extend([free[0], free[1], free[2], both].iter().flat_map(|&bit| [bit, !bit]));
        for &a in &operands {
            for &b in &operands {
                for &c in &operands {
                    let made = [gates.and(a, b), gates.or(a, b), gates.xor(a, b), gates.mux(a, b, c)];
                    let majority = gates.majority(a, b, c);
                    for n in 0..8u8 {
                        let outputs = outputs(&gates, &[n & 1 == 1, n & 2 == 2, n & 4 == 4]);
                        let of = |bit: Bit| outputs[bit.gate()] != bit.is_negated();
                        let (x, y, z) = (of(a), of(b), of(c));
                        assert_eq!(made.map(of), [x && y, x || y, x != y, if x { y } else { z }], "{a:?} {b:?} {c:?}");
                        assert_eq!(
                            of(majority),
                            [x, y, z].iter().filter(|&&value| value).count() >= 2,
                            "{a:?} {b:?} {c:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn gates_built_alike_are_one() {
        let mut gates = Gates::new();
        let (a, b, c) = (gates.free(), gates.free(), gates.free());
        assert_eq!(gates.and(a, b), gates.and(b, a));
        assert_eq!(gates.xor(a, !b), !gates.xor(b, a));
        assert_eq!(gates.mux(!a, !b, c), !gates.mux(a, !c, b));
        assert_eq!(gates.majority(!a, !b, !c), !gates.majority(c, a, b));
        let before = gates.len();
        gates.mux(a, b, !b);
        assert_eq!(gates.len(), before, "a choice between a bit and its negation is an xor that is known");
    }
}
