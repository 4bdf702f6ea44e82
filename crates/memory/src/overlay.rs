//! Which bytes of a page are symbolic, and what they are.

use osier_term::Term;
use std::rc::Rc;

/// A byte that is not concrete in four bytes, of which an overlay has many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell(u32);

impl Cell {
    pub const CONCRETE: Cell = Cell(0);
    /// What the contents' base array has at this offset.
    pub const BASE: Cell = Cell(u32::MAX);

    pub fn of(term: Term) -> Self {
        let cell = Cell(term.0.wrapping_add(1));
        assert!(cell != Cell::CONCRETE && cell != Cell::BASE, "more terms than a cell can name");
        cell
    }

    /// Of one that is neither concrete nor of the base array.
    pub fn term(self) -> Term {
        Term(self.0 - 1)
    }
}

/// Cells that are copied together: few of a page's bytes are symbolic, and fewer change between two forks. Small in the
/// tests of this crate, so that they meet boundaries all the time.
pub(crate) const BLOCK: usize = if cfg!(test) { 4 } else { 64 };

type Block = [Cell; BLOCK];

/// Cells at offsets from 0 on, in blocks that copies share until one changes. Blocks without a symbolic cell are not there.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    blocks: Vec<Option<Rc<Block>>>,
    /// How many cells are not concrete.
    symbolic: usize,
}

impl Overlay {
    pub fn concrete(len: usize) -> Self {
        Overlay { blocks: vec![None; len.div_ceil(BLOCK)], symbolic: 0 }
    }

    /// Every byte is that of the base array.
    pub fn of_base(len: usize) -> Self {
        let full = Rc::new([Cell::BASE; BLOCK]);
        let mut blocks = vec![Some(full); len / BLOCK];
        if !len.is_multiple_of(BLOCK) {
            let mut last = [Cell::CONCRETE; BLOCK];
            last[..len % BLOCK].fill(Cell::BASE);
            blocks.push(Some(Rc::new(last)));
        }
        Overlay { blocks, symbolic: len }
    }

    pub fn symbolic(&self) -> usize {
        self.symbolic
    }

    pub fn has_base(&self) -> bool {
        self.blocks.iter().flatten().any(|block| block.contains(&Cell::BASE))
    }

    /// Bytes that it takes, those included that it shares.
    pub fn footprint(&self) -> usize {
        size_of_val(&*self.blocks) + self.blocks.iter().flatten().count() * size_of::<Block>()
    }

    #[inline]
    pub fn get(&self, offset: usize) -> Cell {
        self.blocks[offset / BLOCK].as_ref().map_or(Cell::CONCRETE, |block| block[offset % BLOCK])
    }

    #[inline]
    pub fn is_concrete(&self, offset: usize, len: usize) -> bool {
        self.count(offset, len) == 0
    }

    /// How many of these cells are symbolic.
    #[inline]
    pub fn count(&self, offset: usize, len: usize) -> usize {
        let symbolic = |(at, start, end): (usize, usize, usize)| match &self.blocks[at] {
            Some(block) => block[start..end].iter().filter(|cell| **cell != Cell::CONCRETE).count(),
            None => 0,
        };
        blocks_of(offset, len).map(symbolic).sum()
    }

    pub fn set(&mut self, offset: usize, cell: Cell) {
        let block = self.blocks[offset / BLOCK].get_or_insert_with(|| Rc::new([Cell::CONCRETE; BLOCK]));
        let place = &mut Rc::make_mut(block)[offset % BLOCK];
        self.symbolic += usize::from(*place == Cell::CONCRETE);
        *place = cell;
    }

    /// Makes these cells concrete.
    pub fn clear(&mut self, offset: usize, len: usize) {
        for (at, start, end) in blocks_of(offset, len) {
            let Some(block) = &mut self.blocks[at] else { continue };
            let is_symbolic = |cell: &&Cell| **cell != Cell::CONCRETE;
            let here = block[start..end].iter().filter(is_symbolic).count();
            if here == 0 {
                continue;
            }
            self.symbolic -= here;
            if here == block.iter().filter(is_symbolic).count() {
                self.blocks[at] = None;
            } else {
                Rc::make_mut(block)[start..end].fill(Cell::CONCRETE);
            }
        }
    }
}

/// The blocks that bytes lie in, each with where they begin and end in it.
#[inline]
fn blocks_of(offset: usize, len: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let end = offset + len;
    (offset / BLOCK..end.div_ceil(BLOCK)).map(move |at| {
        let first = at * BLOCK;
        (at, offset.max(first) - first, end.min(first + BLOCK) - first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Change {
        Set(usize, Cell),
        Clear(usize, usize),
    }

    fn change() -> impl Strategy<Value = Change> {
        let cell = prop_oneof![Just(Cell::BASE), (0..3u32).prop_map(|term| Cell::of(Term(term)))];
        prop_oneof![
            (0..100usize, cell).prop_map(|(at, cell)| Change::Set(at, cell)),
            (0..100usize, 0..12usize).prop_map(|(at, len)| Change::Clear(at, len)),
        ]
    }

    proptest! {
        #[test]
        fn blocks_say_what_a_plain_list_says(
            len in 1..20usize,
            base: bool,
            changes in proptest::collection::vec(change(), 0..40),
        ) {
            let mut overlay = if base { Overlay::of_base(len) } else { Overlay::concrete(len) };
            let mut cells = vec![if base { Cell::BASE } else { Cell::CONCRETE }; len];
            for change in changes {
                let before = overlay.clone();
                let old = cells.clone();
                match change {
                    Change::Set(at, cell) => {
                        overlay.set(at % len, cell);
                        cells[at % len] = cell;
                    }
                    Change::Clear(at, many) => {
                        let (start, end) = (at % len, (at % len + many).min(len));
                        overlay.clear(start, end - start);
                        cells[start..end].fill(Cell::CONCRETE);
                    }
                }
                for (overlay, cells) in [(&before, &old), (&overlay, &cells)] {
                    let said: Vec<Cell> = (0..len).map(|at| overlay.get(at)).collect();
                    prop_assert_eq!(&said, cells);
                    prop_assert_eq!(overlay.has_base(), cells.contains(&Cell::BASE));
                    let symbolic = cells.iter().filter(|cell| **cell != Cell::CONCRETE).count();
                    prop_assert_eq!((overlay.symbolic(), overlay.count(0, len)), (symbolic, symbolic));
                    prop_assert_eq!(overlay.is_concrete(len / 2, len - len / 2), cells[len / 2..].iter().all(|cell| *cell == Cell::CONCRETE));
                }
            }
        }
    }
}
