//! The commands of scripts, as callers get them.

use osier_term::Term;

use super::arrays::SymbolicArray;
use super::value::Sort;
use crate::position::{ParseError, Position};

/// A script, command by command. What is wrong stands in its place among them.
#[derive(Debug)]
pub struct Script {
    pub commands: Vec<Result<(Position, Command), ParseError>>,
    /// The arrays that the script declares; `Value::Array` values of models are made of these.
    pub arrays: Vec<SymbolicArray>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    SetLogic(String),
    /// The name with its colon, and the value as text.
    SetOption(String, String),
    SetInfo(String, String),
    /// A symbol that models have to give a value.
    Declare {
        name: String,
        sort: Sort,
        value: DeclaredValue,
    },
    /// `define-fun` and `define-sort`: what they define was put in the places where it is used.
    Define(String),
    Assert {
        condition: Term,
        name: Option<String>,
    },
    Push(u32),
    Pop(u32),
    CheckSat {
        /// The assumptions of `check-sat-assuming`, each with its text.
        assuming: Vec<(String, Term)>,
        /// Whether all that is asserted here could be read. If not, no answer can be trusted.
        complete: bool,
    },
    GetModel,
    /// Terms with their text.
    GetValue(Vec<(String, DeclaredValue)>),
    GetUnsatCore,
    GetUnsatAssumptions,
    GetAssertions,
    GetAssignment,
    GetInfo(String),
    GetOption(String),
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
}

/// What the value of a symbol or term is found from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclaredValue {
    Bool(Term),
    BitVec(Term),
    /// A place in the script's list of arrays.
    Array(usize),
}
