//! Finding what a path names, also where its bytes are symbolic.
//!
//! A path is read as an automaton reads a word: at each byte there is a set of places that the reader may be at, each
//! with the condition under which it is there. Only names that exist open places, so a symbolic path has as many
//! outcomes as there are files that it can name, and two more: it goes through something that is no folder, or it
//! names nothing, which is what is left over. No byte is given a value for that.

use crate::kernel::{Kernel, ROOT};
use crate::node::{Kind, NodeId};
use crate::sys::{Leave, Sys};
use osier_memory::Value;
use osier_term::{Pool, Term};

/// What a path turned out to name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    Node(NodeId),
    /// A name that does not exist, in a folder that does: the bytes of the path from `from` to `to`.
    Free {
        folder: NodeId,
        from: usize,
        to: usize,
    },
    Error(i32),
}

/// Where a reader of a path is.
#[derive(Clone, PartialEq, Eq, Debug)]
enum At {
    /// Before the first byte.
    Begin,
    /// Behind a slash.
    Folder(NodeId),
    /// In a name that agrees so far with one in the folder.
    Name { folder: NodeId, from: usize },
    /// In a name that no entry has.
    Strange { folder: NodeId, from: usize },
    /// Behind slashes that follow what is no folder; the error if anything else comes.
    Past(i32),
    /// Nothing can make it right any more.
    Failed(i32),
}

#[derive(Clone, Copy)]
pub struct Lookup {
    /// Where relative paths begin.
    pub base: NodeId,
    /// Whether a link at the end is followed.
    pub follow: bool,
    /// Whether a free name is of use; otherwise it is ENOENT.
    pub create: bool,
}

const SLASH: u8 = b'/';
const MOST_LINKS: u32 = 40;

/// Finds what a path names; where that is open, other outcomes live on in states that ask again. A name that is to be
/// created takes a value.
pub fn resolve(sys: &mut Sys<'_>, path: &[Value], lookup: Lookup) -> Result<Named, Leave> {
    let open = path.iter().any(|byte| matches!(byte, Value::Term(_)));
    match choose(sys, path, lookup)? {
        Named::Error(libc::ENOENT) if lookup.create && open => {
            let known = sys.settled(path)?;
            let known: Vec<Value> = known.into_iter().map(|byte| Value::Int(byte.into())).collect();
            choose(sys, &known, lookup)
        }
        named => Ok(named),
    }
}

fn choose(sys: &mut Sys<'_>, path: &[Value], lookup: Lookup) -> Result<Named, Leave> {
    let mut outcomes = {
        let kernel = crate::kernel::kernel(sys.state);
        outcomes(&mut sys.cx.pool, kernel, path, lookup)
    };
    // Where every byte is known, there is one outcome.
    if let [(named, condition)] = outcomes.as_slice()
        && sys.cx.pool.is_true(*condition)
    {
        return Ok(*named);
    }
    outcomes.retain(|(named, _)| *named != Named::Error(libc::ENOENT));
    for (named, condition) in outcomes {
        if sys.holds(condition)? {
            return Ok(named);
        }
    }
    Ok(Named::Error(libc::ENOENT))
}

