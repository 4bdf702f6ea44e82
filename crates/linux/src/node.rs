//! What the file system is made of.

use osier_base::entity;
use osier_memory::{Contents, Value};
use osier_term::Pool;
use std::collections::BTreeMap;
use std::rc::Rc;

entity!(
    /// A file, a folder or another thing with an inode.
    pub struct NodeId = "i";
);

/// Where what is written to the console goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    Out,
    Err,
}

#[derive(Clone)]
pub enum Kind {
    /// A file, or a pipe whose writer has gone: bytes that are there.
    File(File),
    Folder(Folder),
    Link(Rc<[u8]>),
    Pipe(Rc<Vec<Value>>),
    Console(Stream),
    Null,
    Zero,
}

#[derive(Clone)]
pub struct Folder {
    pub entries: BTreeMap<Rc<[u8]>, NodeId>,
    pub parent: NodeId,
}

impl Folder {
    /// An empty one; it gets its parent when it gets a name, and the root is its own.
    pub fn empty() -> Self {
        Folder { entries: BTreeMap::new(), parent: NodeId(0) }
    }
}

/// Bytes, with room to grow behind them.
#[derive(Clone)]
pub struct File {
    room: Contents,
    pub size: u64,
}

impl File {
    pub fn of(contents: Contents) -> Self {
        File { size: contents.len() as u64, room: contents }
    }

    pub fn contents(&self) -> &Contents {
        &self.room
    }

    /// Makes it so long, with zeros where there was nothing.
    pub fn resize(&mut self, pool: &mut Pool, size: u64) {
        let (old, new) = (self.size as usize, size as usize);
        if new > self.room.len() {
            let mut room = Contents::zeroed(new.max(2 * self.room.len()).max(4096));
            room.copy_from(pool, 0, &self.room, 0, old);
            self.room = room;
        } else if new < old {
            // What comes back after a truncation reads as zeros.
            self.room.write_bytes(new, &vec![0; old - new]);
        }
        self.size = size;
    }

    pub fn write(&mut self, pool: &mut Pool, offset: u64, data: &Contents) {
        let end = offset + data.len() as u64;
        if end > self.size {
            self.resize(pool, end);
        }
        self.room.copy_from(pool, offset as usize, data, 0, data.len());
    }
}

/// Seconds and nanoseconds.
#[derive(Clone, Copy)]
pub struct Stamp {
    pub seconds: Value,
    pub nanoseconds: Value,
}

impl Stamp {
    pub fn at(clock: u64) -> Self {
        Stamp { seconds: Value::Int(clock / 1_000_000_000), nanoseconds: Value::Int(clock % 1_000_000_000) }
    }
}

#[derive(Clone)]
pub struct Node {
    pub kind: Kind,
    /// Type and permissions, 32 bits; open where the file is symbolic.
    pub mode: Value,
    pub uid: u32,
    pub gid: u32,
    pub links: u32,
    pub accessed: Stamp,
    pub modified: Stamp,
    pub changed: Stamp,
}

impl Node {
    pub fn folder(&self) -> Option<&Folder> {
        match &self.kind {
            Kind::Folder(folder) => Some(folder),
            Kind::File(_) | Kind::Link(_) | Kind::Pipe(_) | Kind::Console(_) | Kind::Null | Kind::Zero => None,
        }
    }

    pub fn size(&self) -> u64 {
        match &self.kind {
            Kind::File(file) => file.size,
            Kind::Folder(_) => 4096,
            Kind::Link(target) => target.len() as u64,
            Kind::Pipe(_) | Kind::Console(_) | Kind::Null | Kind::Zero => 0,
        }
    }
}
