//! Functions that the engine supplies: one row each in a table by family. A function that the program defines itself
//! wins over a row, except for the intrinsics.
//!
//! To add one: write it in the file of its family and give it a row there.

mod control;
mod heap;
mod jumps;
mod placing;
mod process;
mod says;
mod strings;
mod symbolic;
mod ubsan;

pub use control::set_errno;
pub(crate) use ubsan::sanitizer_trap;

use crate::fork::Alive;
use crate::{Context, EngineError, Program, State};
use osier_ir::{CallId, CallSite, FuncId};
use osier_memory::Value;

/// Executes a call. On [`Alive::Yes`] the caller moves to the next operation, unless frames were pushed or left.
pub type Run = fn(&Program, &mut Context, &mut State, &Arguments<'_>) -> Result<Alive, EngineError>;

/// A row: a function by its name.
pub struct Builtin {
    pub name: &'static str,
    /// With fewer arguments than this a call is an error.
    pub least_args: usize,
    pub run: Run,
}

/// A row bound to a function of the program.
#[derive(Clone, Copy)]
pub struct Bound {
    pub name: &'static str,
    pub least_args: usize,
    pub run: Run,
}

/// The arguments of a call, and where its result goes.
pub struct Arguments<'a> {
    pub values: Vec<Value>,
    pub widths: &'a [u8],
    pub call: CallId,
    pub site: &'a CallSite,
}

impl Arguments<'_> {
    /// Gives the call its result, in the width that the caller expects.
    pub fn returns(&self, cx: &mut Context, state: &mut State, value: Value) {
        let (Some(reg), Some(width)) = (self.site.results.first(), self.site.result_widths.first()) else { return };
        let width = u32::from(*width);
        let value = match value {
            Value::Int(bits) if width <= 64 => Value::Int(osier_memory::truncate(bits, width)),
            Value::Int(bits) => Value::from_bits(&mut cx.pool, width, u128::from(bits)),
            Value::Term(term) => {
                let has = cx.pool.width(term);
                let term = if has > width { cx.pool.extract(term, 0, width) } else { cx.pool.zext(term, width) };
                Value::of(&cx.pool, term)
            }
        };
        state.set(*reg, value);
    }

    /// For a state that forked off during the call and is done with it.
    pub fn returns_in(&self, program: &Program, cx: &mut Context, mut child: State, value: Value) {
        self.returns(cx, &mut child, value);
        cx.cover(&child, program.return_point(child.top().function, self.call));
        child.top_mut().pc += 1;
        cx.forked.push(child);
    }

    /// Gives the call its result and lets another function run before the program goes on behind the call.
    pub fn returns_through(
        &self,
        program: &Program,
        cx: &mut Context,
        state: &mut State,
        value: Value,
        (function, values): (FuncId, Vec<Value>),
    ) -> Result<Alive, EngineError> {
        self.returns(cx, state, value);
        cx.coverage.hit(program.return_point(state.top().function, self.call));
        state.top_mut().pc += 1;
        crate::step::call_function(program, cx, state, function, values)
    }

    pub fn width(&self, index: usize) -> u32 {
        u32::from(self.widths[index])
    }
}

/// All families.
pub const TABLES: &[&[Builtin]] = &[
    control::TABLE,
    placing::TABLE,
    heap::TABLE,
    jumps::TABLE,
    process::TABLE,
    says::TABLE,
    strings::TABLE,
    symbolic::TABLE,
    ubsan::TABLE,
];

/// The intrinsics stand even where a program brings its own definition, for instance for native runs.
fn is_intrinsic(name: &str) -> bool {
    name.starts_with("klee_") || name.starts_with("osier_")
}

pub(crate) fn bind(program: &Program, rows: &[&'static Builtin]) -> Vec<Option<Bound>> {
    let bound = |function: &osier_ir::Function| {
        let row = rows.iter().find(|row| row.name == function.name)?;
        let stands = function.body.is_none() || is_intrinsic(row.name);
        stands.then_some(Bound { name: row.name, least_args: row.least_args, run: row.run })
    };
    program.module.functions.values().map(bound).collect()
}
