//! The kernel's state on one path: the file system, open files, and what else system calls change.

use crate::node::{Folder, Kind, Node, NodeId, Stamp};
use crate::start::Setup;
use osier_exec::State;
use osier_memory::Value;
use osier_term::Term;
use std::rc::Rc;

/// When every run begins, in nanoseconds since 1970: the same for all, so that runs can be repeated.
const START: u64 = 1_700_000_000_000_000_000;
/// Every look at the clock finds it a little later.
const TICK: u64 = 1_000;

pub const ROOT: NodeId = NodeId(0);

/// What `open` makes; descriptors made by `dup` share one.
#[derive(Clone)]
pub struct OpenFile {
    pub node: NodeId,
    /// As given to `open`, without what only matters there.
    pub flags: u32,
    /// A symbolic one is at least zero.
    pub offset: Value,
    pub descriptors: u32,
}

#[derive(Clone, Copy)]
pub struct Descriptor {
    /// An index into [`Kernel::open_files`].
    pub file: usize,
    pub close_on_exec: bool,
}

/// The calls that `--max-fail` lets fail, each with the number of calls so far and the number of the one that fails.
#[derive(Clone, Copy)]
pub struct Failing {
    pub call: &'static str,
    pub made: u32,
    pub fails_at: Term,
}

#[derive(Clone)]
pub struct Kernel {
    nodes: Vec<Rc<Node>>,
    pub open_files: Vec<OpenFile>,
    pub descriptors: Vec<Option<Descriptor>>,
    pub cwd: NodeId,
    pub umask: u32,
    clock: u64,
    /// The handler of each signal: 0 is the default, 1 ignores it.
    pub handlers: Vec<u64>,
    /// Bit n - 1 stands for signal n.
    pub blocked: u64,
    /// Sent while they were blocked.
    pub pending: u64,
    pub random: u64,
    pub failures_left: u32,
    pub failing: Vec<Failing>,
    pub uid: u32,
    pub gid: u32,
    /// How far the start has got.
    pub setup: Setup,
}

impl Kernel {
    pub fn new(uid: u32, gid: u32) -> Self {
        let mut kernel = Kernel {
            nodes: Vec::new(),
            open_files: Vec::new(),
            descriptors: Vec::new(),
            cwd: ROOT,
            umask: 0o022,
            clock: START,
            handlers: vec![0; 65],
            blocked: 0,
            pending: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            failures_left: 0,
            failing: Vec::new(),
            uid,
            gid,
            setup: Setup::default(),
        };
        let root = kernel.new_node(Kind::Folder(Folder::empty()), 0o755);
        debug_assert_eq!(root, ROOT);
        kernel.node_mut(root).links = 2;
        kernel
    }

