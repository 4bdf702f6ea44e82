//! What is done with files by name: asking about them, making, renaming and removing them.

use super::descriptors::base;
use super::{Row, error};
use crate::node::{File, Folder, Kind, NodeId, Stamp};
use crate::path::{Lookup, Named, resolve};
use crate::stat;
use crate::sys::{Leave, Reply, Sys};
use osier_memory::{Contents, Value};
use std::rc::Rc;

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_stat, run: |sys| status(sys, true) },
    Row { number: libc::SYS_lstat, run: |sys| status(sys, false) },
    Row { number: libc::SYS_fstat, run: status_open },
    Row { number: libc::SYS_newfstatat, run: status_at },
    Row { number: libc::SYS_statx, run: status_extended },
    Row { number: libc::SYS_statfs, run: file_system },
    Row { number: libc::SYS_fstatfs, run: file_system },
    Row { number: libc::SYS_access, run: |sys| access(sys, None) },
    Row { number: libc::SYS_faccessat, run: |sys| access(sys, Some(0)) },
    Row { number: libc::SYS_faccessat2, run: |sys| access(sys, Some(0)) },
    Row { number: libc::SYS_readlink, run: |sys| read_link(sys, None) },
    Row { number: libc::SYS_readlinkat, run: |sys| read_link(sys, Some(0)) },
    Row { number: libc::SYS_unlink, run: |sys| remove(sys, None, false) },
    Row { number: libc::SYS_rmdir, run: |sys| remove(sys, None, true) },
    Row { number: libc::SYS_unlinkat, run: remove_at },
    Row { number: libc::SYS_rename, run: |sys| rename(sys, (None, 0), (None, 1), 0) },
    Row { number: libc::SYS_renameat, run: |sys| rename(sys, (Some(0), 1), (Some(2), 3), 0) },
    Row { number: libc::SYS_renameat2, run: rename_with_flags },
    Row { number: libc::SYS_link, run: |sys| link(sys, (None, 0), (None, 1)) },
    Row { number: libc::SYS_linkat, run: |sys| link(sys, (Some(0), 1), (Some(2), 3)) },
    Row { number: libc::SYS_symlink, run: |sys| link_by_name(sys, (None, 1)) },
    Row { number: libc::SYS_symlinkat, run: |sys| link_by_name(sys, (Some(1), 2)) },
    Row { number: libc::SYS_chmod, run: |sys| change_mode(sys, (None, 0), 1) },
    Row { number: libc::SYS_fchmodat, run: |sys| change_mode(sys, (Some(0), 1), 2) },
    Row { number: libc::SYS_fchmod, run: change_mode_open },
    Row { number: libc::SYS_chown, run: |sys| change_owner(sys, (None, 0), 1, true) },
    Row { number: libc::SYS_lchown, run: |sys| change_owner(sys, (None, 0), 1, false) },
    Row { number: libc::SYS_fchownat, run: |sys| change_owner(sys, (Some(0), 1), 2, true) },
    Row { number: libc::SYS_fchown, run: change_owner_open },
    Row { number: libc::SYS_utimensat, run: change_times },
    Row { number: libc::SYS_truncate, run: truncate },
    Row { number: libc::SYS_mknod, run: |sys| make_node(sys, (None, 0), 1) },
    Row { number: libc::SYS_mknodat, run: |sys| make_node(sys, (Some(0), 1), 2) },
];

/// A path among a call's words, and the word that says where it begins.
type Place = (Option<usize>, usize);

fn look_up(sys: &mut Sys<'_>, (start, path): Place, follow: bool, create: bool) -> Result<(Named, Vec<Value>), Leave> {
    let base = match start {
        Some(index) => base(sys, index)?,
        None => sys.kernel().cwd,
    };
    let path = sys.string(path)?;
    let named = resolve(sys, &path, Lookup { base, follow, create })?;
    Ok((named, path))
}

fn existing(sys: &mut Sys<'_>, place: Place, follow: bool) -> Result<NodeId, Leave> {
    match look_up(sys, place, follow, false)?.0 {
        Named::Node(node) => Ok(node),
        Named::Error(number) => error(number),
        Named::Free { .. } => error(libc::ENOENT),
    }
}

fn tell(sys: &mut Sys<'_>, node: NodeId, target: Value) -> Reply {
    let shared = sys.kernel().shared_node(node);
    let bytes = stat::encode(&mut sys.cx.pool, &shared, node);
    sys.copy_out(target, &bytes)?;
    Ok(0)
}

fn status(sys: &mut Sys<'_>, follow: bool) -> Reply {
    let node = existing(sys, (None, 0), follow)?;
    tell(sys, node, sys.words[1])
}

fn status_open(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    tell(sys, file.node, sys.words[1])
}

