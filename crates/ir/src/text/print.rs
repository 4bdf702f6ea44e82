//! A module as text.

use super::lex::{is_name_part, is_name_start, quote};
use crate::{
    ArgKind, Body, ConstId, Constant, FuncId, Function, Global, GlobalId, GlobalInit, LocId, Module, Param, SiteId,
    SymbolRef, TextId,
};
use osier_base::{EntityVec, Id};
use rustc_hash::FxHashMap;
use std::fmt::{self, Display, Write};
use std::hash::Hash;

impl Display for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new(self);
        for global in self.globals.ids() {
            printer.global(f, global)?;
        }
        for (word, list) in [("constructors", &self.constructors), ("destructors", &self.destructors)] {
            if !list.is_empty() {
                writeln!(f, "{word} {}", Separated(list.iter().map(|&id| &printer.functions[id])))?;
            }
        }
        for function in self.functions.ids() {
            printer.function(f, function)?;
        }
        printer.tables(f)
    }
}

/// Prints parts of a module: knows what its functions, globals, constants and places are called. Something that has
/// the same text as an earlier entry of its table is called by number instead, for the parser takes the first.
pub struct Printer<'a> {
    pub(super) module: &'a Module,
    pub(super) functions: EntityVec<FuncId, String>,
    pub(super) globals: EntityVec<GlobalId, String>,
    pub(super) constants: EntityVec<ConstId, String>,
    pub(super) locations: EntityVec<LocId, String>,
    pub(super) sites: EntityVec<SiteId, String>,
    pub(super) texts: EntityVec<TextId, String>,
}

impl<'a> Printer<'a> {
    pub fn new(module: &'a Module) -> Self {
        let mut files = FxHashMap::default();
        let first_files: Vec<bool> =
            module.files.iter().enumerate().map(|(i, name)| *files.entry(name).or_insert(i) == i).collect();
        let mut printer = Printer {
            module,
            functions: called(&module.functions, |f| &f.name, |_, f| symbol('&', &f.name), |id| format!("&#{}", id.0)),
            globals: called(&module.globals, |g| &g.name, |_, g| symbol('@', &g.name), |id| format!("@#{}", id.0)),
            constants: EntityVec::new(),
            locations: called(
                &module.locations,
                |l| l,
                |id, l| match first_files.get(l.file as usize) {
                    _ if id == LocId(0) => "?".into(),
                    Some(true) => format!("{}:{}:{}", file_name(&module.files[l.file as usize]), l.line, l.column),
                    Some(false) | None => id.to_string(),
                },
                |id| id.to_string(),
            ),
            sites: called(
                &module.sites,
                |s| &s.name,
                |_, s| quote(s.name.as_bytes()),
                |id| format!("{id}:{}", quote(module.sites[id].name.as_bytes())),
            ),
            texts: called(&module.texts, |t| t, |_, t| quote(t.as_bytes()), |id| id.to_string()),
        };
        printer.constants = called(&module.constants, |c| c, |_, c| printer.constant(c), |id| id.to_string());
        printer
    }

    fn constant(&self, constant: &Constant) -> String {
        match *constant {
            Constant::Int { width, value } => format!("{}:i{width}", readable(width, value)),
            Constant::Global { global, offset } => self.address(SymbolRef::Global(global), offset),
            Constant::Function(function) => self.address(SymbolRef::Function(function), 0),
            Constant::Block { function, block } => self.address(SymbolRef::Block(function, block), 0),
            Constant::Undef { width } => format!("undef:i{width}"),
            Constant::Poison { width } => format!("poison:i{width}"),
        }
    }