/// The outcomes with their conditions, which exclude each other. Where bytes are symbolic, what is left over is that
/// the path names nothing.
fn outcomes(pool: &mut Pool, kernel: &Kernel, path: &[Value], lookup: Lookup) -> Vec<(Named, Term)> {
    let names_free = path.iter().all(|byte| matches!(byte, Value::Int(_)));
    let reader = Reader { kernel, lookup, names_free };
    let mut places = vec![(At::Begin, Vec::new(), pool.truth(true))];
    let mut found: Vec<(Named, Term)> = Vec::new();
    for (position, byte) in path.iter().enumerate() {
        let mut next: Vec<(At, Vec<u8>, Term)> = Vec::new();
        for (at, name, condition) in places {
            let mut strange = matches!(byte, Value::Int(_));
            let mut otherwise = condition;
            for expected in reader.expected(&at, &name, *byte) {
                let here = match byte {
                    Value::Int(_) => pool.truth(true),
                    Value::Term(term) => {
                        let constant = pool.constant(8, u128::from(expected));
                        pool.eq(*term, constant)
                    }
                };
                let reached = pool.and(condition, here);
                strange = false;
                match expected {
                    0 => note(pool, &mut found, reader.end(&at, &name, position), reached),
                    byte => {
                        let (at, name) = reader.step(&at, &name, byte, position);
                        match reader.verdict(&at) {
                            Some(named) => note(pool, &mut found, named, reached),
                            None => join(pool, &mut next, at, name, reached),
                        }
                    }
                }
                if let At::Past(_) = at {
                    let not_here = pool.not(here);
                    otherwise = pool.and(otherwise, not_here);
                }
            }
            match at {
                At::Past(error) => note(pool, &mut found, Named::Error(error), otherwise),
                // A byte that no name has here.
                _ if strange => join(pool, &mut next, reader.strange(&at, position), Vec::new(), condition),
                _ => {}
            }
        }
        places = next;
    }
    for (at, name, condition) in places {
        note(pool, &mut found, reader.end(&at, &name, path.len()), condition);
    }
    found
}

fn join(pool: &mut Pool, places: &mut Vec<(At, Vec<u8>, Term)>, at: At, name: Vec<u8>, condition: Term) {
    if pool.as_const(condition) == Some(0) {
        return;
    }
    match places.iter_mut().find(|(there, known, _)| *there == at && *known == name) {
        Some((_, _, either)) => *either = pool.or(*either, condition),
        None => places.push((at, name, condition)),
    }
}

fn note(pool: &mut Pool, found: &mut Vec<(Named, Term)>, named: Named, condition: Term) {
    if pool.as_const(condition) == Some(0) {
        return;
    }
    match found.iter_mut().find(|(there, _)| *there == named) {
        Some((_, either)) => *either = pool.or(*either, condition),
        None => found.push((named, condition)),
    }
}

struct Reader<'a> {
    kernel: &'a Kernel,
    lookup: Lookup,
    /// Whether the path is known, so that a free name in it is.
    names_free: bool,
}

