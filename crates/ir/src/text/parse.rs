//! Text as a module: the cursor over tokens, and the items of a module.
//!
//! Three passes over the tokens: the names that are defined, since anything may be named before it is; the tables,
//! since they say what numbers constants and places have; then all else.

use super::ParseError;
use super::lex::{Name, Token, lex};
use super::parse_tables::Known;
use crate::{BlockId, FuncId, Global, GlobalId, GlobalInit, LocId, Module, Relocation, SymbolRef};
use osier_base::Id;

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a module. What it says is not verified.
pub fn parse(text: &str) -> Result<Module> {
    let tokens = lex(text)?;
    let (known, module) = Known::first_entries();
    let mut parser = Parser { text, tokens, at: 0, known, module };
    parser.names();
    parser.items(&mut |parser, word| if is_table(word) { parser.table() } else { parser.skip_item() })?;
    parser.items(&mut |parser, word| if is_table(word) { parser.skip_item() } else { parser.item() })?;
    Ok(parser.module)
}

fn is_table(word: &str) -> bool {
    matches!(word, "files" | "locations" | "sites" | "texts" | "constants")
}

pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
    pub(super) known: Known,
    pub(super) module: Module,
}

// The cursor.
impl<'a> Parser<'a> {
    pub(super) fn peek(&self) -> &Token<'a> {
        &self.tokens[self.at].0
    }

    pub(super) fn next(&mut self) -> Token<'a> {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    /// Where the next token is, for [`Parser::error_at`].
    pub(super) fn position(&self) -> usize {
        self.at
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        self.error_at(self.at, message)
    }

    pub(super) fn error_at<T>(&self, position: usize, message: impl Into<String>) -> Result<T> {
        Err(ParseError::at(self.text, self.tokens[position].1, message))
    }

    pub(super) fn eat(&mut self, token: &Token<'_>) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    pub(super) fn eat_mark(&mut self, mark: &'static str) -> bool {
        self.eat(&Token::Mark(mark))
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.eat(&Token::Word(word))
    }

    pub(super) fn expect(&mut self, mark: &'static str) -> Result<()> {
        if self.eat_mark(mark) { Ok(()) } else { self.error(format!("expected `{mark}`")) }
    }

    pub(super) fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(format!("expected `{word}`")) }
    }

    pub(super) fn word(&mut self) -> Result<&'a str> {
        match *self.peek() {
            Token::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => self.error("expected a word"),
        }
    }

    pub(super) fn number<T: TryFrom<i128>>(&mut self) -> Result<T> {
        let value = match *self.peek() {
            Token::Number { negative, magnitude, signed: _ } => {
                i128::try_from(magnitude).ok().map(|value| if negative { -value } else { value })
            }
            _ => return self.error("expected a number"),
        };
        match value.and_then(|value| T::try_from(value).ok()) {
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
            None => self.error("a number out of range"),
        }
    }

    /// An id by its printed form: `r3` for the prefix `r`.
    pub(super) fn id<I: Id>(&mut self, prefix: &str) -> Result<I> {
        match self.eat_id(prefix) {
            Some(id) => Ok(id),
            None => self.error(format!("expected `{prefix}` and a number")),
        }
    }

    pub(super) fn eat_id<I: Id>(&mut self, prefix: &str) -> Option<I> {
        let Token::Word(word) = *self.peek() else { return None };
        let number: u32 = word.strip_prefix(prefix)?.parse().ok()?;
        // The highest bit tells constants from registers in an operand.
        let id = (number < 1 << 31).then(|| I::new(number as usize))?;
        self.at += 1;
        Some(id)
    }

    pub(super) fn width(&mut self) -> Result<u8> {
        let position = self.at;
        let word = self.word()?;
        match width_word(word) {
            Some(width) => Ok(width),
            None => self.error_at(position, "expected a width such as `i32`"),
        }
    }

    pub(super) fn string(&mut self) -> Result<String> {
        let position = self.at;
        match self.next() {
            Token::Text(bytes) => match String::from_utf8(bytes) {
                Ok(text) => Ok(text),
                Err(_) => self.error_at(position, "a text that is not UTF-8"),
            },
            _ => self.error_at(position, "expected a text in quotes"),
        }
    }

    /// Items with commas between them, up to `close`, which is eaten.
    pub(super) fn list<T>(
        &mut self,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        if self.eat_mark(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat_mark(close) {
                return Ok(items);
            }
            self.expect(",")?;
        }
    }

    /// The place that a line ends with, if it has one, and the end of the line.
    pub(super) fn line_end(&mut self) -> Result<Option<LocId>> {
        let location = match *self.peek() {
            Token::Place(place) => {
                let location = self.location(place)?;
                self.at += 1;
                Some(location)
            }
            _ => None,
        };
        match self.peek() {
            Token::LineEnd => self.at += 1,
            Token::End => {}
            _ => return self.error("expected the end of the line"),
        }
        Ok(location)
    }

    pub(super) fn skip_empty_lines(&mut self) {
        while self.eat(&Token::LineEnd) {}
    }
}

pub(super) fn width_word(word: &str) -> Option<u8> {
    word.strip_prefix('i')?.parse().ok()
}

