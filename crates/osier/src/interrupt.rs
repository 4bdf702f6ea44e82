//! Ending a run from outside, and at its time limit, even while the solver works on a query that takes for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// Ends a run in order, from another thread or a handler of signals: the query under way is given up, paths under way
/// become partial ones.
#[derive(Clone, Debug, Default)]
pub struct Interrupter {
    /// Somebody wants the run to end.
    wanted: Arc<AtomicBool>,
    /// Queries are to be given up.
    queries: Arc<AtomicBool>,
}

impl Interrupter {
    pub fn interrupt(&self) {
        self.wanted.store(true, Ordering::SeqCst);
        self.queries.store(true, Ordering::SeqCst);
    }

    /// Whether the end was asked for, and has not only come with the time.
    pub(crate) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }

    pub(crate) fn is_set(&self) -> bool {
        self.queries.load(Ordering::Relaxed)
    }

    /// What the solver looks at.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.queries)
    }

    fn give_up_queries(&self) {
        self.queries.store(true, Ordering::SeqCst);
    }

    /// Queries may be asked again, unless the end was asked for.
    pub(crate) fn allow_queries(&self) {
        self.queries.store(false, Ordering::SeqCst);
        // Who asks for the end in this moment is heard.
        if self.is_wanted() {
            self.give_up_queries();
        }
    }
}

/// Has queries given up when the time is over, unless it is dropped before.
pub(crate) struct Alarm {
    _dropped: Sender<()>,
}

impl Alarm {
    /// Nothing if there can be no thread: the limit then holds between queries only.
    pub(crate) fn after(time: Duration, interrupter: Interrupter) -> Option<Alarm> {
        let (sender, receiver) = channel();
        let wait = move || {
            if receiver.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                interrupter.give_up_queries();
            }
        };
        std::thread::Builder::new().name("alarm".into()).spawn(wait).ok()?;
        Some(Alarm { _dropped: sender })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn an_alarm_goes_off_unless_it_is_dropped() {
        let (rings, silent) = (Interrupter::default(), Interrupter::default());
        let kept = Alarm::after(Duration::from_millis(20), rings.clone());
        drop(Alarm::after(Duration::from_millis(20), silent.clone()));
        let start = Instant::now();
        while !rings.is_set() && start.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(kept.is_some() && rings.is_set() && !rings.is_wanted());
        assert!(!silent.is_set());
    }

    #[test]
    fn queries_go_on_after_an_alarm_but_not_after_an_interrupt() {
        let interrupter = Interrupter::default();
        interrupter.give_up_queries();
        interrupter.allow_queries();
        assert!(!interrupter.is_set() && !interrupter.flag().load(Ordering::Relaxed));
        interrupter.interrupt();
        interrupter.allow_queries();
        assert!(interrupter.is_set() && interrupter.is_wanted());
    }
}
