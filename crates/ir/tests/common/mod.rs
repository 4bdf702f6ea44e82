//! Random modules that the verifier accepts, made from a tape of choices so that proptest can shrink them.

pub mod ops;

use osier_base::{EntityVec, Id};
use osier_ir::*;

/// A list of numbers that decides everything; zeros when it is used up.
pub struct Tape {
    words: Vec<u64>,
    at: usize,
}

impl Tape {
    pub fn new(words: Vec<u64>) -> Self {
        Tape { words, at: 0 }
    }

    pub fn word(&mut self) -> u64 {
        self.at += 1;
        self.words.get(self.at - 1).copied().unwrap_or(0)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

pub const WIDTHS: &[u8] = &[64, 32, 1, 8, 16, 80, 128, 7];
const TEXTS: &[&str] =
    &["a", "main", "", "x.y$z", "odd name", "\"quoted\\\"", "zeile\n", "größe", "a.c", "loc1", "a:b"];

pub struct Maker {
    pub tape: Tape,
    pub module: Module,
}

impl Maker {
    pub fn location(&mut self) -> LocId {
        LocId::new(self.tape.below(self.module.locations.len()))
    }

    pub fn constant(&mut self, constant: Constant) -> ConstId {
        let found = self.module.constants.iter().find(|(_, c)| **c == constant).map(|(id, _)| id);
        found.unwrap_or_else(|| self.module.constants.push(constant))
    }

    pub fn constant_of_width(&mut self, width: u8) -> ConstId {
        let mask = u128::MAX >> (128 - u32::from(width));
        let high = u128::from(self.tape.word()) << 64;
        let value = match self.tape.below(3) {
            0 => u128::from(self.tape.word() % 10),
            1 => u128::from(self.tape.word() % 10).wrapping_neg(),
            _ => high | u128::from(self.tape.word()),
        };
        let choices = if width == 64 { 7 } else { 4 };
        let offset = if self.tape.coin() { 0 } else { self.tape.word() as i64 };
        let function = FuncId::new(self.tape.below(self.module.functions.len()));
        let constant = match self.tape.below(choices) {
            0 | 1 => Constant::Int { width, value: value & mask },
            2 => Constant::Undef { width },
            3 => Constant::Poison { width },
            4 if !self.module.globals.is_empty() => {
                Constant::Global { global: GlobalId::new(self.tape.below(self.module.globals.len())), offset }
            }
            // Every body has a first block; those that come last in the list are still to be made.
            5 if self.module.functions[function].body.is_some() => Constant::Block { function, block: ENTRY },
            _ => Constant::Function(function),
        };
        self.constant(if constant.width() == width { constant } else { Constant::Undef { width } })
    }

    fn arg_kind(&mut self) -> ArgKind {
        match self.tape.below(6) {
            0 => ArgKind::Float,
            1 => ArgKind::Extended,
            2 => ArgKind::ByVal { size: self.tape.word() as u32, align: 8 },
            3 => ArgKind::StructReturn,
            _ => ArgKind::Integer,
        }
    }

    fn signature(&mut self) -> Function {
        let params = (0..self.tape.below(4))
            .map(|index| Param { reg: Reg::new(index), width: self.tape.pick(WIDTHS), kind: self.arg_kind() })
            .collect();
        let returns = (0..self.tape.below(4)).map(|_| self.tape.pick(WIDTHS)).collect();
        let name = self.tape.pick(TEXTS).to_owned();
        let (variadic, location) = (self.tape.coin(), self.location());
        Function { name, params, returns, variadic, location, body: None }
    }

    fn global(&mut self) -> Global {
        let bytes: Vec<u8> = (0..self.tape.below(40)).map(|_| self.tape.word() as u8).collect();
        let size = bytes.len() as u64;
        let init = match self.tape.below(4) {
            0 => GlobalInit::External,
            1 => GlobalInit::Zero,
            2 => GlobalInit::Unsupported(TextId::new(self.tape.below(self.module.texts.len()))),
            _ => {
                let count = if size < 8 { 0 } else { self.tape.below(3) };
                let relocations = (0..count).map(|_| self.relocation(size - 7)).collect();
                GlobalInit::Data { bytes, relocations }
            }
        };
        let name = self.tape.pick(TEXTS).to_owned();
        Global {
            name,
            size,
            align: 1 << self.tape.below(5),
            constant: self.tape.coin(),
            init,
            location: self.location(),
        }
    }

    fn relocation(&mut self, bound: u64) -> Relocation {
        let function = FuncId::new(self.tape.below(self.module.functions.len()));
        let symbol = match self.tape.below(3) {
            0 if !self.module.globals.is_empty() => SymbolRef::Global(GlobalId(0)),
            1 if self.module.functions[function].body.is_some() => SymbolRef::Block(function, ENTRY),
            _ => SymbolRef::Function(function),
        };
        Relocation { offset: self.tape.word() % bound, symbol, addend: self.tape.word() as i64 % 100 }
    }
}

/// A module of a few functions with every kind of table filled.
pub fn module(words: Vec<u64>) -> Module {
    let mut maker = Maker { tape: Tape::new(words), module: Module::default() };
    let tape = &mut maker.tape;
    let mut files = vec![String::new()];
    files.extend((0..tape.below(4)).map(|_| tape.pick(TEXTS).to_owned()));
    let mut locations = EntityVec::from(vec![Location::default()]);
    for _ in 0..tape.below(6) {
        let file = tape.below(files.len()) as u32;
        locations.push(Location { file, line: tape.below(3) as u32, column: tape.below(3) as u32 });
    }
    maker.module.files = files;
    maker.module.texts = (0..=maker.tape.below(3)).map(|_| maker.tape.pick(TEXTS).to_owned()).collect();
    maker.module.locations = locations;
    for _ in 0..=maker.tape.below(3) {
        let site = Site { name: maker.tape.pick(TEXTS).to_owned(), location: maker.location() };
        maker.module.sites.push(site);
    }
    for _ in 0..=maker.tape.below(3) {
        let function = maker.signature();
        maker.module.functions.push(function);
    }
    for _ in 0..maker.tape.below(4) {
        let global = maker.global();
        maker.module.globals.push(global);
    }
    for id in maker.module.functions.ids() {
        if maker.tape.below(4) != 0 {
            let body = ops::body(&mut maker, id);
            maker.module.functions[id].body = Some(body);
        }
    }
    for _ in 0..maker.tape.below(3) {
        let width = maker.tape.pick(WIDTHS);
        maker.constant_of_width(width);
        let function = FuncId::new(maker.tape.below(maker.module.functions.len()));
        maker.module.constructors.push(function);
        maker.module.destructors.insert(0, function);
    }
    maker.module
}
