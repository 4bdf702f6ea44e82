//! The modules of a program side by side, and which definition each name means.
//!
//! The modules are not merged: a function's body is read when lowering comes to it, and names are resolved here as the
//! linker resolved them for the binary. What one link brought together is a unit: the files that were given, a shared
//! object, the libc. Inside a unit a strong definition wins over a common one and that over a weak one; between units the
//! first wins, since a linker takes nothing from a later library that an earlier file has.

use crate::LoadError;
use crate::llvm::{LlvmModule, Rank, Value, ValueKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::path::PathBuf;

/// Run before the constructors of a program that has parts of the libc in it.
pub const LIBC_INIT: &str = "__osier_libc_init";

/// Where headers of glibc and of musl mean different functions by one name, the libc has glibc's with this before it.
const GLIBC_PREFIX: &str = "__glibc_";

pub struct Member<'c> {
    pub path: PathBuf,
    pub llvm: LlvmModule<'c>,
    /// Its code is as the source has it, whatever its functions say.
    pub unoptimised: bool,
}

/// What one link brought together.
pub struct Unit<'c> {
    pub members: Vec<Member<'c>>,
    /// The names that other units may use. Nothing: all that are not hidden.
    pub exported: Option<FxHashSet<String>>,
    /// A name that is defined twice is a mistake: no linker has seen these files together.
    pub strict: bool,
}

pub struct Program<'c> {
    /// The program's own, then shared objects in the order in which they are searched.
    units: Vec<Unit<'c>>,
    libc: Option<LlvmModule<'c>>,
    /// Of every module, by its key.
    homes: FxHashMap<usize, Home>,
    /// The names that each unit has for itself.
    own: Vec<FxHashMap<String, Value>>,
    shared: FxHashMap<String, Value>,
    library: FxHashMap<String, Value>,
    resolved: RefCell<FxHashMap<Value, Value>>,
}

#[derive(Clone, Copy)]
struct Home {
    /// The libc has none.
    unit: Option<usize>,
    musl: bool,
    unoptimised: bool,
}

impl<'c> Program<'c> {
    pub fn new(units: Vec<Unit<'c>>, libc: Option<LlvmModule<'c>>) -> Result<Self, LoadError> {
        let mut program = Program {
            units,
            libc,
            homes: FxHashMap::default(),
            own: Vec::new(),
            shared: FxHashMap::default(),
            library: FxHashMap::default(),
            resolved: RefCell::default(),
        };
        for (index, unit) in program.units.iter().enumerate() {
            let mut own: FxHashMap<String, (Value, Rank)> = FxHashMap::default();
            for member in &unit.members {
                let home = Home { unit: Some(index), musl: member.llvm.is_musl(), unoptimised: member.unoptimised };
                program.homes.insert(member.llvm.key(), home);
                define(&mut own, member, unit.strict)?;
            }
            let mut kept = FxHashMap::default();
            for (name, (value, _)) in own {
                let exported = unit.exported.as_ref().is_none_or(|names| names.contains(&name)) && !value.is_hidden();
                if exported || index == 0 && program.units.len() == 1 {
                    program.shared.entry(name).or_insert(value);
                } else {
                    kept.insert(name, value);
                }
            }
            program.own.push(kept);
        }
        if let Some(llvm) = &program.libc {
            program.homes.insert(llvm.key(), Home { unit: None, musl: true, unoptimised: false });
            let definitions = globals(llvm).filter(|value| value.rank().is_some_and(|rank| rank > Rank::Declaration));
            program.library = definitions.map(|value| (value.name(), value)).collect();
        }
        Ok(program)
    }

