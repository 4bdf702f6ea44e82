//! What the constraints of a query imply for the values of bytes and terms, found by going over them again and again.
//!
//! A constraint over one byte is the set of values that satisfy it. Any other is walked from its parts up, which says
//! what it can be, and from what it must be down, which narrows its parts. Terms that several constraints share carry
//! what one of them says to the others.

use std::rc::Rc;

use osier_term::{ArrayNode, Knowledge, Node, Pool, Support, Term, ValueSet, Values};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::domains::one_byte;
use crate::generations::Generations;
use crate::held::Held;
use crate::images::{Image, Images, Relation};
use crate::set_table::SetTable;

/// A constraint with more parts than this is passed over.
const MOST_PARTS: usize = 600;
/// How often the constraints are gone over.
const MOST_ROUNDS: u32 = 12;
/// Parts that are computed for one query; what is not reached then stays as it is.
const MOST_WORK: usize = 12_000;

/// The number of the input byte that a term reads, if it is no more than that.
pub(crate) fn byte_read(pool: &Pool, t: Term) -> Option<u32> {
    let Node::Select { array, index } = pool.node(t) else { return None };
    let ArrayNode::Input { size, first_byte, .. } = pool.array_node(array) else { return None };
    let at = pool.as_const(index)?;
    (at < u128::from(size)).then(|| first_byte + at as u32)
}

/// What a part of a constraint is to the walk.
#[derive(Clone, Debug)]
enum Part {
    /// An input byte.
    Byte(u32),
    /// A condition over one byte, which is true for these values.
    Condition(u32, ValueSet),
    /// A wider term over one byte.
    Image(Image),
    /// A comparison of such terms over two bytes.
    Relation(Rc<Relation>),
    /// Anything else: its parts come before it.
    Compound,
}

/// The parts of a constraint, each after its own parts.
type Walk = Rc<[(Term, Part)]>;

impl Held for Walk {
    fn held(&self) -> usize {
        size_of_val(&**self)
    }
}

/// The ways through constraints that were found; none for one with too many parts.
pub(crate) struct Walks {
    known: Generations<Term, Option<Walk>>,
    images: Images,
}

impl Walks {
    pub(crate) fn new(limit: usize) -> Self {
        Walks { known: Generations::new(limit), images: Images::new() }
    }

    /// `None` if there are too many parts.
    fn of(&mut self, pool: &mut Pool, table: &SetTable, constraint: Term) -> Option<Walk> {
        if let Some(walk) = self.known.get(&constraint) {
            return walk.clone();
        }
        let walk = walk(pool, table, &mut self.images, constraint).map(Rc::from);
        self.known.insert(constraint, walk.clone());
        walk
    }
}

fn walk(pool: &mut Pool, table: &SetTable, images: &mut Images, constraint: Term) -> Option<Vec<(Term, Part)>> {
    let mut order = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![(constraint, false)];
    while let Some((t, parts_done)) = open.pop() {
        if parts_done {
            order.push((t, Part::Compound));
            continue;
        }
        if pool.as_const(t).is_some() || !seen.insert(t) {
            continue;
        }
        if seen.len() > MOST_PARTS {
            return None;
        }
        if let Some(byte) = byte_read(pool, t) {
            // Whoever moves the byte later asks the table where it lives.
            table.home_of(pool, t, byte)?;
            order.push((t, Part::Byte(byte)));
            continue;
        }
        if pool.width(t) == 1
            && let Some(byte) = one_byte(&pool.support(t))
            && let Some(set) = table.set_of(pool, t, byte)
        {
            order.push((t, Part::Condition(byte, ValueSet(set.0))));
            continue;
        }
        if let Some(image) = images.of(pool, t) {
            table.home_of(pool, t, image.byte)?;
            order.push((t, Part::Image(image)));
            continue;
        }
        if let Node::Cmp { op, a, b } = pool.node(t)
            && let (Some(left), Some(right)) = (images.of(pool, a), images.of(pool, b))
        {
            table.home_of(pool, a, left.byte)?;
            table.home_of(pool, b, right.byte)?;
            order.push((t, Part::Relation(Rc::new(Relation { op, left, right }))));
            continue;
        }
        open.push((t, true));
        let before = open.len();
        pool.for_each_child(t, |part| open.push((part, false)));
        if open.len() - before > MOST_PARTS {
            return None;
        }
    }
    Some(order)
}

/// There is no solution.
#[derive(Debug)]
pub(crate) struct Contradiction;

/// What is implied so far.
#[derive(Clone, Default)]
pub(crate) struct Assumed {
    bytes: FxHashMap<u32, ValueSet>,
    terms: FxHashMap<Term, Values>,
}

