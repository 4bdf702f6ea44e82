//! The bytes of an object: plain bytes, with an overlay for those that are symbolic.
//!
//! Bytes without symbolic ones among them have no overlay and never touch terms. A small object is one [`Page`]; a
//! large one has many, so that a write after a fork copies a page, not the object, and one symbolic byte gives an
//! overlay to a page only. After a write at a symbolic offset that is not spelled out byte by byte, the contents, or a
//! stretch of them, become those of an array term, and the bytes written later lie over it.

use crate::Value;
use crate::page::{Byte, Page};
use crate::pages::{Blank, PAGE, Pages};
use crate::slices::{Slice, Slices};
use osier_term::{Array, Pool, Term};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

/// Objects of more bytes than this are kept in pages. An access to a smaller one is a little faster.
const LARGEST_FLAT: usize = 4 * PAGE;

const OUT_OF_BOUNDS: &str = "an access that is in bounds";

/// The whole contents as an array term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whole {
    /// Nobody has asked since the last write.
    Unknown,
    Known(Array),
    /// The one array behind all bytes, over which nothing lies: every byte is [`Byte::Base`].
    Bare(Array),
}

/// The bytes of one object.
#[derive(Clone, Debug)]
pub struct Contents {
    /// All bytes of a small object. None of a large one, so that an access that does not fit here tries the pages: the
    /// path of small objects pays nothing for there being large ones.
    flat: Page,
    pub(crate) pages: Option<Rc<Pages>>,
    /// Stretches as of the last writes that made them arrays; [`Byte::Base`] refers to them.
    pub(crate) bases: Option<Rc<Slices>>,
    whole: Cell<Whole>,
}

impl Contents {
    pub fn zeroed(size: usize) -> Self {
        if size > LARGEST_FLAT {
            return Contents::paged(Pages::blank(size, Blank::Zeros));
        }
        Contents::flat(vec![0; size])
    }

    pub fn of(bytes: Vec<u8>) -> Self {
        if bytes.len() > LARGEST_FLAT { Contents::paged(Pages::of(&bytes)) } else { Contents::flat(bytes) }
    }

    pub(crate) fn flat(bytes: Vec<u8>) -> Self {
        Contents { flat: Page::of(bytes), pages: None, bases: None, whole: Cell::new(Whole::Unknown) }
    }

    fn paged(pages: Pages) -> Self {
        Contents { pages: Some(Rc::new(pages)), ..Contents::flat(Vec::new()) }
    }

    /// Contents that are the first `size` bytes of an array.
    pub fn of_array(size: usize, array: Array) -> Self {
        let mut contents = Contents::zeroed(size);
        contents.become_array(array);
        contents
    }

    /// Makes the contents those of an array, all of them.
    pub(crate) fn become_array(&mut self, array: Array) {
        if !matches!(self.whole.get(), Whole::Bare(_)) {
            self.blank_to_base();
        }
        self.whole.set(Whole::Bare(array));
        self.bases = Some(Rc::new(Slices::whole(array, self.len())));
    }

    fn blank_to_base(&mut self) {
        match &mut self.pages {
            Some(pages) => *pages = Rc::new(Pages::blank(pages.len(), Blank::Base)),
            None => self.flat = Page::of_base(self.flat.len()),
        }
    }

    /// Makes a stretch of the contents that of an array.
    pub(crate) fn become_slice(&mut self, slice: Slice) {
        self.forget_whole();
        if slice.here == (0..self.len()) {
            self.blank_to_base();
        } else {
            for at in slice.here.clone() {
                match &mut self.pages {
                    None => self.flat.write_base(at),
                    Some(pages) => {
                        let (page, at) = Rc::make_mut(pages).page_mut(at);
                        page.write_base(at);
                    }
                }
            }
        }
        Rc::make_mut(self.bases.get_or_insert_default()).put(slice);
    }

    pub(crate) fn known_array(&self) -> Option<Array> {
        match self.whole.get() {
            Whole::Unknown => None,
            Whole::Known(array) => Some(array),
            Whole::Bare(array) => Some(array),
        }
    }

    /// To be called by each write.
    #[inline]
    pub(crate) fn forget_whole(&self) {
        self.whole.set(Whole::Unknown);
    }

    pub(crate) fn remember_array(&self, array: Array) {
        self.whole.set(Whole::Known(array));
    }

    /// The stretch of an array that bytes refer to, if any still does and there is only one.
    pub(crate) fn only_base(&self) -> Option<&Slice> {
        let used = self.pages.as_ref().map_or_else(|| self.flat.has_base(), |pages| pages.has_base());
        let mut slices = self.bases.as_ref().filter(|_| used)?.iter();
        slices.next().filter(|_| slices.next().is_none())
    }

    /// The stretch of an array that these bytes are or were, before some were written.
    pub(crate) fn base_of(&self, bytes: Range<usize>) -> Option<Slice> {
        let mut slices = self.bases.as_ref()?.iter();
        let slice = slices.find(|slice| slice.here.start <= bytes.start && bytes.end <= slice.here.end)?;
        let from = slice.from + (bytes.start - slice.here.start);
        bytes.clone().any(|at| self.get(at) == Byte::Base).then(|| Slice { here: bytes, from, ..slice.clone() })
    }

