//! Memory against a list of blocks: addresses name the right object, forks do not see each other's writes, and
//! addresses are not given out again too soon.

use crate::{Allocation, Contents, LEAD, Life, Memory, Origin, WINDOW_BITS};
use osier_ir::{FuncId, LocId, SiteId};
use osier_term::Pool;
use proptest::prelude::*;

const HEAP: Origin = Origin::Heap { allocator: "malloc" };
const STACK: Origin = Origin::Stack { function: FuncId(0), site: SiteId(0) };

fn block(size: u64, align: u64, origin: Origin) -> Allocation {
    let contents = Contents::zeroed(size as usize);
    Allocation { size, align, origin, read_only: false, allocated_at: LocId(0), contents, limit: None }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Allocate {
        size: u64,
        align: u32,
        heap: bool,
    },
    Kill {
        which: usize,
    },
    Write {
        which: usize,
        at: u64,
        bits: u64,
    },
    Copy {
        from: usize,
        to: usize,
        at: u64,
        start: u64,
        len: u64,
    },
    /// Goes on in a copy, and sometimes comes back to the one left behind.
    Fork,
    Switch {
        which: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let which = || any::<prop::sample::Index>().prop_map(|i| i.index(1 << 16));
    let size = prop_oneof![8 => 0..64u64, 1 => (1u64 << 23)..(1 << 25)];
    prop_oneof![
        4 => (size, 0..9u32, any::<bool>()).prop_map(|(size, align, heap)| Step::Allocate { size, align, heap }),
        2 => which().prop_map(|which| Step::Kill { which }),
        6 => (which(), any::<u64>(), any::<u64>()).prop_map(|(which, at, bits)| Step::Write { which, at, bits }),
        2 => (which(), which(), any::<[u64; 3]>())
            .prop_map(|(from, to, [at, start, len])| Step::Copy { from, to, at, start, len }),
        1 => Just(Step::Fork),
        1 => which().prop_map(|which| Step::Switch { which }),
    ]
}

#[derive(Clone)]
struct Block {
    base: u64,
    size: u64,
    live: bool,
    /// Only the first bytes are compared, for blocks are large.
    bytes: Vec<u8>,
}

#[derive(Clone, Default)]
struct Twin {
    memory: Memory,
    blocks: Vec<Block>,
}

const COMPARED: u64 = 64;

impl Twin {
    fn live(&self, which: usize) -> Option<usize> {
        let live: Vec<usize> = (0..self.blocks.len()).filter(|i| self.blocks[*i].live).collect();
        (!live.is_empty()).then(|| live[which % live.len()])
    }

    fn apply(&mut self, step: Step) {
        match step {
            Step::Allocate { size, align, heap } => {
                let origin = if heap { HEAP } else { STACK };
                let (_, base) = self.memory.allocate(block(size, 1 << align, origin)).expect("there is room");
                assert!(base.is_multiple_of(1 << align));
                self.blocks.retain(|b| b.base != base);
                self.blocks.push(Block { base, size, live: true, bytes: vec![0; size.min(COMPARED) as usize] });
            }
            Step::Kill { which } => {
                let Some(i) = self.live(which) else { return };
                let id = self.memory.find(self.blocks[i].base).expect("it is there").id;
                self.memory.kill(id, Life::Returned);
                self.blocks[i].live = false;
            }
            Step::Write { which, at, bits } => {
                let Some(i) = self.live(which) else { return };
                let Block { base, size, bytes, .. } = &mut self.blocks[i];
                let at = at % (size.saturating_add(9));
                let fits = at + 8 <= *size;
                assert_eq!(self.memory.write_concrete(*base + at, 8, bits), fits);
                for (i, byte) in bits.to_le_bytes().into_iter().enumerate().filter(|_| fits) {
                    if let Some(place) = bytes.get_mut(at as usize + i) {
                        *place = byte;
                    }
                }
            }
            Step::Copy { from, to, at, start, len } => {
                let (Some(from), Some(to)) = (self.live(from), self.live(to)) else { return };
                let most = self.blocks[from].size.min(self.blocks[to].size).min(COMPARED);
                let len = len % (most + 1);
                let at = at % (self.blocks[from].size.min(COMPARED) - len + 1);
                let start = start % (self.blocks[to].size.min(COMPARED) - len + 1);
                let id = |i: usize| self.memory.find(self.blocks[i].base).expect("it is there").id;
                let (source, target) = (id(from), id(to));
                self.memory.copy(&mut Pool::new(), (source, at as usize), (target, start as usize), len as usize);
                let piece = self.blocks[from].bytes[at as usize..(at + len) as usize].to_vec();
                self.blocks[to].bytes[start as usize..(start + len) as usize].copy_from_slice(&piece);
            }
            Step::Fork | Step::Switch { .. } => unreachable!("the caller's"),
        }
    }

    fn compare(&self) {
        for block in &self.blocks {
            // All addresses around a block name it, and no other.
            let (first, last) = (block.base - LEAD, block.base + block.size + LEAD - 1);
            for address in
                [first, block.base - 1, block.base, block.base + block.size / 2, block.base + block.size, last]
            {
                let found = self.memory.find(address).expect("an address around a block names it");
                assert_eq!((found.base, found.size, found.is_live()), (block.base, block.size, block.live));
                let (low, high) = found.territory();
                assert!(low <= first && last <= high, "{first:#x}..{last:#x} in {low:#x}..{high:#x}");
                assert_eq!(self.memory.object(found.id).base, block.base);
            }
            for at in 0..=block.size.min(COMPARED) {
                let expected = block.bytes.get(at as usize).filter(|_| block.live).map(|byte| u64::from(*byte));
                let is_inside = at < block.size.min(COMPARED);
                if is_inside || at == block.size {
                    assert_eq!(
                        self.memory.read_concrete(block.base + at, 1),
                        expected,
                        "byte {at} of {:#x}",
                        block.base
                    );
                }
            }
        }
        let live = self.blocks.iter().filter(|b| b.live);
        assert_eq!(self.memory.live(), (live.clone().map(|b| b.size).sum(), live.count() as u32));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn addresses_name_objects_and_forks_are_apart(steps in prop::collection::vec(step(), 1..60)) {
        let mut twins = vec![Twin::default()];
        let mut at = 0;
        for step in steps {
            match step {
                Step::Fork => {
                    twins.push(twins[at].clone());
                    at = twins.len() - 1;
                }
                Step::Switch { which } => at = which % twins.len(),
                Step::Allocate { .. } | Step::Kill { .. } | Step::Write { .. } | Step::Copy { .. } => twins[at].apply(step),
            }
        }
        twins.iter().for_each(Twin::compare);
    }
}

#[test]
fn a_write_after_a_fork_copies_one_object() {
    let mut memory = Memory::new();
    let (a, base) = memory.allocate(block(8, 8, HEAP)).expect("there is room");
    let (b, _) = memory.allocate(block(8, 8, HEAP)).expect("there is room");
    let before = memory.clone();
    assert!(memory.shares(&before, a) && memory.shares(&before, b));
    assert!(memory.write_concrete(base, 8, 5));
    assert!(!memory.shares(&before, a) && memory.shares(&before, b));
    assert_eq!((before.read_concrete(base, 8), memory.read_concrete(base, 8)), (Some(0), Some(5)));
}

#[test]
fn freed_addresses_rest_before_they_come_back() {
    for (origin, rest) in [(HEAP, 1024), (STACK, 64)] {
        let mut memory = Memory::new();
        let (first, base) = memory.allocate(block(8, 8, origin)).expect("there is room");
        memory.kill(first, Life::Returned);
        for round in 1..=rest {
            let (id, other) = memory.allocate(block(8, 8, origin)).expect("there is room");
            assert_ne!(other, base, "reused in round {round}");
            memory.kill(id, Life::Returned);
        }
        assert!(!memory.find(base).expect("a dead object can be named").is_live());
        let (_, again) = memory.allocate(block(8, 8, origin)).expect("there is room");
        assert_eq!(again, base);
        assert!(memory.find(base).is_some_and(|object| object.is_live()));
    }
}

#[test]
fn a_window_of_several_is_not_given_out_again() {
    let mut memory = Memory::new();
    let (large, base) = memory.allocate(block(1 << WINDOW_BITS, 16, STACK)).expect("there is room");
    memory.kill(large, Life::Returned);
    for _ in 0..200 {
        let (id, other) = memory.allocate(block(8, 8, STACK)).expect("there is room");
        assert_ne!(other, base);
        memory.kill(id, Life::Returned);
    }
    assert!(memory.find(base + (1 << WINDOW_BITS) - 1).is_some_and(|object| object.id == large));
}

#[test]
fn large_alignments_hold() {
    let mut memory = Memory::new();
    for bits in [4, 16, 22, 23, 24, 25, 28] {
        let (id, base) = memory.allocate(block(100, 1 << bits, HEAP)).expect("there is room");
        assert!(base.is_multiple_of(1 << bits), "{base:#x} is not a multiple of 2^{bits}");
        for address in [base - LEAD, base, base + 99, base + LEAD] {
            assert_eq!(memory.find(address).map(|object| object.id), Some(id), "2^{bits}");
        }
    }
}

#[test]
fn an_object_of_many_windows_ends_with_its_last() {
    let window = 1u64 << WINDOW_BITS;
    let mut memory = Memory::new();
    let (id, base) = memory.allocate(block(3 * window, 16, HEAP)).expect("there is room");
    let (next, next_base) = memory.allocate(block(1, 16, HEAP)).expect("there is room");
    assert_eq!(memory.find(base + 3 * window + LEAD - 1).map(|object| object.id), Some(id));
    assert_eq!(memory.find(next_base - LEAD).map(|object| object.id), Some(next));
    memory.kill(id, Life::Freed { at: LocId(0) });
    assert!(memory.find(base + 2 * window).is_some_and(|object| object.id == id && !object.is_live()));
}

#[test]
fn fixed_objects_lie_where_they_are_wanted_and_do_not_overlap() {
    let mut memory = Memory::new();
    let a = memory.allocate_fixed(0x2000, 16, LocId(0)).expect("nothing lies there");
    assert_eq!(memory.allocate_fixed(0x200f, 1, LocId(0)), None);
    assert_eq!(memory.allocate_fixed(u64::MAX, 1, LocId(0)), None);
    assert_eq!(memory.allocate_fixed(0x10_0000_0000, 1, LocId(0)), None);
    let b = memory.allocate_fixed(0x2010, 4, LocId(0)).expect("nothing lies there");
    let found = |memory: &Memory, address| memory.find(address).map(|object| object.id);
    assert_eq!(
        [0x1fff, 0x2000, 0x200f, 0x2010, 0x2014].map(|at| found(&memory, at)),
        [None, Some(a), Some(a), Some(b), None]
    );
    let before = memory.clone();
    memory.object_mut(b).contents.write_concrete(0, 4, 9);
    let word = |memory: &Memory| memory.object(b).contents.read_concrete(0, 4);
    assert_eq!((word(&before), word(&memory)), (Some(0), Some(9)));
    memory.copy(&mut Pool::new(), (b, 0), (a, 12), 4);
    assert_eq!(memory.object(a).contents.read_concrete(12, 4), Some(9));
    memory.kill(a, Life::Freed { at: LocId(0) });
    assert_eq!(memory.live(), (4, 1));
}
