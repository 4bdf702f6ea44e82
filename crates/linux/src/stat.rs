//! What `stat` tells of a file, as bytes.

use crate::node::{Node, NodeId, Stamp};
use osier_memory::{Contents, Value};
use osier_term::Pool;

/// `struct stat` of x86-64.
pub const SIZE: usize = 144;
pub const MODE: usize = 24;
pub const ACCESSED: usize = 72;
pub const MODIFIED: usize = 88;
const CHANGED: usize = 104;

const DEVICE: u64 = 1;
const BLOCK: u64 = 4096;

/// Inode 0 means that there is none.
pub fn inode(id: NodeId) -> u64 {
    u64::from(id.0) + 2
}

fn device_of(node: &Node) -> u64 {
    match node.kind {
        crate::node::Kind::Null => 1 << 8 | 3,
        crate::node::Kind::Zero => 1 << 8 | 5,
        _ => 0,
    }
}

pub fn encode(pool: &mut Pool, node: &Node, id: NodeId) -> Contents {
    let mut bytes = Contents::zeroed(SIZE);
    bytes.write_concrete(0, 8, DEVICE);
    bytes.write_concrete(8, 8, inode(id));
    bytes.write_concrete(16, 8, u64::from(node.links));
    bytes.write(pool, MODE, 32, node.mode);
    bytes.write_concrete(28, 4, u64::from(node.uid));
    bytes.write_concrete(32, 4, u64::from(node.gid));
    bytes.write_concrete(40, 8, device_of(node));
    bytes.write_concrete(48, 8, node.size());
    bytes.write_concrete(56, 8, BLOCK);
    bytes.write_concrete(64, 8, blocks(node));
    for (offset, stamp) in [(ACCESSED, node.accessed), (MODIFIED, node.modified), (CHANGED, node.changed)] {
        bytes.write(pool, offset, 64, stamp.seconds);
        bytes.write(pool, offset + 8, 64, stamp.nanoseconds);
    }
    bytes
}

fn blocks(node: &Node) -> u64 {
    node.size().div_ceil(BLOCK) * (BLOCK / 512)
}

/// `struct statx`, 256 bytes.
pub fn encode_extended(pool: &mut Pool, node: &Node, id: NodeId) -> Contents {
    const BASIC: u64 = 0x7ff;
    let mut bytes = Contents::zeroed(256);
    bytes.write_concrete(0, 4, BASIC);
    bytes.write_concrete(4, 4, BLOCK);
    bytes.write_concrete(16, 4, u64::from(node.links));
    bytes.write_concrete(20, 4, u64::from(node.uid));
    bytes.write_concrete(24, 4, u64::from(node.gid));
    let mode = match node.mode {
        Value::Int(bits) => Value::Int(bits & 0xffff),
        Value::Term(term) => Value::Term(pool.extract(term, 0, 16)),
    };
    bytes.write(pool, 28, 16, mode);
    bytes.write_concrete(32, 8, inode(id));
    bytes.write_concrete(40, 8, node.size());
    bytes.write_concrete(48, 8, blocks(node));
    let mut stamp = |offset: usize, stamp: Stamp| {
        bytes.write(pool, offset, 64, stamp.seconds);
        if let Value::Int(nanoseconds) = stamp.nanoseconds {
            bytes.write_concrete(offset + 8, 4, nanoseconds);
        }
    };
    stamp(64, node.accessed);
    stamp(80, node.changed);
    stamp(96, node.changed);
    stamp(112, node.modified);
    let device = device_of(node);
    bytes.write_concrete(128, 4, device >> 8);
    bytes.write_concrete(132, 4, device & 0xff);
    bytes.write_concrete(140, 4, DEVICE);
    bytes
}
