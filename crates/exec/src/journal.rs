//! The record of a run's paths, as it goes: which states parted by which condition, and which have ended. A later run
//! reads it (see [`History`]) and does not follow again what has been followed to its end.
//!
//! States are numbered by the forks before them: the first is 0, each fork gives the next two numbers to its sides. The
//! record is a sequence of events, small numbers with seven bits in a byte. The first one of an event has the kind in its
//! three lowest bits; the rest tells which state it is about, as the distance from the next free number.

use crate::fingerprint::Fingerprints;
use crate::history::{Found, History, Past};
use crate::outcome::Kind;
use crate::{Context, State};
use osier_term::{Array, Pool, Term};

/// Where a state stands in the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trail {
    pub(crate) number: u64,
    /// A state of an earlier run whose conditions all hold in this one, or [`NOWHERE`].
    past: u64,
    /// The solver gave up on a part of what this state stands for, so its end is not the end of all of it.
    lost: bool,
    /// What it stands for is being followed by others, or has been: it is about to vanish.
    pub(crate) gone: bool,
}

const NOWHERE: u64 = u64::MAX;

impl Trail {
    pub(crate) const FIRST: Trail = Trail { number: 0, past: NOWHERE, lost: false, gone: false };

    /// A part of what the state stands for could not be followed.
    pub(crate) fn lose(&mut self) {
        self.lost = true;
    }

    /// Whether its end says that all of it has been followed.
    pub(crate) fn is_whole(&self) -> bool {
        !self.lost && !self.gone
    }
}

/// A fork of an earlier run: a state parted from a copy on which a condition held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    found: Found,
    print: u32,
    /// The copy's side has been followed to its end.
    pub copy_done: bool,
    /// That of the state has.
    pub rest_done: bool,
}

impl Known {
    /// Whether there is something that need not be followed again.
    pub fn is_settled(&self) -> bool {
        self.copy_done || self.rest_done
    }
}

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// A state becomes two; the fingerprint of the copy's condition follows. The copy has the lower number.
    Fork,
    /// All that a state stands for has been followed.
    End,
    /// A path of a state ended and is described elsewhere; the number of the state, and a text of which the record knows
    /// nothing, follow.
    Path,
    /// A path of a state ended with an error that had been reported.
    Unreported,
    /// An error was reported: kind, file and line follow.
    Reported,
    /// Points that a state was the first to cover follow.
    Covered,
    /// So many instructions and milliseconds since the session began.
    Totals,
    /// Another session goes on.
    Session,
}

impl Event {
    pub const ALL: [Event; 8] = [
        Event::Fork,
        Event::End,
        Event::Path,
        Event::Unreported,
        Event::Reported,
        Event::Covered,
        Event::Totals,
        Event::Session,
    ];

    fn bits(self) -> u64 {
        self as u64
    }
}

pub(crate) fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// The event that a path of a state has ended; what `text` means is the caller's matter.
pub fn path_event(out: &mut Vec<u8>, number: u64, text: &[u8]) {
    put(out, Event::Path.bits());
    put(out, number);
    put(out, text.len() as u64);
    out.extend_from_slice(text);
}

pub(crate) struct Journal {
    /// Whether a record is kept.
    on: bool,
    events: Vec<u8>,
    next: u64,
    past: Past,
    prints: Fingerprints,
    /// The current state is about to vanish.
    pub gone: bool,
    /// Forks at states of earlier runs that parted by another condition there.
    pub strays: u64,
}

