//! The C interface behind a safe face: one term manager with one solver on it, and errors as values.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bitwuzla_sys as c;
use osier_solver::Levels;

/// A term of one session. It lives as long as the session does, so it may be copied freely but must not be carried
/// into another session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handle(c::BitwuzlaTerm);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    TimedOut,
    Interrupted,
    GaveUp,
}

thread_local! {
    /// What Bitwuzla complained about since the last look. Its abort callback has no argument of ours.
    static COMPLAINT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Called where Bitwuzla would otherwise end the process. It returns, and the C function that failed then returns a
/// null term or "unknown"; later calls with a null term complain again and do no harm.
unsafe extern "C" fn note_complaint(message: *const c_char) {
    // SAFETY: Bitwuzla passes a C string that outlives the call.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy().trim().to_owned();
    COMPLAINT.with(|slot| {
        slot.borrow_mut().get_or_insert(text);
    });
}

/// When to stop; Bitwuzla asks again and again while it works.
struct Stop {
    deadline: Cell<Option<Instant>>,
    timed_out: Cell<bool>,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Stop {
    fn interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Why to stop now, if there is a reason.
    fn look(&self) -> Option<Verdict> {
        if self.deadline.get().is_some_and(|at| Instant::now() >= at) {
            self.timed_out.set(true);
        }
        self.verdict()
    }

    /// What was the reason to stop when somebody last looked.
    fn verdict(&self) -> Option<Verdict> {
        match (self.timed_out.get(), self.interrupted()) {
            (true, _) => Some(Verdict::TimedOut),
            (false, true) => Some(Verdict::Interrupted),
            (false, false) => None,
        }
    }
}

unsafe extern "C" fn should_stop(state: *mut c_void) -> i32 {
    // SAFETY: the state is the session's boxed `Stop`, which is dropped only after the solver that calls this, and
    // which is only ever shared, never borrowed mutably.
    let stop = unsafe { &*state.cast::<Stop>() };
    i32::from(stop.look().is_some())
}

/// A term manager and an incremental solver. All terms are freed with it.
pub(crate) struct Session {
    manager: *mut c::BitwuzlaTermManager,
    options: *mut c::BitwuzlaOptions,
    solver: *mut c::Bitwuzla,
    stop: Box<Stop>,
    /// By width; zero where not yet made.
    sorts: Vec<c::BitwuzlaSort>,
    /// What the solver's stack holds of the last query.
    levels: Levels<Handle>,
}

impl Session {
    pub(crate) fn new(interrupt: Option<Arc<AtomicBool>>, preprocess: bool) -> Self {
        let stop = Box::new(Stop { deadline: Cell::new(None), timed_out: Cell::new(false), interrupt });
        // SAFETY: plain constructor calls in the order that the C interface asks for. `stop` is boxed, so its address
        // stays the same when the session moves.
        unsafe {
            c::bitwuzla_set_abort_callback(Some(note_complaint));
            let manager = c::bitwuzla_term_manager_new();
            let options = c::bitwuzla_options_new();
            c::bitwuzla_set_option(options, c::BITWUZLA_OPT_PRODUCE_MODELS, 1);
            c::bitwuzla_set_option(options, c::BITWUZLA_OPT_PREPROCESS, u64::from(preprocess));
            let solver = c::bitwuzla_new(manager, options);
            let state = ptr::from_ref::<Stop>(&stop).cast_mut().cast::<c_void>();
            c::bitwuzla_set_termination_callback(solver, Some(should_stop), state);
            Session { manager, options, solver, stop, sorts: vec![0; 129], levels: Levels::default() }
        }
    }

    /// What went wrong since the last call, if anything did. Terms made since then may be null.
    pub(crate) fn take_complaint(&self) -> Option<String> {
        COMPLAINT.with(|slot| slot.borrow_mut().take())
    }

    /// Bitwuzla keeps the abort callback for each thread; a session may have been made on another one.
    pub(crate) fn enter_thread(&self) {
        // SAFETY: the callback is a plain function.
        unsafe { c::bitwuzla_set_abort_callback(Some(note_complaint)) }
    }

    fn sort(&mut self, width: u32) -> c::BitwuzlaSort {
        let slot = &mut self.sorts[width as usize];
        if *slot == 0 {
            // SAFETY: the manager is alive.
            *slot = unsafe { c::bitwuzla_mk_bv_sort(self.manager, u64::from(width)) };
        }
        *slot
    }

    /// A constant bit-vector.
    pub(crate) fn value(&mut self, width: u32, value: u128) -> Handle {
        let sort = self.sort(width);
        if let Ok(small) = u64::try_from(value) {
            // SAFETY: manager and sort are alive.
            return Handle(unsafe { c::bitwuzla_mk_bv_value_uint64(self.manager, sort, small) });
        }
        let digits = CString::new(format!("{value:x}")).expect("hexadecimal digits hold no zero byte");
        // SAFETY: as above, and the string outlives the call.
        Handle(unsafe { c::bitwuzla_mk_bv_value(self.manager, sort, digits.as_ptr(), 16) })
    }

    pub(crate) fn truth(&self, value: bool) -> Handle {
        // SAFETY: the manager is alive.
        Handle(unsafe { if value { c::bitwuzla_mk_true(self.manager) } else { c::bitwuzla_mk_false(self.manager) } })
    }

    /// A fresh unknown bit-vector.
    pub(crate) fn unknown(&mut self, width: u32) -> Handle {
        let sort = self.sort(width);
        // SAFETY: manager and sort are alive; the symbol may be null.
        Handle(unsafe { c::bitwuzla_mk_const(self.manager, sort, ptr::null()) })
    }

    /// A fresh unknown array of bytes with 64-bit indices.
    pub(crate) fn unknown_array(&mut self) -> Handle {
        let (index, byte) = (self.sort(64), self.sort(8));
        // SAFETY: manager and sorts are alive; the symbol may be null.
        Handle(unsafe {
            let sort = c::bitwuzla_mk_array_sort(self.manager, index, byte);
            c::bitwuzla_mk_const(self.manager, sort, ptr::null())
        })
    }

    pub(crate) fn mk1(&self, kind: c::BitwuzlaKind, a: Handle) -> Handle {
        // SAFETY: manager and term are alive.
        Handle(unsafe { c::bitwuzla_mk_term1(self.manager, kind, a.0) })
    }

    pub(crate) fn mk2(&self, kind: c::BitwuzlaKind, a: Handle, b: Handle) -> Handle {
        // SAFETY: manager and terms are alive.
        Handle(unsafe { c::bitwuzla_mk_term2(self.manager, kind, a.0, b.0) })
    }

    pub(crate) fn ite(&self, cond: Handle, then: Handle, other: Handle) -> Handle {
        if then == other {
            return then;
        }
        // SAFETY: manager and terms are alive.
        Handle(unsafe { c::bitwuzla_mk_term3(self.manager, c::BITWUZLA_KIND_ITE, cond.0, then.0, other.0) })
    }

    /// With one number: how many bits an extension adds.
    pub(crate) fn mk1_indexed(&self, kind: c::BitwuzlaKind, a: Handle, number: u32) -> Handle {
        // SAFETY: manager and term are alive.
        Handle(unsafe { c::bitwuzla_mk_term1_indexed1(self.manager, kind, a.0, u64::from(number)) })
    }

    /// Bits `low` to `high`, both included.
    pub(crate) fn extract(&self, a: Handle, high: u32, low: u32) -> Handle {
        let kind = c::BITWUZLA_KIND_BV_EXTRACT;
        // SAFETY: manager and term are alive.
        Handle(unsafe { c::bitwuzla_mk_term1_indexed2(self.manager, kind, a.0, u64::from(high), u64::from(low)) })
    }

    /// Asserts for good: what is asserted outside `check` holds in all later checks.
    pub(crate) fn assert(&mut self, condition: Handle) {
        let above = self.levels.leave_all();
        self.pop(above);
        // SAFETY: solver and term are alive.
        unsafe { c::bitwuzla_assert(self.solver, condition.0) }
    }

    fn pop(&self, levels: usize) {
        if levels > 0 {
            // SAFETY: the solver is alive, and `self.levels` counts its pushes.
            unsafe { c::bitwuzla_pop(self.solver, levels as u64) };
        }
    }

    /// Makes the solver's stack hold these.
    fn hold(&mut self, conditions: &[Handle]) {
        let change = self.levels.turn_to(conditions);
        self.pop(change.pop);
        for group in change.push {
            // SAFETY: solver and terms are alive.
            unsafe {
                c::bitwuzla_push(self.solver, 1);
                for condition in group {
                    c::bitwuzla_assert(self.solver, condition.0);
                }
            }
        }
    }

    /// A query begins, to be answered until then.
    pub(crate) fn begin(&self, deadline: Option<Instant>) {
        self.stop.deadline.set(deadline);
        self.stop.timed_out.set(false);
    }

    /// Why the query has to be given up now, if it has to.
    pub(crate) fn stopped(&self) -> Option<Verdict> {
        self.stop.look()
    }

    /// Whether the conditions can hold together; `read` is called while the model of a solution can be read.
    pub(crate) fn check(&mut self, conditions: &[Handle], read: impl FnOnce(&Session)) -> Verdict {
        self.hold(conditions);
        // SAFETY: the solver is alive.
        let result = unsafe { c::bitwuzla_check_sat(self.solver) };
        let verdict = match result {
            c::BITWUZLA_SAT => Verdict::Sat,
            c::BITWUZLA_UNSAT => Verdict::Unsat,
            _ => self.stop.verdict().unwrap_or(Verdict::GaveUp),
        };
        // A model is read in peace.
        self.begin(None);
        if verdict == Verdict::Sat {
            read(self);
        }
        verdict
    }

    /// A 64-bit constant, for use while a model is read. Its sort was made with the array that it indexes.
    pub(crate) fn small_value(&self, value: u32) -> Handle {
        // SAFETY: the manager is alive, and so is the sort if it was ever made; a null sort is complained about.
        Handle(unsafe { c::bitwuzla_mk_bv_value_uint64(self.manager, self.sorts[64], u64::from(value)) })
    }

    /// The value of a bit-vector of up to 64 bits in the current model.
    pub(crate) fn value_of(&self, term: Handle) -> u64 {
        // SAFETY: solver and term are alive and the last check was satisfiable (only `read` in `check` calls this).
        // The string is Bitwuzla's own and is read before the next call.
        unsafe {
            let value = c::bitwuzla_get_value(self.solver, term.0);
            if value == 0 {
                return 0;
            }
            let digits = CStr::from_ptr(c::bitwuzla_term_value_get_str(value));
            let number = digits.to_bytes().iter().fold(0, |n, &digit| n << 1 | u64::from(digit == b'1'));
            c::bitwuzla_term_release(value);
            number
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: each was made by `new` and is freed once, in the order that the C interface asks for.
        unsafe {
            c::bitwuzla_delete(self.solver);
            c::bitwuzla_options_delete(self.options);
            c::bitwuzla_term_manager_delete(self.manager);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_of_bitwuzla_is_a_value_and_not_the_end_of_the_process() {
        let mut session = Session::new(None, false);
        let (narrow, wide) = (session.value(8, 1), session.value(16, 1));
        assert_eq!(session.take_complaint(), None);
        let broken = session.mk2(c::BITWUZLA_KIND_BV_ADD, narrow, wide);
        let worse = session.mk2(c::BITWUZLA_KIND_EQUAL, broken, narrow);
        assert_eq!(session.check(&[worse], |_| ()), Verdict::Sat, "a null term is not asserted");
        let complaint = session.take_complaint();
        assert!(complaint.as_deref().is_some_and(|text| text.contains("mismatching sort")), "{complaint:?}");
        assert_eq!(session.take_complaint(), None);
    }
}
