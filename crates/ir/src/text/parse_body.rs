//! Functions: signature, registers, blocks, and the tables that operations fill as they are read.

use super::lex::{Name, Token};
use super::parse::{Parser, Result};
use super::print_op::usual_starts;
use crate::{
    ArgKind, Block, BlockId, Body, CallId, CallSite, Edge, EdgeId, Function, LocId, Move, Operand, Param, PhiMoves,
    Reg, SwitchTable, TableId,
};
use osier_base::{EntityVec, Id};
use std::collections::BTreeMap;

/// More than any program has; a wrong number must not take all memory.
const MOST_REGISTERS: usize = 1 << 24;

/// An edge and its moves as written.
struct WrittenEdge {
    target: BlockId,
    from: Option<u32>,
    moves: Vec<Move>,
}

/// A body in the making: entries of side tables may be written in any order.
#[derive(Default)]
pub(super) struct Draft {
    pub(super) body: Body,
    edges: BTreeMap<EdgeId, WrittenEdge>,
    pub(super) calls: BTreeMap<CallId, CallSite>,
    pub(super) tables: BTreeMap<TableId, SwitchTable>,
    /// The operands of each return, with where they begin.
    returns: Vec<(u32, Vec<Operand>)>,
}

impl Parser<'_> {
    pub(super) fn function(&mut self, defined: bool) -> Result<()> {
        let position = self.position();
        let Token::Function(Name::Called(name)) = self.next() else {
            return self.error_at(position, "expected the function's name");
        };
        self.expect("(")?;
        let params = self.list(")", |parser| {
            let kind = parser.arg_kind()?;
            let reg = parser.id("r")?;
            parser.expect(":")?;
            Ok(Param { reg, width: parser.width()?, kind })
        })?;
        let mut returns = Vec::new();
        if self.eat_mark("->") {
            returns.push(self.width()?);
            while self.eat_mark(",") {
                returns.push(self.width()?);
            }
        }
        let variadic = self.eat_word("variadic");
        if defined {
            self.expect("{")?;
        }
        let location = self.line_end()?.unwrap_or(LocId(0));
        let body = if defined { Some(self.body()?) } else { None };
        self.module.functions.push(Function { name, params, returns, variadic, location, body });
        Ok(())
    }

    pub(super) fn arg_kind(&mut self) -> Result<ArgKind> {
        if self.eat_word("float") {
            Ok(ArgKind::Float)
        } else if self.eat_word("extended") {
            Ok(ArgKind::Extended)
        } else if self.eat_word("sret") {
            Ok(ArgKind::StructReturn)
        } else if self.eat_word("byval") {
            self.expect("(")?;
            let size = self.number()?;
            self.expect(",")?;
            let align = self.number()?;
            self.expect(")")?;
            Ok(ArgKind::ByVal { size, align })
        } else {
            Ok(ArgKind::Integer)
        }
    }

    fn body(&mut self) -> Result<Body> {
        let mut draft = Draft::default();
        self.skip_empty_lines();
        if self.eat_word("registers") {
            draft.body.registers = self.registers()?;
        }
        let mut last_location = LocId(0);
        loop {
            self.skip_empty_lines();
            let position = self.position();
            if self.eat_mark("}") {
                self.line_end()?;
                return match draft.finish() {
                    Ok(body) => Ok(body),
                    Err(message) => self.error_at(position, message),
                };
            }
            self.block(&mut draft, &mut last_location)?;
        }
    }

    fn registers(&mut self) -> Result<EntityVec<Reg, u8>> {
        let mut widths = Vec::new();
        loop {
            let width = self.width()?;
            let count: u32 = if self.eat_mark("*") { self.number()? } else { 1 };
            if widths.len() + count as usize > MOST_REGISTERS {
                return self.error("too many registers");
            }
            widths.resize(widths.len() + count as usize, width);
            if !self.eat_mark(",") {
                self.line_end()?;
                return Ok(widths.into());
            }
        }
    }

    fn block(&mut self, draft: &mut Draft, last_location: &mut LocId) -> Result<()> {
        let position = self.position();
        let id: BlockId = self.id("block")?;
        if id != draft.body.blocks.next_id() {
            return self.error_at(position, format!("expected {}", draft.body.blocks.next_id()));
        }
        let more: i64 = if self.peek() == &Token::Mark(":") { 0 } else { self.number()? };
        self.expect(":")?;
        self.line_end()?;
        let start = draft.body.ops.len() as u32;
        let mut weight = more;
        loop {
            self.skip_empty_lines();
            let over = match self.peek() {
                Token::Mark("}") | Token::End => true,
                Token::Word(word) => word.strip_prefix("block").is_some_and(|number| number.parse::<u32>().is_ok()),
                _ => false,
            };
            if over {
                break;
            }
            let op = self.op(draft)?;
            let own_weight: u16 = if self.eat_mark("*") { self.number()? } else { 1 };
            if self.eat_word("also") {
                while let Some(location) = self.eat_id::<LocId>("loc") {
                    draft.body.vanished.push((draft.body.ops.len() as u32, location));
                }
            }
            *last_location = self.line_end()?.unwrap_or(*last_location);
            draft.body.ops.push(op);
            draft.body.op_weights.push(own_weight);
            draft.body.op_locations.push(*last_location);
            weight = weight.saturating_add(i64::from(own_weight));
        }
        let end = draft.body.ops.len() as u32;
        match u32::try_from(weight) {
            Ok(weight) => draft.body.blocks.push(Block { start, end, weight }),
            Err(_) => return self.error_at(position, "a block's weight out of range"),
        };
        Ok(())
    }

    /// `e3`, or where it is named first `e3->block4[r1 = r2]`.
    pub(super) fn edge(&mut self, draft: &mut Draft) -> Result<EdgeId> {
        let position = self.position();
        let id: EdgeId = self.id("e")?;
        if !self.eat_mark("->") {
            return Ok(id);
        }
        let target = self.id("block")?;
        let from = if self.eat_word("from") { Some(self.number()?) } else { None };
        let moves = if self.eat_mark("[") {
            self.list("]", |parser| {
                let dst = parser.id("r")?;
                parser.expect("=")?;
                Ok(Move { dst, src: parser.operand()? })
            })?
        } else {
            Vec::new()
        };
        match draft.edges.insert(id, WrittenEdge { target, from, moves }) {
            None => Ok(id),
            Some(_) => self.error_at(position, format!("{id} is spelled out twice")),
        }
    }
}

