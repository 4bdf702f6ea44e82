//! The C interface behind a safe face: one context with one solver on it, and errors as values.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::time::Instant;

use osier_solver::Levels;

use crate::ffi as c;
use crate::watchdog::{Stopped, Watchdog};

/// A term of one session. It lives as long as the session does, so it may be copied freely but must not be carried
/// into another session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Handle(c::Ast);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    TimedOut,
    Interrupted,
    OutOfMemory,
    GaveUp(String),
}

/// A context and an incremental solver. The context counts no references to terms: all are freed with it.
pub(crate) struct Session {
    context: c::Context,
    solver: c::Solver,
    /// By width; null where not yet made.
    sorts: Vec<c::Sort>,
    /// Stands for terms that Z3 refused to make.
    refused: c::Ast,
    complaint: RefCell<Option<Complaint>>,
    /// What the solver's stack holds of the last query.
    levels: Levels<Handle>,
}

/// What Z3 refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    pub(crate) out_of_memory: bool,
    pub(crate) message: String,
}

/// Carries a context to the thread that may interrupt it.
struct Interruptible(c::Context);

// SAFETY: the context is only given to `Z3_interrupt`, which is made to be called from other threads.
unsafe impl Send for Interruptible {}

impl Interruptible {
    fn interrupt(&self) {
        // SAFETY: the watchdog calls this only while a query is under way, so the context is alive.
        unsafe { c::Z3_interrupt(self.0) }
    }
}

impl Session {
    pub(crate) fn new(logic: &CStr) -> Self {
        // SAFETY: plain constructor calls in the order that the C interface asks for. Terms of such a context need no
        // counting; the solver is counted once here and once in `drop`. A null handler makes errors values.
        unsafe {
            let config = c::Z3_mk_config();
            let context = c::Z3_mk_context(config);
            c::Z3_del_config(config);
            c::Z3_set_error_handler(context, ptr::null());
            let solver = c::Z3_mk_solver_for_logic(context, c::Z3_mk_string_symbol(context, logic.as_ptr()));
            c::Z3_solver_inc_ref(context, solver);
            let params = c::Z3_mk_params(context);
            c::Z3_params_inc_ref(context, params);
            c::Z3_params_set_uint(context, params, c::Z3_mk_string_symbol(context, c"random_seed".as_ptr()), 0);
            c::Z3_solver_set_params(context, solver, params);
            c::Z3_params_dec_ref(context, params);
            let refused = c::Z3_mk_true(context);
            let sorts = vec![ptr::null_mut(); 129];
            Session { context, solver, sorts, refused, complaint: RefCell::new(None), levels: Levels::default() }
        }
    }

    /// The first thing that went wrong since the last call, if anything did. Terms made since then mean nothing.
    pub(crate) fn take_complaint(&self) -> Option<Complaint> {
        self.complaint.borrow_mut().take()
    }

    fn last_error(&self) -> Option<Complaint> {
        // SAFETY: the context is alive and the string is copied before the next call.
        unsafe {
            let code = c::Z3_get_error_code(self.context);
            let message = || text(c::Z3_get_error_msg(self.context, code));
            (code != c::OK).then(|| Complaint { out_of_memory: code == c::MEMOUT_FAIL, message: message() })
        }
    }

    /// A term that Z3 made. Where it made none, that is kept as a complaint, and no null goes on into other calls.
    fn made(&self, term: c::Ast) -> Handle {
        if !term.is_null() {
            return Handle(term);
        }
        let nothing = || Complaint { out_of_memory: false, message: "Z3 made no term and does not say why".to_owned() };
        self.complaint.borrow_mut().get_or_insert_with(|| self.last_error().unwrap_or_else(nothing));
        Handle(self.refused)
    }

    fn sort(&mut self, width: u32) -> c::Sort {
        let slot = &mut self.sorts[width as usize];
        if slot.is_null() {
            // SAFETY: the context is alive.
            *slot = unsafe { c::Z3_mk_bv_sort(self.context, width) };
        }
        *slot
    }

    /// A constant bit-vector.
    pub(crate) fn value(&mut self, width: u32, value: u128) -> Handle {
        let sort = self.sort(width);
        if let Ok(small) = u64::try_from(value) {
            // SAFETY: context and sort are alive.
            return self.made(unsafe { c::Z3_mk_unsigned_int64(self.context, small, sort) });
        }
        let digits = CString::new(value.to_string()).expect("digits hold no zero byte");
        // SAFETY: as above, and the string outlives the call.
        self.made(unsafe { c::Z3_mk_numeral(self.context, digits.as_ptr(), sort) })
    }