impl Held for Assumed {
    fn held(&self) -> usize {
        self.bytes.len() * size_of::<(u32, ValueSet)>() + self.terms.len() * size_of::<(Term, Values)>()
    }
}

impl Knowledge for Assumed {
    fn of(&self, pool: &Pool, t: Term) -> Values {
        self.terms.get(&t).copied().unwrap_or_else(|| Values::all(pool.width(t)))
    }

    fn byte(&self, number: u32) -> ValueSet {
        self.bytes.get(&number).copied().unwrap_or(ValueSet::ALL)
    }
}

impl Assumed {
    pub(crate) fn bytes(&self) -> impl Iterator<Item = (u32, ValueSet)> {
        self.bytes.iter().map(|(&byte, &set)| (byte, set))
    }

    /// The only value that a byte can have.
    pub(crate) fn fixed_byte(&self, byte: u32) -> Option<u8> {
        let set = self.bytes.get(&byte)?;
        if set.len() == 1 { set.first() } else { None }
    }

    fn narrow_byte(&mut self, byte: u32, allowed: ValueSet) -> Result<bool, Contradiction> {
        let before = self.byte(byte);
        let now = before.intersection(allowed);
        if now == before {
            return Ok(false);
        }
        if now.is_empty() {
            return Err(Contradiction);
        }
        self.bytes.insert(byte, now);
        Ok(true)
    }

    /// Adds constraints; `rest` are those that were added before. Each constraint over several bytes that is new or
    /// hangs together with what changed is gone over, until nothing changes or enough was done. The parts that were
    /// computed are added to `work`.
    pub(crate) fn add(
        &mut self,
        pool: &mut Pool,
        tools: (&SetTable, &mut Walks),
        added: &[Term],
        rest: &[Term],
        work: &mut usize,
    ) -> Result<(), Contradiction> {
        let (table, walks) = tools;
        let mut waiting: Vec<(Term, bool)> = rest.iter().map(|&c| (c, false)).collect();
        let mut changed = Support::new();
        for &constraint in added {
            match set_of(pool, table, constraint) {
                Some((byte, set)) => {
                    if self.narrow_byte(byte, set)? {
                        changed = changed.union(&pool.support(constraint));
                    }
                }
                None => waiting.push((constraint, true)),
            }
        }
        let most_work = *work + MOST_WORK;
        for _ in 0..MOST_ROUNDS {
            let mut next = Support::new();
            // What was added last is what is asked.
            for (constraint, new) in waiting.iter_mut().rev() {
                let support = pool.support(*constraint);
                if !std::mem::take(new) && !support.intersects(&changed) {
                    continue;
                }
                let Some(walk) = walks.of(pool, table, *constraint) else { continue };
                *work += walk.len();
                if *work > most_work {
                    return Ok(());
                }
                if self.go_over(pool, &walk)? {
                    next = next.union(&support);
                }
            }
            if next.is_empty() {
                break;
            }
            changed = next;
        }
        Ok(())
    }

    /// Says whether anything was narrowed that other constraints may speak of.
    fn go_over(&mut self, pool: &Pool, walk: &[(Term, Part)]) -> Result<bool, Contradiction> {
        let mut telling = self.go_up(pool, walk)?;
        self.go_down(pool, walk, &mut telling)
    }

    /// What a part can be by its own parts.
    fn computed(&self, pool: &Pool, t: Term, part: &Part) -> Values {
        match part {
            Part::Byte(byte) => Values::of_set(8, self.byte(*byte)),
            Part::Condition(byte, set) => condition(self.byte(*byte), *set),
            Part::Image(image) => image.values(self.byte(image.byte)),
            Part::Relation(relation) => {
                let Relation { left, right, .. } = &**relation;
                relation.values(self.byte(left.byte), self.byte(right.byte))
            }
            Part::Compound => pool.values_from_parts(t, self),
        }
    }

    /// What the parts can be by their own parts. Gives those of which more is known than that.
    fn go_up(&mut self, pool: &Pool, walk: &[(Term, Part)]) -> Result<FxHashSet<Term>, Contradiction> {
        let mut telling: FxHashSet<Term> = FxHashSet::default();
        for (t, part) in walk {
            let t = *t;
            let computed = self.computed(pool, t, part);
            let now = match self.terms.get(&t) {
                Some(known) => known.meet(&computed),
                None => computed,
            };
            if now.is_empty() {
                return Err(Contradiction);
            }
            if now != computed {
                telling.insert(t);
            }
            self.terms.insert(t, now);
        }
        Ok(telling)
    }