impl Journal {
    pub fn new(on: bool) -> Self {
        Journal {
            on,
            events: Vec::new(),
            next: 1,
            past: Past::default(),
            prints: Fingerprints::default(),
            gone: false,
            strays: 0,
        }
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Goes on after what earlier runs have recorded. Gives the trail of the first state, or nothing if all is done.
    pub fn resume(&mut self, past: Past) -> Option<Trail> {
        self.next = past.next();
        self.past = past;
        put(&mut self.events, Event::Session.bits());
        (!self.past.is_done(0)).then(|| self.after(0, 0, false))
    }

    pub fn name_input(&mut self, array: Array, name: &str, nth: usize) {
        if self.on {
            self.prints.name_input(array, name, nth);
        }
    }

    fn head(&mut self, event: Event, number: u64) {
        put(&mut self.events, (self.next - number) << 3 | event.bits());
    }

    /// The trail of a state with this number in which all holds that does in one of an earlier run.
    fn after(&self, number: u64, past: u64, lost: bool) -> Trail {
        let past = if self.past.has_forks(past) { past } else { NOWHERE };
        Trail { number, past, lost, gone: false }
    }

    /// What earlier runs did where a state parts from a copy with this condition; nothing if they did not part so.
    pub fn seen(&mut self, pool: &mut Pool, trail: Trail, condition: Term) -> Option<Known> {
        if trail.past == NOWHERE {
            return None;
        }
        let opposite = pool.not(condition);
        let prints = [self.prints.of(pool, condition), self.prints.of(pool, opposite)];
        let found = self.past.find(trail.past, prints)?;
        let (copy_done, rest_done) = (self.past.is_done(found.copy), self.past.is_done(found.rest));
        Some(Known { found, print: prints[0], copy_done, rest_done })
    }

    /// The trails of the copy and of the state where they part as in an earlier run.
    pub fn follow(&mut self, trail: Trail, known: Known) -> (Trail, Trail) {
        let Known { found: Found { at, copy, rest }, print, copy_done, rest_done } = known;
        if at == trail.number {
            return (self.after(copy, copy, trail.lost), self.after(rest, rest, trail.lost));
        }
        // The same condition at another place of the record: this place gets a copy of what is known.
        let (first, second) = self.fork_event(trail.number, print);
        let trails = (self.after(first, copy, trail.lost), self.after(second, rest, trail.lost));
        if copy_done {
            self.end(trails.0);
        }
        if rest_done {
            self.end(trails.1);
        }
        trails
    }

    fn fork_event(&mut self, number: u64, print: u32) -> (u64, u64) {
        self.head(Event::Fork, number);
        self.events.extend_from_slice(&print.to_le_bytes());
        let first = self.next;
        self.next += 2;
        (first, first + 1)
    }

    /// The trails of a copy with this condition, and of the state that it is a copy of.
    pub fn part(&mut self, pool: &mut Pool, trail: Trail, condition: Term) -> (Trail, Trail) {
        if !self.on {
            return (trail, trail);
        }
        if let Some(known) = self.seen(pool, trail, condition) {
            return self.follow(trail, known);
        }
        self.strays += u64::from(trail.past != NOWHERE);
        let print = self.prints.of(pool, condition);
        let (copy, rest) = self.fork_event(trail.number, print);
        (Trail { number: copy, ..trail }, Trail { number: rest, ..trail })
    }

    /// All that a state stands for has been followed.
    pub fn end(&mut self, trail: Trail) {
        if self.on && trail.is_whole() {
            self.head(Event::End, trail.number);
        }
    }

    /// A path of a state ended with an error that had been reported.
    pub fn unreported(&mut self, trail: Trail) {
        if self.on && trail.is_whole() {
            self.head(Event::Unreported, trail.number);
        }
    }

    pub fn reported(&mut self, trail: Trail, (kind, file, line): (Kind, u32, u32)) {
        if self.on && trail.is_whole() {
            self.head(Event::Reported, trail.number);
            let kind = Kind::ALL.iter().position(|other| *other == kind).unwrap_or(0);
            for number in [kind as u64, u64::from(file), u64::from(line)] {
                put(&mut self.events, number);
            }
        }
    }

    pub fn covered(&mut self, trail: Trail, points: &[u32]) {
        if self.on && trail.is_whole() {
            self.head(Event::Covered, trail.number);
            put(&mut self.events, points.len() as u64);
            for point in points {
                put(&mut self.events, u64::from(*point));
            }
        }
    }

    /// What has been recorded since the last time.
    pub fn take(&mut self, instructions: u64, milliseconds: u64) -> Vec<u8> {
        if self.events.is_empty() {
            return Vec::new();
        }
        put(&mut self.events, Event::Totals.bits());
        put(&mut self.events, instructions);
        put(&mut self.events, milliseconds);
        std::mem::take(&mut self.events)
    }

    /// How many bytes wait to be taken.
    pub fn waiting(&self) -> usize {
        self.events.len()
    }
}

/// What earlier runs did where the state parts from a copy with this condition.
pub(crate) fn seen(cx: &mut Context, state: &State, condition: Term) -> Option<Known> {
    cx.journal.seen(&mut cx.pool, state.trail, condition)
}

/// The copy with this condition turns out not to exist. If earlier runs left it open, that is settled now.
pub(crate) fn refuse(cx: &mut Context, state: &mut State, condition: Term) {
    if let Some(known) = seen(cx, state, condition) {
        let (copy, _) = go_on(cx, state, known);
        cx.journal.end(copy);
    }
}

/// Goes on with the state's own side of a fork of an earlier run, without the copy; the state vanishes if that side is
/// done. Gives the trails of both sides.
pub(crate) fn go_on(cx: &mut Context, state: &mut State, known: Known) -> (Trail, Trail) {
    let (copy, rest) = cx.journal.follow(state.trail, known);
    state.depth += 1;
    state.trail = rest;
    if known.rest_done {
        vanish(cx, state);
    }
    (copy, rest)
}

/// Goes on with the copy's side of a fork of an earlier run, in place of the state's own, which is done.
pub(crate) fn cross_over(cx: &mut Context, state: &mut State, known: Known) {
    let (copy, _) = cx.journal.follow(state.trail, known);
    state.depth += 1;
    state.trail = copy;
}

/// Lets the current state vanish when its operation is over.
pub(crate) fn vanish(cx: &mut Context, state: &mut State) {
    state.trail.gone = true;
    cx.journal.gone = true;
}

/// What a run starts from that goes on after others.
pub(crate) fn resume(cx: &mut Context, history: History) -> Option<Trail> {
    let History { past, reported, covered, .. } = history;
    cx.reported.extend(reported);
    for point in covered {
        cx.coverage.restore(point);
    }
    cx.journal.resume(past)
}
