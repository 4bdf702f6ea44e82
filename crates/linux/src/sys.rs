//! One system call under way: its words, and how it reads and writes the program's memory.
//!
//! A call that forks is executed again in the states that fork off, as if for the first time: they get the kernel as
//! it was before. Therefore a call decides everything first and writes to memory and streams last.

use crate::kernel::{Descriptor, Kernel, OpenFile, kernel, kernel_mut};
use crate::node::{Node, NodeId};
use osier_exec::step::{access_one, read_c_string};
use osier_exec::{Branch, Context, EngineError, Program, State, branch, decide};
use osier_ir::FuncId;
use osier_memory::{Contents, ObjectId, Value};
use osier_term::Term;

/// Why a call has no ordinary result.
pub enum Leave {
    /// The program sees this error number.
    Error(i32),
    /// The path has ended.
    Gone,
    /// The program sees this word, which may have several values.
    Symbolic(Term),
    /// The call returns 0, and before the program goes on this handler runs with the number of a signal.
    Signal(FuncId, u64),
    Engine(EngineError),
}

impl From<EngineError> for Leave {
    fn from(error: EngineError) -> Self {
        Leave::Engine(error)
    }
}

/// The word that a call returns.
pub type Reply = Result<u64, Leave>;

pub struct Sys<'a> {
    pub program: &'a Program,
    pub cx: &'a mut Context,
    pub state: &'a mut State,
    pub words: &'a [Value],
}

/// Addresses below are never mapped: the kernel answers EFAULT, and no error of the program follows from it.
const UNMAPPED: u64 = 4096;

