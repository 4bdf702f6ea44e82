//! One path under way.

use crate::journal::Trail;
use crate::outcome::{Asked, Input};
use crate::pending::Pending;
use crate::seeds::Followed;
use crate::splitting::Trial;
use crate::tree::NodeId;
use osier_base::entity;
use osier_ir::{CallId, FuncId, Reg};
use osier_memory::{Memory, ObjectId, Value};
use osier_solver::Path;
use osier_term::{Array, Assignment, Pool};
use rustc_hash::FxHashMap;
use std::any::Any;
use std::rc::Rc;

entity!(
    /// A state, numbered in the order in which states come into being.
    pub struct StateId = "s";
);

entity!(
    /// One execution of `klee_open_merge`.
    pub struct MergeScope = "m";
);

/// An argument beyond the named ones of a variadic call.
#[derive(Clone, Copy, Debug)]
pub struct Variadic {
    pub value: Value,
    pub width: u8,
    pub kind: osier_ir::ArgKind,
}

/// One call in progress. Shared between forked states until one of them runs in it.
#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FuncId,
    /// The operation to execute next; while a call is in progress, the call.
    pub pc: u32,
    pub registers: Vec<Value>,
    /// Objects that die with this frame.
    pub owned: Vec<ObjectId>,
    pub variadic: Rc<Vec<Variadic>>,
    /// The call in the frame below that this one answers; none for the first frame and for constructors.
    pub call: Option<CallId>,
}

/// A symbolic object that the program made.
#[derive(Clone, Debug)]
pub struct SymbolicInput {
    pub name: Rc<str>,
    pub array: Array,
    pub size: u32,
}

/// A list that forked states share a beginning of.
pub type SharedList<T> = Rc<Vec<T>>;

/// States by their names. Each is a block of its own: a table that once grew for many keeps its room.
pub(crate) type StateTable = FxHashMap<StateId, Box<State>>;

#[derive(Clone)]
pub struct State {
    pub id: StateId,
    pub frames: Vec<Rc<Frame>>,
    pub memory: Memory,
    pub path: Path,
    /// Satisfies `path`.
    pub witness: Assignment,
    /// The seeds that take this path so far. If there are any, the first is the witness.
    pub seeds: SharedList<Followed>,
    /// Why it waits, if it does.
    pub pending: Option<Box<Pending>>,
    pub inputs: SharedList<SymbolicInput>,
    /// What has been written to standard output.
    pub stdout: SharedList<Value>,
    pub stderr: SharedList<Value>,
    pub asked: Asked,
    /// What the environment keeps of this path: its own matter. Forked states share it until one of them changes it.
    pub surroundings: Rc<dyn Any>,
    /// What `main` is given: the number of arguments, their vector and that of the environment's variables.
    pub arguments: [Value; 3],
    /// Functions still to run when the frames are empty: constructors before the entry, exit handlers after it.
    pub agenda: SharedList<Agendum>,
    /// The status that `exit` was called with, while exit handlers run.
    pub exiting: Option<Value>,
    pub at_exit: SharedList<(u64, Option<u64>)>,
    /// How many destructors the libc's `exit` has run.
    pub destructors_run: u32,
    pub errno: Option<ObjectId>,
    /// Bytes of all objects that frames own.
    pub stack_bytes: u64,
    pub depth: u32,
    /// Its depth when it was last revived.
    pub revived_at: u32,
    pub instructions: u64,
    /// `instructions` when this path last covered something new.
    pub covered_at: u64,
    pub covered_new: bool,
    /// `klee_set_forking(0)`: follow the witness only.
    pub forking: bool,
    /// The regions of `klee_open_merge` that it is in, innermost last.
    pub merging: SharedList<MergeScope>,
    pub query_seconds: f64,
    pub hard_questions: u64,
    pub node: NodeId,
    pub trail: Trail,
    /// How it sees large tables, if that is being tried.
    pub trial: Option<Trial>,
}

/// Something to run when no frame is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agendum {
    /// Let the environment make the program's surroundings.
    Surroundings,
    Constructor(FuncId),
    Entry(FuncId),
    Destructor(FuncId),
}

impl State {
    /// A state before its first step, with things to run.
    pub fn new(id: StateId, node: NodeId, memory: Memory, agenda: Vec<Agendum>) -> Self {
        State {
            id,
            frames: Vec::new(),
            memory,
            path: Path::new(),
            witness: Assignment::new(),
            seeds: Rc::default(),
            pending: None,
            inputs: Rc::default(),
            stdout: Rc::default(),
            asked: Asked::default(),
            stderr: Rc::default(),
            surroundings: Rc::new(()),
            arguments: [Value::Int(0); 3],
            agenda: Rc::new(agenda),
            exiting: None,
            at_exit: Rc::default(),
            destructors_run: 0,
            errno: None,
            stack_bytes: 0,
            depth: 0,
            revived_at: 0,
            instructions: 0,
            covered_at: 0,
            covered_new: false,
            forking: true,
            merging: Rc::default(),
            query_seconds: 0.0,
            hard_questions: 0,
            node,
            trail: Trail::FIRST,
            trial: None,
        }
    }

    pub fn top(&self) -> &Frame {
        self.frames.last().expect("a live state has a frame")
    }

    pub fn top_mut(&mut self) -> &mut Frame {
        Rc::make_mut(self.frames.last_mut().expect("a live state has a frame"))
    }

    pub fn set(&mut self, reg: Reg, value: Value) {
        self.top_mut().registers[reg.0 as usize] = value;
    }

    /// The test that an assignment makes: every symbolic object in order, with its bytes.
    pub fn inputs_under(&self, assignment: &Assignment) -> Vec<Input> {
        let value = |input: &SymbolicInput| {
            let mut bytes = assignment.bytes(input.array).map(<[u8]>::to_vec).unwrap_or_default();
            bytes.resize(input.size as usize, 0);
            Input { name: input.name.to_string(), bytes }
        };
        self.inputs.iter().map(value).collect()
    }
}

/// Bytes as they are under an assignment.
pub(crate) fn bytes_under(bytes: &[Value], pool: &Pool, assignment: &Assignment) -> Vec<u8> {
    let byte = |value: &Value| match value {
        Value::Int(bits) => *bits as u8,
        Value::Term(term) => osier_term::eval(pool, *term, assignment) as u8,
    };
    bytes.iter().map(byte).collect()
}
