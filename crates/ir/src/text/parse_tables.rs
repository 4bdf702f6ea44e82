//! The tables at the end of a text, and what is looked up in them: constants, places, sites and texts. What a text
//! names without having it in a table is added to the table, so that hand-written text needs none.

use super::lex::{Name, Token, unquote};
use super::parse::{Parser, Result};
use crate::{
    ConstId, Constant, FuncId, GlobalId, LocId, Location, Module, Operand, Reg, Site, SiteId, SymbolRef, TextId,
};
use osier_base::{EntityVec, Id};
use rustc_hash::FxHashMap;

/// What the parser knows by its text. Of equal entries of a table, the first is meant.
pub(super) struct Known {
    functions: FxHashMap<String, FuncId>,
    function_count: usize,
    globals: FxHashMap<String, GlobalId>,
    global_count: usize,
    constants: FxHashMap<Constant, ConstId>,
    files: FxHashMap<String, u32>,
    locations: FxHashMap<Location, LocId>,
    sites: FxHashMap<String, SiteId>,
    texts: FxHashMap<String, TextId>,
}

impl Known {
    /// The unknown place is part of every module, and no table lists it.
    pub(super) fn first_entries() -> (Self, Module) {
        let module = Module {
            files: vec![String::new()],
            locations: EntityVec::from(vec![Location::default()]),
            ..Module::default()
        };
        let known = Known {
            functions: FxHashMap::default(),
            function_count: 0,
            globals: FxHashMap::default(),
            global_count: 0,
            constants: FxHashMap::default(),
            files: FxHashMap::from_iter([(String::new(), 0)]),
            locations: FxHashMap::from_iter([(Location::default(), LocId(0))]),
            sites: FxHashMap::default(),
            texts: FxHashMap::default(),
        };
        (known, module)
    }

    pub(super) fn define_function(&mut self, name: &str) {
        self.functions.entry(name.to_owned()).or_insert(FuncId::new(self.function_count));
        self.function_count += 1;
    }

    pub(super) fn define_global(&mut self, name: &str) {
        self.globals.entry(name.to_owned()).or_insert(GlobalId::new(self.global_count));
        self.global_count += 1;
    }

    pub(super) fn function(&self, name: &Name) -> Option<FuncId> {
        match name {
            Name::Called(name) => self.functions.get(name).copied(),
            Name::Numbered(number) => ((*number as usize) < self.function_count).then_some(FuncId(*number)),
        }
    }

    pub(super) fn global(&self, name: &Name) -> Option<GlobalId> {
        match name {
            Name::Called(name) => self.globals.get(name).copied(),
            Name::Numbered(number) => ((*number as usize) < self.global_count).then_some(GlobalId(*number)),
        }
    }
}

// Adding to tables.
impl Parser<'_> {
    fn add_file(&mut self, name: String) -> u32 {
        let id = self.module.files.len() as u32;
        self.module.files.push(name.clone());
        *self.known.files.entry(name).or_insert(id)
    }

    fn add_location(&mut self, location: Location) -> LocId {
        let id = self.module.locations.push(location);
        *self.known.locations.entry(location).or_insert(id)
    }

    fn add_site(&mut self, site: Site) -> SiteId {
        let name = site.name.clone();
        let id = self.module.sites.push(site);
        *self.known.sites.entry(name).or_insert(id)
    }

    fn add_text(&mut self, text: String) -> TextId {
        let id = self.module.texts.push(text.clone());
        *self.known.texts.entry(text).or_insert(id)
    }

    fn add_constant(&mut self, constant: Constant) -> ConstId {
        let id = self.module.constants.push(constant);
        *self.known.constants.entry(constant).or_insert(id)
    }

    pub(super) fn table(&mut self) -> Result<()> {
        let word = self.word()?;
        self.expect("{")?;
        let mut file = 0;
        loop {
            self.skip_empty_lines();
            if self.eat_mark("}") {
                return self.line_end().map(|_| ());
            }
            match word {
                "files" => {
                    let name = self.string()?;
                    self.add_file(name);
                }
                "locations" => {
                    if self.eat_word("file") {
                        file = self.number()?;
                    }
                    let line = self.number()?;
                    self.expect(":")?;
                    let column = self.number()?;
                    self.add_location(Location { file, line, column });
                }
                "sites" => {
                    let name = self.string()?;
                    let location = self.line_end()?.unwrap_or(LocId(0));
                    self.add_site(Site { name, location });
                }
                "texts" => {
                    let text = self.string()?;
                    self.add_text(text);
                }
                _ => {
                    let constant = self.constant()?;
                    self.add_constant(constant);
                    self.expect(",")?;
                }
            }
        }
    }
}

