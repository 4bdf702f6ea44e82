//! Folders: listing them, making them, and being in one.

use super::{Row, error};
use crate::kernel::ROOT;
use crate::node::{Kind, NodeId};
use crate::path::{Lookup, Named, resolve};
use crate::stat::inode;
use crate::sys::{Reply, Sys};
use osier_memory::Value;

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_getdents64, run: entries },
    Row { number: libc::SYS_chdir, run: change },
    Row { number: libc::SYS_fchdir, run: change_open },
    Row { number: libc::SYS_getcwd, run: current },
    Row { number: libc::SYS_mkdir, run: |sys| super::names::make_folder(sys, None) },
    Row { number: libc::SYS_mkdirat, run: |sys| super::names::make_folder(sys, Some(0)) },
    Row { number: libc::SYS_umask, run: umask },
];

fn entries(sys: &mut Sys<'_>) -> Reply {
    let (index, file) = sys.open_file(0)?;
    let (room, from) = (sys.word(2)? as usize, sys.known(file.offset)?);
    let Some(folder) = sys.node(file.node).folder() else { return error(libc::ENOTDIR) };
    let own = [(b".".as_slice(), file.node), (b"..".as_slice(), folder.parent)];
    let all = own.into_iter().chain(folder.entries.iter().map(|(name, node)| (&**name, *node)));
    let (mut bytes, mut next) = (Vec::new(), from);
    for (name, node) in all.skip(from as usize) {
        let len = (19 + name.len() + 1).next_multiple_of(8);
        if bytes.len() + len > room {
            break;
        }
        next += 1;
        let kind = match sys.node(node).kind {
            Kind::File(_) => libc::DT_REG,
            Kind::Folder(_) => libc::DT_DIR,
            Kind::Link(_) => libc::DT_LNK,
            Kind::Pipe(_) | Kind::Console(_) => libc::DT_FIFO,
            Kind::Null | Kind::Zero => libc::DT_CHR,
        };
        let start = bytes.len();
        bytes.extend(inode(node).to_le_bytes());
        bytes.extend(next.to_le_bytes());
        bytes.extend((len as u16).to_le_bytes());
        bytes.push(kind);
        bytes.extend(name);
        bytes.resize(start + len, 0);
    }
    if bytes.is_empty() && next == from && (from as usize) < 2 + folder.entries.len() {
        return error(libc::EINVAL);
    }
    sys.bytes_out(sys.words[1], &bytes)?;
    sys.kernel_mut().open_files[index].offset = Value::Int(next);
    Ok(bytes.len() as u64)
}

fn enter(sys: &mut Sys<'_>, node: NodeId) -> Reply {
    if sys.node(node).folder().is_none() {
        return error(libc::ENOTDIR);
    }
    if !sys.may_access(node, 1)? {
        return error(libc::EACCES);
    }
    sys.kernel_mut().cwd = node;
    Ok(0)
}

fn change(sys: &mut Sys<'_>) -> Reply {
    let path = sys.string(0)?;
    let lookup = Lookup { base: sys.kernel().cwd, follow: true, create: false };
    match resolve(sys, &path, lookup)? {
        Named::Node(node) => enter(sys, node),
        Named::Error(number) => error(number),
        Named::Free { .. } => error(libc::ENOENT),
    }
}

fn change_open(sys: &mut Sys<'_>) -> Reply {
    let (_, file) = sys.open_file(0)?;
    enter(sys, file.node)
}

fn current(sys: &mut Sys<'_>) -> Reply {
    let room = sys.word(1)?;
    if sys.fails("getcwd")? {
        return error(libc::ERANGE);
    }
    let mut names = Vec::new();
    let mut at = sys.kernel().cwd;
    while at != ROOT {
        let parent = sys.node(at).folder().map_or(ROOT, |folder| folder.parent);
        let above = sys.node(parent).folder();
        let name = above.and_then(|folder| folder.entries.iter().find(|(_, node)| **node == at));
        let Some((name, _)) = name else { return error(libc::ENOENT) };
        names.push(name.clone());
        at = parent;
    }
    let mut path: Vec<u8> = names.iter().rev().flat_map(|name| [b"/", &**name].concat()).collect();
    if path.is_empty() {
        path.push(b'/');
    }
    path.push(0);
    if path.len() as u64 > room {
        return error(libc::ERANGE);
    }
    sys.bytes_out(sys.words[0], &path)?;
    Ok(path.len() as u64)
}

fn umask(sys: &mut Sys<'_>) -> Reply {
    let new = sys.word(0)? as u32 & 0o777;
    let kernel = sys.kernel_mut();
    Ok(u64::from(std::mem::replace(&mut kernel.umask, new)))
}
