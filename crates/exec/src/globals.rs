//! The program's globals as objects of the first state's memory.

use crate::Program;
use osier_ir::{GlobalId, GlobalInit, SymbolRef};
use osier_memory::{Allocation, Contents, Memory, Origin};
use osier_term::Pool;

pub(crate) fn allocate_globals(program: &Program, pool: &mut Pool, memory: &mut Memory) -> Vec<u64> {
    let place = |(id, global): (GlobalId, &osier_ir::Global)| {
        let contents = match &global.init {
            GlobalInit::External | GlobalInit::Zero | GlobalInit::Unsupported(_) => {
                Contents::zeroed(global.size as usize)
            }
            GlobalInit::Data { bytes, .. } => Contents::of(bytes.clone()),
        };
        let allocation = Allocation {
            size: global.size,
            align: u64::from(global.align),
            origin: Origin::Global(id),
            read_only: global.constant,
            allocated_at: global.location,
            contents,
            // A limit keeps accesses off the fast path, where nobody would see that there is no definition.
            limit: unusable(&global.init).then(|| pool.constant(64, u128::from(global.size))),
        };
        let (_, base) = memory.allocate(allocation).expect("the address space holds a program's globals");
        base
    };
    program.module.globals.iter().map(place).collect()
}

/// Whether a global's contents are not known to us.
fn unusable(init: &GlobalInit) -> bool {
    match init {
        GlobalInit::External | GlobalInit::Unsupported(_) => true,
        GlobalInit::Zero | GlobalInit::Data { .. } => false,
    }
}

pub(crate) fn fill_globals(program: &mut Program, memory: &mut Memory) {
    let mut words = Vec::new();
    for (id, global) in program.module.globals.iter() {
        if let GlobalInit::Data { relocations, .. } = &global.init {
            words.extend(relocations.iter().map(|relocation| (id, *relocation)));
        }
    }
    for (id, relocation) in words {
        let symbol = match relocation.symbol {
            SymbolRef::Global(global) => program.global_address(global),
            SymbolRef::Function(function) => program.function_address(function),
            SymbolRef::Block(function, block) => program.block_address(function, block),
        };
        let base = program.global_address(id);
        let object = memory.find(base).expect("a global is allocated").id;
        let bits = symbol.wrapping_add_signed(relocation.addend);
        memory.object_mut(object).contents.write_concrete(relocation.offset as usize, 8, bits);
    }
}