/// The file that an `...at` call with flags means: the open one itself, if the path is empty and may be.
fn node_at(sys: &mut Sys<'_>, flags: i32) -> Result<NodeId, Leave> {
    if flags & libc::AT_EMPTY_PATH != 0 && sys.string(1)?.is_empty() {
        if sys.int(0)? == libc::AT_FDCWD {
            return Ok(sys.kernel().cwd);
        }
        return Ok(sys.open_file(0)?.1.node);
    }
    existing(sys, (Some(0), 1), flags & libc::AT_SYMLINK_NOFOLLOW == 0)
}

fn status_at(sys: &mut Sys<'_>) -> Reply {
    let flags = sys.int(3)?;
    let node = node_at(sys, flags)?;
    tell(sys, node, sys.words[2])
}

fn status_extended(sys: &mut Sys<'_>) -> Reply {
    let flags = sys.int(2)?;
    let node = node_at(sys, flags)?;
    let shared = sys.kernel().shared_node(node);
    let bytes = stat::encode_extended(&mut sys.cx.pool, &shared, node);
    sys.copy_out(sys.words[4], &bytes)?;
    Ok(0)
}

/// `struct statfs`: a tmpfs of a gibibyte, half of it free.
fn file_system(sys: &mut Sys<'_>) -> Reply {
    const TMPFS: u64 = 0x0102_1994;
    let blocks = (1 << 30) / 4096;
    let mut bytes = vec![0; 120];
    let words = [TMPFS, 4096, blocks, blocks / 2, blocks / 2, 1 << 20, 1 << 19];
    for (i, word) in words.into_iter().enumerate() {
        bytes[8 * i..8 * i + 8].copy_from_slice(&u64::to_le_bytes(word));
    }
    bytes[64..72].copy_from_slice(&255u64.to_le_bytes());
    bytes[72..80].copy_from_slice(&4096u64.to_le_bytes());
    sys.bytes_out(sys.words[1], &bytes)?;
    Ok(0)
}

fn access(sys: &mut Sys<'_>, start: Option<usize>) -> Reply {
    let path = start.map_or(0, |_| 1);
    let wanted = sys.word(path + 1)? as u32;
    let node = existing(sys, (start, path), true)?;
    for bit in [4, 2, 1] {
        if wanted & bit != 0 && !sys.may_access(node, bit)? {
            return error(libc::EACCES);
        }
    }
    Ok(0)
}

fn read_link(sys: &mut Sys<'_>, start: Option<usize>) -> Reply {
    let path = start.map_or(0, |_| 1);
    let room = sys.word(path + 2)? as usize;
    let node = existing(sys, (start, path), false)?;
    let Kind::Link(target) = sys.node(node).kind.clone() else { return error(libc::EINVAL) };
    let len = room.min(target.len());
    sys.bytes_out(sys.words[path + 1], &target[..len])?;
    Ok(len as u64)
}

/// The folder and the name that a path ends in, of something that exists or not.
fn last_name(sys: &mut Sys<'_>, start: Option<usize>, path: &[Value]) -> Result<(NodeId, Vec<u8>), Leave> {
    let known = sys.settled(path)?;
    let end = known.iter().rposition(|byte| *byte != b'/').map_or(0, |at| at + 1);
    let split = known[..end].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let name = known[split..end].to_vec();
    let before = if split == 0 { b"." } else { &known[..split] };
    let before: Vec<Value> = before.iter().map(|byte| Value::Int(u64::from(*byte))).collect();
    let base = match start {
        Some(index) => base(sys, index)?,
        None => sys.kernel().cwd,
    };
    match resolve(sys, &before, Lookup { base, follow: true, create: false })? {
        Named::Node(folder) if sys.node(folder).folder().is_some() => Ok((folder, name)),
        Named::Node(_) => error(libc::ENOTDIR),
        Named::Error(number) => error(number),
        Named::Free { .. } => error(libc::ENOENT),
    }
}

fn remove_at(sys: &mut Sys<'_>) -> Reply {
    let folder = sys.int(2)? & libc::AT_REMOVEDIR != 0;
    remove(sys, Some(0), folder)
}

fn remove(sys: &mut Sys<'_>, start: Option<usize>, wants_folder: bool) -> Reply {
    let place = (start, start.map_or(0, |_| 1));
    let node = existing(sys, place, false)?;
    let path = sys.string(place.1)?;
    let (folder, name) = last_name(sys, start, &path)?;
    match (sys.node(node).folder(), wants_folder) {
        (Some(_), false) => return error(libc::EISDIR),
        (None, true) => return error(libc::ENOTDIR),
        (Some(folder), true) if !folder.entries.is_empty() => return error(libc::ENOTEMPTY),
        (Some(_), true) if name.is_empty() => return error(libc::EBUSY),
        (Some(_), true) if name == b"." || name == b".." => return error(libc::EINVAL),
        (Some(_), true) | (None, false) => {}
    }
    if !sys.may_access(folder, 2)? {
        return error(libc::EACCES);
    }
    sys.kernel_mut().leave(folder, &name);
    Ok(0)
}

