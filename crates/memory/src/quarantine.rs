//! Freed windows rest before they are used again, so that a dangling pointer still names the object it was made for.

use std::collections::VecDeque;
use std::rc::Rc;

/// A first-in first-out rest for freed windows. Shared between forked states until one of them frees something.
#[derive(Clone)]
pub(crate) struct Quarantine {
    resting: Rc<VecDeque<u32>>,
    /// So many windows rest before the oldest may be reused.
    limit: usize,
}

impl Quarantine {
    pub fn new(limit: usize) -> Self {
        Quarantine { resting: Rc::new(VecDeque::new()), limit }
    }

    pub fn push(&mut self, window: u32) {
        Rc::make_mut(&mut self.resting).push_back(window);
    }

    /// The window that has rested longest, if enough are resting.
    pub fn pop(&mut self) -> Option<u32> {
        if self.resting.len() <= self.limit {
            return None;
        }
        Rc::make_mut(&mut self.resting).pop_front()
    }
}
