//! Descriptors: opening, closing, duplicating, and what can be asked of them.

use super::{Row, error};
use crate::kernel::Descriptor;
use crate::node::{File, Kind, NodeId};
use crate::path::{Lookup, Named, resolve};
use crate::sys::{Leave, Reply, Sys};
use osier_memory::{Contents, Value};
use std::rc::Rc;

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_open, run: open },
    Row { number: libc::SYS_openat, run: open_at },
    Row { number: libc::SYS_creat, run: create },
    Row { number: libc::SYS_close, run: close },
    Row { number: libc::SYS_dup, run: duplicate },
    Row { number: libc::SYS_dup2, run: duplicate_to },
    Row { number: libc::SYS_dup3, run: duplicate_to },
    Row { number: libc::SYS_fcntl, run: control },
    Row { number: libc::SYS_ioctl, run: device_control },
    Row { number: libc::SYS_pipe, run: pipe },
    Row { number: libc::SYS_pipe2, run: pipe },
    Row { number: libc::SYS_poll, run: poll },
    Row { number: libc::SYS_ppoll, run: poll },
    Row { number: libc::SYS_select, run: select },
    Row { number: libc::SYS_pselect6, run: select },
    Row { number: libc::SYS_flock, run: lock },
];

const MOST_DESCRIPTORS: usize = 1024;

/// Where a relative path of an `...at` call begins.
pub fn base(sys: &mut Sys<'_>, index: usize) -> Result<NodeId, Leave> {
    if sys.int(index)? == libc::AT_FDCWD {
        return Ok(sys.kernel().cwd);
    }
    // An absolute path does not look at it.
    match sys.open_file(index) {
        Ok((_, file)) => Ok(file.node),
        Err(Leave::Error(_)) => Ok(sys.kernel().cwd),
        Err(other) => Err(other),
    }
}

fn open(sys: &mut Sys<'_>) -> Reply {
    let base = sys.kernel().cwd;
    let (flags, mode) = (sys.word(1)? as u32, sys.word(2)? as u32);
    open_path(sys, base, 0, flags, mode)
}

fn open_at(sys: &mut Sys<'_>) -> Reply {
    let base = base(sys, 0)?;
    let (flags, mode) = (sys.word(2)? as u32, sys.word(3)? as u32);
    open_path(sys, base, 1, flags, mode)
}

fn create(sys: &mut Sys<'_>) -> Reply {
    let base = sys.kernel().cwd;
    let mode = sys.word(1)? as u32;
    open_path(sys, base, 0, (libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC) as u32, mode)
}

fn open_path(sys: &mut Sys<'_>, base: NodeId, path: usize, flags: u32, mode: u32) -> Reply {
    let has = |flag: i32| flags & flag as u32 == flag as u32;
    let path = sys.string(path)?;
    if sys.fails("open")? {
        return error(libc::ENFILE);
    }
    let creates = has(libc::O_CREAT);
    let follow = !(has(libc::O_NOFOLLOW) || creates && has(libc::O_EXCL));
    let access = flags & libc::O_ACCMODE as u32;
    let node = match resolve(sys, &path, Lookup { base, follow, create: creates })? {
        Named::Error(number) => return error(number),
        Named::Free { folder, from, to } => {
            let name = sys.settled(&path[from..to])?;
            if !sys.may_access(folder, 2)? {
                return error(libc::EACCES);
            }
            let permissions = mode & 0o7777 & !sys.kernel().umask;
            let kernel = sys.kernel_mut();
            let made = kernel.new_node(Kind::File(File::of(Contents::zeroed(0))), permissions);
            kernel.enter(folder, &name, made);
            made
        }
        Named::Node(_) if creates && has(libc::O_EXCL) => return error(libc::EEXIST),
        Named::Node(node) => {
            let is_folder = sys.node(node).folder().is_some();
            if matches!(sys.node(node).kind, Kind::Link(_)) && !has(libc::O_PATH) {
                return error(libc::ELOOP);
            }
            if has(libc::O_DIRECTORY) && !is_folder {
                return error(libc::ENOTDIR);
            }
            if is_folder && (creates || access != libc::O_RDONLY as u32) {
                return error(libc::EISDIR);
            }
            let wanted = match access as i32 {
                libc::O_RDONLY => 4,
                libc::O_WRONLY => 2,
                _ => 6,
            };
            if !has(libc::O_PATH) && !sys.may_access(node, wanted)? {
                return error(libc::EACCES);
            }
            if has(libc::O_TRUNC) && access != libc::O_RDONLY as u32 && matches!(sys.node(node).kind, Kind::File(_)) {
                super::data::resize(sys, node, 0)?;
            }
            node
        }
    };
    let kept = (libc::O_ACCMODE | libc::O_APPEND | libc::O_NONBLOCK | libc::O_PATH | libc::O_DIRECTORY) as u32;
    new_descriptor(sys, node, flags & kept, has(libc::O_CLOEXEC))
}

pub fn new_descriptor(sys: &mut Sys<'_>, node: NodeId, flags: u32, close_on_exec: bool) -> Reply {
    let kernel = sys.kernel_mut();
    let fd = kernel.free_descriptor(0);
    if fd >= MOST_DESCRIPTORS {
        return error(libc::EMFILE);
    }
    let file = kernel.open(node, flags);
    kernel.set_descriptor(fd, Descriptor { file, close_on_exec });
    Ok(fd as u64)
}

fn close(sys: &mut Sys<'_>) -> Reply {
    let (fd, _) = sys.descriptor(0)?;
    let fails = sys.fails("close")?;
    sys.kernel_mut().close(fd);
    if fails { error(libc::EIO) } else { Ok(0) }
}

