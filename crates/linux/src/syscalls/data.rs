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
fn taken(sys: &mut Sys<'_>, file: Option<usize>, node: NodeId, len: u64) {
    let kernel = sys.kernel_mut();
    if let Some(file) = file {
        kernel.open_files[file].offset += len;
    }
    if matches!(kernel.node(node).kind, Kind::Pipe(_))
        && let Kind::Pipe(bytes) = &mut kernel.node_mut(node).kind
    {
        Rc::make_mut(bytes).drain(..len as usize);
    }
}

fn read(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    let count = sys.word(2)?.min(MOST);
    if !reads(&file) {
        return error(libc::EBADF);
    }
    if sys.fails("read")? {
        return error(libc::EIO);
    }
    let data = take(sys, file.node, file.offset, count)?;
    sys.copy_out(sys.words[1], &data)?;
    taken(sys, Some(index), file.node, data.len() as u64);
    Ok(data.len() as u64)
}

fn read_at(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let (count, offset) = (sys.word(2)?.min(MOST), sys.word(3)?);
    if !reads(&file) {
        return error(libc::EBADF);
    }
    require_seekable(sys, file.node)?;
    if sys.fails("read")? {
        return error(libc::EIO);
    }
    let data = take(sys, file.node, offset, count)?;
    sys.copy_out(sys.words[1], &data)?;
    Ok(data.len() as u64)
}

/// The addresses and lengths of an `iovec` array.
fn vector(sys: &mut Sys<'_>) -> Result<Vec<(u64, u64)>, Leave> {
    let count = sys.word(2)?;
    if count > libc::UIO_MAXIOV as u64 {
        return error(libc::EINVAL);
    }
    let mut parts = Vec::new();
    for i in 0..count {
        let at = sys.beyond(sys.words[1], 16 * i);
        let [base, len] = sys.numbers_in(at, [8, 8])?;
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
    let wanted: u64 = parts.iter().map(|(_, len)| *len).sum();
    let data = take(sys, file.node, file.offset, wanted.min(MOST))?;
    let mut done = 0;
    for (base, len) in parts {
        let len = (len as usize).min(data.len() - done);
        sys.room(Value::Int(base), len as u64)?;
        sys.copy_part_out(Value::Int(base), &data, done, len)?;
        done += len;
    }
    taken(sys, Some(index), file.node, done as u64);
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
fn position(sys: &Sys<'_>, file: &OpenFile) -> u64 {
    if file.flags & libc::O_APPEND as u32 != 0 { size(sys, file.node) } else { file.offset }
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
    let at = position(sys, &file);
    let end = put(sys, file.node, at, &data)?;
    sys.kernel_mut().open_files[index].offset = end;
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
        pieces.push(sys.copy_in(Value::Int(base), len.min(MOST))?);
    }
    let mut at = position(sys, &file);
    let mut total = 0;
    for piece in pieces {
        at = put(sys, file.node, at, &piece)?;
        total += piece.len() as u64;
    }
    sys.kernel_mut().open_files[index].offset = at;
    Ok(total)
}

fn seek(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    let (distance, whence) = (sys.word(1)? as i64, sys.int(2)?);
    require_seekable(sys, file.node)?;
    let size = size(sys, file.node);
    let start = match whence {
        libc::SEEK_SET => 0,
        libc::SEEK_CUR => file.offset,
        libc::SEEK_END => size,
        libc::SEEK_DATA if (distance as u64) < size => 0,
        libc::SEEK_HOLE if (distance as u64) < size => {
            sys.kernel_mut().open_files[index].offset = size;
            return Ok(size);
        }
        libc::SEEK_DATA | libc::SEEK_HOLE => return error(libc::ENXIO),
        _ => return error(libc::EINVAL),
    };
    let Some(offset) = (start as i64).checked_add(distance).filter(|offset| *offset >= 0) else {
        return error(libc::EINVAL);
    };
    sys.kernel_mut().open_files[index].offset = offset as u64;
    Ok(offset as u64)
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
