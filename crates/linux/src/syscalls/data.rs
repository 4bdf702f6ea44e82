//! Bytes in and out of open files.

use super::{Row, error};
use crate::kernel::OpenFile;
use crate::node::{Kind, NodeId, Stream};
use crate::sys::{Leave, Reply, Sys};
use osier_memory::{Contents, Value};
use std::rc::Rc;

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_read, run: read },
    Row { number: libc::SYS_write, run: write },
    Row { number: libc::SYS_pread64, run: read_at },
    Row { number: libc::SYS_pwrite64, run: write_at },
    Row { number: libc::SYS_readv, run: read_vector },
    Row { number: libc::SYS_writev, run: write_vector },
    Row { number: libc::SYS_lseek, run: seek },
    Row { number: libc::SYS_ftruncate, run: truncate_open },
    Row { number: libc::SYS_fallocate, run: allocate },
    Row { number: libc::SYS_fsync, run: synchronise },
    Row { number: libc::SYS_fdatasync, run: synchronise },
    Row { number: libc::SYS_fadvise64, run: synchronise },
    Row { number: libc::SYS_copy_file_range, run: not_here },
    Row { number: libc::SYS_sendfile, run: not_here },
    Row { number: libc::SYS_splice, run: not_here },
];

/// The largest number of bytes that one call moves.
const MOST: u64 = 0x7fff_f000;

fn reads(file: &OpenFile) -> bool {
    file.flags & libc::O_ACCMODE as u32 != libc::O_WRONLY as u32 && file.flags & libc::O_PATH as u32 == 0
}

fn writes(file: &OpenFile) -> bool {
    file.flags & libc::O_ACCMODE as u32 != libc::O_RDONLY as u32 && file.flags & libc::O_PATH as u32 == 0
}

/// Whether a file has a place to be at: a pipe has none.
fn require_seekable(sys: &mut Sys<'_>, node: NodeId) -> Result<(), Leave> {
    match sys.is_format(node, libc::S_IFIFO)? {
        true => error(libc::ESPIPE),
        false => Ok(()),
    }
}

/// Where bytes are read, and how many at most. A symbolic place is settled if it is in the file, and a symbolic number if it
/// is less than what is there: behind the end, one place is like another, and so is what is asked for in vain.
fn extent(sys: &mut Sys<'_>, node: NodeId, place: Value, count: Value) -> Result<(u64, u64), Leave> {
    let size = match &sys.node(node).kind {
        Kind::File(file) => file.size,
        _ => return Ok((sys.known(place)?, sys.known_below(MOST, count)?)),
    };
    let at = sys.known_below(size, place)?;
    Ok((at, sys.known_below((size - at).min(MOST), count)?))
}

/// Takes up to `count` bytes at an offset.
fn take(sys: &mut Sys<'_>, node: NodeId, offset: u64, count: u64) -> Result<Contents, Leave> {
    let shared = sys.kernel().shared_node(node);
    match &shared.kind {
        Kind::File(file) => {
            let len = count.min(file.size.saturating_sub(offset));
            Ok(file.contents().piece(&mut sys.cx.pool, offset.min(file.size) as usize, len as usize))
        }
        Kind::Folder(_) => error(libc::EISDIR),
        Kind::Link(_) => error(libc::EBADF),
        Kind::Pipe(bytes) => {
            if bytes.is_empty() && count > 0 && sys.kernel().has_writer(node) {
                // Nobody else is there to write: a real process would wait for ever.
                return error(libc::EAGAIN);
            }
            let len = (count as usize).min(bytes.len());
            Ok(contents_of(sys, &bytes[..len]))
        }
        Kind::Console(_) => error(libc::EBADF),
        Kind::Null => Ok(Contents::zeroed(0)),
        Kind::Zero => Ok(Contents::zeroed(count as usize)),
    }
}

fn contents_of(sys: &mut Sys<'_>, bytes: &[Value]) -> Contents {
    let mut contents = Contents::zeroed(bytes.len());
    for (i, byte) in bytes.iter().enumerate() {
        contents.write(&mut sys.cx.pool, i, 8, *byte);
    }
    contents
}

/// What reading changes besides the program's memory.
fn taken(sys: &mut Sys<'_>, file: usize, at: u64, len: u64) {
    let kernel = sys.kernel_mut();
    if len > 0 {
        kernel.open_files[file].offset = Value::Int(at + len);
    }
    let node = kernel.open_files[file].node;
    if matches!(kernel.node(node).kind, Kind::Pipe(_))
        && let Kind::Pipe(bytes) = &mut kernel.node_mut(node).kind
    {
        Rc::make_mut(bytes).drain(..len as usize);
    }
}

