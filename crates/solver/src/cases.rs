//! What is known of slices that say the same of their bytes together and differ in what they say of single ones.
//!
//! Such slices are what a program's branches leave behind: the same sum or comparison of several bytes, after different
//! tests of each. If one of them has no solution, none has that allows each byte no other values. A solution of one is a
//! solution of all whose bytes may have its values.

use crate::bytesets::ByteSet;
use crate::held::Held;

/// So many cases are kept for slices of one kind, the newest first, and so many bytes of them in a store.
const MOST_CASES: usize = 24;
const MOST_BYTES: usize = 1800;

const SAT: u8 = 1;
const UNSAT: u8 = 2;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// By the numbers of the slice's places, as it is stored.
    Sat(Box<[u8]>),
    /// The values that each place was allowed.
    Unsat(Box<[ByteSet]>),
}

#[derive(Clone, Debug)]
struct Case {
    verdict: Verdict,
    /// It comes from another run.
    stored: bool,
}

/// Newest first.
#[derive(Clone, Default, Debug)]
pub(crate) struct Cases(Vec<Case>);

/// A case that decides a slice.
pub(crate) struct Decided<'a> {
    pub verdict: &'a Verdict,
    pub stored: bool,
}

impl Held for Cases {
    fn held(&self) -> usize {
        self.0.iter().map(|case| size_of_val(case) + case.verdict.held()).sum()
    }
}

impl Held for Verdict {
    fn held(&self) -> usize {
        match self {
            Verdict::Sat(model) => size_of_val(&**model),
            Verdict::Unsat(sets) => size_of_val(&**sets),
        }
    }
}

impl Cases {
    /// The cases that decide a slice whose places may have these values. `values` gives the value that a stored model
    /// has at each place, or nothing where the place is a whole array.
    pub(crate) fn deciding<'a>(
        &'a self,
        allowed: &'a [ByteSet],
        values: impl Fn(&[u8]) -> Option<Vec<Option<u8>>> + 'a,
    ) -> impl Iterator<Item = Decided<'a>> {
        let decides = move |case: &&Case| match &case.verdict {
            Verdict::Unsat(sets) => {
                sets.len() == allowed.len() && allowed.iter().zip(sets).all(|(&small, &large)| small.is_within(large))
            }
            Verdict::Sat(model) => values(model).is_some_and(|values| {
                values.iter().zip(allowed).all(|(value, set)| value.is_none_or(|value| set.contains(value)))
            }),
        };
        self.0.iter().filter(decides).map(|case| Decided { verdict: &case.verdict, stored: case.stored })
    }

    pub(crate) fn learn(&mut self, verdict: Verdict) {
        self.0.truncate(MOST_CASES - 1);
        self.0.insert(0, Case { verdict, stored: false });
    }

    /// The newest ones, as many as a record may hold.
    pub(crate) fn encode(&self) -> Box<[u8]> {
        let mut out = Vec::new();
        for case in &self.0 {
            let start = out.len();
            out.push(match &case.verdict {
                Verdict::Sat(_) => SAT,
                Verdict::Unsat(_) => UNSAT,
            });
            out.extend_from_slice(&[0; 2]);
            match &case.verdict {
                Verdict::Sat(model) => out.extend_from_slice(model),
                Verdict::Unsat(sets) => out.extend(sets.iter().flat_map(|set| set.0).flat_map(u64::to_le_bytes)),
            }
            if out.len() > MOST_BYTES {
                out.truncate(start);
                break;
            }
            let length = (out.len() - start - 3) as u16;
            out[start + 1..start + 3].copy_from_slice(&length.to_le_bytes());
        }
        out.into()
    }

    /// What another run has left; nothing of it if it makes no sense.
    pub(crate) fn decode(mut bytes: &[u8]) -> Option<Cases> {
        let mut cases = Vec::new();
        while let Some((&[kind, low, high], rest)) = bytes.split_first_chunk::<3>() {
            let (payload, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes([low, high])))?;
            let verdict = match kind {
                SAT => Verdict::Sat(payload.into()),
                UNSAT if payload.len().is_multiple_of(32) => Verdict::Unsat(payload.chunks(32).map(set_of).collect()),
                _ => return None,
            };
            cases.push(Case { verdict, stored: true });
            bytes = rest;
        }
        bytes.is_empty().then_some(Cases(cases))
    }
}

fn set_of(bytes: &[u8]) -> ByteSet {
    ByteSet(std::array::from_fn(|i| {
        u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().expect("thirty-two bytes are four words"))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(values: &[u8]) -> ByteSet {
        let all = (0..=255u8).filter(|value| !values.contains(value));
        all.fold(ByteSet::ALL, ByteSet::without)
    }

    fn decided(cases: &Cases, allowed: &[ByteSet]) -> Option<Verdict> {
        let values = |model: &[u8]| Some(model.iter().map(|&value| Some(value)).collect());
        cases.deciding(allowed, values).next().map(|found| found.verdict.clone())
    }

    #[test]
    fn fewer_values_have_no_solution_either_and_a_solution_holds_where_it_is_allowed() {
        let mut cases = Cases::default();
        let none = Verdict::Unsat([set(&[1, 2, 3]), set(&[7])].into());
        let some = Verdict::Sat([4, 7].into());
        cases.learn(none.clone());
        cases.learn(some.clone());
        assert_eq!(decided(&cases, &[set(&[1, 3]), set(&[7])]), Some(none.clone()));
        assert_eq!(decided(&cases, &[set(&[1, 2, 3]), set(&[7])]), Some(none));
        assert_eq!(decided(&cases, &[set(&[1, 4]), set(&[7])]), Some(some.clone()));
        assert_eq!(decided(&cases, &[ByteSet::ALL, ByteSet::ALL]), Some(some));
        assert_eq!(decided(&cases, &[set(&[1, 5]), set(&[7])]), None);
        assert_eq!(decided(&cases, &[set(&[1, 2, 3]), set(&[8])]), None);
    }

    #[test]
    fn cases_come_back_from_a_store_as_far_as_they_fit_a_record() {
        let mut cases = Cases::default();
        for i in 0..100u8 {
            cases.learn(Verdict::Sat([i; 40].into()));
            cases.learn(Verdict::Unsat([set(&[i]), set(&[i, 200])].into()));
        }
        let bytes = cases.encode();
        assert!(bytes.len() <= MOST_BYTES);
        let back = Cases::decode(&bytes).unwrap();
        assert!(back.0.len() > 20 && back.0.iter().zip(&cases.0).all(|(a, b)| a.verdict == b.verdict && a.stored));
        assert!(Cases::decode(&bytes[1..]).is_none());
        assert!(Cases::decode(&bytes[..bytes.len() - 1]).is_none());
    }
}