impl Reader<'_> {
    /// The bytes that make a difference at a place: only this one where it is known.
    fn expected(&self, at: &At, name: &[u8], byte: Value) -> Vec<u8> {
        let mut bytes = match at {
            At::Failed(_) => vec![0],
            At::Strange { .. } | At::Past(_) => vec![0, SLASH],
            At::Begin => {
                let mut bytes = self.continuations(self.lookup.base, name);
                bytes.extend([0, SLASH]);
                bytes
            }
            At::Folder(folder) | At::Name { folder, .. } => {
                let mut bytes = self.continuations(*folder, name);
                bytes.extend([0, SLASH]);
                bytes
            }
        };
        if let Value::Int(known) = byte {
            bytes.retain(|byte| *byte == known as u8);
        }
        bytes
    }

    /// The bytes by which names in a folder go on.
    fn continuations(&self, folder: NodeId, name: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut add = |entry: &[u8]| {
            if let Some([byte, ..]) = entry.strip_prefix(name)
                && !bytes.contains(byte)
            {
                bytes.push(*byte);
            }
        };
        add(b".");
        add(b"..");
        if let Some(folder) = self.kernel.node(folder).folder() {
            folder.entries.keys().for_each(|entry| add(entry));
        }
        bytes
    }

    fn step(&self, at: &At, name: &[u8], byte: u8, position: usize) -> (At, Vec<u8>) {
        if byte == SLASH {
            return (self.slash(at, name), Vec::new());
        }
        let mut longer = name.to_vec();
        longer.push(byte);
        match *at {
            At::Begin => (At::Name { folder: self.lookup.base, from: position }, longer),
            At::Folder(folder) => (At::Name { folder, from: position }, longer),
            At::Name { .. } => (at.clone(), longer),
            At::Strange { .. } | At::Past(_) | At::Failed(_) => (at.clone(), Vec::new()),
        }
    }

    fn slash(&self, at: &At, name: &[u8]) -> At {
        match *at {
            At::Begin => At::Folder(ROOT),
            At::Folder(_) | At::Past(_) | At::Failed(_) => at.clone(),
            At::Strange { .. } => At::Past(libc::ENOENT),
            At::Name { folder, .. } => match self.entry(folder, name) {
                None => At::Past(libc::ENOENT),
                Some(node) => match self.followed(folder, node, 0) {
                    Err(error) => At::Failed(error),
                    Ok(node) if self.kernel.node(node).folder().is_some() => At::Folder(node),
                    Ok(_) => At::Past(libc::ENOTDIR),
                },
            },
        }
    }

    fn strange(&self, at: &At, position: usize) -> At {
        match *at {
            At::Begin => At::Strange { folder: self.lookup.base, from: position },
            At::Folder(folder) => At::Strange { folder, from: position },
            At::Name { folder, from } => At::Strange { folder, from },
            At::Strange { .. } | At::Past(_) | At::Failed(_) => at.clone(),
        }
    }

    /// What a place leads to whatever comes.
    fn verdict(&self, at: &At) -> Option<Named> {
        match at {
            At::Failed(error) => Some(Named::Error(*error)),
            At::Past(error) if !self.lookup.create => Some(Named::Error(*error)),
            At::Past(_) | At::Begin | At::Folder(_) | At::Name { .. } | At::Strange { .. } => None,
        }
    }

    fn end(&self, at: &At, name: &[u8], position: usize) -> Named {
        let free = |folder, from| match self.lookup.create && self.names_free {
            true => Named::Free { folder, from, to: position },
            false => Named::Error(libc::ENOENT),
        };
        match *at {
            At::Begin => Named::Error(libc::ENOENT),
            At::Folder(folder) => Named::Node(folder),
            At::Strange { folder, from } => free(folder, from),
            At::Failed(error) => Named::Error(error),
            // Only a folder could have such a name.
            At::Past(error) => Named::Error(if self.lookup.create { libc::EISDIR } else { error }),
            At::Name { folder, from } => match self.entry(folder, name) {
                None => free(folder, from),
                Some(node) if self.lookup.follow => match self.followed(folder, node, 0) {
                    Ok(node) => Named::Node(node),
                    Err(error) => Named::Error(error),
                },
                Some(node) => Named::Node(node),
            },
        }
    }

    fn entry(&self, folder: NodeId, name: &[u8]) -> Option<NodeId> {
        let entries = self.kernel.node(folder).folder()?;
        match name {
            b"." => Some(folder),
            b".." => Some(entries.parent),
            name => entries.entries.get(name).copied(),
        }
    }

    /// Where a link in a folder leads in the end.
    fn followed(&self, folder: NodeId, node: NodeId, links: u32) -> Result<NodeId, i32> {
        let Kind::Link(target) = &self.kernel.node(node).kind else { return Ok(node) };
        if links >= MOST_LINKS {
            return Err(libc::ELOOP);
        }
        let mut at = if target.first() == Some(&SLASH) { ROOT } else { folder };
        for name in target.split(|byte| *byte == SLASH).filter(|name| !name.is_empty()) {
            let next = match self.kernel.node(at).folder() {
                None => return Err(libc::ENOTDIR),
                Some(_) => self.entry(at, name).ok_or(libc::ENOENT)?,
            };
            at = self.followed(at, next, links + 1)?;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::{File, Folder};
    use osier_memory::Contents;
    use osier_term::Assignment;

    /// `/A`, `/dir/B`, a link to the folder and one to itself.
    fn kernel() -> Kernel {
        let mut kernel = Kernel::new(0, 0);
        let file = |kernel: &mut Kernel| kernel.new_node(Kind::File(File::of(Contents::zeroed(1))), 0o644);
        let (a, b) = (file(&mut kernel), file(&mut kernel));
        let dir = kernel.new_node(Kind::Folder(Folder::empty()), 0o755);
        let link = kernel.new_node(Kind::Link(b"dir".as_slice().into()), 0o777);
        let circle = kernel.new_node(Kind::Link(b"o".as_slice().into()), 0o777);
        for (folder, name, node) in
            [(ROOT, "A", a), (ROOT, "dir", dir), (dir, "B", b), (ROOT, "l", link), (ROOT, "o", circle)]
        {
            kernel.enter(folder, name.as_bytes(), node);
        }
        kernel
    }

    fn known(path: &str) -> Vec<Value> {
        path.bytes().map(|byte| Value::Int(byte.into())).collect()
    }

    fn look_up(path: &str, follow: bool, create: bool) -> Named {
        let (kernel, mut pool) = (kernel(), Pool::new());
        let found = outcomes(&mut pool, &kernel, &known(path), Lookup { base: ROOT, follow, create });
        assert_eq!(found.len(), 1, "{path}");
        found[0].0
    }

    #[test]
    fn known_paths() {
        let (a, b, dir, link) = (NodeId(1), NodeId(2), NodeId(3), NodeId(4));
        for (path, named) in [
            ("A", Named::Node(a)),
            ("/A", Named::Node(a)),
            ("./dir/..//dir/B", Named::Node(b)),
            ("../../dir/", Named::Node(dir)),
            ("l/B", Named::Node(b)),
            ("l", Named::Node(dir)),
            ("o", Named::Error(libc::ELOOP)),
            ("", Named::Error(libc::ENOENT)),
            ("B", Named::Error(libc::ENOENT)),
            ("B/", Named::Error(libc::ENOENT)),
            ("A/", Named::Error(libc::ENOTDIR)),
            ("A/x", Named::Error(libc::ENOTDIR)),
            ("no/../A", Named::Error(libc::ENOENT)),
        ] {
            assert_eq!(look_up(path, true, false), named, "{path}");
        }
        assert_eq!(look_up("l", false, false), Named::Node(link));
        assert_eq!(look_up("dir/C", true, true), Named::Free { folder: dir, from: 4, to: 5 });
        assert_eq!(look_up("A/", true, true), Named::Error(libc::EISDIR));
        assert_eq!(look_up("C//", true, true), Named::Error(libc::EISDIR));
        assert_eq!(look_up("A/x", true, true), Named::Error(libc::ENOTDIR));
        assert_eq!(look_up("C/x", true, true), Named::Error(libc::ENOENT));
    }

    /// Under every assignment of interesting bytes, a symbolic path has the outcome of the known one.
    #[test]
    fn symbolic_paths_go_where_known_ones_do() {
        let kernel = kernel();
        for create in [false, true] {
            let mut pool = Pool::new();
            let input = pool.input("path", 4);
            let path: Vec<Value> = (0..4).map(|i| Value::Term(pool.select_at(input, i))).collect();
            let lookup = Lookup { base: ROOT, follow: true, create };
            let found = outcomes(&mut pool, &kernel, &path, lookup);
            let letters = b"A/.dlox\0";
            for number in 0..letters.len().pow(4) {
                let bytes: Vec<u8> = (0..4).map(|i| letters[number / letters.len().pow(i) % letters.len()]).collect();
                let mut assignment = Assignment::new();
                assignment.set(input, bytes.clone().into());
                let mut holding = found.iter().filter(|(_, c)| osier_term::eval(&pool, *c, &assignment) != 0);
                let symbolic = holding.next().map_or(Named::Error(libc::ENOENT), |(named, _)| *named);
                assert!(holding.next().is_none(), "two outcomes at once");
                let text: Vec<u8> = bytes.into_iter().take_while(|byte| *byte != 0).collect();
                let text = String::from_utf8(text).unwrap();
                let plain = outcomes(&mut pool, &kernel, &known(&text), lookup)[0].0;
                // Where something is to be created, what names nothing is looked up again when it is known.
                let again = create && symbolic == Named::Error(libc::ENOENT);
                let left_open = matches!(plain, Named::Free { .. } | Named::Error(libc::EISDIR));
                assert!(symbolic == plain || again && left_open, "{text:?}: {symbolic:?}, {plain:?}");
            }
        }
    }
}
