//! The bytes of an object: plain bytes, with an overlay for those that are symbolic.
//!
//! An object without symbolic bytes has no overlay and never touches terms. After a write at a symbolic offset that
//! is not spelled out byte by byte, the contents as a whole become an array term, and the bytes written later lie
//! over it.

use crate::Value;
use osier_term::{Array, Pool, Term};
use std::cell::Cell;

/// What one byte of an overlaid object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Byte {
    /// See `bytes`.
    Concrete,
    /// Read the overlay's base array at this offset.
    Base,
    Term(Term),
}

#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub cells: Vec<Byte>,
    /// The contents as of the last write that made them an array; [`Byte::Base`] refers to it.
    pub base: Option<Array>,
    /// How many cells are not concrete.
    pub symbolic: usize,
    /// Nothing lies over the base: every cell is [`Byte::Base`].
    pub bare: bool,
}

/// The bytes of one object.
#[derive(Clone, Debug)]
pub struct Contents {
    pub(crate) bytes: Vec<u8>,
    pub(crate) overlay: Option<Box<Overlay>>,
    /// The whole as an array term, while nothing has been written since it was made.
    pub(crate) array: Cell<Option<Array>>,
}

impl Contents {
    pub fn zeroed(size: usize) -> Self {
        Contents::of(vec![0; size])
    }

    pub fn of(bytes: Vec<u8>) -> Self {
        Contents { bytes, overlay: None, array: Cell::new(None) }
    }

    /// Contents that are the first `size` bytes of an array.
    pub fn of_array(size: usize, array: Array) -> Self {
        let overlay = Overlay { cells: vec![Byte::Base; size], base: Some(array), symbolic: size, bare: true };
        Contents { bytes: vec![0; size], overlay: Some(Box::new(overlay)), array: Cell::new(Some(array)) }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// All bytes, if none is symbolic.
    pub fn concrete_bytes(&self) -> Option<&[u8]> {
        self.overlay.is_none().then_some(&self.bytes)
    }

    /// What the object costs in memory, roughly.
    pub fn footprint(&self) -> usize {
        self.bytes.len() + self.overlay.as_ref().map_or(0, |o| o.cells.len() * size_of::<Byte>())
    }

    /// `len` bytes (at most 8) at an offset that is in bounds, if all are concrete.
    #[inline]
    pub fn read_concrete(&self, offset: usize, len: usize) -> Option<u64> {
        if let Some(overlay) = &self.overlay
            && overlay.cells[offset..offset + len].iter().any(|cell| *cell != Byte::Concrete)
        {
            return None;
        }
        Some(little_endian(&self.bytes[offset..offset + len]))
    }

    /// Writes `len` bytes (at most 8) at an offset that is in bounds.
    #[inline]
    pub fn write_concrete(&mut self, offset: usize, len: usize, bits: u64) {
        self.array.set(None);
        let target = &mut self.bytes[offset..offset + len];
        match len {
            1 => target[0] = bits as u8,
            4 => target.copy_from_slice(&(bits as u32).to_le_bytes()),
            8 => target.copy_from_slice(&bits.to_le_bytes()),
            _ => target.copy_from_slice(&bits.to_le_bytes()[..len]),
        }
        if self.overlay.is_some() {
            self.forget_terms(offset, len);
        }
    }

    /// Writes concrete bytes.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.array.set(None);
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        if self.overlay.is_some() {
            self.forget_terms(offset, bytes.len());
        }
    }

    fn forget_terms(&mut self, offset: usize, len: usize) {
        let Some(overlay) = &mut self.overlay else { return };
        overlay.bare = false;
        for cell in &mut overlay.cells[offset..offset + len] {
            if *cell != Byte::Concrete {
                *cell = Byte::Concrete;
                overlay.symbolic -= 1;
            }
        }
        if overlay.symbolic == 0 {
            self.overlay = None;
        }
    }

    /// The value of `width` bits in the bytes at an offset that is in bounds, little-endian.
    pub fn read(&self, pool: &mut Pool, offset: usize, width: u32) -> Value {
        let len = width.div_ceil(8) as usize;
        if len <= 8
            && let Some(bits) = self.read_concrete(offset, len)
        {
            return Value::Int(crate::truncate(bits, width));
        }
        let mut whole = self.byte(pool, offset + len - 1);
        for i in (offset..offset + len - 1).rev() {
            let low = self.byte(pool, i);
            whole = pool.concat(whole, low);
        }
        let whole = pool.extract(whole, 0, width);
        Value::of(pool, whole)
    }

