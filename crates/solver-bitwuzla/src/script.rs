//! Bitwuzla's own parser: scripts with what our terms do not have, such as floating point.

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

use bitwuzla_sys as c;

// The archive has the parser, but the bindings leave it out.
unsafe extern "C" {
    pub(crate) fn bitwuzla_parser_new(
        manager: *mut c::BitwuzlaTermManager,
        options: *mut c::BitwuzlaOptions,
        language: *const c_char,
        base: u8,
        outfile: *const c_char,
    ) -> *mut c_void;
    pub(crate) fn bitwuzla_parser_delete(parser: *mut c_void);
    pub(crate) fn bitwuzla_parser_parse(
        parser: *mut c_void,
        input: *const c_char,
        parse_only: bool,
        parse_file: bool,
        error: *mut *const c_char,
    );
    #[cfg(test)]
    pub(crate) fn bitwuzla_parser_get_bitwuzla(parser: *mut c_void) -> *mut c::Bitwuzla;
}

/// The name that the parser has for standard input, and what its messages begin with.
const INPUT: &CStr = c"<stdin>";

/// Answers a script from standard input, command by command as it comes in, on standard output. Ends with the script, or
/// at its first error, which is returned with line and column: the parser cannot go on after one.
pub fn answer_script() -> Result<(), String> {
    // SAFETY: constructors and destructors in the order that the C interface asks for; the strings are constants, and
    // the message, which belongs to the parser, is copied before that is deleted.
    unsafe {
        let manager = c::bitwuzla_term_manager_new();
        let options = c::bitwuzla_options_new();
        // Scripts may ask for these whether or not they said so before.
        c::bitwuzla_set_option(options, c::BITWUZLA_OPT_PRODUCE_MODELS, 1);
        c::bitwuzla_set_option(options, c::BITWUZLA_OPT_PRODUCE_UNSAT_ASSUMPTIONS, 1);
        let parser = bitwuzla_parser_new(manager, options, c"smt2".as_ptr(), 2, c"<stdout>".as_ptr());
        let mut error: *const c_char = ptr::null();
        // One call for the whole of it: each call begins at level zero, so that what an earlier one pushed could not be
        // popped.
        bitwuzla_parser_parse(parser, INPUT.as_ptr(), false, true, &raw mut error);
        let result = if error.is_null() { Ok(()) } else { Err(CStr::from_ptr(error).to_string_lossy().into_owned()) };
        bitwuzla_parser_delete(parser);
        c::bitwuzla_options_delete(options);
        c::bitwuzla_term_manager_delete(manager);
        let name = format!("{}:", INPUT.to_string_lossy());
        result.map_err(|message| message.trim().trim_start_matches(&name).to_owned())
    }
}
