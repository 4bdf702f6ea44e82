//! What must hold for a module to be executed without further checks. The front end's output is verified in tests and
//! on request; hand-written text always.
//!
//! Three passes over each body, and a pass runs only if those before it found nothing: that every id, range and table
//! is sound (`structure`), that widths agree (`widths`), that what is read was written (`assigned`). Arguments are not
//! compared with the callee's parameters: C lets them differ, and what happens then is decided when it happens.

mod assigned;
mod structure;
mod widths;

use crate::{BlockId, Constant, FuncId, Function, GlobalInit, LocId, Location, Module, SymbolRef};
use rustc_hash::FxHashMap;
use std::fmt;

/// Something that is wrong with a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    /// The function's id and name, if it lies in one.
    pub function: Option<(FuncId, String)>,
    /// The index of the operation, if it lies in one.
    pub op: Option<u32>,
    pub message: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((id, name)) = &self.function {
            write!(f, "{id} ({name}): ")?;
        }
        if let Some(op) = self.op {
            write!(f, "operation {op}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for VerifyError {}

/// Checks a whole module; all that is wrong with it, or nothing.
pub fn verify(module: &Module) -> Result<(), Vec<VerifyError>> {
    let mut found = Vec::new();
    module_tables(module, &mut Findings { function: None, found: &mut found });
    globals(module, &mut Findings { function: None, found: &mut found });
    // Bodies name constants and places of the module: without sound tables there is nothing to check them against.
    if found.is_empty() {
        for (id, function) in module.functions.iter() {
            verify_function(module, id, function, &mut found);
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Collects what one function, or the module, has wrong.
struct Findings<'a> {
    function: Option<(FuncId, &'a str)>,
    found: &'a mut Vec<VerifyError>,
}

impl Findings<'_> {
    fn add(&mut self, op: Option<usize>, message: impl fmt::Display) {
        let function = self.function.map(|(id, name)| (id, name.to_owned()));
        self.found.push(VerifyError { function, op: op.map(|op| op as u32), message: message.to_string() });
    }

    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.add(None, message());
        }
    }
}

fn verify_function(module: &Module, id: FuncId, function: &Function, found: &mut Vec<VerifyError>) {
    let before = found.len();
    let mut findings = Findings { function: Some((id, &function.name)), found };
    let widths = function.params.iter().map(|p| p.width).chain(function.returns.iter().copied());
    for width in widths {
        findings.require(is_width(width), || format!("a parameter or result has the width {width}"));
    }
    findings.require(module.locations.get(function.location).is_some(), || format!("no such {}", function.location));
    let Some(body) = &function.body else { return };
    let passes = [structure::check, widths::check, assigned::check];
    for pass in passes {
        pass(module, function, body, &mut findings);
        if findings.found.len() > before {
            return;
        }
    }
}

fn is_width(width: u8) -> bool {
    (1..=128).contains(&width)
}

fn has_block(module: &Module, function: FuncId, block: BlockId) -> bool {
    let body = module.functions.get(function).and_then(|f| f.body.as_ref());
    body.is_some_and(|body| body.blocks.get(block).is_some())
}

fn module_tables(module: &Module, findings: &mut Findings<'_>) {
    findings.require(module.files.first().is_some_and(String::is_empty), || "the first file must be nameless".into());
    findings.require(module.locations.get(LocId(0)) == Some(&Location::default()), || {
        "loc0 must be the unknown place".into()
    });
    for (id, location) in module.locations.iter() {
        findings.require((location.file as usize) < module.files.len(), || format!("{id} names a file that is not"));
    }
    for (id, site) in module.sites.iter() {
        findings.require(module.locations.get(site.location).is_some(), || format!("{id} names no location"));
    }
    for &function in module.constructors.iter().chain(&module.destructors) {
        findings.require(module.functions.get(function).is_some(), || format!("no {function} to construct or destroy"));
    }
    let mut first_use = FxHashMap::default();
    for (id, constant) in module.constants.iter() {
        if let Some(first) = first_use.insert(*constant, id) {
            findings.add(None, format_args!("{id} equals {first}: constants must be interned"));
        }
        let sound = match *constant {
            Constant::Int { width, value } => is_width(width) && (width == 128 || value >> width == 0),
            Constant::Undef { width } | Constant::Poison { width } => is_width(width),
            Constant::Global { global, offset: _ } => module.globals.get(global).is_some(),
            Constant::Function(function) => module.functions.get(function).is_some(),
            Constant::Block { function, block } => has_block(module, function, block),
        };
        findings.require(sound, || format!("{id} is {constant:?}, which cannot be"));
    }
}

fn globals(module: &Module, findings: &mut Findings<'_>) {
    for (id, global) in module.globals.iter() {
        let name = &global.name;
        findings.require(module.locations.get(global.location).is_some(), || format!("{id} ({name}): no location"));
        findings.require(global.align.is_power_of_two(), || format!("{id} ({name}): alignment {}", global.align));
        match &global.init {
            GlobalInit::External | GlobalInit::Zero => {}
            GlobalInit::Unsupported(text) => {
                findings.require(module.texts.get(*text).is_some(), || format!("{id} ({name}): no {text}"));
            }
            GlobalInit::Data { bytes, relocations } => {
                let (have, size) = (bytes.len() as u64, global.size);
                findings.require(have == size, || format!("{id} ({name}): {have} bytes of data for {size}"));
                for relocation in relocations {
                    let fits = relocation.offset.checked_add(8).is_some_and(|end| end <= size);
                    let known = match relocation.symbol {
                        SymbolRef::Global(global) => module.globals.get(global).is_some(),
                        SymbolRef::Function(function) => module.functions.get(function).is_some(),
                        SymbolRef::Block(function, block) => has_block(module, function, block),
                    };
                    findings.require(fits && known, || format!("{id} ({name}): cannot apply {relocation:?}"));
                }
            }
        }
    }
}

impl Constant {
    pub fn width(&self) -> u8 {
        match *self {
            Constant::Int { width, value: _ } | Constant::Undef { width } | Constant::Poison { width } => width,
            Constant::Global { .. } | Constant::Function(_) | Constant::Block { .. } => 64,
        }
    }
}
