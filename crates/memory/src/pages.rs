//! The bytes of a large object, in pages that forked states share until they write to them.
//!
//! A page that was never written is not there at all, so that megabytes of fresh memory cost their table of pages only.

use crate::page::{Byte, Page};
use std::rc::Rc;

/// Small pages in the tests of this crate, so that they meet boundaries all the time.
const PAGE_BITS: u32 = if cfg!(test) { 4 } else { 10 };
pub(crate) const PAGE: usize = 1 << PAGE_BITS;

/// What the bytes of pages that are not there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Blank {
    Zeros,
    /// Those of the contents' base array.
    Base,
}

#[derive(Clone, Debug)]
pub(crate) struct Pages {
    len: usize,
    blank: Blank,
    /// Each of [`PAGE`] bytes, but for the last one.
    table: Vec<Option<Rc<Page>>>,
}

impl Pages {
    pub fn blank(len: usize, blank: Blank) -> Self {
        Pages { len, blank, table: vec![None; len.div_ceil(PAGE)] }
    }

    pub fn of(bytes: &[u8]) -> Self {
        let page = |bytes: &[u8]| (!is_zero(bytes)).then(|| Rc::new(Page::of(bytes.to_vec())));
        Pages { len: bytes.len(), blank: Blank::Zeros, table: bytes.chunks(PAGE).map(page).collect() }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The offset of the first byte after the page of this one.
    pub fn end_of_page(&self, offset: usize) -> usize {
        ((offset | (PAGE - 1)) + 1).min(self.len)
    }

    pub fn has_symbolic(&self) -> bool {
        self.table.iter().any(|page| page.as_ref().map_or(self.blank == Blank::Base, |page| page.has_symbolic()))
    }

    pub fn has_base(&self) -> bool {
        self.table.iter().any(|page| page.as_ref().map_or(self.blank == Blank::Base, |page| page.has_base()))
    }

    pub fn is_blank_base(&self) -> bool {
        self.blank == Blank::Base
    }

    pub fn footprint(&self) -> usize {
        size_of_val(&*self.table) + self.table.iter().flatten().map(|page| page.footprint()).sum::<usize>()
    }

    /// Copies all bytes out; those that are symbolic mean nothing.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.len];
        for (target, page) in bytes.chunks_mut(PAGE).zip(&self.table) {
            if let Some(page) = page {
                target.copy_from_slice(page.bytes());
            }
        }
        bytes
    }

    /// The page of an offset, if it is there, and the offset in it.
    #[inline]
    pub fn page(&self, offset: usize) -> (Option<&Page>, usize) {
        (self.table[offset >> PAGE_BITS].as_deref(), offset & (PAGE - 1))
    }

    /// The page of an offset, made and made this object's own if need be, and the offset in it.
    pub fn page_mut(&mut self, offset: usize) -> (&mut Page, usize) {
        let at = offset >> PAGE_BITS;
        if self.table[at].is_none() {
            self.make_page(at);
        }
        let page = self.table[at].as_mut().expect("made above");
        (Rc::make_mut(page), offset & (PAGE - 1))
    }

    #[cold]
    fn make_page(&mut self, at: usize) {
        let len = PAGE.min(self.len - at * PAGE);
        let page = match self.blank {
            Blank::Zeros => Page::of(vec![0; len]),
            Blank::Base => Page::of_base(len),
        };
        self.table[at] = Some(Rc::new(page));
    }

    pub fn get(&self, offset: usize) -> Byte {
        match (self.page(offset), self.blank) {
            ((Some(page), at), _) => page.get(at),
            ((None, _), Blank::Zeros) => Byte::Concrete(0),
            ((None, _), Blank::Base) => Byte::Base,
        }
    }

    /// `len` bytes (at most 8), if all are concrete.
    #[inline]
    pub fn read(&self, offset: usize, len: usize) -> Option<u64> {
        let (page, at) = self.page(offset);
        if at + len > PAGE {
            return self.read_across(offset, len);
        }
        match (page, self.blank) {
            (Some(page), _) => page.read(at, len),
            (None, Blank::Zeros) => Some(0),
            (None, Blank::Base) => None,
        }
    }

    #[cold]
    fn read_across(&self, offset: usize, len: usize) -> Option<u64> {
        (0..len).rev().try_fold(0, |high, i| match self.get(offset + i) {
            Byte::Concrete(byte) => Some(high << 8 | u64::from(byte)),
            Byte::Base | Byte::Term(_) => None,
        })
    }

    /// Writes `len` bytes (at most 8).
    #[inline]
    pub fn write(&mut self, offset: usize, len: usize, bits: u64) {
        let at = offset & (PAGE - 1);
        match self.table[offset >> PAGE_BITS].as_mut().and_then(Rc::get_mut) {
            Some(own) if at + len <= PAGE => own.write(at, len, bits),
            Some(_) | None => self.write_slowly(offset, len, bits),
        }
    }

    /// As [`Self::write`], where the page must be made or copied first or the bytes lie in two.
    #[cold]
    fn write_slowly(&mut self, offset: usize, len: usize, bits: u64) {
        for (i, byte) in bits.to_le_bytes()[..len].iter().enumerate() {
            let (page, at) = self.page_mut(offset + i);
            page.write(at, 1, u64::from(*byte));
        }
    }

    pub fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        let (mut at, mut rest) = (offset, bytes);
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(self.end_of_page(at) - at));
            if !self.stays_zero(at, now.len(), || is_zero(now)) {
                let (page, start) = self.page_mut(at);
                page.write_bytes(start, now);
            }
            (at, rest) = (at + now.len(), later);
        }
    }

    pub fn fill(&mut self, offset: usize, len: usize, byte: u8) {
        let mut at = offset;
        while at < offset + len {
            let step = (offset + len).min(self.end_of_page(at)) - at;
            if !self.stays_zero(at, step, || byte == 0) {
                let (page, start) = self.page_mut(at);
                page.fill(start, step, byte);
            }
            at += step;
        }
    }

    /// Writes bytes of one page without having the page, if they are zeros and so is the rest of it.
    fn stays_zero(&mut self, offset: usize, len: usize, zeros: impl Fn() -> bool) -> bool {
        let whole = offset & (PAGE - 1) == 0 && offset + len == self.end_of_page(offset);
        let page = &mut self.table[offset >> PAGE_BITS];
        if self.blank == Blank::Base || !(whole || page.is_none()) || !zeros() {
            return false;
        }
        *page = None;
        true
    }

    /// Whether the page of an offset is one and the same in both, which may mean other bytes if their bases differ.
    pub fn shares_page(&self, other: &Pages, offset: usize) -> bool {
        match (&self.table[offset >> PAGE_BITS], &other.table[offset >> PAGE_BITS]) {
            (Some(mine), Some(theirs)) => Rc::ptr_eq(mine, theirs),
            (None, None) => self.blank == other.blank,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Takes over a page of another object as it is, if `len` bytes are a page on both sides and mean the same here.
    pub fn share_page(&mut self, to: usize, source: &Pages, from: usize, len: usize) -> bool {
        let whole =
            (from | to) & (PAGE - 1) == 0 && to + len == self.end_of_page(to) && from + len == source.end_of_page(from);
        if !whole {
            return false;
        }
        let page = &source.table[from >> PAGE_BITS];
        let alike = match page {
            Some(page) => !page.has_base(),
            None => self.blank == Blank::Zeros && source.blank == Blank::Zeros,
        };
        if alike {
            self.table[to >> PAGE_BITS].clone_from(page);
        }
        alike
    }
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}