fn rename_with_flags(sys: &mut Sys<'_>) -> Reply {
    let flags = sys.word(4)? as u32;
    rename(sys, (Some(0), 1), (Some(2), 3), flags)
}

fn rename(sys: &mut Sys<'_>, from: Place, to: Place, flags: u32) -> Reply {
    if flags & !libc::RENAME_NOREPLACE != 0 {
        return error(libc::EINVAL);
    }
    let node = existing(sys, from, false)?;
    let (target, to_path) = look_up(sys, to, false, true)?;
    let from_path = sys.string(from.1)?;
    let (old_folder, old_name) = last_name(sys, from.0, &from_path)?;
    let (new_folder, new_name) = last_name(sys, to.0, &to_path)?;
    if let Named::Node(other) = target {
        if flags & libc::RENAME_NOREPLACE != 0 {
            return error(libc::EEXIST);
        }
        if other == node {
            return Ok(0);
        }
        match (sys.node(node).folder(), sys.node(other).folder()) {
            (None, Some(_)) => return error(libc::EISDIR),
            (Some(_), None) => return error(libc::ENOTDIR),
            (Some(_), Some(old)) if !old.entries.is_empty() => return error(libc::ENOTEMPTY),
            (Some(_), Some(_)) | (None, None) => {}
        }
    } else if let Named::Error(number) = target {
        return error(number);
    }
    if is_within(sys, new_folder, node) {
        return error(libc::EINVAL);
    }
    let kernel = sys.kernel_mut();
    kernel.leave(new_folder, &new_name);
    kernel.leave(old_folder, &old_name);
    kernel.enter(new_folder, &new_name, node);
    if kernel.node(node).folder().is_none() {
        kernel.node_mut(node).links += 1;
    }
    Ok(0)
}

/// Whether a folder is another one or lies below it.
fn is_within(sys: &Sys<'_>, mut folder: NodeId, other: NodeId) -> bool {
    loop {
        if folder == other {
            return true;
        }
        match sys.node(folder).folder() {
            Some(entries) if entries.parent != folder => folder = entries.parent,
            Some(_) | None => return false,
        }
    }
}

/// A free name for something new.
fn free_name(sys: &mut Sys<'_>, place: Place) -> Result<(NodeId, Vec<u8>), Leave> {
    match look_up(sys, place, false, true)? {
        (Named::Node(_), _) => error(libc::EEXIST),
        (Named::Error(number), _) => error(number),
        (Named::Free { folder, from, to }, path) => {
            let name = sys.settled(&path[from..to])?;
            match sys.may_access(folder, 2)? {
                true => Ok((folder, name)),
                false => error(libc::EACCES),
            }
        }
    }
}

fn link(sys: &mut Sys<'_>, from: Place, to: Place) -> Reply {
    let node = existing(sys, from, false)?;
    if sys.node(node).folder().is_some() {
        return error(libc::EPERM);
    }
    let (folder, name) = free_name(sys, to)?;
    let kernel = sys.kernel_mut();
    kernel.enter(folder, &name, node);
    kernel.node_mut(node).links += 1;
    Ok(0)
}

fn link_by_name(sys: &mut Sys<'_>, place: Place) -> Reply {
    let target = sys.string(0)?;
    let target = sys.settled(&target)?;
    let (folder, name) = free_name(sys, place)?;
    let kernel = sys.kernel_mut();
    let made = kernel.new_node(Kind::Link(target.into()), 0o777);
    kernel.enter(folder, &name, made);
    Ok(0)
}

/// Pipes and plain files; devices are for those who have some.
fn make_node(sys: &mut Sys<'_>, place: Place, mode: usize) -> Reply {
    let mode = sys.word(mode)? as u32;
    let (folder, name) = free_name(sys, place)?;
    let kind = match mode & libc::S_IFMT {
        libc::S_IFIFO => Kind::Pipe(Rc::default()),
        0 | libc::S_IFREG => Kind::File(File::of(Contents::zeroed(0))),
        _ => return error(libc::EPERM),
    };
    let permissions = mode & 0o7777 & !sys.kernel().umask;
    let kernel = sys.kernel_mut();
    let made = kernel.new_node(kind, permissions);
    kernel.enter(folder, &name, made);
    Ok(0)
}

