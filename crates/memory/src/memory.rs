//! All objects of one state.

use crate::quarantine::Quarantine;
use crate::windows::Windows;
use crate::{Contents, Findings, LEAD, Life, Object, ObjectId, Origin, WINDOW_BITS};
use osier_ir::LocId;
use osier_term::{Pool, Term};
use std::rc::Rc;

/// Objects lie above 4 GiB, so that a pointer squeezed through an `int` does not come back.
const FIRST_WINDOW: u32 = 0x1000;
/// 47 bits of address give so many windows.
const LAST_WINDOW: u32 = 1 << 23;
const WINDOW_SIZE: u64 = 1 << WINDOW_BITS;
/// Where the addresses of objects lie that have windows.
pub(crate) const ADDRESSES: std::ops::Range<u64> =
    (FIRST_WINDOW as u64) << WINDOW_BITS..(LAST_WINDOW as u64) << WINDOW_BITS;
/// Ids from here on are fixed objects, which lie where the program said and not in a window.
const FIXED_IDS: u32 = 1 << 31;

/// What to allocate.
pub struct Allocation {
    pub size: u64,
    pub align: u64,
    pub origin: Origin,
    pub read_only: bool,
    pub allocated_at: LocId,
    pub contents: Contents,
    /// See [`Object::limit`].
    pub limit: Option<Term>,
}

/// The memory of one state. Cloning shares all objects.
#[derive(Clone)]
pub struct Memory {
    windows: Windows,
    next_window: u32,
    stack_rest: Quarantine,
    heap_rest: Quarantine,
    fixed: Rc<Vec<Object>>,
    live_bytes: u64,
    live_objects: u32,
    /// What the path has found out about pointers.
    pub findings: Findings,
}

impl Default for Memory {
    fn default() -> Self {
        Memory::new()
    }
}

impl Memory {
    pub fn new() -> Self {
        Memory {
            windows: Windows::default(),
            next_window: FIRST_WINDOW,
            stack_rest: Quarantine::new(64),
            heap_rest: Quarantine::new(1024),
            fixed: Rc::default(),
            live_bytes: 0,
            live_objects: 0,
            findings: Findings::default(),
        }
    }

    /// Bytes of live objects, and how many there are.
    pub fn live(&self) -> (u64, u32) {
        (self.live_bytes, self.live_objects)
    }

    /// A new object and its address; nothing if the address space is used up.
    pub fn allocate(&mut self, allocation: Allocation) -> Option<(ObjectId, u64)> {
        let Allocation { size, align, origin, read_only, allocated_at, contents, limit } = allocation;
        // A window starts at a multiple of its size, so only a larger alignment needs room to move.
        let align = align.max(1).checked_next_power_of_two()?;
        let slack = if align > WINDOW_SIZE { align } else { LEAD.next_multiple_of(align) - LEAD };
        let windows = size.checked_add(2 * LEAD)?.checked_add(slack)?.div_ceil(WINDOW_SIZE);
        let windows = u32::try_from(windows).ok()?;
        let window = self.take_windows(windows, origin)?;
        let base = ((u64::from(window) << WINDOW_BITS) + LEAD).next_multiple_of(align);
        let id = ObjectId(window);
        let object = Rc::new(Object {
            id,
            base,
            size,
            origin,
            life: Life::Live,
            read_only,
            pinned: false,
            limit,
            allocated_at,
            family: None,
            bundle: None,
            chunk: None,
            contents,
            windows,
        });
        self.windows.set(window, Some(object));
        self.live_bytes += size;
        self.live_objects += 1;
        Some((id, base))
    }

    fn take_windows(&mut self, count: u32, origin: Origin) -> Option<u32> {
        if count == 1 {
            let rest = if matches!(origin, Origin::Heap { .. }) { &mut self.heap_rest } else { &mut self.stack_rest };
            if let Some(window) = rest.pop() {
                return Some(window);
            }
        }
        let window = self.next_window;
        let next = window.checked_add(count)?;
        if next > LAST_WINDOW {
            return None;
        }
        self.next_window = next;
        Some(window)
    }

    /// An object at an address of the program's choice; fails if it overlaps another one or lies among the windows.
    pub fn allocate_fixed(&mut self, address: u64, size: u64, allocated_at: LocId) -> Option<ObjectId> {
        let end = address.checked_add(size)?;
        if end > u64::from(FIRST_WINDOW) << WINDOW_BITS {
            return None;
        }
        if self.fixed.iter().any(|o| address < o.base + o.size && o.base < end) {
            return None;
        }
        let id = ObjectId(FIXED_IDS + self.fixed.len() as u32);
        let object = Object {
            id,
            base: address,
            size,
            origin: Origin::Fixed,
            life: Life::Live,
            read_only: false,
            pinned: true,
            limit: None,
            allocated_at,
            family: None,
            bundle: None,
            chunk: None,
            contents: Contents::zeroed(size as usize),
            windows: 0,
        };
        self.live_bytes += size;
        self.live_objects += 1;
        Rc::make_mut(&mut self.fixed).push(object);
        Some(id)
    }

