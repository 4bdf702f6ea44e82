//! The monitors by name.

use crate::{
    bounds, calls, division, double_free, invalid_free, leak, lifetime, null, overshift, readonly, signed_overflow,
    uninitialised,
};
use osier_exec::Monitor;
use std::fmt;

/// A monitor as the command line offers it.
pub struct Row {
    pub name: &'static str,
    pub help: &'static str,
    /// Whether it watches unless told otherwise.
    pub default: bool,
    pub make: fn() -> Box<dyn Monitor>,
}

/// Every monitor. Where several watch the same moment, they are asked in this order, so an access is in bounds once
/// later rows see it.
pub const MONITORS: &[Row] = &[
    Row { name: "null-pointer", help: "access through a null pointer", default: true, make: null::make },
    Row {
        name: "use-after-free",
        help: "access to a freed block or to a variable of a function that has returned",
        default: true,
        make: lifetime::make,
    },
    Row {
        name: "out-of-bounds",
        help: "access outside of any object or of its own",
        default: true,
        make: bounds::make,
    },
    Row { name: "read-only-write", help: "write to a constant", default: true, make: readonly::make },
    Row { name: "double-free", help: "free of a freed block", default: true, make: double_free::make },
    Row { name: "invalid-free", help: "free of what malloc did not give", default: true, make: invalid_free::make },
    Row {
        name: "division-by-zero",
        help: "division or remainder by zero",
        default: true,
        make: division::make_division_by_zero,
    },
    Row {
        name: "division-overflow",
        help: "the smallest number divided by -1, reported as signed-overflow",
        default: true,
        make: division::make_division_overflow,
    },
    Row { name: "overshift", help: "shift by the width or more", default: true, make: overshift::make },
    Row {
        name: "invalid-call",
        help: "call of no function or with arguments that do not fit",
        default: true,
        make: calls::make,
    },
    Row {
        name: "signed-overflow",
        help: "signed addition, subtraction or multiplication that overflows",
        default: false,
        make: signed_overflow::make,
    },
    Row { name: "leak", help: "heap blocks that nothing points to at exit", default: false, make: leak::make },
    Row {
        name: "uninitialised",
        help: "branches and addresses that depend on memory nobody wrote",
        default: false,
        make: uninitialised::make,
    },
];

/// The name under which `--check` turns on every row.
const ALL: &str = "all";

/// A name that no monitor has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCheck {
    pub name: String,
}

impl fmt::Display for UnknownCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = MONITORS.iter().map(|row| row.name).collect();
        write!(f, "there is no check `{}`; there are {}, {ALL}", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownCheck {}

/// The monitors that are on by default and those named, in the table's order.
pub fn monitors(checks: &[String]) -> Result<Vec<Box<dyn Monitor>>, UnknownCheck> {
    if let Some(unknown) = checks.iter().find(|check| *check != ALL && !MONITORS.iter().any(|row| row.name == **check))
    {
        return Err(UnknownCheck { name: unknown.clone() });
    }
    let named = |row: &Row| checks.iter().any(|check| check == ALL || check == row.name);
    Ok(MONITORS.iter().filter(|row| row.default || named(row)).map(|row| (row.make)()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(checks: &[&str]) -> Vec<&'static str> {
        let checks: Vec<String> = checks.iter().map(|check| (*check).to_string()).collect();
        monitors(&checks).expect("the checks are known").iter().map(|monitor| monitor.name()).collect()
    }

    #[test]
    fn a_monitor_is_called_what_its_row_says() {
        assert_eq!(names(&["all"]), MONITORS.iter().map(|row| row.name).collect::<Vec<_>>());
    }

    #[test]
    fn named_checks_come_on_top_of_the_defaults() {
        let default = names(&[]);
        assert!(!default.contains(&"leak"));
        assert_eq!(names(&["leak", "leak", "overshift"]).len(), default.len() + 1);
        assert!(names(&["leak"]).contains(&"leak"));
    }

    #[test]
    fn an_unknown_check_is_told_with_the_known_ones() {
        let error = monitors(&["leaks".to_string()]).err().expect("leaks is no check");
        assert!(error.to_string().starts_with("there is no check `leaks`; there are null-pointer, "), "{error}");
        assert!(error.to_string().ends_with(", uninitialised, all"), "{error}");
    }
}
