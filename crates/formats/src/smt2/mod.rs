//! SMT-LIB 2, logic QF_ABV: [`smt2`] writes a script.

mod print;

pub use print::smt2;