    pub(crate) fn truth(&self, value: bool) -> Handle {
        // SAFETY: the context is alive.
        self.made(unsafe { if value { c::Z3_mk_true(self.context) } else { c::Z3_mk_false(self.context) } })
    }

    /// A fresh unknown bit-vector.
    pub(crate) fn unknown(&mut self, width: u32) -> Handle {
        let sort = self.sort(width);
        // SAFETY: context and sort are alive.
        self.made(unsafe { c::Z3_mk_fresh_const(self.context, c"b".as_ptr(), sort) })
    }

    /// A fresh unknown array of bytes with 64-bit indices.
    pub(crate) fn unknown_array(&mut self) -> Handle {
        let (index, byte) = (self.sort(64), self.sort(8));
        // SAFETY: context and sorts are alive.
        self.made(unsafe {
            let sort = c::Z3_mk_array_sort(self.context, index, byte);
            c::Z3_mk_fresh_const(self.context, c"a".as_ptr(), sort)
        })
    }

    pub(crate) fn unary(&self, make: c::Unary, a: Handle) -> Handle {
        // SAFETY: `make` is a function of `ffi`; context and term are alive.
        self.made(unsafe { make(self.context, a.0) })
    }

    pub(crate) fn binary(&self, make: c::Binary, a: Handle, b: Handle) -> Handle {
        // SAFETY: `make` is a function of `ffi`; context and terms are alive.
        self.made(unsafe { make(self.context, a.0, b.0) })
    }

    pub(crate) fn and(&self, a: Handle, b: Handle) -> Handle {
        // SAFETY: context and terms are alive, and so is the array during the call.
        self.made(unsafe { c::Z3_mk_and(self.context, 2, [a.0, b.0].as_ptr()) })
    }

    pub(crate) fn or(&self, a: Handle, b: Handle) -> Handle {
        // SAFETY: as for `and`.
        self.made(unsafe { c::Z3_mk_or(self.context, 2, [a.0, b.0].as_ptr()) })
    }

    pub(crate) fn eq(&self, a: Handle, b: Handle) -> Handle {
        self.binary(c::Z3_mk_eq, a, b)
    }

    pub(crate) fn select(&self, array: Handle, index: Handle) -> Handle {
        self.binary(c::Z3_mk_select, array, index)
    }

    pub(crate) fn ite(&self, cond: Handle, then: Handle, other: Handle) -> Handle {
        if then == other {
            return then;
        }
        // SAFETY: context and terms are alive.
        self.made(unsafe { c::Z3_mk_ite(self.context, cond.0, then.0, other.0) })
    }

    pub(crate) fn zero_extend(&self, added: u32, a: Handle) -> Handle {
        // SAFETY: context and term are alive.
        self.made(unsafe { c::Z3_mk_zero_ext(self.context, added, a.0) })
    }

    pub(crate) fn sign_extend(&self, added: u32, a: Handle) -> Handle {
        // SAFETY: context and term are alive.
        self.made(unsafe { c::Z3_mk_sign_ext(self.context, added, a.0) })
    }

    /// Bits `low` to `high`, both included.
    pub(crate) fn extract(&self, a: Handle, high: u32, low: u32) -> Handle {
        // SAFETY: context and term are alive.
        self.made(unsafe { c::Z3_mk_extract(self.context, high, low, a.0) })
    }

    /// Asserts for good: what is asserted outside `check` holds in all later checks.
    pub(crate) fn assert(&mut self, condition: Handle) {
        let above = self.levels.leave_all();
        self.pop(above);
        // SAFETY: context, solver and term are alive.
        unsafe { c::Z3_solver_assert(self.context, self.solver, condition.0) }
    }

    fn pop(&self, levels: usize) {
        // SAFETY: context and solver are alive, and `self.levels` counts the pushes.
        unsafe { c::Z3_solver_pop(self.context, self.solver, levels as u32) };
    }

    /// Makes the solver's stack hold these.
    fn hold(&mut self, conditions: &[Handle]) {
        let change = self.levels.turn_to(conditions);
        self.pop(change.pop);
        for group in change.push {
            // SAFETY: context, solver and terms are alive.
            unsafe {
                c::Z3_solver_push(self.context, self.solver);
                for condition in group {
                    c::Z3_solver_assert(self.context, self.solver, condition.0);
                }
            }
        }
    }