pub fn make_folder(sys: &mut Sys<'_>, start: Option<usize>) -> Reply {
    let path = start.map_or(0, |_| 1);
    let mode = sys.word(path + 1)? as u32;
    // A slash at the end is allowed for a folder.
    let bytes = sys.string(path)?;
    let known = sys.settled(&bytes)?;
    let (folder, name) = last_name(sys, start, &bytes)?;
    if known.is_empty() {
        return error(libc::ENOENT);
    }
    let taken = sys.node(folder).folder().is_some_and(|entries| entries.entries.contains_key(name.as_slice()));
    if taken || name.is_empty() || name == b"." || name == b".." {
        return error(libc::EEXIST);
    }
    if !sys.may_access(folder, 2)? {
        return error(libc::EACCES);
    }
    let permissions = mode & 0o1777 & !sys.kernel().umask;
    let kernel = sys.kernel_mut();
    let made = kernel.new_node(Kind::Folder(Folder::empty()), permissions);
    kernel.enter(folder, &name, made);
    Ok(0)
}

fn set_mode(sys: &mut Sys<'_>, node: NodeId, mode: u32) -> Reply {
    let old = sys.node(node).mode;
    let mode = match old {
        Value::Int(bits) => Value::Int(bits & u64::from(libc::S_IFMT) | u64::from(mode & 0o7777)),
        Value::Term(term) => {
            let pool = &mut sys.cx.pool;
            let (kept, new) = (pool.constant(32, libc::S_IFMT.into()), pool.constant(32, (mode & 0o7777).into()));
            let format = pool.and(term, kept);
            Value::Term(pool.or(format, new))
        }
    };
    let changed = sys.kernel().stamp();
    let node = sys.kernel_mut().node_mut(node);
    (node.mode, node.changed) = (mode, changed);
    Ok(0)
}

fn change_mode(sys: &mut Sys<'_>, place: Place, mode: usize) -> Reply {
    let mode = sys.word(mode)? as u32;
    let node = existing(sys, place, true)?;
    set_mode(sys, node, mode)
}

fn change_mode_open(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let mode = sys.word(1)? as u32;
    set_mode(sys, file.node, mode)
}

fn set_owner(sys: &mut Sys<'_>, node: NodeId, uid: u32, gid: u32) -> Reply {
    let same = |wanted: u32, has: u32| wanted == u32::MAX || wanted == has;
    let (old_uid, old_gid) = (sys.node(node).uid, sys.node(node).gid);
    if sys.kernel().uid != 0 && !(same(uid, old_uid) && same(gid, old_gid)) {
        return error(libc::EPERM);
    }
    let node = sys.kernel_mut().node_mut(node);
    if uid != u32::MAX {
        node.uid = uid;
    }
    if gid != u32::MAX {
        node.gid = gid;
    }
    Ok(0)
}

fn change_owner(sys: &mut Sys<'_>, place: Place, first: usize, follow: bool) -> Reply {
    let (uid, gid) = (sys.word(first)? as u32, sys.word(first + 1)? as u32);
    let node = existing(sys, place, follow)?;
    set_owner(sys, node, uid, gid)
}

fn change_owner_open(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let (uid, gid) = (sys.word(1)? as u32, sys.word(2)? as u32);
    set_owner(sys, file.node, uid, gid)
}

fn change_times(sys: &mut Sys<'_>) -> Reply {
    let flags = sys.int(3)?;
    let node = if sys.words[1] == Value::Int(0) {
        sys.open_file(0)?.1.node
    } else {
        existing(sys, (Some(0), 1), flags & libc::AT_SYMLINK_NOFOLLOW == 0)?
    };
    let now = Stamp::at(sys.kernel_mut().now());
    let (mut accessed, mut modified) = (Some(now), Some(now));
    if sys.words[2] != Value::Int(0) {
        let numbers = sys.numbers_in(sys.words[2], [8, 8, 8, 8])?;
        let stamp = |seconds: u64, nanoseconds: u64| match nanoseconds as i64 {
            libc::UTIME_NOW => Some(now),
            libc::UTIME_OMIT => None,
            _ => Some(Stamp { seconds: Value::Int(seconds), nanoseconds: Value::Int(nanoseconds) }),
        };
        (accessed, modified) = (stamp(numbers[0], numbers[1]), stamp(numbers[2], numbers[3]));
    }
    let node = sys.kernel_mut().node_mut(node);
    node.accessed = accessed.unwrap_or(node.accessed);
    node.modified = modified.unwrap_or(node.modified);
    node.changed = now;
    Ok(0)
}

fn truncate(sys: &mut Sys<'_>) -> Reply {
    let size = sys.word(1)?;
    let node = existing(sys, (None, 0), true)?;
    if sys.node(node).folder().is_some() {
        return error(libc::EISDIR);
    }
    if !sys.may_access(node, 2)? {
        return error(libc::EACCES);
    }
    super::data::resize(sys, node, size)
}