    /// The object whose window an address lies in, alive or not. The address may lie outside its bounds.
    #[inline]
    pub fn find(&self, address: u64) -> Option<&Object> {
        match self.windows.get(u32::try_from(address >> WINDOW_BITS).ok()?) {
            Some(object) => Some(object),
            None => self.find_slowly(address),
        }
    }

    /// Fixed objects, and the later windows of objects that span several.
    #[cold]
    fn find_slowly(&self, address: u64) -> Option<&Object> {
        if let Some(object) = self.fixed.iter().find(|o| address >= o.base && address - o.base < o.size.max(1)) {
            return Some(object);
        }
        let window = u32::try_from(address >> WINDOW_BITS).ok()?;
        if window < FIRST_WINDOW || window >= self.next_window {
            return None;
        }
        let before = (FIRST_WINDOW..window).rev().find_map(|w| self.windows.get(w))?;
        (address <= before.territory().1).then_some(before)
    }

    #[inline]
    pub fn object(&self, id: ObjectId) -> &Object {
        if id.0 >= FIXED_IDS {
            return &self.fixed[(id.0 - FIXED_IDS) as usize];
        }
        self.windows.get(id.0).expect("an object id names an object of this state")
    }

    #[inline]
    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        if id.0 >= FIXED_IDS {
            return &mut Rc::make_mut(&mut self.fixed)[(id.0 - FIXED_IDS) as usize];
        }
        self.windows.get_mut(id.0).expect("an object id names an object of this state")
    }

    /// The value of `len` bytes (at most 8) if the access is in order in every respect and its bytes are concrete.
    #[inline]
    pub fn read_concrete(&self, address: u64, len: usize) -> Option<u64> {
        let object = self.find(address)?;
        let offset = address.wrapping_sub(object.base);
        if !object.is_plain() || !object.holds(offset, len as u64) {
            return None;
        }
        object.contents.read_concrete(offset as usize, len)
    }

    /// Writes `len` bytes (at most 8) if the access is in order in every respect and needs no terms.
    #[inline]
    pub fn write_concrete(&mut self, address: u64, len: usize, bits: u64) -> bool {
        let Ok(window) = u32::try_from(address >> WINDOW_BITS) else { return false };
        let Some(object) = self.windows.get_mut(window) else { return self.write_slowly(address, len, bits) };
        let offset = address.wrapping_sub(object.base);
        if !object.is_plain() || object.read_only || !object.holds(offset, len as u64) {
            return false;
        }
        object.contents.write_concrete(offset as usize, len, bits);
        true
    }

    /// As [`Self::write_concrete`], where the window of the address is not the first one of its object.
    #[cold]
    fn write_slowly(&mut self, address: u64, len: usize, bits: u64) -> bool {
        let Some((id, base)) = self.find_slowly(address).map(|object| (object.id, object.base)) else { return false };
        let object = self.object_mut(id);
        let offset = address - base;
        if !object.is_plain() || object.read_only || !object.holds(offset, len as u64) {
            return false;
        }
        object.contents.write_concrete(offset as usize, len, bits);
        true
    }

    /// Ends an object's life. Its window rests, and until it is reused the object can still be named in a report.
    pub fn kill(&mut self, id: ObjectId, life: Life) {
        let object = self.object_mut(id);
        debug_assert!(object.is_live());
        let (size, heap, windows) = (object.size, object.is_heap(), object.windows);
        object.life = life;
        object.contents = Contents::zeroed(0);
        self.live_bytes -= size;
        self.live_objects -= 1;
        if windows == 1 {
            if heap { self.heap_rest.push(id.0) } else { self.stack_rest.push(id.0) }
        }
    }

    /// The first and last address of all windows in use.
    pub(crate) fn span(&self) -> Option<(u64, u64)> {
        let (first, end) = (u64::from(FIRST_WINDOW) << WINDOW_BITS, u64::from(self.next_window) << WINDOW_BITS);
        (first < end).then(|| (first, end - 1))
    }

    /// The first and last address of each fixed object.
    pub(crate) fn fixed_ranges(&self) -> Vec<(u64, u64)> {
        self.fixed.iter().map(Object::territory).collect()
    }

    /// Copies `len` bytes, in bounds on both sides, as memmove does.
    pub fn copy(&mut self, pool: &mut Pool, (from, at): (ObjectId, usize), (to, start): (ObjectId, usize), len: usize) {
        if from == to {
            self.object_mut(to).contents.copy_within(pool, at, start, len);
        } else if let Some(source) = self.windows.get_shared(from.0).cloned() {
            self.object_mut(to).contents.copy_from(pool, start, &source.contents, at, len);
        } else {
            let piece = self.object(from).contents.piece(pool, at, len);
            self.object_mut(to).contents.copy_from(pool, start, &piece, 0, len);
        }
    }

    /// All objects, alive or not, in the order of their windows.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.windows.iter().map(|(_, object)| object).chain(self.fixed.iter())
    }

    /// Whether two states share the very same object, for measuring what a fork costs.
    pub fn shares(&self, other: &Memory, id: ObjectId) -> bool {
        match (self.windows.get_shared(id.0), other.windows.get_shared(id.0)) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, _) | (_, None) => false,
        }
    }
}
