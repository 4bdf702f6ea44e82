//! A run of bytes that lie together: plain bytes, with an overlay for those that are symbolic.

use crate::overlay::{Cell, Overlay};
use osier_term::Term;
use std::rc::Rc;

/// What one byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Byte {
    Concrete(u8),
    /// What the contents' base array has at this offset.
    Base,
    Term(Term),
}

/// Bytes at offsets from 0 on. The caller keeps accesses in bounds.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    bytes: Vec<u8>,
    /// Shared between copies until a symbolic byte changes: most writes after a fork are to other bytes.
    overlay: Option<Rc<Overlay>>,
}

impl Page {
    pub fn of(bytes: Vec<u8>) -> Self {
        Page { bytes, overlay: None }
    }

    /// Every byte is that of the base array.
    pub fn of_base(len: usize) -> Self {
        let overlay = (len > 0).then(|| Rc::new(Overlay::of_base(len)));
        Page { bytes: vec![0; len], overlay }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes, of which those that are symbolic mean nothing.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn has_symbolic(&self) -> bool {
        self.overlay.is_some()
    }

    pub fn has_base(&self) -> bool {
        self.overlay.as_ref().is_some_and(|overlay| overlay.has_base())
    }

    pub fn footprint(&self) -> usize {
        self.bytes.len() + self.overlay.as_ref().map_or(0, |overlay| overlay.footprint())
    }

    pub fn get(&self, offset: usize) -> Byte {
        match self.overlay.as_ref().map_or(Cell::CONCRETE, |overlay| overlay.get(offset)) {
            Cell::CONCRETE => Byte::Concrete(self.bytes[offset]),
            Cell::BASE => Byte::Base,
            cell => Byte::Term(cell.term()),
        }
    }

    pub fn is_concrete(&self, offset: usize, len: usize) -> bool {
        self.overlay.as_ref().is_none_or(|overlay| overlay.is_concrete(offset, len))
    }

    /// Whether that many bytes lie here.
    #[inline]
    pub fn holds(&self, offset: usize, len: usize) -> bool {
        offset + len <= self.bytes.len()
    }

    /// `len` bytes (at most 8), if all are concrete.
    #[inline]
    pub fn read(&self, offset: usize, len: usize) -> Option<u64> {
        if let Some(overlay) = &self.overlay
            && !overlay.is_concrete(offset, len)
        {
            return None;
        }
        Some(little_endian(&self.bytes[offset..offset + len]))
    }

    /// Writes `len` bytes (at most 8).
    #[inline]
    pub fn write(&mut self, offset: usize, len: usize, bits: u64) {
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

    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.forget_terms(offset, bytes.len());
    }

    pub fn fill(&mut self, offset: usize, len: usize, byte: u8) {
        self.bytes[offset..offset + len].fill(byte);
        self.forget_terms(offset, len);
    }

    /// Writes one byte that is not a constant.
    pub fn write_term(&mut self, offset: usize, term: Term) {
        self.write_cell(offset, Cell::of(term));
    }

    /// Makes one byte that of the base array.
    pub fn write_base(&mut self, offset: usize) {
        self.write_cell(offset, Cell::BASE);
    }

    fn write_cell(&mut self, offset: usize, cell: Cell) {
        let len = self.bytes.len();
        let blank = || Rc::new(Overlay::concrete(len));
        Rc::make_mut(self.overlay.get_or_insert_with(blank)).set(offset, cell);
    }

    fn forget_terms(&mut self, offset: usize, len: usize) {
        let Some(overlay) = &mut self.overlay else { return };
        let symbolic = overlay.count(offset, len);
        if symbolic == overlay.symbolic() {
            self.overlay = None;
        } else if symbolic > 0 {
            Rc::make_mut(overlay).clear(offset, len);
        }
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