fn read(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    if !reads(&file) {
        return error(libc::EBADF);
    }
    if sys.fails("read")? {
        return error(libc::EIO);
    }
    let (at, count) = extent(sys, file.node, file.offset, sys.words[2])?;
    let data = take(sys, file.node, at, count)?;
    sys.copy_out(sys.words[1], &data)?;
    taken(sys, index, at, data.len() as u64);
    Ok(data.len() as u64)
}

fn read_at(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    if !reads(&file) {
        return error(libc::EBADF);
    }
    require_seekable(sys, file.node)?;
    if sys.fails("read")? {
        return error(libc::EIO);
    }
    let (at, count) = extent(sys, file.node, sys.words[3], sys.words[2])?;
    let data = take(sys, file.node, at, count)?;
    sys.copy_out(sys.words[1], &data)?;
    Ok(data.len() as u64)
}

/// The addresses and lengths of an `iovec` array.
fn vector(sys: &mut Sys<'_>) -> Result<Vec<(Value, Value)>, Leave> {
    let count = sys.word(2)?;
    if count > libc::UIO_MAXIOV as u64 {
        return error(libc::EINVAL);
    }
    let mut parts = Vec::new();
    for i in 0..count {
        let at = sys.beyond(sys.words[1], 16 * i);
        let part = sys.copy_in(at, 16)?;
        let [base, len] = [0, 8].map(|offset| part.read(&mut sys.cx.pool, offset, 64));
        parts.push((base, len));
    }
    Ok(parts)
}

fn read_vector(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    if !reads(&file) {
        return error(libc::EBADF);
    }
    let parts = vector(sys)?;
    if sys.fails("read")? {
        return error(libc::EIO);
    }
    let (at, mut left) = extent(sys, file.node, file.offset, Value::Int(MOST))?;
    let mut wanted = Vec::new();
    for (base, len) in parts {
        let len = sys.known_below(left, len)?;
        left -= len;
        wanted.push((base, len as usize));
    }
    let data = take(sys, file.node, at, wanted.iter().map(|(_, len)| *len as u64).sum())?;
    let mut done = 0;
    for (base, len) in wanted {
        let len = len.min(data.len() - done);
        sys.copy_part_out(base, &data, done, len)?;
        done += len;
    }
    taken(sys, index, at, done as u64);
    Ok(done as u64)
}

/// Writes bytes at an offset, and says where they end.
fn put(sys: &mut Sys<'_>, node: NodeId, offset: u64, data: &Contents) -> Result<u64, Leave> {
    let stamp = sys.kernel().stamp();
    let end = offset + data.len() as u64;
    let stream = match &sys.node(node).kind {
        Kind::Console(stream) => Some(*stream),
        Kind::Folder(_) => return error(libc::EISDIR),
        Kind::Null | Kind::Zero => return Ok(end),
        Kind::File(_) | Kind::Link(_) | Kind::Pipe(_) => None,
    };
    let bytes =
        |sys: &mut Sys<'_>| -> Vec<Value> { (0..data.len()).map(|i| data.read(&mut sys.cx.pool, i, 8)).collect() };
    if let Some(stream) = stream {
        let bytes = bytes(sys);
        let list = match stream {
            Stream::Out => &mut sys.state.stdout,
            Stream::Err => &mut sys.state.stderr,
        };
        let list = Rc::make_mut(list);
        let offset = offset as usize;
        if list.len() < offset + bytes.len() {
            list.resize(offset + bytes.len(), Value::Int(0));
        }
        list[offset..offset + bytes.len()].copy_from_slice(&bytes);
        return Ok(end);
    }
    if matches!(sys.node(node).kind, Kind::Pipe(_)) {
        let added = bytes(sys);
        if let Kind::Pipe(bytes) = &mut sys.kernel_mut().node_mut(node).kind {
            Rc::make_mut(bytes).extend(added);
        }
        return Ok(end);
    }
    let kernel = crate::kernel::kernel_mut(sys.state);
    let target = kernel.node_mut(node);
    (target.modified, target.changed) = (stamp, stamp);
    if let Kind::File(file) = &mut target.kind {
        file.write(&mut sys.cx.pool, offset, data);
    }
    Ok(end)
}

/// Where a write goes: to the end, if the file was opened so.
fn position(sys: &mut Sys<'_>, file: &OpenFile) -> Reply {
    if file.flags & libc::O_APPEND as u32 != 0 { Ok(size(sys, file.node)) } else { sys.known(file.offset) }
}

/// How many bytes there are; of a stream, how many were written.
fn size(sys: &Sys<'_>, node: NodeId) -> u64 {
    match sys.node(node).kind {
        Kind::Console(Stream::Out) => sys.state.stdout.len() as u64,
        Kind::Console(Stream::Err) => sys.state.stderr.len() as u64,
        _ => sys.node(node).size(),
    }
}