    /// A node that no folder names yet. The type in its mode follows from its kind.
    pub fn new_node(&mut self, kind: Kind, permissions: u32) -> NodeId {
        let format = match &kind {
            Kind::File(_) => libc::S_IFREG,
            Kind::Folder(_) => libc::S_IFDIR,
            Kind::Link(_) => libc::S_IFLNK,
            Kind::Pipe(_) | Kind::Console(_) => libc::S_IFIFO,
            Kind::Null | Kind::Zero => libc::S_IFCHR,
        };
        let now = Stamp::at(self.clock);
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Rc::new(Node {
            kind,
            mode: Value::Int(u64::from(format | permissions)),
            uid: self.uid,
            gid: self.gid,
            links: 1,
            accessed: now,
            modified: now,
            changed: now,
        }));
        id
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        Rc::make_mut(&mut self.nodes[id.0 as usize])
    }

    pub fn shared_node(&self, id: NodeId) -> Rc<Node> {
        Rc::clone(&self.nodes[id.0 as usize])
    }

    /// Gives a node a name in a folder.
    pub fn enter(&mut self, folder: NodeId, name: &[u8], node: NodeId) {
        if let Kind::Folder(child) = &mut self.node_mut(node).kind {
            child.parent = folder;
            self.node_mut(node).links = 2;
            self.node_mut(folder).links += 1;
        }
        let now = Stamp::at(self.clock);
        let parent = self.node_mut(folder);
        (parent.modified, parent.changed) = (now, now);
        if let Kind::Folder(folder) = &mut parent.kind {
            folder.entries.insert(name.into(), node);
        }
    }

    /// Takes a name out of a folder; open files keep the node.
    pub fn leave(&mut self, folder: NodeId, name: &[u8]) {
        let now = Stamp::at(self.clock);
        let parent = self.node_mut(folder);
        (parent.modified, parent.changed) = (now, now);
        let Kind::Folder(entries) = &mut parent.kind else { return };
        let Some(node) = entries.entries.remove(name) else { return };
        if self.node(node).folder().is_some() {
            self.node_mut(folder).links -= 1;
        }
        let node = self.node_mut(node);
        node.links = node.links.saturating_sub(1);
        node.changed = now;
    }

    /// The folder at a path of given names, made where it is missing.
    pub fn make_folders(&mut self, path: &[u8]) -> NodeId {
        let mut at = ROOT;
        for name in path.split(|b| *b == b'/').filter(|name| !name.is_empty()) {
            let there = self.node(at).folder().and_then(|folder| folder.entries.get(name).copied());
            at = there.unwrap_or_else(|| {
                let made = self.new_node(Kind::Folder(Folder::empty()), 0o755);
                self.enter(at, name, made);
                made
            });
        }
        at
    }

    /// The lowest free descriptor that is not below `least`.
    pub fn free_descriptor(&self, least: usize) -> usize {
        let taken = |fd: &usize| self.descriptors.get(*fd).is_some_and(Option::is_some);
        (least..).find(|fd| !taken(fd)).unwrap_or(least)
    }

    pub fn set_descriptor(&mut self, fd: usize, descriptor: Descriptor) {
        if self.descriptors.len() <= fd {
            self.descriptors.resize(fd + 1, None);
        }
        self.open_files[descriptor.file].descriptors += 1;
        self.descriptors[fd] = Some(descriptor);
    }

    /// False if nothing was open there.
    pub fn close(&mut self, fd: usize) -> bool {
        let Some(descriptor) = self.descriptors.get_mut(fd).and_then(Option::take) else { return false };
        self.open_files[descriptor.file].descriptors -= 1;
        true
    }

    pub fn open(&mut self, node: NodeId, flags: u32) -> usize {
        let file = OpenFile { node, flags, offset: Value::Int(0), descriptors: 0 };
        // Closed ones make room.
        match self.open_files.iter().position(|file| file.descriptors == 0) {
            Some(free) => {
                self.open_files[free] = file;
                free
            }
            None => {
                self.open_files.push(file);
                self.open_files.len() - 1
            }
        }
    }

    pub fn has_writer(&self, node: NodeId) -> bool {
        let writes = |file: &OpenFile| file.flags & libc::O_ACCMODE as u32 != libc::O_RDONLY as u32;
        self.open_files.iter().any(|file| file.descriptors > 0 && file.node == node && writes(file))
    }

    /// The time in nanoseconds, which passes by being looked at.
    pub fn now(&mut self) -> u64 {
        self.clock += TICK;
        self.clock
    }

    pub fn since_start(&mut self) -> u64 {
        self.now() - START
    }

    pub fn pass(&mut self, nanoseconds: u64) {
        self.clock = self.clock.saturating_add(nanoseconds);
    }

    /// The time without looking.
    pub fn stamp(&self) -> Stamp {
        Stamp::at(self.clock)
    }
}

/// The kernel of a state.
pub fn kernel(state: &State) -> &Kernel {
    state.surroundings.downcast_ref().expect("the kernel is made before the program begins")
}

/// The kernel of a state, which is no longer shared with others.
pub fn kernel_mut(state: &mut State) -> &mut Kernel {
    if Rc::get_mut(&mut state.surroundings).is_none() {
        state.surroundings = Rc::new(kernel(state).clone());
    }
    let kernel = Rc::get_mut(&mut state.surroundings).and_then(|kernel| kernel.downcast_mut());
    kernel.expect("the kernel is made before the program begins")
}
