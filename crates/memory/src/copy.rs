//! Copies from contents to contents, symbolic bytes included. Where whole pages coincide they are shared, so that a
//! large block that is moved costs its table of pages.

use crate::Contents;
use crate::page::Byte;
use osier_term::Pool;
use std::rc::Rc;

impl Contents {
    /// Copies `len` bytes from other contents, symbolic ones included.
    pub fn copy_from(&mut self, pool: &mut Pool, to: usize, source: &Contents, from: usize, len: usize) {
        if len == self.len() && len == source.len() && (source.pages.is_some() || source.has_symbolic()) {
            // A copy of all of it keeps the array that stands behind the bytes.
            *self = source.clone();
            return;
        }
        let mut done = 0;
        while done < len {
            let (at, start) = (from + done, to + done);
            let step = (len - done).min(source.page(at).1 - at).min(self.page(start).1 - start);
            if !self.share_page(start, source, at, step) {
                self.copy_in_page(pool, start, source, at, step);
            }
            done += step;
        }
    }

    /// Copies bytes that lie in one page on both sides.
    fn copy_in_page(&mut self, pool: &mut Pool, to: usize, source: &Contents, from: usize, len: usize) {
        match source.page(from).0 {
            None if source.bases.is_none() => return self.fill(to, len, 0),
            Some(page) => {
                let at = source.offset_in_page(from);
                if page.is_concrete(at, len) {
                    return self.write_bytes(to, &page.bytes()[at..at + len]);
                }
            }
            None => {}
        }
        for i in 0..len {
            match source.get(from + i) {
                Byte::Concrete(byte) => self.write_concrete(to + i, 1, u64::from(byte)),
                Byte::Base | Byte::Term(_) => {
                    let byte = source.byte(pool, from + i);
                    self.write_byte(pool, to + i, byte);
                }
            }
        }
    }

    fn share_page(&mut self, to: usize, source: &Contents, from: usize, len: usize) -> bool {
        let (Some(pages), Some(theirs)) = (&mut self.pages, &source.pages) else { return false };
        let shared = Rc::make_mut(pages).share_page(to, theirs, from, len);
        if shared {
            self.forget_whole();
        }
        shared
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
        let mut piece = Contents::zeroed(len);
        piece.copy_from(pool, 0, self, from, len);
        piece
    }
}