    /// What the parts must be for the whole to be true.
    fn go_down(
        &mut self,
        pool: &Pool,
        walk: &[(Term, Part)],
        telling: &mut FxHashSet<Term>,
    ) -> Result<bool, Contradiction> {
        let Some(&(root, _)) = walk.last() else { return Ok(false) };
        match self.terms[&root].as_truth() {
            Some(false) => return Err(Contradiction),
            Some(true) => {}
            None => {
                self.terms.insert(root, Values::truth(true));
                telling.insert(root);
            }
        }
        let mut changed = false;
        let mut narrowed = Vec::new();
        for (t, part) in walk.iter().rev() {
            let t = *t;
            if !telling.contains(&t) {
                continue;
            }
            let now = self.terms[&t];
            match part {
                Part::Byte(byte) => {
                    let Values::Small { set, .. } = now else { unreachable!("a byte has eight bits") };
                    changed |= self.narrow_byte(*byte, set)?;
                }
                Part::Condition(byte, set) => {
                    let Some(truth) = now.as_truth() else { continue };
                    let allowed = if truth { *set } else { ValueSet(set.0.map(|word| !word)) };
                    changed |= self.narrow_byte(*byte, allowed)?;
                }
                Part::Image(image) => {
                    let allowed = image.preimage(self.byte(image.byte), &now);
                    changed |= self.narrow_byte(image.byte, allowed)?;
                }
                Part::Relation(relation) => {
                    let Some(truth) = now.as_truth() else { continue };
                    let Relation { left, right, .. } = &**relation;
                    let (x, y) = relation.partners(truth, self.byte(left.byte), self.byte(right.byte));
                    changed |= self.narrow_byte(left.byte, x)?;
                    changed |= self.narrow_byte(right.byte, y)?;
                }
                Part::Compound => {
                    pool.narrow_parts(t, &now, self, &mut |part: Term, values: Values| narrowed.push((part, values)));
                    for (part, values) in narrowed.drain(..) {
                        if let Some(constant) = pool.as_const(part) {
                            if !values.contains(constant) {
                                return Err(Contradiction);
                            }
                            continue;
                        }
                        let before = self.of(pool, part);
                        let now = before.meet(&values);
                        if now.is_empty() {
                            return Err(Contradiction);
                        }
                        if now != before {
                            changed = true;
                            telling.insert(part);
                            self.terms.insert(part, now);
                        }
                    }
                }
            }
        }
        Ok(changed)
    }
}

/// What parts are, whatever the bytes are within what constraints over one byte say of each: it may be put in place of
/// the parts in all other constraints.
#[derive(Default)]
pub(crate) struct Settled(Assumed);

impl Settled {
    /// What the constraints over one byte say of all; none of the others says anything about itself.
    pub(crate) fn of(
        pool: &mut Pool,
        tools: (&SetTable, &mut Walks),
        constraints: &[Term],
    ) -> Result<Self, Contradiction> {
        let (table, walks) = tools;
        let mut known = Settled::default();
        let mut wider = Vec::new();
        for &constraint in constraints {
            match set_of(pool, table, constraint) {
                Some((byte, set)) => {
                    known.0.narrow_byte(byte, set)?;
                }
                None => wider.push(constraint),
            }
        }
        let mut work = 0;
        for constraint in wider {
            let Some(walk) = walks.of(pool, table, constraint) else { continue };
            work += walk.len();
            if work > MOST_WORK {
                break;
            }
            known.add(pool, &walk)?;
        }
        Ok(known)
    }

    /// Adds the parts of one more constraint.
    fn add(&mut self, pool: &Pool, walk: &[(Term, Part)]) -> Result<(), Contradiction> {
        for (t, part) in walk {
            if !self.0.terms.contains_key(t) {
                let values = self.0.computed(pool, *t, part);
                if values.is_empty() {
                    return Err(Contradiction);
                }
                self.0.terms.insert(*t, values);
            }
        }
        Ok(())
    }

    /// The only value that a part can have.
    pub(crate) fn value(&self, t: Term) -> Option<u128> {
        self.0.terms.get(&t)?.as_const()
    }
}

/// The byte that a constraint is over, if it is one, and the values of it that satisfy the constraint.
fn set_of(pool: &mut Pool, table: &SetTable, constraint: Term) -> Option<(u32, ValueSet)> {
    let byte = one_byte(&pool.support(constraint))?;
    Some((byte, ValueSet(table.set_of(pool, constraint, byte)?.0)))
}

fn condition(values: ValueSet, holds: ValueSet) -> Values {
    let mut set = ValueSet::EMPTY;
    if !values.intersection(holds).is_empty() {
        set.insert(1);
    }
    if !values.intersection(ValueSet(holds.0.map(|word| !word))).is_empty() {
        set.insert(0);
    }
    Values::of_set(1, set)
}
