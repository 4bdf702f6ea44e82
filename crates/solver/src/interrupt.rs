//! The flag that ends work under way.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Looked at before each piece of work that can take long. A stage that finds it set gives up and passes the query on;
/// backends look at the same flag and say that they were interrupted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Option<Arc<AtomicBool>>);

impl Interrupt {
    pub(crate) fn new(flag: Option<Arc<AtomicBool>>) -> Self {
        Interrupt(flag)
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