    fn address(&self, symbol: SymbolRef, addend: i64) -> String {
        let function = |id: FuncId| self.functions.get(id).cloned().unwrap_or_else(|| format!("&#{}", id.0));
        let mut text = match symbol {
            SymbolRef::Global(id) => self.globals.get(id).cloned().unwrap_or_else(|| format!("@#{}", id.0)),
            SymbolRef::Function(id) => function(id),
            SymbolRef::Block(id, block) => format!("{}/{block}", function(id)),
        };
        if addend != 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "{addend:+}");
        }
        text
    }

    fn global(&self, f: &mut dyn Write, id: GlobalId) -> fmt::Result {
        let Global { name: _, size, align, constant, init, location } = &self.module.globals[id];
        // A definition always says its name, taken or not.
        write!(f, "global {} size {size} align {align}", symbol('@', &self.module.globals[id].name))?;
        if *constant {
            f.write_str(" constant")?;
        }
        match init {
            GlobalInit::External => f.write_str(" external")?,
            GlobalInit::Zero => f.write_str(" zero")?,
            GlobalInit::Unsupported(text) => write!(f, " unsupported {}", Or(self.texts.get(*text), text))?,
            GlobalInit::Data { bytes, relocations } => {
                write!(f, " data {}", quote(bytes))?;
                if !relocations.is_empty() {
                    let each =
                        relocations.iter().map(|r| format!("{}: {}", r.offset, self.address(r.symbol, r.addend)));
                    write!(f, " {{{}}}", Separated(each))?;
                }
            }
        }
        self.place(f, *location)?;
        f.write_char('\n')
    }

    /// One function, as it stands in the text of the module.
    pub fn function(&self, f: &mut dyn Write, id: FuncId) -> fmt::Result {
        let Function { name, params, returns, variadic, location, body } = &self.module.functions[id];
        let word = if body.is_some() { "\nfunction" } else { "declare" };
        let each = params.iter().map(|&Param { reg, width, kind }| format!("{}{reg}:i{width}", Kind(kind)));
        write!(f, "{word} {}({})", symbol('&', name), Separated(each))?;
        if !returns.is_empty() {
            write!(f, " -> {}", Separated(returns.iter().map(|width| format!("i{width}"))))?;
        }
        if *variadic {
            f.write_str(" variadic")?;
        }
        if body.is_some() {
            f.write_str(" {")?;
        }
        self.place(f, *location)?;
        f.write_char('\n')?;
        match body {
            Some(body) => self.body(f, body),
            None => Ok(()),
        }
    }

    /// The place of something, if it is known, at the end of its line.
    fn place(&self, f: &mut dyn Write, location: LocId) -> fmt::Result {
        if location == LocId(0) { Ok(()) } else { write!(f, " ; {}", Or(self.locations.get(location), &location)) }
    }

    fn body(&self, f: &mut dyn Write, body: &Body) -> fmt::Result {
        if !body.registers.is_empty() {
            let runs = body.registers.as_slice().chunk_by(|a, b| a == b);
            let each = runs.map(|run| match run.len() {
                1 => format!("i{}", run[0]),
                many => format!("i{}*{many}", run[0]),
            });
            writeln!(f, "  registers {}", Separated(each))?;
        }
        let mut printing = super::print_op::BodyPrinter::new(self, body);
        let mut last_location = LocId(0);
        for (id, block) in body.blocks.iter() {
            let ops = block.start as usize..block.end as usize;
            let sum: i64 = body.op_weights[ops.clone()].iter().copied().map(i64::from).sum();
            match i64::from(block.weight) - sum {
                0 => writeln!(f, "{id}:")?,
                more => writeln!(f, "{id} {more:+}:")?,
            }
            for index in ops {
                f.write_str("  ")?;
                printing.op(f, &body.ops[index])?;
                match body.op_weights[index] {
                    1 => {}
                    weight => write!(f, " *{weight}")?,
                }
                let from = body.vanished.partition_point(|(op, _)| (*op as usize) < index);
                let here = body.vanished[from..].iter().take_while(|(op, _)| *op as usize == index);
                for (i, (_, location)) in here.enumerate() {
                    write!(f, "{}{location}", if i == 0 { " also " } else { " " })?;
                }
                let location = body.op_locations[index];
                if location != last_location {
                    write!(f, " ; {}", Or(self.locations.get(location), &location))?;
                    last_location = location;
                }
                f.write_char('\n')?;
            }
        }
        f.write_str("}\n")
    }

    fn tables(&self, f: &mut dyn Write) -> fmt::Result {
        let module = self.module;
        if module.files.len() > 1 {
            let names = module.files[1..].iter().map(|name| quote(name.as_bytes()));
            table(f, "files", &names.collect::<Vec<_>>(), 1)?;
        }
        if module.locations.len() > 1 {
            let mut file = u32::MAX;
            let each = module.locations.as_slice()[1..].iter().map(|location| {
                let switch = if location.file == file { String::new() } else { format!("file {} ", location.file) };
                file = location.file;
                format!("{switch}{}:{}", location.line, location.column)
            });
            table(f, "locations", &each.collect::<Vec<_>>(), 12)?;
        }
        if !module.sites.is_empty() {
            let place = |location: LocId| Or(self.locations.get(location), &location).to_string();
            let each = module.sites.values().map(|s| format!("{} ; {}", quote(s.name.as_bytes()), place(s.location)));
            table(f, "sites", &each.collect::<Vec<_>>(), 1)?;
        }
        if !module.texts.is_empty() {
            let each = module.texts.values().map(|text| quote(text.as_bytes()));
            table(f, "texts", &each.collect::<Vec<_>>(), 1)?;
        }
        if !module.constants.is_empty() {
            // With commas, for an address and a negative number after it would read as one address.
            let each = module.constants.values().map(|constant| self.constant(constant) + ",");
            table(f, "constants", &each.collect::<Vec<_>>(), 12)?;
        }
        Ok(())
    }
}

