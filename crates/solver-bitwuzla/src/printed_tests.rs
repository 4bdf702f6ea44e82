//! What the printers write must mean the same as the terms: Bitwuzla's own parser reads it back and decides it.

use std::ffi::{CStr, CString, c_char};

use bitwuzla_sys as c;
use osier_formats::smt2;
use osier_solver::{Answer, Query, Solver};
use osier_solver_testing::recipes::{cook, step};
use osier_term::Pool;
use proptest::prelude::*;

use crate::script::{bitwuzla_parser_delete, bitwuzla_parser_get_bitwuzla, bitwuzla_parser_new, bitwuzla_parser_parse};
use crate::{Bitwuzla, BitwuzlaConfig};

/// Whether the script's assertions are satisfiable, or the parser's complaint.
fn decide(script: &str) -> Result<bool, String> {
    // The commands at the end would print; the answer is asked for here instead.
    let assertions = script.split("(check-sat)").next().unwrap_or_default();
    let input = CString::new(assertions).unwrap();
    // SAFETY: constructors and destructors in the order that the C interface asks for; all strings outlive the calls.
    unsafe {
        let manager = c::bitwuzla_term_manager_new();
        let options = c::bitwuzla_options_new();
        let parser = bitwuzla_parser_new(manager, options, c"smt2".as_ptr(), 2, c"<stdout>".as_ptr());
        let mut error: *const c_char = std::ptr::null();
        bitwuzla_parser_parse(parser, input.as_ptr(), true, false, &raw mut error);
        let result = if error.is_null() {
            Ok(c::bitwuzla_check_sat(bitwuzla_parser_get_bitwuzla(parser)) == c::BITWUZLA_SAT)
        } else {
            Err(CStr::from_ptr(error).to_string_lossy().into_owned())
        };
        bitwuzla_parser_delete(parser);
        c::bitwuzla_options_delete(options);
        c::bitwuzla_term_manager_delete(manager);
        result
    }
}

#[test]
fn the_parser_does_complain() {
    assert!(decide("(set-logic QF_ABV)(assert (bvult #b1 #b11))").is_err());
    assert_eq!(decide("(set-logic QF_ABV)(assert (bvult #b01 #b11))"), Ok(true));
    assert_eq!(decide("(set-logic QF_ABV)(assert (bvult #b11 #b11))"), Ok(false));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn printed_queries_have_the_same_answer(steps in prop::collection::vec(step(), 1..40), picks in prop::collection::vec(any::<u8>(), 1..6)) {
        let mut pool = Pool::new();
        let input = pool.input("x", 3);
        let conditions = cook(&mut pool, input, 3, &steps);
        prop_assume!(!conditions.is_empty());
        let constraints: Vec<_> = picks.iter().map(|&n| conditions[n as usize % conditions.len()]).collect();
        let answer = Bitwuzla::new(BitwuzlaConfig::default()).check(&mut pool, &Query::of(&constraints));
        let expected = matches!(answer.unwrap(), Answer::Sat(_));
        let script = smt2(&pool, &constraints, &[input]);
        prop_assert_eq!(decide(&script), Ok(expected), "{}", script);
    }
}
