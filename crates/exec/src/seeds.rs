//! Inputs that a run starts from: a path that a seed takes costs no query.

use crate::state::{SharedList, SymbolicInput};
use crate::{Context, State};
use osier_term::{Array, Assignment, Term};
use std::rc::Rc;

/// An input that the run starts from: bytes for symbolic objects by name.
#[derive(Clone, Debug)]
pub struct Seed {
    pub name: String,
    pub objects: Vec<SeedObject>,
}

/// The bytes of one symbolic object. The n-th symbolic object of a name takes the n-th of that name.
#[derive(Clone, Debug)]
pub struct SeedObject {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A seed under way in a state.
#[derive(Clone, Debug)]
pub struct Followed {
    seed: Rc<Seed>,
    /// The seed's bytes for the symbolic objects that the state has made; satisfies the state's path.
    assignment: Assignment,
}

/// The name by which a seed gives bytes to the first symbolic object that it does not name.
pub const ANY_OBJECT: &str = "*";

/// The seeds at the start of a run.
pub fn first(seeds: &[Seed]) -> SharedList<Followed> {
    let follow = |seed: &Seed| Followed { seed: Rc::new(seed.clone()), assignment: Assignment::new() };
    Rc::new(seeds.iter().map(follow).collect())
}

/// A seed's values with which a condition holds.
pub fn witness_for(cx: &Context, state: &State, condition: Term) -> Option<Assignment> {
    let fits = |followed: &&Followed| osier_term::eval(&cx.pool, condition, &followed.assignment) != 0;
    state.seeds.iter().find(fits).map(|followed| followed.assignment.clone())
}

/// Keeps the seeds for which a condition holds; if there are any, the first is the witness.
pub fn retain(cx: &Context, state: &mut State, condition: Term) {
    if state.seeds.is_empty() {
        return;
    }
    let fits = |followed: &Followed| osier_term::eval(&cx.pool, condition, &followed.assignment) != 0;
    if !state.seeds.iter().all(fits) {
        Rc::make_mut(&mut state.seeds).retain(fits);
    }
    if let Some(first) = state.seeds.first() {
        state.witness = first.assignment.clone();
    }
}

/// Says which seeds a condition excludes that all inputs have to meet.
pub fn name_misfits(cx: &mut Context, state: &State, condition: Term, why: &str) {
    for followed in state.seeds.iter() {
        if osier_term::eval(&cx.pool, condition, &followed.assignment) == 0 {
            cx.say(format!("seed {} does not fit the program: {why}; it is skipped", followed.seed.name));
        }
    }
}

/// Narrows a state to the values that a new input is meant to have, of which `example` is one. Seeds with others are
/// named and skipped.
pub fn oblige(cx: &mut Context, state: &mut State, (array, example): (Array, &[u8]), condition: Term) {
    state.path.add(&mut cx.pool, condition);
    if state.seeds.is_empty() {
        return;
    }
    name_misfits(cx, state, condition, "its symbolic objects cannot have these values");
    retain(cx, state, condition);
    if state.seeds.is_empty() {
        state.witness.set(array, example.into());
    }
}

impl State {
    /// A fresh symbolic object of the test. The witness has `example` for its first bytes and zeros for the others,
    /// unless a seed knows better.
    pub fn new_input(&mut self, cx: &mut Context, name: &str, size: u32, example: Option<Vec<u8>>) -> Array {
        let array = cx.pool.input(name, size);
        let nth = self.inputs.iter().filter(|input| &*input.name == name).count();
        cx.journal.name_input(array, name, nth);
        if let Some(bytes) = &example {
            self.witness.set(array, bytes.as_slice().into());
        }
        let before = Rc::clone(&self.inputs);
        Rc::make_mut(&mut self.inputs).push(SymbolicInput { name: name.into(), array, size });
        if self.seeds.is_empty() {
            return array;
        }
        for followed in Rc::make_mut(&mut self.seeds) {
            let (bytes, note) = followed.seed.bytes_for(name, nth, &before, size as usize);
            if let Some(note) = note {
                cx.said.insert(note.clone()).then(|| cx.messages.push_back(note));
            }
            if let Some(bytes) = bytes.or_else(|| example.clone()) {
                followed.assignment.set(array, bytes.into());
            }
        }
        self.witness = self.seeds[0].assignment.clone();
        array
    }
}

impl Seed {
    /// The bytes that it has for the n-th object of a name, of so many bytes, and what to say about them.
    fn bytes_for(
        &self,
        name: &str,
        nth: usize,
        before: &[SymbolicInput],
        size: usize,
    ) -> (Option<Vec<u8>>, Option<String>) {
        let names = |name: &str| {
            let name = name.to_owned();
            self.objects.iter().filter(move |object| object.name == name)
        };
        let taken = || before.iter().any(|input| names(&input.name).next().is_none());
        let any = || names(ANY_OBJECT).next().filter(|_| !taken());
        let Some(object) = names(name).nth(nth).or_else(any) else { return (None, None) };
        let note = match object.bytes.len() {
            len if len < size => Some(format!("{name} has {size} bytes: shorter seeds are padded with zeros")),
            len if len > size => Some(format!("{name} has {size} bytes: longer seeds are cut")),
            _ => None,
        };
        let mut bytes = object.bytes.clone();
        bytes.resize(size, 0);
        (Some(bytes), note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seed(objects: &[(&str, &[u8])]) -> Seed {
        let object = |(name, bytes): &(&str, &[u8])| SeedObject { name: name.to_string(), bytes: bytes.to_vec() };
        Seed { name: "s".into(), objects: objects.iter().map(object).collect() }
    }

    fn input(name: &str) -> SymbolicInput {
        SymbolicInput { name: name.into(), array: Array(0), size: 1 }
    }

    #[test]
    fn objects_of_one_name_are_taken_in_order() {
        let seed = seed(&[("x", &[1]), ("y", &[2]), ("x", &[3])]);
        assert_eq!(seed.bytes_for("x", 0, &[], 1), (Some(vec![1]), None));
        assert_eq!(seed.bytes_for("x", 1, &[input("x")], 1), (Some(vec![3]), None));
        assert_eq!(seed.bytes_for("x", 2, &[], 1).0, None);
        assert_eq!(seed.bytes_for("z", 0, &[], 1).0, None);
    }

    #[test]
    fn bytes_for_anything_go_to_the_first_object_without_a_name() {
        let seed = seed(&[("n_args", &[0]), (ANY_OBJECT, &[7])]);
        assert_eq!(seed.bytes_for("key", 0, &[input("n_args")], 1).0, Some(vec![7]));
        assert_eq!(seed.bytes_for("other", 0, &[input("n_args"), input("key")], 1).0, None);
    }

    #[test]
    fn a_length_that_does_not_fit_is_told() {
        let seed = seed(&[("x", &[1, 2])]);
        let (bytes, note) = seed.bytes_for("x", 0, &[], 3);
        assert_eq!(bytes, Some(vec![1, 2, 0]));
        assert!(note.is_some_and(|note| note.contains("padded")));
        let (bytes, note) = seed.bytes_for("x", 0, &[], 1);
        assert_eq!(bytes, Some(vec![1]));
        assert!(note.is_some_and(|note| note.contains("cut")));
    }
}
