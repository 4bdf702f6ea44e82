//! Several pieces of memory seen side by side, for a pointer that may lead to any of them.
//!
//! The bytes stay with their objects, so that every other access is as fast as before and an address never changes its
//! meaning. A view is made for one access. After a write at a symbolic place, the pieces are stretches of one array,
//! and are seen there from then on.

use crate::page::Byte;
use crate::slices::Slice;
use crate::{Contents, Memory, ObjectId, Value};
use osier_term::{Array, Pool, Term};

/// Bytes `start` to `end` of one object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    pub id: ObjectId,
    pub start: u64,
    pub end: u64,
}

impl Piece {
    fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// Pieces as parts of one contents.
pub struct View {
    contents: Contents,
    members: Vec<Member>,
}

/// A piece, by its number, and where in the view it lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Member {
    pub piece: usize,
    pub place: u64,
}

/// Pieces begin at multiples of this, as objects do, so that what is known of an offset's alignment holds of an index.
const ALIGNMENT: usize = 16;

impl Memory {
    /// Views that together have each piece once. There is one, but where pieces are stretches of different arrays.
    pub fn views(&self, pool: &mut Pool, pieces: &[Piece]) -> Vec<View> {
        let mut views: Vec<(Option<Array>, View)> = Vec::new();
        let (mut loose, mut loose_len) = (Vec::new(), 0usize);
        for (number, piece) in pieces.iter().enumerate() {
            let contents = &self.object(piece.id).contents;
            let base = contents.base_of(piece.start as usize..piece.end as usize);
            match base.filter(|_| pieces.len() > 1 || piece.len() < contents.len()) {
                Some(slice) if self.sees(pieces, &mut views, number, &slice) => {}
                Some(_) | None => {
                    loose.push(Member { piece: number, place: loose_len as u64 });
                    loose_len = (loose_len + piece.len()).next_multiple_of(ALIGNMENT);
                }
            }
        }
        for (_, view) in &mut views {
            self.overlay(pool, pieces, view);
        }
        if !loose.is_empty() {
            views.push((None, self.gathered(pool, pieces, loose, loose_len)));
        }
        views.into_iter().map(|(_, view)| view).collect()
    }

    /// Takes a piece into the view of its array, unless another piece lies at the same place there: a copy of it.
    fn sees(&self, pieces: &[Piece], views: &mut Vec<(Option<Array>, View)>, number: usize, slice: &Slice) -> bool {
        let member = Member { piece: number, place: slice.from as u64 };
        let apart = |other: &Member| {
            let end = |m: &Member| m.place + pieces[m.piece].len() as u64;
            end(other) <= member.place || end(&member) <= other.place
        };
        match views.iter_mut().find(|(array, _)| *array == Some(slice.array)) {
            Some((_, view)) if view.members.iter().all(apart) => view.members.push(member),
            Some(_) => return false,
            None => {
                let contents = Contents::of_array(slice.size, slice.array);
                views.push((Some(slice.array), View { contents, members: vec![member] }));
            }
        }
        true
    }

    /// What was written to the pieces since they became parts of the array lies over it.
    fn overlay(&self, pool: &mut Pool, pieces: &[Piece], view: &mut View) {
        for member in &view.members {
            let piece = pieces[member.piece];
            let contents = &self.object(piece.id).contents;
            for i in 0..piece.len() {
                if contents.get(piece.start as usize + i) != Byte::Base {
                    let byte = contents.byte(pool, piece.start as usize + i);
                    view.contents.write_byte(pool, member.place as usize + i, byte);
                }
            }
        }
    }

    fn gathered(&self, pool: &mut Pool, pieces: &[Piece], members: Vec<Member>, len: usize) -> View {
        if let [only] = members.as_slice() {
            let Piece { id, start, .. } = pieces[only.piece];
            let contents = self.object(id).contents.piece(pool, start as usize, pieces[only.piece].len());
            return View { contents, members };
        }
        let mut contents = Contents::zeroed(len);
        for member in &members {
            let piece = pieces[member.piece];
            let source = &self.object(piece.id).contents;
            contents.copy_from(pool, member.place as usize, source, piece.start as usize, piece.len());
        }
        View { contents, members }
    }

    /// Gives the pieces of a view the bytes that they have in it.
    pub fn put_back(&mut self, pool: &mut Pool, pieces: &[Piece], view: &View) {
        for Member { piece, place } in &view.members {
            let Piece { id, start, end } = pieces[*piece];
            let (here, from) = (start as usize..end as usize, *place as usize);
            let contents = &mut self.object_mut(id).contents;
            match view.contents.bare_array() {
                Some(array) if view.contents.len() == contents.len() && here == (0..contents.len()) => {
                    contents.become_array(array);
                }
                Some(array) => contents.become_slice(Slice { here, array, from, size: view.contents.len() }),
                None => {
                    for (i, at) in here.enumerate() {
                        // What is still the array's is unchanged.
                        if view.contents.get(from + i) != Byte::Base {
                            let (new, old) = (view.contents.byte(pool, from + i), contents.byte(pool, at));
                            if new != old {
                                contents.write_byte(pool, at, new);
                            }
                        }
                    }
                }
            }
        }
    }
}

impl View {
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    pub fn len(&self) -> usize {
        self.contents.len()
    }

    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// The value of `width` bits at an index that lies in one of the members.
    pub fn read(&self, pool: &mut Pool, index: Term, width: u32) -> Term {
        match pool.as_const(index) {
            Some(index) => self.contents.read(pool, index as usize, width).term(pool, width),
            None => self.contents.read_at(pool, index, width),
        }
    }

    /// Writes a value of `width` bits at an index that lies in one of the members.
    pub fn write(&mut self, pool: &mut Pool, index: Term, width: u32, value: Value) {
        match pool.as_const(index) {
            Some(index) => self.contents.write(pool, index as usize, width, value),
            None => self.contents.write_at(pool, index, width, value),
        }
    }
}
