//! Stops a query from another thread. Z3 looks at its own clock only now and then; an interrupt it sees at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the flag is looked at that interrupts from outside.
const GLANCE: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    TimedOut,
    Interrupted,
}

/// What is called to stop a query. It must not block.
type Stop = Box<dyn Fn() + Send>;

#[derive(Default)]
struct Watch {
    /// There while a query is under way.
    stop: Option<Stop>,
    deadline: Option<Instant>,
    stopped: Option<Stopped>,
    quit: bool,
}

#[derive(Default)]
struct Shared {
    watch: Mutex<Watch>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that waits for deadlines and interrupts. It is started when the first query needs it.
pub(crate) struct Watchdog {
    interrupt: Option<Arc<AtomicBool>>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub(crate) fn new(interrupt: Option<Arc<AtomicBool>>) -> Self {
        Watchdog { interrupt, shared: Arc::default(), thread: None }
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        is_set(&self.interrupt)
    }

    /// Does the work; `stop` is called from the other thread when its time is over. It is never called once this has
    /// returned, which says whether it was called.
    pub(crate) fn guard<T>(
        &mut self,
        deadline: Option<Instant>,
        stop: impl Fn() + Send + 'static,
        work: impl FnOnce() -> T,
    ) -> std::io::Result<(T, Option<Stopped>)> {
        if deadline.is_none() && self.interrupt.is_none() {
            return Ok((work(), None));
        }
        if self.thread.is_none() {
            let (shared, interrupt) = (Arc::clone(&self.shared), self.interrupt.clone());
            let thread = std::thread::Builder::new().name("watchdog".into());
            self.thread = Some(thread.spawn(move || watch(&shared, &interrupt))?);
        }
        {
            let mut watch = self.shared.lock();
            watch.stop = Some(Box::new(stop));
            watch.deadline = deadline;
            watch.stopped = None;
            self.shared.changed.notify_one();
        }
        let result = work();
        let mut watch = self.shared.lock();
        watch.stop = None;
        Ok((result, watch.stopped.take()))
    }
}

fn is_set(flag: &Option<Arc<AtomicBool>>) -> bool {
    flag.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
}

fn watch(shared: &Shared, interrupt: &Option<Arc<AtomicBool>>) {
    let mut watch = shared.lock();
    while !watch.quit {
        if watch.stop.is_none() || watch.stopped.is_some() {
            watch = shared.changed.wait(watch).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        let now = Instant::now();
        if is_set(interrupt) {
            watch.stopped = Some(Stopped::Interrupted);
        } else if watch.deadline.is_some_and(|at| now >= at) {
            watch.stopped = Some(Stopped::TimedOut);
        }
        if watch.stopped.is_some() {
            // With the lock held: the query cannot end meanwhile and be followed by another one.
            if let Some(stop) = &watch.stop {
                stop();
            }
            continue;
        }
        let until_deadline = watch.deadline.map_or(GLANCE, |at| at.saturating_duration_since(now));
        let wait = if interrupt.is_some() { until_deadline.min(GLANCE) } else { until_deadline };
        watch = shared.changed.wait_timeout(watch, wait).unwrap_or_else(PoisonError::into_inner).0;
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.shared.lock().quit = true;
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn it_stops_what_takes_too_long_and_nothing_else() {
        let mut watchdog = Watchdog::new(None);
        let (sender, receiver) = channel();
        let deadline = Some(Instant::now() + Duration::from_millis(20));
        let stop = move || sender.send(()).unwrap_or_default();
        let (got, stopped) = watchdog.guard(deadline, stop, || receiver.recv_timeout(Duration::from_secs(20))).unwrap();
        assert_eq!((got, stopped), (Ok(()), Some(Stopped::TimedOut)));
        let later = Some(Instant::now() + Duration::from_secs(100));
        assert_eq!(watchdog.guard(later, || panic!("not yet"), || 7).unwrap(), (7, None));
    }

    #[test]
    fn the_flag_is_seen_while_the_work_is_under_way() {
        let flag = Arc::new(AtomicBool::new(false));
        let mut watchdog = Watchdog::new(Some(Arc::clone(&flag)));
        let (sender, receiver) = channel();
        let stop = move || sender.send(()).unwrap_or_default();
        let work = || {
            flag.store(true, Ordering::Relaxed);
            receiver.recv_timeout(Duration::from_secs(20))
        };
        assert_eq!(watchdog.guard(None, stop, work).unwrap(), (Ok(()), Some(Stopped::Interrupted)));
    }
}
