//! What earlier runs have recorded of their paths, read from a [`crate::journal`].

use crate::journal::Event;
use crate::outcome::Kind;
use rustc_hash::FxHashMap;

/// The tree of the states of earlier runs, by their numbers.
#[derive(Clone, Debug)]
pub struct Past {
    nodes: Vec<Node>,
    /// Further forks of states that several runs saw part by different conditions: a settled value may be another one.
    again: FxHashMap<u64, Vec<Fork>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Node {
    fork: Option<Fork>,
    done: bool,
}

#[derive(Clone, Copy, Debug)]
struct Fork {
    print: u32,
    /// The copy's number; the next one is that of the state that was copied.
    copy: u64,
}

/// A fork that was found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The state that parted.
    pub at: u64,
    pub copy: u64,
    pub rest: u64,
}

/// So far a condition is looked for below forks of which one side is done.
const LOOK_AHEAD: usize = 64;

impl Default for Past {
    fn default() -> Self {
        Past { nodes: vec![Node::default()], again: FxHashMap::default() }
    }
}

impl Past {
    /// The number that no state has yet.
    pub(crate) fn next(&self) -> u64 {
        self.nodes.len() as u64
    }

    pub(crate) fn is_done(&self, number: u64) -> bool {
        self.nodes.get(number as usize).is_some_and(|node| node.done)
    }

    pub(crate) fn has_forks(&self, number: u64) -> bool {
        self.nodes.get(number as usize).is_some_and(|node| node.fork.is_some())
    }

    fn forks(&self, number: u64) -> impl Iterator<Item = &Fork> {
        let first = self.nodes.get(number as usize).and_then(|node| node.fork.as_ref());
        first.into_iter().chain(self.again.get(&number).into_iter().flatten())
    }

    /// Where the state parted by a condition with the first of these fingerprints, or by the opposite one, which has the
    /// second. Forks of which one side is done do not stand in the way: whatever they say, that side is done.
    pub(crate) fn find(&self, number: u64, [print, opposite]: [u32; 2]) -> Option<Found> {
        let mut at = number;
        for _ in 0..LOOK_AHEAD {
            for fork in self.forks(at) {
                let (copy, rest) = (fork.copy, fork.copy + 1);
                if fork.print == print {
                    return Some(Found { at, copy, rest });
                }
                if fork.print == opposite {
                    return Some(Found { at, copy: rest, rest: copy });
                }
            }
            let fork = self.nodes.get(at as usize)?.fork?;
            at = match (self.is_done(fork.copy), self.is_done(fork.copy + 1)) {
                (true, false) => fork.copy + 1,
                (false, true) => fork.copy,
                (true, true) | (false, false) => return None,
            };
        }
        None
    }

    fn add_fork(&mut self, number: u64, print: u32) {
        let fork = Fork { print, copy: self.next() };
        match &mut self.nodes[number as usize].fork {
            none @ None => *none = Some(fork),
            Some(_) => self.again.entry(number).or_default().push(fork),
        }
        self.nodes.extend([Node::default(); 2]);
    }

    /// A state is done when it has ended, or when both sides of a fork of it are.
    fn settle(&mut self) {
        for number in (0..self.next()).rev() {
            let done = self.forks(number).any(|fork| self.is_done(fork.copy) && self.is_done(fork.copy + 1));
            self.nodes[number as usize].done |= done;
        }
    }
}

/// All that earlier runs have recorded and that still counts.
#[derive(Clone, Debug, Default)]
pub struct History {
    pub past: Past,
    /// What was recorded of the paths of states that are done.
    pub paths: Vec<Vec<u8>>,
    /// Paths that ended with an error that another one had reported.
    pub unreported: u64,
    pub(crate) reported: Vec<(Kind, u32, u32)>,
    pub(crate) covered: Vec<u32>,
    pub instructions: u64,
    pub milliseconds: u64,
    /// How many bytes of the record are whole events.
    pub whole: usize,
}

/// Something about a state, which counts if the state is done.
enum Fact {
    Path(Vec<u8>),
    Unreported,
    Reported(Kind, u32, u32),
    Covered(Vec<u32>),
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(number);
            }
            shift += 7;
        }
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    fn bytes(&mut self, count: u64) -> Option<&[u8]> {
        let end = self.at.checked_add(usize::try_from(count).ok()?)?;
        let found = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(found)
    }
}

impl History {
    /// Reads a record. What a killed run has left unfinished at its end is ignored.
    pub fn read(record: &[u8]) -> History {
        let mut history = History::default();
        let mut reader = Reader { bytes: record, at: 0 };
        let mut facts = Vec::new();
        let mut session = (0, 0);
        while history.event(&mut reader, &mut facts, &mut session).is_some() {
            history.whole = reader.at;
        }
        history.settle(&mut facts, &mut session);
        history
    }

    fn event(&mut self, reader: &mut Reader, facts: &mut Vec<(u64, Fact)>, session: &mut (u64, u64)) -> Option<()> {
        let head = reader.number()?;
        let event = Event::ALL[(head & 7) as usize];
        let number = self.past.next().checked_sub(head >> 3);
        match event {
            Event::Fork => {
                let print = reader.bytes(4)?.try_into().ok()?;
                self.past.add_fork(number.filter(|number| *number < self.past.next())?, u32::from_le_bytes(print));
            }
            Event::End => self.past.nodes.get_mut(number? as usize)?.done = true,
            Event::Path => {
                let (number, length) = (reader.number()?, reader.number()?);
                facts.push((number, Fact::Path(reader.bytes(length)?.to_vec())));
            }
            Event::Unreported => facts.push((number?, Fact::Unreported)),
            Event::Reported => {
                let kind = *Kind::ALL.get(reader.number()? as usize)?;
                facts.push((number?, Fact::Reported(kind, reader.small()?, reader.small()?)));
            }
            Event::Covered => {
                let count = reader.number()?;
                let points = (0..count).map(|_| reader.small()).collect::<Option<Vec<u32>>>()?;
                facts.push((number?, Fact::Covered(points)));
            }
            Event::Totals => *session = (reader.number()?, reader.number()?),
            Event::Session => self.settle(facts, session),
        }
        Some(())
    }

