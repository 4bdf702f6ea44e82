//! A queue between two threads that hands over everything that waits at once: with a channel, every item costs a
//! system call to wake the other side.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A bounded queue whose reader takes all of it at a time.
#[derive(Debug)]
pub struct Batches<T> {
    waiting: Mutex<Waiting<T>>,
    filled: Condvar,
    emptied: Condvar,
    most: usize,
}

#[derive(Debug)]
struct Waiting<T> {
    items: Vec<T>,
    closed: bool,
}

impl<T> Batches<T> {
    pub fn new(most: usize) -> Self {
        let waiting = Mutex::new(Waiting { items: Vec::new(), closed: false });
        Batches { waiting, filled: Condvar::new(), emptied: Condvar::new(), most }
    }

    /// What is in the queue is valid whoever panicked while holding it.
    fn lock(&self) -> MutexGuard<'_, Waiting<T>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item; waits while the queue is full. After [`Self::close`] the item is dropped.
    pub fn push(&self, item: T) {
        let mut waiting = self.lock();
        while waiting.items.len() >= self.most && !waiting.closed {
            waiting = self.emptied.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        if waiting.closed {
            return;
        }
        waiting.items.push(item);
        if waiting.items.len() == 1 {
            self.filled.notify_one();
        }
    }

    /// Nothing more comes in.
    pub fn close(&self) {
        self.lock().closed = true;
        self.filled.notify_all();
        self.emptied.notify_all();
    }

    /// Waits for items and takes all that are there; nothing once the queue is closed and empty.
    pub fn take(&self) -> Option<Vec<T>> {
        let mut waiting = self.lock();
        while waiting.items.is_empty() {
            if waiting.closed {
                return None;
            }
            waiting = self.filled.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        let items = std::mem::take(&mut waiting.items);
        self.emptied.notify_one();
        Some(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_arrive_in_order_and_the_end_is_seen() {
        let queue = Batches::new(3);
        let taken = std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut all = Vec::new();
                while let Some(batch) = queue.take() {
                    assert!(batch.len() <= 3);
                    all.extend(batch);
                }
                all
            });
            (0..1000).for_each(|i| queue.push(i));
            queue.close();
            reader.join().unwrap()
        });
        assert_eq!(taken, (0..1000).collect::<Vec<_>>());
        queue.push(7);
        assert_eq!(queue.take(), None);
    }
}
