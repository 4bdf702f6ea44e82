//! Commands as trees, before anything is known of what they mean.

use std::fmt::Write;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::lexer::{Lexer, Token, is_symbol_character};
use crate::position::{ParseError, Position, fail};

/// A word; equal ones have one number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Name(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Node(u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sexpr {
    Symbol(Name),
    Keyword(Name),
    Text(Name),
    Numeral(u128),
    Decimal,
    Bits { width: u32, value: u128 },
    List { first: u32, count: u32 },
}

/// Trees without pointers, so that depth costs nothing.
#[derive(Default)]
pub(super) struct Trees {
    nodes: Vec<(Sexpr, Position)>,
    children: Vec<Node>,
    names: FxHashMap<Rc<str>, Name>,
    spelled: Vec<Rc<str>>,
}

/// How much of the trees was there at some time.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    nodes: usize,
    children: usize,
}

impl Trees {
    pub(super) fn get(&self, node: Node) -> Sexpr {
        self.nodes[node.0 as usize].0
    }

    pub(super) fn at(&self, node: Node) -> Position {
        self.nodes[node.0 as usize].1
    }

    pub(super) fn spelling(&self, name: Name) -> &str {
        &self.spelled[name.0 as usize]
    }

    /// The parts of a list; nothing for others.
    pub(super) fn parts(&self, node: Node) -> &[Node] {
        match self.get(node) {
            Sexpr::List { first, count } => &self.children[first as usize..(first + count) as usize],
            Sexpr::Symbol(_)
            | Sexpr::Keyword(_)
            | Sexpr::Text(_)
            | Sexpr::Numeral(_)
            | Sexpr::Decimal
            | Sexpr::Bits { .. } => &[],
        }
    }

    pub(super) fn symbol(&self, node: Node) -> Option<&str> {
        self.symbol_name(node).map(|name| self.spelling(name))
    }

    pub(super) fn symbol_name(&self, node: Node) -> Option<Name> {
        match self.get(node) {
            Sexpr::Symbol(name) => Some(name),
            Sexpr::Keyword(_)
            | Sexpr::Text(_)
            | Sexpr::Numeral(_)
            | Sexpr::Decimal
            | Sexpr::Bits { .. }
            | Sexpr::List { .. } => None,
        }
    }

    pub(super) fn keyword(&self, node: Node) -> Option<&str> {
        if let Sexpr::Keyword(name) = self.get(node) { Some(self.spelling(name)) } else { None }
    }

    /// The number of a word that was read before.
    pub(super) fn known_name(&self, spelling: &str) -> Option<Name> {
        self.names.get(spelling).copied()
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { nodes: self.nodes.len(), children: self.children.len() }
    }

    /// Forgets all trees, but no word.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
    }

    /// Forgets the trees that were read since.
    pub(super) fn cut(&mut self, mark: Mark) {
        self.nodes.truncate(mark.nodes);
        self.children.truncate(mark.children);
    }

    fn name(&mut self, spelling: &str) -> Name {
        if let Some(&known) = self.names.get(spelling) {
            return known;
        }
        let (name, spelling) = (Name(self.spelled.len() as u32), Rc::from(spelling));
        self.names.insert(Rc::clone(&spelling), name);
        self.spelled.push(spelling);
        name
    }

    fn push(&mut self, sexpr: Sexpr, at: Position) -> Node {
        self.nodes.push((sexpr, at));
        Node(self.nodes.len() as u32 - 1)
    }

    /// The tree as text.
    pub(super) fn text(&self, node: Node) -> String {
        enum Piece {
            Node(Node),
            Text(&'static str),
        }
        let mut out = String::new();
        let mut open = vec![Piece::Node(node)];
        while let Some(piece) = open.pop() {
            let node = match piece {
                Piece::Node(node) => node,
                Piece::Text(text) => {
                    out.push_str(text);
                    continue;
                }
            };
            let _ = match self.get(node) {
                Sexpr::Symbol(name) => write!(out, "{}", symbol_text(self.spelling(name))),
                Sexpr::Keyword(name) => write!(out, "{}", self.spelling(name)),
                Sexpr::Text(name) => write!(out, "\"{}\"", self.spelling(name)),
                Sexpr::Numeral(value) => write!(out, "{value}"),
                Sexpr::Decimal => write!(out, "0.0"),
                Sexpr::Bits { width, value } if width % 4 == 0 => {
                    write!(out, "#x{value:0digits$x}", digits = width as usize / 4)
                }
                Sexpr::Bits { width, value } => write!(out, "#b{value:0digits$b}", digits = width as usize),
                Sexpr::List { .. } => {
                    open.push(Piece::Text(")"));
                    for (i, &part) in self.parts(node).iter().enumerate().rev() {
                        open.push(Piece::Node(part));
                        open.push(Piece::Text(if i == 0 { "(" } else { " " }));
                    }
                    if self.parts(node).is_empty() { write!(out, "(") } else { Ok(()) }
                }
            };
        }
        out
    }
}