    /// The module whose layout and target all share.
    pub fn first(&self) -> &LlvmModule<'c> {
        &self.units[0].members[0].llvm
    }

    /// The program's modules with their paths, without the libc.
    pub fn members(&self) -> impl Iterator<Item = &Member<'c>> {
        self.units.iter().flat_map(|unit| &unit.members)
    }

    /// The units in the order in which their constructors run: what is needed before what needs it.
    pub fn units_as_started(&self) -> impl Iterator<Item = &Unit<'c>> {
        self.units.iter().rev()
    }

    /// What a global stands for: the definition that its name means where it stands, or itself.
    pub fn resolve(&self, value: Value) -> Value {
        if let Some(&found) = self.resolved.borrow().get(&value) {
            return found;
        }
        let found = if value.rank().is_some() { self.look_up(value).unwrap_or(value) } else { value };
        self.resolved.borrow_mut().insert(value, found);
        found
    }

    fn look_up(&self, value: Value) -> Option<Value> {
        let name = value.name();
        let home = self.homes.get(&value.home())?;
        let own = home.unit.and_then(|unit| self.own[unit].get(&name));
        if let Some(&found) = own.or_else(|| self.shared.get(&name)) {
            return Some(found);
        }
        let glibc = (!home.musl).then(|| self.library.get(&format!("{GLIBC_PREFIX}{name}"))).flatten();
        glibc.or_else(|| self.library.get(&name)).copied()
    }

    /// The function that the program, or the libc, means by a name.
    pub fn function(&self, name: &str) -> Option<Value> {
        let own = self.own.first().and_then(|own| own.get(name));
        let found = own.or_else(|| self.shared.get(name)).or_else(|| self.library.get(name))?;
        Some(*found).filter(|value| value.kind() == ValueKind::Function)
    }

    /// The libc's beginning, if the program names anything that only the libc has.
    pub fn libc_start(&self) -> Option<Value> {
        let start = *self.library.get(LIBC_INIT)?;
        let declared = |member: &Member<'c>| {
            globals(&member.llvm)
                .any(|value| value.rank() == Some(Rank::Declaration) && self.resolve(value).home() == start.home())
        };
        self.members().any(declared).then_some(start)
    }

    /// Reads the body of a function that has one, and makes it ready for lowering.
    pub fn prepare(&self, function: Value) -> Result<(), LoadError> {
        self.read(function)?;
        // In a damaged file a body may turn out to be empty, also when that of another function is read.
        if function.is_declaration() {
            return Err(self.unreadable(function, format!("the body of `{}` is missing", function.name())));
        }
        function.decide_constant_intrinsics();
        if self.homes.get(&function.home()).is_some_and(|home| home.unoptimised) {
            function.mark_unoptimised();
        }
        Ok(())
    }

    fn read(&self, function: Value) -> Result<(), LoadError> {
        function.read_body().map_err(|message| self.unreadable(function, message))
    }

    fn unreadable(&self, function: Value, message: String) -> LoadError {
        let member = self.members().find(|member| member.llvm.key() == function.home());
        LoadError::Parse { path: member.map_or_else(PathBuf::new, |member| member.path.clone()), message }
    }

    /// Reads every body of the program's that running it from the entry can come to; all of them if the entry is empty.
    /// The libc may come to what it knows by name.
    pub fn read_reachable(&self, entry: &str) -> Result<(), LoadError> {
        let mut waiting: Vec<Value> = Vec::new();
        for member in self.members() {
            if entry.is_empty() {
                waiting.extend(globals(&member.llvm));
            }
            waiting
                .extend(["llvm.global_ctors", "llvm.global_dtors"].iter().filter_map(|name| member.llvm.global(name)));
        }
        waiting.extend(self.function(entry));
        waiting.extend(self.libc.iter().flat_map(globals).map(|named| self.resolve(named)));
        let mut seen: FxHashSet<Value> = waiting.iter().copied().collect();
        while let Some(value) = waiting.pop() {
            if self.homes.get(&value.home()).is_none_or(|home| home.unit.is_none()) {
                continue;
            }
            if value.kind() == ValueKind::Function {
                self.read(value)?;
            }
            let named = value.references().into_iter().map(|named| self.resolve(named));
            waiting.extend(named.filter(|&named| seen.insert(named)));
        }
        Ok(())
    }
}

fn globals(llvm: &LlvmModule<'_>) -> impl Iterator<Item = Value> {
    llvm.functions().into_iter().chain(llvm.variables())
}

/// Adds a module's definitions to its unit's, where they win over those before.
fn define(own: &mut FxHashMap<String, (Value, Rank)>, member: &Member<'_>, strict: bool) -> Result<(), LoadError> {
    for value in globals(&member.llvm) {
        let Some(rank) = value.rank().filter(|&rank| rank > Rank::Declaration) else { continue };
        let name = value.name();
        match own.get(&name) {
            Some(&(_, Rank::Strong)) if rank == Rank::Strong && strict => {
                let message = format!("symbol multiply defined: `{name}`");
                return Err(LoadError::Link { path: member.path.clone(), message });
            }
            // The largest of several common ones has room for all.
            Some(&(other, Rank::Common)) if rank == Rank::Common => {
                let layout = member.llvm.layout();
                if layout.size(other.value_type()) < layout.size(value.value_type()) {
                    own.insert(name, (value, rank));
                }
            }
            Some(&(_, before)) if before >= rank => {}
            Some(_) | None => {
                own.insert(name, (value, rank));
            }
        }
    }
    Ok(())
}