impl Sys<'_> {
    pub fn kernel(&self) -> &Kernel {
        kernel(self.state)
    }

    pub fn kernel_mut(&mut self) -> &mut Kernel {
        kernel_mut(self.state)
    }

    /// A word as a number; a symbolic one is settled.
    pub fn word(&mut self, index: usize) -> Reply {
        self.known(self.words[index])
    }

    /// A number; a symbolic one is settled.
    pub fn known(&mut self, value: Value) -> Reply {
        Ok(decide(self.program, self.cx, self.state, value)?)
    }

    /// A number that makes no difference from `limit` on, where it is taken for `limit`: a symbolic one is settled only below.
    pub fn known_below(&mut self, limit: u64, value: Value) -> Reply {
        let term = match value {
            Value::Int(number) => return Ok(number.min(limit)),
            Value::Term(term) => term,
        };
        let constant = self.cx.pool.constant(self.cx.pool.width(term), limit.into());
        let reaches = self.cx.pool.ule(constant, term);
        match self.holds(reaches)? {
            true => Ok(limit),
            false => self.known(value),
        }
    }

    /// A word that the C library passes as an `int`.
    pub fn int(&mut self, index: usize) -> Result<i32, Leave> {
        Ok(self.word(index)? as i32)
    }

    /// Whether a condition holds; the other side, if there is one, lives on in a state that executes the call again.
    pub fn holds(&mut self, condition: Term) -> Result<bool, Leave> {
        Ok(match branch(self.program, self.cx, self.state, condition)? {
            Branch::Then => true,
            Branch::Else => false,
            Branch::Both { then_here, other } => {
                self.cx.forked.push(other);
                then_here
            }
        })
    }

    /// Whether bits of a mode are set.
    pub fn has_bits(&mut self, mode: Value, mask: u32, wanted: u32) -> Result<bool, Leave> {
        let term = match mode {
            Value::Int(bits) => return Ok(bits as u32 & mask == wanted),
            Value::Term(term) => term,
        };
        let (mask, wanted) = (self.cx.pool.constant(32, mask.into()), self.cx.pool.constant(32, wanted.into()));
        let bits = self.cx.pool.and(term, mask);
        let equal = self.cx.pool.eq(bits, wanted);
        self.holds(equal)
    }

    pub fn is_format(&mut self, node: NodeId, format: u32) -> Result<bool, Leave> {
        let mode = self.kernel().node(node).mode;
        self.has_bits(mode, libc::S_IFMT, format)
    }

    fn object_at(&mut self, address: Value, len: u64, write: bool) -> Result<(ObjectId, usize), Leave> {
        if let Value::Int(address) = address
            && address < UNMAPPED
        {
            return Err(Leave::Error(libc::EFAULT));
        }
        let found = access_one(self.program, self.cx, self.state, address, len, write)?;
        let (id, offset) = found.ok_or(Leave::Gone)?;
        Ok((id, decide(self.program, self.cx, self.state, offset)? as usize))
    }

    pub fn copy_in(&mut self, address: Value, len: u64) -> Result<Contents, Leave> {
        if len == 0 {
            return Ok(Contents::zeroed(0));
        }
        let (id, offset) = self.object_at(address, len, false)?;
        Ok(self.state.memory.object(id).contents.piece(&mut self.cx.pool, offset, len as usize))
    }

    /// Numbers of the given sizes in bytes, one behind the other.
    pub fn numbers_in<const N: usize>(&mut self, address: Value, bytes: [usize; N]) -> Result<[u64; N], Leave> {
        let contents = self.copy_in(address, bytes.iter().sum::<usize>() as u64)?;
        let (mut numbers, mut offset) = ([0; N], 0);
        for (number, len) in numbers.iter_mut().zip(bytes) {
            let value = contents.read(&mut self.cx.pool, offset, len as u32 * 8);
            *number = decide(self.program, self.cx, self.state, value)?;
            offset += len;
        }
        Ok(numbers)
    }

    /// Checks that there is room, before anything is changed.
    pub fn room(&mut self, address: Value, len: u64) -> Result<(), Leave> {
        if len > 0 {
            self.object_at(address, len, true)?;
        }
        Ok(())
    }

    pub fn copy_out(&mut self, address: Value, data: &Contents) -> Result<(), Leave> {
        self.copy_part_out(address, data, 0, data.len())
    }

    pub fn copy_part_out(&mut self, address: Value, data: &Contents, from: usize, len: usize) -> Result<(), Leave> {
        if len == 0 {
            return Ok(());
        }
        let (id, offset) = self.object_at(address, len as u64, true)?;
        let Sys { cx, state, .. } = self;
        state.memory.object_mut(id).contents.copy_from(&mut cx.pool, offset, data, from, len);
        Ok(())
    }

    pub fn bytes_out(&mut self, address: Value, bytes: &[u8]) -> Result<(), Leave> {
        self.copy_out(address, &Contents::of(bytes.to_vec()))
    }

    /// An address that lies `distance` behind another.
    pub fn beyond(&mut self, address: Value, distance: u64) -> Value {
        self.sum(address, Value::Int(distance))
    }

    /// The sum of two words; one of fewer bits, which `syscall` may be given, has zeros above.
    pub fn sum(&mut self, a: Value, b: Value) -> Value {
        if let (Value::Int(a), Value::Int(b)) = (a, b) {
            return Value::Int(a.wrapping_add(b));
        }
        let pool = &mut self.cx.pool;
        let [a, b] = [a, b].map(|word| {
            let term = word.term(pool, 64);
            pool.zext(term, 64)
        });
        let sum = pool.add(a, b);
        Value::of(pool, sum)
    }

    /// A string up to where it ends for certain: symbolic bytes before may be its end too.
    pub fn string(&mut self, index: usize) -> Result<Vec<Value>, Leave> {
        let address = self.words[index];
        let (id, offset) = self.object_at(address, 1, false)?;
        let contents = &self.state.memory.object(id).contents;
        let mut bytes = Vec::new();
        for i in offset..contents.len() {
            match contents.read(&mut self.cx.pool, i, 8) {
                Value::Int(0) => return Ok(bytes),
                byte => bytes.push(byte),
            }
            if bytes.len() >= libc::PATH_MAX as usize {
                return Err(Leave::Error(libc::ENAMETOOLONG));
            }
        }
        // No certain end inside the object: byte by byte, as a reader would.
        read_c_string(self.program, self.cx, self.state, address)?.ok_or(Leave::Gone)
    }

    /// The bytes of a string that may not stay symbolic.
    pub fn settled(&mut self, bytes: &[Value]) -> Result<Vec<u8>, Leave> {
        let mut known = Vec::with_capacity(bytes.len());
        for byte in bytes {
            match decide(self.program, self.cx, self.state, *byte)? as u8 {
                0 => break,
                byte => known.push(byte),
            }
        }
        Ok(known)
    }

    pub fn descriptor(&mut self, index: usize) -> Result<(usize, Descriptor), Leave> {
        let fd = self.int(index)?;
        let found = usize::try_from(fd).ok().and_then(|fd| Some((fd, (*self.kernel().descriptors.get(fd)?)?)));
        found.ok_or(Leave::Error(libc::EBADF))
    }

    pub fn open_file(&mut self, index: usize) -> Result<(usize, OpenFile), Leave> {
        let (_, descriptor) = self.descriptor(index)?;
        Ok((descriptor.file, self.kernel().open_files[descriptor.file].clone()))
    }

    pub fn node(&self, id: NodeId) -> &Node {
        self.kernel().node(id)
    }

    /// Whether the process may do this with a file: 4 reads, 2 writes, 1 executes.
    pub fn may_access(&mut self, id: NodeId, wanted: u32) -> Result<bool, Leave> {
        let node = self.node(id);
        let (mode, uid, gid) = (node.mode, node.uid, node.gid);
        let (my_uid, my_gid) = (self.kernel().uid, self.kernel().gid);
        if my_uid == 0 {
            let is_plain_file = matches!(node.kind, crate::node::Kind::File(_));
            // Root may do all, but execute only what somebody may execute.
            if wanted & 1 == 0 || !is_plain_file {
                return Ok(true);
            }
            return Ok(!self.has_bits(mode, 0o111, 0)?);
        }
        let shift = if uid == my_uid {
            6
        } else if gid == my_gid {
            3
        } else {
            0
        };
        self.has_bits(mode, wanted << shift, wanted << shift)
    }

    /// Whether `--max-fail` makes this call fail.
    pub fn fails(&mut self, call: &str) -> Result<bool, Leave> {
        if self.kernel().failures_left == 0 {
            return Ok(false);
        }
        let Some(row) = self.kernel().failing.iter().position(|row| row.call == call) else { return Ok(false) };
        let row_now = self.kernel().failing[row];
        let number = self.cx.pool.constant(32, u128::from(row_now.made) + 1);
        let this_one = self.cx.pool.eq(row_now.fails_at, number);
        let fails = self.holds(this_one)?;
        let kernel = self.kernel_mut();
        kernel.failing[row].made += 1;
        kernel.failures_left -= u32::from(fails);
        Ok(fails)
    }
}