// Looking up.
impl Parser<'_> {
    /// The place that follows a `;`: `?`, `loc5`, `file.c:12:3` or `"odd name.c":12:3`.
    pub(super) fn location(&mut self, place: &str) -> Result<LocId> {
        if place == "?" {
            return Ok(LocId(0));
        }
        if let Some(number) = place.strip_prefix("loc").and_then(|number| number.parse().ok()) {
            return if (number as usize) < self.module.locations.len() {
                Ok(LocId(number))
            } else {
                self.error("no such location")
            };
        }
        let mut parts = place.rsplitn(3, ':');
        let column = parts.next().and_then(|part| part.trim().parse().ok());
        let line = parts.next().and_then(|part| part.trim().parse().ok());
        let name = parts.next().and_then(file_name);
        let (Some(column), Some(line), Some(name)) = (column, line, name) else {
            return self.error("expected a place such as `file.c:12:3`");
        };
        let file = match self.known.files.get(&name) {
            Some(&file) => file,
            None => self.add_file(name),
        };
        let location = Location { file, line, column };
        match self.known.locations.get(&location) {
            Some(&id) => Ok(id),
            None => Ok(self.add_location(location)),
        }
    }

    pub(super) fn text_ref(&mut self) -> Result<TextId> {
        if let Some(id) = self.eat_id::<TextId>("text") {
            return if self.module.texts.get(id).is_some() { Ok(id) } else { self.error(format!("no such {id}")) };
        }
        let text = self.string()?;
        match self.known.texts.get(&text) {
            Some(&id) => Ok(id),
            None => Ok(self.add_text(text)),
        }
    }

    /// `"name"`, or `site3:"name"` where the name alone means another.
    pub(super) fn site_ref(&mut self) -> Result<SiteId> {
        let position = self.position();
        if let Some(id) = self.eat_id::<SiteId>("site") {
            self.expect(":")?;
            let name = self.string()?;
            let same = self.module.sites.get(id).is_some_and(|site| site.name == name);
            return if same { Ok(id) } else { self.error_at(position, "the table of sites says otherwise") };
        }
        let name = self.string()?;
        match self.known.sites.get(&name) {
            Some(&id) => Ok(id),
            None => Ok(self.add_site(Site { name, location: LocId(0) })),
        }
    }

    pub(super) fn operand(&mut self) -> Result<Operand> {
        match self.eat_id::<Reg>("r") {
            Some(reg) => Ok(Operand::reg(reg)),
            None => Ok(Operand::constant(self.constant_ref()?)),
        }
    }

    pub(super) fn constant_ref(&mut self) -> Result<ConstId> {
        if let Some(id) = self.eat_id::<ConstId>("c") {
            return if self.module.constants.get(id).is_some() { Ok(id) } else { self.error(format!("no such {id}")) };
        }
        let constant = self.constant()?;
        match self.known.constants.get(&constant) {
            Some(&id) => Ok(id),
            None => Ok(self.add_constant(constant)),
        }
    }

    fn constant(&mut self) -> Result<Constant> {
        match *self.peek() {
            Token::Number { negative, magnitude, signed: _ } => self.integer(negative, magnitude),
            Token::Word("undef") => Ok(Constant::Undef { width: self.width_of_word()? }),
            Token::Word("poison") => Ok(Constant::Poison { width: self.width_of_word()? }),
            Token::Global(_) | Token::Function(_) => match self.symbol()? {
                SymbolRef::Global(global) => Ok(Constant::Global { global, offset: self.addend()? }),
                SymbolRef::Function(function) => Ok(Constant::Function(function)),
                SymbolRef::Block(function, block) => Ok(Constant::Block { function, block }),
            },
            _ => self.error("expected a register or a constant"),
        }
    }

    fn width_of_word(&mut self) -> Result<u8> {
        self.next();
        self.expect(":")?;
        self.width()
    }

    fn integer(&mut self, negative: bool, magnitude: u128) -> Result<Constant> {
        let position = self.position();
        self.next();
        self.expect(":")?;
        let width = self.width()?;
        if !(1..=128).contains(&width) {
            return self.error_at(position, "a width is 1 to 128");
        }
        let mask = u128::MAX >> (128 - u32::from(width));
        let fits = if negative { magnitude <= mask / 2 + 1 } else { magnitude <= mask };
        if !fits {
            return self.error_at(position, format!("does not fit in {width} bits"));
        }
        let value = if negative { magnitude.wrapping_neg() & mask } else { magnitude };
        Ok(Constant::Int { width, value })
    }
}

fn file_name(part: &str) -> Option<String> {
    if !part.starts_with('"') {
        return Some(part.to_owned());
    }
    let (bytes, len) = unquote(part.as_bytes())?;
    if len == part.len() { String::from_utf8(bytes).ok() } else { None }
}
