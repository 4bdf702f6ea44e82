//! A whole program: functions, globals, constants, and where they come from in the source.

use crate::{BlockId, ConstId, FuncId, Function, GlobalId, LocId, SiteId, TextId};
use osier_base::EntityVec;
use serde::{Deserialize, Serialize};

/// A linked program. `locations[0]` is the unknown place; `files[0]` is its empty name.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Module {
    pub functions: EntityVec<FuncId, Function>,
    pub globals: EntityVec<GlobalId, Global>,
    /// Interned: no two are equal.
    pub constants: EntityVec<ConstId, Constant>,
    pub files: Vec<String>,
    pub locations: EntityVec<LocId, Location>,
    pub sites: EntityVec<SiteId, Site>,
    pub texts: EntityVec<TextId, String>,
    /// Run before the entry, in this order.
    pub constructors: Vec<FuncId>,
    /// Run after the entry returns or at `exit`, in this order.
    pub destructors: Vec<FuncId>,
}

/// A place in the source. Line 0 means that it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Location {
    /// Index into [`Module::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// The source's name for an alloca, and where it is declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    pub name: String,
    pub location: LocId,
}

/// A constant operand. Addresses stay symbolic here: who executes the module decides where things live.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Constant {
    /// An integer, or the bits of a float, of `width` bits (1 to 128); `value` has no bit above the width.
    Int { width: u8, value: u128 },
    /// The address of a global plus an offset in bytes.
    Global { global: GlobalId, offset: i64 },
    /// The address of a function.
    Function(FuncId),
    /// The address of a block, for indirect jumps.
    Block { function: FuncId, block: BlockId },
    /// Any value; may differ from use to use.
    Undef { width: u8 },
    /// The result of an operation that had none.
    Poison { width: u8 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Global {
    pub name: String,
    pub size: u64,
    pub align: u32,
    pub constant: bool,
    pub init: GlobalInit,
    pub location: LocId,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GlobalInit {
    /// Declared here, defined nowhere in the program.
    External,
    /// All zero.
    Zero,
    /// `bytes` has the global's size. Each relocation overwrites 8 bytes of it with an address.
    Data { bytes: Vec<u8>, relocations: Vec<Relocation> },
    /// The initialiser holds a construct that does not lower; its words.
    Unsupported(TextId),
}

/// The 8 bytes at `offset` are the address of `symbol` plus `addend`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relocation {
    pub offset: u64,
    pub symbol: SymbolRef,
    pub addend: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SymbolRef {
    Global(GlobalId),
    Function(FuncId),
    Block(FuncId, BlockId),
}

impl Module {
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id)
    }

    /// The name of the file that a location lies in; empty if unknown.
    pub fn file_of(&self, location: LocId) -> &str {
        self.files.get(self.locations[location].file as usize).map_or("", String::as_str)
    }
}