fn duplicate(sys: &mut Sys<'_>) -> Reply {
    let (_, descriptor) = sys.descriptor(0)?;
    duplicate_above(sys, descriptor, 0, false)
}

fn duplicate_above(sys: &mut Sys<'_>, descriptor: Descriptor, least: usize, close_on_exec: bool) -> Reply {
    let kernel = sys.kernel_mut();
    let fd = kernel.free_descriptor(least);
    if fd >= MOST_DESCRIPTORS {
        return error(libc::EMFILE);
    }
    kernel.set_descriptor(fd, Descriptor { file: descriptor.file, close_on_exec });
    Ok(fd as u64)
}

fn duplicate_to(sys: &mut Sys<'_>) -> Reply {
    let (fd, descriptor) = sys.descriptor(0)?;
    let Ok(to) = usize::try_from(sys.int(1)?) else { return error(libc::EBADF) };
    if to >= MOST_DESCRIPTORS {
        return error(libc::EBADF);
    }
    if to != fd {
        let kernel = sys.kernel_mut();
        kernel.close(to);
        kernel.set_descriptor(to, Descriptor { file: descriptor.file, close_on_exec: false });
    }
    Ok(to as u64)
}

fn control(sys: &mut Sys<'_>) -> Reply {
    let (fd, descriptor) = sys.descriptor(0)?;
    let (command, argument) = (sys.int(1)?, sys.words[2]);
    let changeable = (libc::O_APPEND | libc::O_NONBLOCK) as u32;
    match command {
        libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
            let least = sys.word(2)? as usize;
            duplicate_above(sys, descriptor, least, command == libc::F_DUPFD_CLOEXEC)
        }
        libc::F_GETFD => Ok(u64::from(descriptor.close_on_exec)),
        libc::F_SETFD => {
            let flag = sys.word(2)? & 1 != 0;
            sys.kernel_mut().descriptors[fd] = Some(Descriptor { close_on_exec: flag, ..descriptor });
            Ok(0)
        }
        libc::F_GETFL => Ok(u64::from(sys.kernel().open_files[descriptor.file].flags)),
        libc::F_SETFL => {
            let flags = sys.word(2)? as u32 & changeable;
            let file = &mut sys.kernel_mut().open_files[descriptor.file];
            file.flags = file.flags & !changeable | flags;
            Ok(0)
        }
        libc::F_SETLK | libc::F_SETLKW => Ok(0),
        libc::F_GETLK => {
            // The first field of `struct flock` is the kind of lock: nobody else holds one.
            sys.bytes_out(argument, &(libc::F_UNLCK as u16).to_le_bytes())?;
            Ok(0)
        }
        libc::F_GETOWN => Ok(0),
        _ => error(libc::EINVAL),
    }
}

/// No file is a terminal.
fn device_control(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    let request = sys.word(1)?;
    if request as u32 == libc::FIONREAD as u32
        && let Kind::File(contents) = &sys.node(file.node).kind
    {
        let size = contents.size;
        let left = (size - sys.known_below(size, file.offset)?) as u32;
        sys.bytes_out(sys.words[2], &left.to_le_bytes())?;
        return Ok(0);
    }
    error(libc::ENOTTY)
}

fn pipe(sys: &mut Sys<'_>) -> Reply {
    sys.room(sys.words[0], 8)?;
    let node = sys.kernel_mut().new_node(Kind::Pipe(Rc::default()), 0o600);
    let from = new_descriptor(sys, node, libc::O_RDONLY as u32, false)? as u32;
    let to = new_descriptor(sys, node, libc::O_WRONLY as u32, false)? as u32;
    let mut bytes = from.to_le_bytes().to_vec();
    bytes.extend(to.to_le_bytes());
    sys.bytes_out(sys.words[0], &bytes)?;
    Ok(0)
}

/// Everything is ready at once; what is not open says so.
fn poll(sys: &mut Sys<'_>) -> Reply {
    let count = sys.word(1)?;
    let mut events = Vec::new();
    for i in 0..count {
        let at = sys.beyond(sys.words[0], 8 * i);
        let [fd, wanted, _] = sys.numbers_in(at, [4, 2, 2])?;
        let fd = fd as u32 as i32;
        let open = usize::try_from(fd).is_ok_and(|fd| sys.kernel().descriptors.get(fd).is_some_and(Option::is_some));
        let ready = wanted as i16 & (libc::POLLIN | libc::POLLOUT | libc::POLLRDNORM | libc::POLLWRNORM);
        events.push(match (fd < 0, open) {
            (true, _) => 0,
            (false, true) => ready,
            (false, false) => libc::POLLNVAL,
        });
    }
    let mut ready = 0;
    for (i, event) in events.into_iter().enumerate() {
        let at = sys.beyond(sys.words[0], 8 * i as u64 + 6);
        sys.bytes_out(at, &event.to_le_bytes())?;
        ready += u64::from(event != 0);
    }
    Ok(ready)
}

/// Leaves the sets of reading and writing as they are, since all is ready, and empties that of exceptions.
fn select(sys: &mut Sys<'_>) -> Reply {
    let count = sys.word(0)?;
    let bytes = count.div_ceil(64) * 8;
    let mut ready = 0;
    for index in [1, 2] {
        if sys.words[index] == Value::Int(0) {
            continue;
        }
        for i in (0..bytes).step_by(8) {
            let at = sys.beyond(sys.words[index], i);
            let [word] = sys.numbers_in(at, [8])?;
            ready += u64::from(word.count_ones());
        }
    }
    if sys.words[3] != Value::Int(0) {
        sys.copy_out(sys.words[3], &Contents::zeroed(bytes as usize))?;
    }
    Ok(ready)
}

fn lock(sys: &mut Sys<'_>) -> Reply {
    sys.descriptor(0)?;
    // One process: every lock is free.
    Ok(0)
}