/// A symbol as scripts write it: between bars where it must be.
pub fn symbol_text(symbol: &str) -> String {
    let plain = symbol.chars().all(is_symbol_character) && !symbol.starts_with(|c: char| c.is_ascii_digit());
    if plain && !symbol.is_empty() { symbol.to_owned() } else { format!("|{symbol}|") }
}

/// Words that stand first in a command and nowhere else; the shorter command names occur as names of variables.
const COMMANDS: &[&str] = &[
    "assert",
    "check-sat",
    "check-sat-assuming",
    "declare-const",
    "declare-fun",
    "define-fun",
    "get-model",
    "get-value",
    "set-info",
    "set-logic",
    "set-option",
];

/// Reads commands one after the other.
pub(super) struct Reader<'a> {
    lexer: Lexer<'a>,
    /// The opening parenthesis of this command was read already.
    opened: Option<Position>,
}

impl<'a> Reader<'a> {
    /// `at` is where the text begins in what it is a part of.
    pub(super) fn new(text: &'a str, at: Position) -> Self {
        Reader { lexer: Lexer::new(text, at), opened: None }
    }

    /// The text after the command that was read last.
    pub(super) fn ahead(&self) -> Lexer<'a> {
        self.lexer.clone()
    }

    /// The next command; `None` at the end. After an error reading goes on at the next command that can be told from
    /// the inside of one.
    pub(super) fn next(&mut self, trees: &mut Trees) -> Option<Result<Node, ParseError>> {
        let start = match self.opened.take() {
            Some(start) => start,
            None => match self.lexer.next()? {
                (at, Ok(Token::Open)) => at,
                (at, Ok(_)) => {
                    self.skip();
                    return Some(fail(at, "expected a command, which begins with `(`"));
                }
                (_, Err(error)) => {
                    self.skip();
                    return Some(Err(error));
                }
            },
        };
        let result = self.list(trees, start);
        if result.is_err() && self.opened.is_none() {
            self.skip();
        }
        Some(result)
    }

    fn list(&mut self, trees: &mut Trees, start: Position) -> Result<Node, ParseError> {
        let mut open = vec![(start, 0)];
        let mut parts: Vec<Node> = Vec::new();
        while let Some((at, token)) = self.lexer.next() {
            let sexpr = match token? {
                Token::Open => {
                    if self.command_follows() {
                        self.opened = Some(at);
                        return fail(start, format!("the command is not closed where the next one begins, at {at}"));
                    }
                    open.push((at, parts.len()));
                    continue;
                }
                Token::Close => {
                    let Some((opened, first_part)) = open.pop() else { unreachable!("the command is open") };
                    let list =
                        Sexpr::List { first: trees.children.len() as u32, count: (parts.len() - first_part) as u32 };
                    trees.children.extend(parts.drain(first_part..));
                    let node = trees.push(list, opened);
                    if open.is_empty() {
                        return Ok(node);
                    }
                    parts.push(node);
                    continue;
                }
                Token::Symbol(text) => Sexpr::Symbol(trees.name(text)),
                Token::Keyword(text) => Sexpr::Keyword(trees.name(text)),
                Token::Text(text) => Sexpr::Text(trees.name(text)),
                Token::Numeral(value) => Sexpr::Numeral(value),
                Token::Decimal => Sexpr::Decimal,
                Token::Bits { width, value } => Sexpr::Bits { width, value },
            };
            parts.push(trees.push(sexpr, at));
        }
        fail(start, "the command is not closed: a `)` is missing")
    }

    fn command_follows(&mut self) -> bool {
        COMMANDS.contains(&self.lexer.peek_symbol())
    }

    fn skip(&mut self) {
        while let Some((at, token)) = self.lexer.next() {
            if token == Ok(Token::Open) && self.command_follows() {
                self.opened = Some(at);
                return;
            }
        }
    }
}