    /// At the end of a session: what concerns states that are not done will be found out again.
    fn settle(&mut self, facts: &mut Vec<(u64, Fact)>, session: &mut (u64, u64)) {
        self.past.settle();
        for (number, fact) in facts.drain(..) {
            if !self.past.is_done(number) {
                continue;
            }
            match fact {
                Fact::Path(text) => self.paths.push(text),
                Fact::Unreported => self.unreported += 1,
                Fact::Reported(kind, file, line) => self.reported.push((kind, file, line)),
                Fact::Covered(points) => self.covered.extend(points),
            }
        }
        let (instructions, milliseconds) = std::mem::take(session);
        self.instructions += instructions;
        self.milliseconds += milliseconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Journal, Trail, path_event};
    use osier_term::{Pool, Term};

    fn conditions(pool: &mut Pool, count: u64) -> Vec<Term> {
        let array = pool.input("x", 1);
        let byte = pool.select_at(array, 0);
        let mut below = |bound: u64| {
            let bound = pool.constant(8, u128::from(bound));
            pool.ult(byte, bound)
        };
        (1..=count).map(&mut below).collect()
    }

    /// A state parts from copies by one condition after the other; every copy but one ends, with a path each.
    fn record(pool: &mut Pool, conditions: &[Term], open: usize) -> Vec<u8> {
        let mut journal = Journal::new(true);
        let (mut state, mut paths) = (Trail::FIRST, Vec::new());
        for (i, condition) in conditions.iter().enumerate() {
            let (copy, rest) = journal.part(pool, state, *condition);
            path_event(&mut paths, copy.number, i.to_string().as_bytes());
            if i != open {
                journal.end(copy);
            }
            state = rest;
        }
        journal.end(state);
        [paths, journal.take(100, 5)].concat()
    }

    #[test]
    fn what_has_ended_is_done_and_the_rest_is_open() {
        let mut pool = Pool::new();
        let conditions = conditions(&mut pool, 4);
        let record = record(&mut pool, &conditions, 2);
        let history = History::read(&record);
        assert_eq!((history.whole, history.instructions, history.milliseconds), (record.len(), 100, 5));
        assert_eq!(history.paths, [b"0", b"1", b"3"].map(|text| text.to_vec()));
        assert!(!history.past.is_done(0));

        let mut journal = Journal::new(true);
        let mut state = journal.resume(history.past).expect("something is open");
        for (i, condition) in conditions.iter().enumerate() {
            let Some(known) = journal.seen(&mut pool, state, *condition) else {
                panic!("{condition} was recorded");
            };
            assert_eq!((known.copy_done, known.rest_done), (i != 2, i >= 2), "at {i}");
            state = journal.follow(state, known).1;
        }
    }

    #[test]
    fn conditions_are_found_behind_others_and_turned_around() {
        let mut pool = Pool::new();
        let conditions = conditions(&mut pool, 4);
        let history = History::read(&record(&mut pool, &conditions, 3));
        let mut journal = Journal::new(true);
        let first = journal.resume(history.past).expect("something is open");
        let negated = pool.not(conditions[2]);
        let known = journal.seen(&mut pool, first, negated).expect("the way there is done");
        assert_eq!((known.copy_done, known.rest_done), (false, true));
        // It is recorded here, too, so that the next run finds it at once.
        let (copy, rest) = journal.follow(first, known);
        assert!(copy.number >= 9 && rest.number == copy.number + 1, "{copy:?} {rest:?}");
    }

    #[test]
    fn a_torn_record_says_less_but_nothing_wrong() {
        let mut pool = Pool::new();
        let conditions = conditions(&mut pool, 6);
        let record = record(&mut pool, &conditions, 4);
        let all = History::read(&record);
        for length in 0..record.len() {
            let torn = History::read(&record[..length]);
            assert!(torn.whole <= length);
            assert!((0..torn.past.next()).all(|number| !torn.past.is_done(number) || all.past.is_done(number)));
            assert!(torn.paths.iter().all(|path| all.paths.contains(path)));
        }
    }

    #[test]
    fn a_session_forgets_paths_that_had_not_ended() {
        let mut journal = Journal::new(true);
        let mut bytes = Vec::new();
        path_event(&mut bytes, 0, b"cut short");
        journal.resume(Past::default());
        bytes.extend(journal.take(1, 1));
        path_event(&mut bytes, 0, b"at last");
        journal.end(Trail::FIRST);
        bytes.extend(journal.take(2, 1));
        let history = History::read(&bytes);
        assert_eq!(history.paths, [b"at last"]);
        assert!(history.past.is_done(0));
        assert_eq!(history.instructions, 2);
    }

    #[test]
    fn no_bytes_make_the_reader_fail() {
        let mut seed = 1u64;
        for length in 0..2000 {
            let byte = |_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (seed >> 33) as u8
            };
            let bytes: Vec<u8> = (0..length % 200).map(byte).collect();
            assert!(History::read(&bytes).whole <= bytes.len());
        }
    }
}