impl Draft {
    /// Adds what a return gives back; says where it begins.
    pub(super) fn add_return(&mut self, from: Option<u32>, values: Vec<Operand>) -> u32 {
        let after_last = self.returns.last().map_or(0, |(start, values)| start.saturating_add(values.len() as u32));
        let start = from.unwrap_or(after_last);
        self.returns.push((start, values));
        start
    }

    fn finish(self) -> std::result::Result<Body, String> {
        let Draft { mut body, edges, calls, tables, returns } = self;
        body.calls = dense(calls)?;
        body.tables = dense(tables)?;
        body.operands = spread(returns).ok_or("the returns' operands overlap or leave gaps")?;
        let mut written: EntityVec<EdgeId, WrittenEdge> = dense(edges)?;
        let starts = usual_starts(written.values().map(|edge| edge.moves.len() as u32));
        let mut moves = Vec::new();
        for (edge, usual) in written.values_mut().zip(starts.values()) {
            let start = edge.from.unwrap_or(*usual);
            let range = PhiMoves { start, len: edge.moves.len() as u32 };
            body.edges.push(Edge { target: edge.target, moves: range });
            moves.push((start, std::mem::take(&mut edge.moves)));
        }
        body.moves = spread(moves).ok_or("the edges' moves overlap or leave gaps")?;
        Ok(body)
    }
}

/// The entries in order; fails if a number between them is missing.
fn dense<I: Id + Ord, V>(entries: BTreeMap<I, V>) -> std::result::Result<EntityVec<I, V>, String> {
    let mut table = EntityVec::new();
    for (id, value) in entries {
        if id != table.next_id() {
            return Err(format!("{} is missing", table.next_id()));
        }
        table.push(value);
    }
    Ok(table)
}

/// Puts each piece at its start; fails if they do not make one whole.
fn spread<T>(mut pieces: Vec<(u32, Vec<T>)>) -> Option<Vec<T>> {
    pieces.retain(|(_, items)| !items.is_empty());
    pieces.sort_by_key(|(start, _)| *start);
    let mut whole = Vec::new();
    for (start, items) in pieces {
        if start as usize != whole.len() {
            return None;
        }
        whole.extend(items);
    }
    Some(whole)
}