// The items.
impl Parser<'_> {
    /// Numbers the functions and globals that the text defines. Of several with one name, the name means the first.
    fn names(&mut self) {
        let mut line_start = true;
        for (position, (token, _)) in self.tokens.iter().enumerate() {
            if let (true, Token::Word(word)) = (line_start, token) {
                match (*word, self.tokens.get(position + 1).map(|(next, _)| next)) {
                    ("global", Some(Token::Global(Name::Called(name)))) => self.known.define_global(name),
                    ("function" | "declare", Some(Token::Function(Name::Called(name)))) => {
                        self.known.define_function(name);
                    }
                    _ => {}
                }
            }
            line_start = *token == Token::LineEnd;
        }
    }

    fn items(&mut self, each: &mut dyn FnMut(&mut Self, &str) -> Result<()>) -> Result<()> {
        self.at = 0;
        loop {
            self.skip_empty_lines();
            match *self.peek() {
                Token::End => return Ok(()),
                Token::Word(word) => each(self, word)?,
                _ => return self.error("expected a global, a function or a table"),
            }
        }
    }

    /// An item ends where its line does, or at the line of a closing brace if its first line ends in an open one.
    fn skip_item(&mut self) -> Result<()> {
        let mut last = Token::LineEnd;
        let opened = loop {
            match self.next() {
                Token::LineEnd | Token::End => break last == Token::Mark("{"),
                Token::Place(_) => {}
                token => last = token,
            }
        };
        if !opened {
            return Ok(());
        }
        let mut line_start = true;
        loop {
            match self.next() {
                Token::End => return self.error("expected `}`"),
                Token::Mark("}") if line_start => return self.line_end().map(|_| ()),
                token => line_start = token == Token::LineEnd,
            }
        }
    }

    fn item(&mut self) -> Result<()> {
        match self.word()? {
            "global" => self.global(),
            "function" => self.function(true),
            "declare" => self.function(false),
            word @ ("constructors" | "destructors") => {
                let mut functions = vec![self.function_ref()?];
                while self.eat_mark(",") {
                    functions.push(self.function_ref()?);
                }
                let list =
                    if word == "constructors" { &mut self.module.constructors } else { &mut self.module.destructors };
                list.extend(functions);
                self.line_end().map(|_| ())
            }
            _ => self.error_at(self.at - 1, "expected a global, a function or a table"),
        }
    }

    fn global(&mut self) -> Result<()> {
        let Token::Global(Name::Called(name)) = self.next() else {
            return self.error_at(self.at - 1, "expected the global's name");
        };
        self.expect_word("size")?;
        let size = self.number()?;
        self.expect_word("align")?;
        let align = self.number()?;
        let constant = self.eat_word("constant");
        let position = self.at;
        let init = match self.word()? {
            "external" => GlobalInit::External,
            "zero" => GlobalInit::Zero,
            "unsupported" => GlobalInit::Unsupported(self.text_ref()?),
            "data" => {
                let Token::Text(bytes) = self.next() else {
                    return self.error_at(position + 1, "expected the bytes in quotes");
                };
                let relocations =
                    if self.eat_mark("{") { self.list("}", |parser| parser.relocation())? } else { Vec::new() };
                GlobalInit::Data { bytes, relocations }
            }
            _ => return self.error_at(position, "expected `external`, `zero`, `data` or `unsupported`"),
        };
        let location = self.line_end()?.unwrap_or(LocId(0));
        self.module.globals.push(Global { name, size, align, constant, init, location });
        Ok(())
    }

    fn relocation(&mut self) -> Result<Relocation> {
        let offset = self.number()?;
        self.expect(":")?;
        let symbol = self.symbol()?;
        let addend = self.addend()?;
        Ok(Relocation { offset, symbol, addend })
    }

    /// `@global`, `&function` or `&function/block3`.
    pub(super) fn symbol(&mut self) -> Result<SymbolRef> {
        match self.peek() {
            Token::Global(_) => Ok(SymbolRef::Global(self.global_ref()?)),
            _ => {
                let function = self.function_ref()?;
                if self.eat_mark("/") {
                    Ok(SymbolRef::Block(function, self.id::<BlockId>("block")?))
                } else {
                    Ok(SymbolRef::Function(function))
                }
            }
        }
    }

    /// The `+8` that follows a symbol, if it does.
    pub(super) fn addend(&mut self) -> Result<i64> {
        match self.peek() {
            Token::Number { signed: true, .. } => self.number(),
            _ => Ok(0),
        }
    }

    pub(super) fn function_ref(&mut self) -> Result<FuncId> {
        let found = match self.peek() {
            Token::Function(name) => self.known.function(name),
            _ => return self.error("expected a function such as `&main`"),
        };
        self.found(found, "no such function")
    }

    fn global_ref(&mut self) -> Result<GlobalId> {
        let found = match self.peek() {
            Token::Global(name) => self.known.global(name),
            _ => return self.error("expected a global such as `@table`"),
        };
        self.found(found, "no such global")
    }

    pub(super) fn found<T>(&mut self, found: Option<T>, otherwise: &str) -> Result<T> {
        match found {
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
            None => self.error(otherwise),
        }
    }
}
