//! What the names of a script stand for: declared and defined ones with their scopes, and those that `let` binds.

use rustc_hash::FxHashMap;

use super::sexpr::{Name, Node};
use super::value::{Sort, Value};

/// `define-fun` with parameters: its body is read again at each use.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub parameters: Vec<(Name, Sort)>,
    pub result: Sort,
    pub body: Node,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Global {
    Value(Value),
    /// A number in the list of macros.
    Macro(usize),
    Sort(Sort),
}

pub(super) struct Names {
    globals: FxHashMap<Name, Global>,
    /// The names of each level that `push` opened, and of the level below all.
    levels: Vec<Vec<Name>>,
    pub macros: Vec<Macro>,
    /// Declarations outlive `pop` (the option `:global-declarations`).
    pub declarations_stay: bool,
    /// The bindings of a name, innermost last, each with the macro call that it belongs to.
    locals: FxHashMap<Name, Vec<(u64, Value)>>,
    /// The macro call that is being read; zero outside of all.
    pub call: u64,
}

impl Names {
    pub(super) fn new() -> Self {
        Names {
            globals: FxHashMap::default(),
            levels: vec![vec![]],
            macros: vec![],
            declarations_stay: false,
            locals: FxHashMap::default(),
            call: 0,
        }
    }

    pub(super) fn global(&self, name: Name) -> Option<Global> {
        self.globals.get(&name).copied()
    }

    /// Whether the name was free.
    pub(super) fn define(&mut self, name: Name, global: Global) -> bool {
        if self.globals.contains_key(&name) {
            return false;
        }
        self.globals.insert(name, global);
        let level = if self.declarations_stay { 0 } else { self.levels.len() - 1 };
        self.levels[level].push(name);
        true
    }

    pub(super) fn push(&mut self) {
        self.levels.push(vec![]);
    }

    /// Whether there was a level to close.
    pub(super) fn pop(&mut self) -> bool {
        if self.levels.len() == 1 {
            return false;
        }
        for name in self.levels.pop().unwrap_or_default() {
            self.globals.remove(&name);
        }
        true
    }

    /// Whether nothing is declared or defined.
    pub(super) fn is_empty(&self) -> bool {
        self.globals.is_empty()
    }

    pub(super) fn forget_globals(&mut self) {
        self.globals.clear();
        self.levels = vec![vec![]];
    }

    /// What a name is bound to here. A macro's body does not see the bindings around its use.
    pub(super) fn local(&self, name: Name) -> Option<Value> {
        match self.locals.get(&name)?.last() {
            Some(&(call, value)) if call == self.call => Some(value),
            Some(_) | None => None,
        }
    }

    pub(super) fn bind(&mut self, name: Name, value: Value) {
        self.locals.entry(name).or_default().push((self.call, value));
    }

    pub(super) fn unbind(&mut self, name: Name) {
        if let Some(bindings) = self.locals.get_mut(&name) {
            bindings.pop();
        }
    }

    /// After an error in the middle of a term.
    pub(super) fn forget_locals(&mut self) {
        self.locals.clear();
        self.call = 0;
    }
}