    /// Whether the conditions can hold together; `read` is called while the model of a solution can be read.
    ///
    /// After `TimedOut` and `Interrupted` the session must not be used again: the context stays cancelled.
    pub(crate) fn check(
        &mut self,
        conditions: &[Handle],
        deadline: Option<Instant>,
        watchdog: &mut Watchdog,
        read: impl FnOnce(&Model),
    ) -> std::io::Result<Verdict> {
        let interruptible = Interruptible(self.context);
        let stop = move || interruptible.interrupt();
        let (result, stopped) = watchdog.guard(deadline, stop, || {
            self.hold(conditions);
            // SAFETY: context and solver are alive.
            unsafe { c::Z3_solver_check(self.context, self.solver) }
        })?;
        let verdict = match (result, stopped) {
            (c::TRUE, _) => Verdict::Sat,
            (c::FALSE, _) => Verdict::Unsat,
            (_, Some(Stopped::TimedOut)) => Verdict::TimedOut,
            (_, Some(Stopped::Interrupted)) => Verdict::Interrupted,
            (_, None) => self.why_unknown(),
        };
        if verdict == Verdict::Sat && stopped.is_none() {
            let model = Model::of(self);
            read(&model);
        }
        // A solution that came in the moment of the interrupt cannot be read any more.
        Ok(match (verdict, stopped) {
            (Verdict::Sat, Some(Stopped::TimedOut)) => Verdict::TimedOut,
            (Verdict::Sat, Some(Stopped::Interrupted)) => Verdict::Interrupted,
            (verdict, _) => verdict,
        })
    }

    fn why_unknown(&self) -> Verdict {
        match self.last_error() {
            Some(Complaint { out_of_memory: true, .. }) => return Verdict::OutOfMemory,
            Some(Complaint { out_of_memory: false, message }) => return Verdict::GaveUp(message),
            None => {}
        }
        // SAFETY: context and solver are alive and the string is copied before the next call.
        let why = unsafe { text(c::Z3_solver_get_reason_unknown(self.context, self.solver)) };
        if why.contains("memout") || why.contains("out of memory") {
            Verdict::OutOfMemory
        } else {
            Verdict::GaveUp(why)
        }
    }
}

/// # Safety
/// `string` is null or a C string that is alive.
unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: the caller promises it.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: each was made by `new` and is freed once.
        unsafe {
            c::Z3_solver_dec_ref(self.context, self.solver);
            c::Z3_del_context(self.context);
        }
    }
}

/// The solution of the check that was satisfiable.
pub(crate) struct Model {
    context: c::Context,
    model: c::Model,
}

impl Model {
    fn of(session: &Session) -> Self {
        // SAFETY: the last check was satisfiable; the model is counted once here and once in `drop`. A null model is
        // left alone.
        unsafe {
            let model = c::Z3_solver_get_model(session.context, session.solver);
            if !model.is_null() {
                c::Z3_model_inc_ref(session.context, model);
            }
            Model { context: session.context, model }
        }
    }

    /// The value of a bit-vector of up to 64 bits, zero where the solution says nothing.
    pub(crate) fn value_of(&self, term: Handle) -> u64 {
        if self.model.is_null() {
            return 0;
        }
        let (mut value, mut number) = (ptr::null_mut(), 0);
        // SAFETY: context, model and term are alive and the out pointers are ours. The number stays zero where the
        // value is no numeral.
        unsafe {
            if c::Z3_model_eval(self.context, self.model, term.0, true, &raw mut value) {
                c::Z3_get_numeral_uint64(self.context, value, &raw mut number);
            }
        }
        number
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        if !self.model.is_null() {
            // SAFETY: pairs with the count in `of`.
            unsafe { c::Z3_model_dec_ref(self.context, self.model) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_of_z3_is_a_value_and_not_the_end_of_the_process() {
        let mut session = Session::new(c"QF_ABV");
        let (narrow, wide) = (session.value(8, 1), session.value(16, 1));
        assert_eq!(session.take_complaint(), None);
        let broken = session.binary(c::Z3_mk_bvadd, narrow, wide);
        session.eq(broken, narrow);
        let complaint = session.take_complaint();
        assert!(complaint.as_ref().is_some_and(|c| c.message.contains("does not match")), "{complaint:?}");
        assert_eq!(session.take_complaint(), None);
        let seven = session.value(8, 7);
        let same = session.eq(seven, seven);
        let verdict = session.check(&[same], None, &mut Watchdog::new(None), |_| ());
        assert_eq!(verdict.unwrap(), Verdict::Sat);
    }

    #[test]
    fn wide_constants_are_whole() {
        let mut session = Session::new(c"QF_ABV");
        let wide = session.value(128, 0x1234_5678_9abc_def0 << 64 | 77);
        let high = session.extract(wide, 127, 64);
        let expected = session.value(64, 0x1234_5678_9abc_def0);
        let same = session.eq(high, expected);
        let different = session.unary(c::Z3_mk_not, same);
        let verdict = session.check(&[different], None, &mut Watchdog::new(None), |_| ());
        assert_eq!(verdict.unwrap(), Verdict::Unsat);
    }
}