    /// Whether bytes are or were those of an array.
    pub fn has_been_array(&self) -> bool {
        self.bases.is_some()
    }

    /// The array that all bytes are, if nothing was written since.
    pub(crate) fn bare_array(&self) -> Option<Array> {
        match self.whole.get() {
            Whole::Bare(array) => Some(array),
            Whole::Unknown | Whole::Known(_) => None,
        }
    }

    pub fn len(&self) -> usize {
        self.pages.as_ref().map_or(self.flat.len(), |pages| pages.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All bytes, if none is symbolic.
    pub fn concrete_bytes(&self) -> Option<Cow<'_, [u8]>> {
        (!self.has_symbolic()).then(|| self.plain_bytes())
    }

    /// All bytes, of which those that are symbolic mean nothing.
    pub(crate) fn plain_bytes(&self) -> Cow<'_, [u8]> {
        match &self.pages {
            None => Cow::Borrowed(self.flat.bytes()),
            Some(pages) => Cow::Owned(pages.to_bytes()),
        }
    }

    pub(crate) fn has_symbolic(&self) -> bool {
        self.pages.as_ref().map_or_else(|| self.flat.has_symbolic(), |pages| pages.has_symbolic())
    }

    /// What the object costs in memory, roughly.
    pub fn footprint(&self) -> usize {
        self.flat.footprint() + self.pages.as_ref().map_or(0, |pages| pages.footprint())
    }

    /// `len` bytes (at most 8) at an offset that is in bounds, if all are concrete.
    #[inline]
    pub fn read_concrete(&self, offset: usize, len: usize) -> Option<u64> {
        if self.flat.holds(offset, len) {
            return self.flat.read(offset, len);
        }
        self.read_in_pages(offset, len)
    }

    // Out of line, as is its twin for writes: inlined into the interpreter's loop they cost every other operation.
    #[inline(never)]
    fn read_in_pages(&self, offset: usize, len: usize) -> Option<u64> {
        self.pages.as_ref().expect(OUT_OF_BOUNDS).read(offset, len)
    }

    /// Writes `len` bytes (at most 8) at an offset that is in bounds.
    #[inline]
    pub fn write_concrete(&mut self, offset: usize, len: usize, bits: u64) {
        self.forget_whole();
        if self.flat.holds(offset, len) {
            return self.flat.write(offset, len, bits);
        }
        self.write_in_pages(offset, len, bits);
    }

    #[inline(never)]
    fn write_in_pages(&mut self, offset: usize, len: usize, bits: u64) {
        let pages = self.pages.as_mut().expect(OUT_OF_BOUNDS);
        match Rc::get_mut(pages) {
            Some(own) => own.write(offset, len, bits),
            None => copied(pages).write(offset, len, bits),
        }
    }

    /// Writes concrete bytes.
    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.forget_whole();
        match &mut self.pages {
            None => self.flat.write_bytes(offset, bytes),
            Some(pages) => Rc::make_mut(pages).write_bytes(offset, bytes),
        }
    }

    /// Writes the same concrete byte `len` times.
    pub fn fill(&mut self, offset: usize, len: usize, byte: u8) {
        self.forget_whole();
        match &mut self.pages {
            None => self.flat.fill(offset, len, byte),
            Some(pages) => Rc::make_mut(pages).fill(offset, len, byte),
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
        match self.get(offset) {
            Byte::Concrete(byte) => pool.constant(8, u128::from(byte)),
            Byte::Term(term) => term,
            Byte::Base => {
                let (array, index) =
                    self.bases.as_ref().and_then(|bases| bases.of(offset)).expect("a base byte has a base");
                pool.select_at(array, index as u64)
            }
        }
    }

    pub(crate) fn get(&self, offset: usize) -> Byte {
        self.pages.as_ref().map_or_else(|| self.flat.get(offset), |pages| pages.get(offset))
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
        self.forget_whole();
        match &mut self.pages {
            None => self.flat.write_term(offset, term),
            Some(pages) => {
                let (page, at) = Rc::make_mut(pages).page_mut(offset);
                page.write_term(at, term);
            }
        }
    }

    /// The page that an offset lies in, if it is there, and the offset at which the page ends.
    pub(crate) fn page(&self, offset: usize) -> (Option<&Page>, usize) {
        match &self.pages {
            None => (Some(&self.flat), self.flat.len()),
            Some(pages) => (pages.page(offset).0, pages.end_of_page(offset)),
        }
    }

    pub(crate) fn offset_in_page(&self, offset: usize) -> usize {
        self.pages.as_ref().map_or(offset, |pages| pages.page(offset).1)
    }

    /// Whether pages that are not there are those of the base.
    pub(crate) fn is_blank_base(&self) -> bool {
        self.pages.as_ref().is_some_and(|pages| pages.is_blank_base())
    }

    /// Whether the page of an offset is one and the same in both and means the same bytes.
    pub(crate) fn shares_page(&self, other: &Contents, offset: usize) -> bool {
        match (&self.pages, &other.pages) {
            (Some(mine), Some(theirs)) => self.bases == other.bases && mine.shares_page(theirs, offset),
            (None, _) | (_, None) => false,
        }
    }
}

#[cold]
fn copied(pages: &mut Rc<Pages>) -> &mut Pages {
    Rc::make_mut(pages)
}
