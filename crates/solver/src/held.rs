//! What an entry of a cache takes on the heap.

use std::rc::Rc;

use osier_term::{Array, Assignment, Term};

use crate::bytesets::ByteSet;
use crate::canonical::Key;
use crate::lanes::Home;
use crate::query::Answer;
use crate::store::StoredAnswer;

/// About how many bytes a value holds besides its own. What several share counts for each of them.
pub(crate) trait Held {
    fn held(&self) -> usize;
}

macro_rules! holds_nothing {
    ($($of:ty),*) => { $(impl Held for $of {
        fn held(&self) -> usize {
            0
        }
    })* };
}

holds_nothing!((), u32, Term, Key, ByteSet, Home);

impl Held for Box<[Term]> {
    fn held(&self) -> usize {
        size_of_val(&**self)
    }
}

impl Held for Box<[u8]> {
    fn held(&self) -> usize {
        self.len()
    }
}

impl Held for Box<[u8; 256]> {
    fn held(&self) -> usize {
        self.len()
    }
}

impl<T: Held> Held for Option<T> {
    fn held(&self) -> usize {
        self.as_ref().map_or(0, Held::held)
    }
}

impl<T: Held> Held for Rc<T> {
    fn held(&self) -> usize {
        size_of::<T>() + (**self).held()
    }
}

impl Held for Assignment {
    fn held(&self) -> usize {
        self.iter().map(|(_, bytes)| size_of::<(Array, Rc<[u8]>)>() + bytes.len()).sum()
    }
}

impl Held for Answer {
    fn held(&self) -> usize {
        match self {
            Answer::Sat(model) => model.held(),
            Answer::Unsat | Answer::Unknown(_) => 0,
        }
    }
}

impl Held for StoredAnswer {
    fn held(&self) -> usize {
        match self {
            StoredAnswer::Sat(bytes) | StoredAnswer::Cases(bytes) => bytes.held(),
            StoredAnswer::Unsat => 0,
        }
    }
}
