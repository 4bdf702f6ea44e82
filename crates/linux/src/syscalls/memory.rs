//! Memory of the program's own: mappings. The allocation functions are the engine's and do not come here.

use super::{Row, error};
use crate::node::Kind;
use crate::sys::{Reply, Sys};
use osier_ir::LocId;
use osier_memory::{Allocation, Contents, Life, Origin};

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_mmap, run: map },
    Row { number: libc::SYS_munmap, run: unmap },
    Row { number: libc::SYS_mremap, run: remap },
    Row { number: libc::SYS_mprotect, run: protect },
    Row { number: libc::SYS_madvise, run: |_| Ok(0) },
    Row { number: libc::SYS_msync, run: |_| Ok(0) },
    // The break stays where it is: the C library then maps.
    Row { number: libc::SYS_brk, run: |_| Ok(0) },
];

const PAGE: u64 = 4096;
const LARGEST: u64 = 1 << 30;
const ORIGIN: Origin = Origin::Environment { name: "a mapping" };

fn place(sys: &mut Sys<'_>, contents: Contents, read_only: bool) -> Reply {
    let allocation = Allocation {
        size: contents.len() as u64,
        align: PAGE,
        origin: ORIGIN,
        read_only,
        allocated_at: LocId(0),
        contents,
        limit: None,
    };
    match sys.state.memory.allocate(allocation) {
        Some((_, base)) => Ok(base),
        None => error(libc::ENOMEM),
    }
}

fn map(sys: &mut Sys<'_>) -> Reply {
    let (len, protection, flags) = (sys.word(1)?, sys.int(2)?, sys.int(3)?);
    if len == 0 {
        return error(libc::EINVAL);
    }
    if len > LARGEST || flags & libc::MAP_FIXED != 0 {
        return error(libc::ENOMEM);
    }
    let size = len.next_multiple_of(PAGE) as usize;
    let writable = protection & libc::PROT_WRITE != 0;
    if flags & libc::MAP_ANONYMOUS != 0 {
        // Memory that nobody may touch yet gets its rights later.
        return place(sys, Contents::zeroed(size), protection == libc::PROT_READ);
    }
    let (_, file) = sys.open_file(4)?;
    let offset = sys.word(5)? as usize;
    if flags & libc::MAP_SHARED != 0 && writable {
        // What is written would have to reach the file.
        return error(libc::ENODEV);
    }
    let shared = sys.kernel().shared_node(file.node);
    let Kind::File(source) = &shared.kind else { return error(libc::ENODEV) };
    let mut contents = Contents::zeroed(size);
    let there = (source.size as usize).saturating_sub(offset).min(size);
    contents.copy_from(&mut sys.cx.pool, 0, source.contents(), offset.min(source.size as usize), there);
    place(sys, contents, !writable)
}

/// Only whole mappings go; a part of one stays, which no program can tell from memory that happens to be there.
fn unmap(sys: &mut Sys<'_>) -> Reply {
    let (address, len) = (sys.word(0)?, sys.word(1)?);
    if let Some(object) = sys.state.memory.find(address)
        && object.is_live()
        && object.origin == ORIGIN
        && object.base == address
        && len.next_multiple_of(PAGE) >= object.size
    {
        let id = object.id;
        sys.state.memory.kill(id, Life::Freed { at: LocId(0) });
    }
    Ok(0)
}

fn remap(sys: &mut Sys<'_>) -> Reply {
    let (address, old, new, flags) = (sys.word(0)?, sys.word(1)?, sys.word(2)?, sys.int(3)?);
    let size = new.next_multiple_of(PAGE);
    let Some(object) = sys.state.memory.find(address).filter(|o| o.is_live() && o.origin == ORIGIN) else {
        return error(libc::EFAULT);
    };
    if size <= object.size {
        return Ok(address);
    }
    if flags & libc::MREMAP_MAYMOVE == 0 || size > LARGEST {
        return error(libc::ENOMEM);
    }
    let (id, read_only, kept) = (object.id, object.read_only, object.size.min(old.next_multiple_of(PAGE)) as usize);
    let mut contents = Contents::zeroed(size as usize);
    contents.copy_from(&mut sys.cx.pool, 0, &object.contents, 0, kept);
    sys.state.memory.kill(id, Life::Freed { at: LocId(0) });
    place(sys, contents, read_only)
}

fn protect(sys: &mut Sys<'_>) -> Reply {
    let (address, len, protection) = (sys.word(0)?, sys.word(1)?, sys.int(2)?);
    if let Some(object) = sys.state.memory.find(address)
        && object.is_live()
        && object.origin == ORIGIN
        && object.base == address
        && len.next_multiple_of(PAGE) >= object.size
    {
        let id = object.id;
        sys.state.memory.object_mut(id).read_only = protection == libc::PROT_READ;
    }
    Ok(0)
}
