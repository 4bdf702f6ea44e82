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