fn write(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    let count = sys.word(2)?.min(MOST);
    if !writes(&file) {
        return error(libc::EBADF);
    }
    if sys.fails("write")? {
        return error(libc::EIO);
    }
    let data = sys.copy_in(sys.words[1], count)?;
    let at = position(sys, &file)?;
    let end = put(sys, file.node, at, &data)?;
    sys.kernel_mut().open_files[index].offset = Value::Int(end);
    Ok(count)
}

fn write_at(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let (count, offset) = (sys.word(2)?.min(MOST), sys.word(3)?);
    if !writes(&file) {
        return error(libc::EBADF);
    }
    require_seekable(sys, file.node)?;
    if sys.fails("write")? {
        return error(libc::EIO);
    }
    let data = sys.copy_in(sys.words[1], count)?;
    put(sys, file.node, offset, &data)?;
    Ok(count)
}

fn write_vector(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    if !writes(&file) {
        return error(libc::EBADF);
    }
    let parts = vector(sys)?;
    if sys.fails("write")? {
        return error(libc::EIO);
    }
    let mut pieces = Vec::new();
    for (base, len) in parts {
        let len = sys.known_below(MOST, len)?;
        pieces.push(sys.copy_in(base, len)?);
    }
    let mut at = position(sys, &file)?;
    let mut total = 0;
    for piece in pieces {
        at = put(sys, file.node, at, &piece)?;
        total += piece.len() as u64;
    }
    sys.kernel_mut().open_files[index].offset = Value::Int(at);
    Ok(total)
}

/// A symbolic place in a file stays so: most programs seek to skip, and ask only whether there is anything behind.
fn seek(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    let whence = sys.int(2)?;
    require_seekable(sys, file.node)?;
    let size = size(sys, file.node);
    let start = match whence {
        libc::SEEK_SET => Value::Int(0),
        libc::SEEK_CUR => file.offset,
        libc::SEEK_END => Value::Int(size),
        libc::SEEK_DATA | libc::SEEK_HOLE if sys.known_below(size, sys.words[1])? == size => return error(libc::ENXIO),
        libc::SEEK_DATA => Value::Int(0),
        libc::SEEK_HOLE => {
            sys.kernel_mut().open_files[index].offset = Value::Int(size);
            return Ok(size);
        }
        _ => return error(libc::EINVAL),
    };
    let place = sys.sum(start, sys.words[1]);
    let place = match place {
        Value::Term(_) if matches!(sys.node(file.node).kind, Kind::File(_)) => place,
        _ => Value::Int(sys.known(place)?),
    };
    // Both summands are at least zero, or one is and there is no overflow: what is too large is negative, too.
    let negative = match place {
        Value::Int(place) => (place as i64) < 0,
        Value::Term(place) => {
            let zero = sys.cx.pool.constant(64, 0);
            let negative = sys.cx.pool.slt(place, zero);
            sys.holds(negative)?
        }
    };
    if negative {
        return error(libc::EINVAL);
    }
    sys.kernel_mut().open_files[index].offset = place;
    match place {
        Value::Int(place) => Ok(place),
        Value::Term(place) => Err(Leave::Symbolic(place)),
    }
}

/// Gives a file a size.
pub fn resize(sys: &mut Sys<'_>, node: NodeId, size: u64) -> Reply {
    const LARGEST: u64 = 1 << 30;
    if size > LARGEST {
        return error(libc::EFBIG);
    }
    let stamp = sys.kernel().stamp();
    let kernel = crate::kernel::kernel_mut(sys.state);
    let target = kernel.node_mut(node);
    let Kind::File(file) = &mut target.kind else { return error(libc::EINVAL) };
    file.resize(&mut sys.cx.pool, size);
    (target.modified, target.changed) = (stamp, stamp);
    Ok(0)
}

fn truncate_open(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let size = sys.word(1)?;
    if !writes(&file) {
        return error(libc::EINVAL);
    }
    if sys.fails("ftruncate")? {
        return error(libc::EIO);
    }
    resize(sys, file.node, size)
}

fn allocate(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let (mode, start, len) = (sys.word(1)?, sys.word(2)?, sys.word(3)?);
    if mode != 0 {
        return error(libc::EOPNOTSUPP);
    }
    let end = start.saturating_add(len);
    if end <= sys.node(file.node).size() { Ok(0) } else { resize(sys, file.node, end) }
}

fn synchronise(sys: &mut Sys<'_>) -> Reply {
    sys.open_file(0)?;
    Ok(0)
}

/// Programs have a plain way to do the same.
fn not_here(_sys: &mut Sys<'_>) -> Reply {
    error(libc::ENOSYS)
}