fn table(f: &mut dyn Write, name: &str, entries: &[String], in_a_line: usize) -> fmt::Result {
    writeln!(f, "\n{name} {{")?;
    for line in entries.chunks(in_a_line) {
        writeln!(f, "  {}", line.join(" "))?;
    }
    f.write_str("}\n")
}

/// What to call each entry of a table: by its text, or by its number if an earlier entry has the same key.
fn called<I: Id, V, K: Hash + Eq + ?Sized>(
    table: &EntityVec<I, V>,
    key: impl Fn(&V) -> &K,
    text: impl Fn(I, &V) -> String,
    number: impl Fn(I) -> String,
) -> EntityVec<I, String> {
    let mut first: FxHashMap<&K, I> = FxHashMap::default();
    let name = |(id, value)| {
        let value: &V = value;
        if *first.entry(key(value)).or_insert(id) == id { text(id, value) } else { number(id) }
    };
    table.iter().map(name).collect()
}

fn symbol(sigil: char, name: &str) -> String {
    let plain = name.bytes().next().is_some_and(is_name_start) && name.bytes().all(is_name_part);
    if plain { format!("{sigil}{name}") } else { format!("{sigil}{}", quote(name.as_bytes())) }
}

fn file_name(name: &str) -> String {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'.' | b'/' | b'+' | b'-');
    if !name.is_empty() && name.bytes().all(plain) { name.to_owned() } else { quote(name.as_bytes()) }
}

/// Small negative numbers as such, for they are what the source says.
fn readable(width: u8, value: u128) -> String {
    let mask = u128::MAX >> 128u32.saturating_sub(u32::from(width)).min(127);
    let below_zero = value.wrapping_neg() & mask;
    if width > 1 && (1..=1 << 16).contains(&below_zero) && below_zero <= mask / 2 {
        format!("-{below_zero}")
    } else {
        value.to_string()
    }
}

/// The words of an argument's kind and a blank, or nothing for an integer.
pub(super) struct Kind(pub ArgKind);

impl Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ArgKind::Integer => Ok(()),
            ArgKind::Float => f.write_str("float "),
            ArgKind::Extended => f.write_str("extended "),
            ArgKind::ByVal { size, align } => write!(f, "byval({size}, {align}) "),
            ArgKind::StructReturn => f.write_str("sret "),
        }
    }
}

/// Items with commas between them.
pub(super) struct Separated<I>(pub I);

impl<I: Iterator<Item: Display> + Clone> Display for Separated<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, item) in self.0.clone().enumerate() {
            let comma = if position == 0 { "" } else { ", " };
            write!(f, "{comma}{item}")?;
        }
        Ok(())
    }
}

/// What something is called, or its number in a module that is not sound.
pub(super) struct Or<'a, T: Display>(pub Option<&'a String>, pub &'a T);

impl<T: Display> Display for Or<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(text) => f.write_str(text),
            None => self.1.fmt(f),
        }
    }
}
