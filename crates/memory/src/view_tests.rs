//! What is read and written through a view is what is read and written in its pieces.

use crate::{Allocation, Contents, Memory, ObjectId, Origin, Piece, Value};
use osier_ir::LocId;
use osier_term::{Assignment, Pool, Term, eval};
use proptest::prelude::*;

fn object(memory: &mut Memory, contents: Contents) -> ObjectId {
    let allocation = Allocation {
        size: contents.len() as u64,
        align: 16,
        origin: Origin::Heap { allocator: "malloc" },
        read_only: false,
        allocated_at: LocId(0),
        contents,
        limit: None,
    };
    memory.allocate(allocation).expect("there is room").0
}

/// One access: the piece, the offset in it, and what is written there, if it is a write.
type Step = (usize, u8, Option<u16>);

fn steps() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..4usize, any::<u8>(), prop::option::of(any::<u16>())), 1..6)
}

/// Sizes of objects, all with room for two bytes; some are kept in pages.
fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(prop_oneof![2usize..40, 60usize..90], 4)
}

proptest! {
    /// A plain model, two bytes at a time: a table of bytes for each object. Every index is symbolic; the assignment
    /// says what it is. Between the steps some bytes are written directly, and subsets of the objects are viewed.
    #[test]
    fn a_view_reads_and_writes_its_pieces(
        sizes in sizes(),
        steps in steps(),
        subsets in prop::collection::vec(1usize..16, 6),
        direct in prop::collection::vec((0..4usize, any::<u8>(), any::<u8>()), 6),
        cut in any::<bool>(),
    ) {
        let mut pool = Pool::new();
        let mut memory = Memory::new();
        let mut model: Vec<Vec<u8>> = sizes.iter().map(|&size| (0..size).map(|i| (i * 7 + size) as u8).collect()).collect();
        let ids: Vec<ObjectId> = model.iter().map(|bytes| object(&mut memory, Contents::of(bytes.clone()))).collect();
        let indices = pool.input("indices", 2 * steps.len() as u32);
        let mut assignment = Assignment::new();
        let mut chosen = vec![0u8; 2 * steps.len()];
        for (number, (target, offset, write)) in steps.into_iter().enumerate() {
            let (at, value) = (usize::from(direct[number].1) % model[direct[number].0].len(), direct[number].2);
            model[direct[number].0][at] = value;
            memory.object_mut(ids[direct[number].0]).contents.write_concrete(at, 1, u64::from(value));
            let members: Vec<usize> = (0..4).filter(|i| *i == target || subsets[number] >> i & 1 == 1).collect();
            // A piece may be a part of its object; the access lies in it.
            let offset = usize::from(offset) % (model[target].len() - 1);
            let pieces: Vec<Piece> = members
                .iter()
                .map(|&i| {
                    let start = if cut && i == target { offset - offset.min(3) } else { 0 };
                    Piece { id: ids[i], start: start as u64, end: model[i].len() as u64 }
                })
                .collect();
            let mut views = memory.views(&mut pool, &pieces);
            let mut seen: Vec<usize> = views.iter().flat_map(|view| view.members().iter().map(|m| m.piece)).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..pieces.len()).collect::<Vec<_>>());
            let piece = members.iter().position(|&i| i == target).expect("the target is a member");
            let (view, place) = views
                .iter_mut()
                .find_map(|view| {
                    let place = view.members().iter().find(|m| m.piece == piece)?.place;
                    Some((view, place))
                })
                .expect("each piece is in a view");
            let index = place as usize + offset - pieces[piece].start as usize;
            let (low, high) = (pool.select_at(indices, 2 * number as u64), pool.select_at(indices, 2 * number as u64 + 1));
            let symbolic = pool.concat(high, low);
            let symbolic = pool.zext(symbolic, 64);
            chosen[2 * number..2 * number + 2].copy_from_slice(&(index as u16).to_le_bytes());
            match write {
                Some(value) => {
                    view.write(&mut pool, symbolic, 16, Value::Int(u64::from(value)));
                    memory.put_back(&mut pool, &pieces, view);
                    model[target][offset..offset + 2].copy_from_slice(&value.to_le_bytes());
                }
                None => {
                    let read: Term = view.read(&mut pool, symbolic, 16);
                    assignment.set(indices, chosen.clone().into());
                    let expected = u16::from_le_bytes([model[target][offset], model[target][offset + 1]]);
                    prop_assert_eq!(eval(&pool, read, &assignment) as u16, expected);
                }
            }
            assignment.set(indices, chosen.clone().into());
            for (id, bytes) in ids.iter().zip(&model) {
                for (i, byte) in bytes.iter().enumerate() {
                    let term = memory.object(*id).contents.byte(&mut pool, i);
                    prop_assert_eq!(eval(&pool, term, &assignment) as u8, *byte, "byte {} of {}", i, id);
                }
            }
        }
    }
}

#[test]
fn a_copy_of_a_piece_has_its_own_place() {
    let mut pool = Pool::new();
    let mut memory = Memory::new();
    let one = object(&mut memory, Contents::zeroed(48));
    let two = object(&mut memory, Contents::zeroed(48));
    let pieces = [one, two].map(|id| Piece { id, start: 0, end: 48 });
    let input = pool.input("i", 1);
    let byte = pool.select_at(input, 0);
    let index = pool.zext(byte, 64);
    let [mut view] = <[_; 1]>::try_from(memory.views(&mut pool, &pieces)).ok().expect("nothing keeps them apart");
    view.write(&mut pool, index, 8, Value::Int(7));
    memory.put_back(&mut pool, &pieces, &view);
    memory.copy(&mut pool, (one, 0), (two, 0), 48);
    let views = memory.views(&mut pool, &pieces);
    assert_eq!(views.len(), 2, "both would lie at the first one's place");
    assert_ne!(views[0].members()[0].piece, views[1].members()[0].piece);
}
