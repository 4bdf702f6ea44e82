//! A panic is a bug in Osier. It must cost neither the tests of the paths that were finished nor the documented status.

use crate::failure::Failure;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

/// What the hook heard last; the payload alone does not say where it was.
#[derive(Clone, Default)]
pub struct Panics(Arc<Mutex<String>>);

impl Panics {
    /// From here on a panic is kept and not printed, unless a backtrace was asked for.
    pub fn listen() -> Panics {
        let panics = Panics::default();
        let heard = panics.clone();
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            heard.keep(info);
            if std::env::var_os("RUST_BACKTRACE").is_some() {
                usual(info);
            }
        }));
        panics
    }

    fn keep(&self, info: &PanicHookInfo<'_>) {
        let message = info.payload_as_str().unwrap_or("no message");
        let place = info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = format!("{message}{place}");
    }

    /// Does the work; a panic in it becomes a failure. What the work had hold of is only looked at afterwards.
    pub fn guard<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
            let what = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Err(Failure::broken(format!(
                "a bug in Osier: {what}\n  help: please report it, with the program and the command line"
            )))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::BROKEN;

    #[test]
    fn a_panic_becomes_one_message_with_its_place() {
        let panics = Panics::listen();
        let failure = panics.guard::<()>(|| panic!("seven of {}", 9)).unwrap_err();
        assert_eq!(failure.status, BROKEN);
        assert!(failure.message.starts_with("a bug in Osier: seven of 9 at "), "{}", failure.message);
        assert!(failure.message.contains("panics.rs:"), "{}", failure.message);
        assert!(matches!(panics.guard(|| Ok(3)), Ok(3)));
    }
}
