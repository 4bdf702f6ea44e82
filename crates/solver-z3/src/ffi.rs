//! The part of Z3's C interface that we use, as its header `z3_api.h` declares it since version 4.8.
//!
//! Written by hand: bindings from crates.io follow the newest header and do not link with the libraries that
//! distributions ship.

use std::ffi::{c_char, c_int, c_uint, c_void};

macro_rules! opaque {
    ($($name:ident),* $(,)?) => {$(
        #[repr(C)]
        pub(crate) struct $name {
            _private: [u8; 0],
        }
    )*};
}

opaque!(ConfigData, ContextData, AstData, SortData, SolverData, ModelData, SymbolData, ParamsData);

pub(crate) type Config = *mut ConfigData;
pub(crate) type Context = *mut ContextData;
pub(crate) type Ast = *mut AstData;
pub(crate) type Sort = *mut SortData;
pub(crate) type Solver = *mut SolverData;
pub(crate) type Model = *mut ModelData;
pub(crate) type Symbol = *mut SymbolData;
pub(crate) type Params = *mut ParamsData;

/// `Z3_lbool`.
pub(crate) const FALSE: c_int = -1;
pub(crate) const TRUE: c_int = 1;
/// `Z3_error_code`.
pub(crate) const OK: c_uint = 0;
pub(crate) const MEMOUT_FAIL: c_uint = 7;

pub(crate) type Unary = unsafe extern "C" fn(Context, Ast) -> Ast;
pub(crate) type Binary = unsafe extern "C" fn(Context, Ast, Ast) -> Ast;

#[link(name = "z3")]
unsafe extern "C" {
    pub(crate) fn Z3_mk_config() -> Config;
    pub(crate) fn Z3_del_config(config: Config);
    pub(crate) fn Z3_mk_context(config: Config) -> Context;
    pub(crate) fn Z3_del_context(context: Context);
    /// With a null handler an error is only remembered; the default one ends the process.
    pub(crate) fn Z3_set_error_handler(context: Context, handler: *const c_void);
    pub(crate) fn Z3_get_error_code(context: Context) -> c_uint;
    pub(crate) fn Z3_get_error_msg(context: Context, code: c_uint) -> *const c_char;
    /// The one function that another thread may call.
    pub(crate) fn Z3_interrupt(context: Context);

    pub(crate) fn Z3_mk_string_symbol(context: Context, name: *const c_char) -> Symbol;
    pub(crate) fn Z3_mk_bv_sort(context: Context, width: c_uint) -> Sort;
    pub(crate) fn Z3_mk_array_sort(context: Context, domain: Sort, range: Sort) -> Sort;
    pub(crate) fn Z3_mk_fresh_const(context: Context, prefix: *const c_char, sort: Sort) -> Ast;
    pub(crate) fn Z3_mk_unsigned_int64(context: Context, value: u64, sort: Sort) -> Ast;
    pub(crate) fn Z3_mk_numeral(context: Context, digits: *const c_char, sort: Sort) -> Ast;
    pub(crate) fn Z3_get_numeral_uint64(context: Context, value: Ast, out: *mut u64) -> bool;

    pub(crate) fn Z3_mk_true(context: Context) -> Ast;
    pub(crate) fn Z3_mk_false(context: Context) -> Ast;
    pub(crate) fn Z3_mk_not(context: Context, a: Ast) -> Ast;
    pub(crate) fn Z3_mk_and(context: Context, count: c_uint, operands: *const Ast) -> Ast;
    pub(crate) fn Z3_mk_or(context: Context, count: c_uint, operands: *const Ast) -> Ast;
    pub(crate) fn Z3_mk_xor(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_eq(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_ite(context: Context, cond: Ast, then: Ast, other: Ast) -> Ast;
    pub(crate) fn Z3_mk_select(context: Context, array: Ast, index: Ast) -> Ast;

    pub(crate) fn Z3_mk_bvnot(context: Context, a: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvadd(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvsub(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvmul(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvudiv(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvsdiv(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvurem(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvsrem(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvshl(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvlshr(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvashr(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvand(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvor(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvxor(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvult(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvule(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvslt(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_bvsle(context: Context, a: Ast, b: Ast) -> Ast;
    pub(crate) fn Z3_mk_concat(context: Context, high: Ast, low: Ast) -> Ast;
    pub(crate) fn Z3_mk_extract(context: Context, high: c_uint, low: c_uint, a: Ast) -> Ast;
    pub(crate) fn Z3_mk_zero_ext(context: Context, added: c_uint, a: Ast) -> Ast;
    pub(crate) fn Z3_mk_sign_ext(context: Context, added: c_uint, a: Ast) -> Ast;

    pub(crate) fn Z3_mk_solver_for_logic(context: Context, logic: Symbol) -> Solver;
    pub(crate) fn Z3_solver_inc_ref(context: Context, solver: Solver);
    pub(crate) fn Z3_solver_dec_ref(context: Context, solver: Solver);
    pub(crate) fn Z3_mk_params(context: Context) -> Params;
    pub(crate) fn Z3_params_inc_ref(context: Context, params: Params);
    pub(crate) fn Z3_params_dec_ref(context: Context, params: Params);
    pub(crate) fn Z3_params_set_uint(context: Context, params: Params, name: Symbol, value: c_uint);
    pub(crate) fn Z3_solver_set_params(context: Context, solver: Solver, params: Params);
    pub(crate) fn Z3_solver_push(context: Context, solver: Solver);
    pub(crate) fn Z3_solver_pop(context: Context, solver: Solver, levels: c_uint);
    pub(crate) fn Z3_solver_assert(context: Context, solver: Solver, condition: Ast);
    pub(crate) fn Z3_solver_check(context: Context, solver: Solver) -> c_int;
    pub(crate) fn Z3_solver_get_reason_unknown(context: Context, solver: Solver) -> *const c_char;
    pub(crate) fn Z3_solver_get_model(context: Context, solver: Solver) -> Model;
    pub(crate) fn Z3_model_inc_ref(context: Context, model: Model);
    pub(crate) fn Z3_model_dec_ref(context: Context, model: Model);
    pub(crate) fn Z3_model_eval(context: Context, model: Model, term: Ast, complete: bool, out: *mut Ast) -> bool;
}