    /// One byte as a term.
    pub fn byte(&self, pool: &mut Pool, offset: usize) -> Term {
        match self.cell(offset) {
            Byte::Concrete => pool.constant(8, u128::from(self.bytes[offset])),
            Byte::Term(term) => term,
            Byte::Base => {
                let base = self.overlay.as_ref().and_then(|o| o.base).expect("a base byte has a base");
                pool.select_at(base, offset as u64)
            }
        }
    }

    pub(crate) fn cell(&self, offset: usize) -> Byte {
        self.overlay.as_ref().map_or(Byte::Concrete, |overlay| overlay.cells[offset])
    }

    /// Writes a value of `width` bits at an offset that is in bounds; the bits above it in its last byte become zero.
    pub fn write(&mut self, pool: &mut Pool, offset: usize, width: u32, value: Value) {
        let len = width.div_ceil(8) as usize;
        match value {
            Value::Int(bits) => self.write_concrete(offset, len, bits),
            Value::Term(term) => {
                let whole = pool.zext(term, len as u32 * 8);
                for i in 0..len {
                    let byte = pool.extract(whole, i as u32 * 8, 8);
                    self.write_byte(pool, offset + i, byte);
                }
            }
        }
    }

    /// Writes one byte, which may be a constant term.
    pub fn write_byte(&mut self, pool: &Pool, offset: usize, term: Term) {
        if let Some(bits) = pool.as_const(term) {
            self.write_concrete(offset, 1, bits as u64);
            return;
        }
        self.array.set(None);
        let size = self.bytes.len();
        let blank = || Box::new(Overlay { cells: vec![Byte::Concrete; size], base: None, symbolic: 0, bare: false });
        let overlay = self.overlay.get_or_insert_with(blank);
        if overlay.cells[offset] == Byte::Concrete {
            overlay.symbolic += 1;
        }
        overlay.bare = false;
        overlay.cells[offset] = Byte::Term(term);
    }

    /// Copies `len` bytes from other contents, symbolic ones included.
    pub fn copy_from(&mut self, pool: &mut Pool, to: usize, source: &Contents, from: usize, len: usize) {
        if source.is_concrete(from, len) {
            self.write_bytes(to, &source.bytes[from..from + len]);
            return;
        }
        if len == self.len() && len == source.len() {
            // A copy of all of it keeps the array that stands behind the bytes.
            *self = source.clone();
            return;
        }
        for i in 0..len {
            match source.cell(from + i) {
                Byte::Concrete => self.write_concrete(to + i, 1, u64::from(source.bytes[from + i])),
                Byte::Base | Byte::Term(_) => {
                    let byte = source.byte(pool, from + i);
                    self.write_byte(pool, to + i, byte);
                }
            }
        }
    }

    /// Copies `len` bytes to another place here; the two may overlap.
    pub fn copy_within(&mut self, pool: &mut Pool, from: usize, to: usize, len: usize) {
        if from == to {
            return;
        }
        let piece = self.piece(pool, from, len);
        self.copy_from(pool, to, &piece, 0, len);
    }

    /// `len` bytes as contents of their own.
    pub fn piece(&self, pool: &mut Pool, from: usize, len: usize) -> Contents {
        let mut piece = Contents::of(self.bytes[from..from + len].to_vec());
        if !self.is_concrete(from, len) {
            for i in 0..len {
                let byte = self.byte(pool, from + i);
                piece.write_byte(pool, i, byte);
            }
        }
        piece
    }

    fn is_concrete(&self, offset: usize, len: usize) -> bool {
        let concrete = |overlay: &Overlay| overlay.cells[offset..offset + len].iter().all(|c| *c == Byte::Concrete);
        self.overlay.as_deref().is_none_or(concrete)
    }
}

#[inline]
fn little_endian(bytes: &[u8]) -> u64 {
    match *bytes {
        [a] => u64::from(a),
        [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => bytes.iter().rev().fold(0, |acc, byte| (acc << 8) | u64::from(*byte)),
    }
}
