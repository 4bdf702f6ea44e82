//! A small program and one state of it, for the tests of monitors.

use osier_base::Id;
use osier_exec::outcome::Kind;
use osier_exec::{Access, Checking, Explaining, Frame, Free, NodeId, Obligation, Program, State, StateId};
use osier_ir::{ArgKind, FuncId, Function, Global, GlobalInit, LocId, Location, Module, Param, Reg, Site};
use osier_memory::{Allocation, Contents, Life, Memory, ObjectId, Origin, Target, Value};
use osier_term::{Array, ArrayNode, Node, Pool, Term};
use std::rc::Rc;

/// In file dir/p.c: variables are declared at line 2, blocks allocated at line 3 and freed at line 9.
pub(crate) struct World {
    pub program: Program,
    pub pool: Pool,
    pub state: State,
}

const DECLARED: LocId = LocId(1);
const ALLOCATED: LocId = LocId(2);
const FREED: LocId = LocId(3);
/// The function that variables belong to.
const F: FuncId = FuncId(0);

fn function(name: &str, params: &[(u8, ArgKind)]) -> Function {
    let param = |(i, &(width, kind)): (usize, &(u8, ArgKind))| Param { reg: Reg::new(i), width, kind };
    Function {
        name: name.to_string(),
        params: params.iter().enumerate().map(param).collect(),
        returns: Vec::new(),
        variadic: false,
        location: LocId(0),
        body: None,
    }
}

impl World {
    pub fn new() -> Self {
        let mut module = Module { files: vec![String::new(), "dir/p.c".to_string()], ..Module::default() };
        for (file, line) in [(0, 0), (1, 2), (1, 3), (1, 9)] {
            module.locations.push(Location { file, line, column: 1 });
        }
        module.functions.push(function("f", &[]));
        let state = State::new(StateId(0), NodeId(0), Memory::new(), Vec::new());
        World { program: Program::new(module, F), pool: Pool::new(), state }
    }

    pub fn function(&mut self, name: &str, params: &[(u8, ArgKind)]) -> FuncId {
        self.program.module.functions.push(function(name, params))
    }

    /// A frame of function f.
    pub fn enter_function(&mut self) {
        self.state.frames.push(Rc::new(Frame {
            function: F,
            pc: 0,
            registers: Vec::new(),
            owned: Vec::new(),
            variadic: Rc::default(),
            call: None,
        }));
    }

    fn allocate(&mut self, size: u64, origin: Origin, read_only: bool) -> ObjectId {
        let contents = Contents::zeroed(size as usize);
        let allocation =
            Allocation { size, align: 1, origin, read_only, limit: None, allocated_at: ALLOCATED, contents };
        self.state.memory.allocate(allocation).expect("there is room").0
    }

    /// A local variable of function f.
    pub fn variable(&mut self, name: &str, size: u64) -> ObjectId {
        let site = self.program.module.sites.push(Site { name: name.to_string(), location: DECLARED });
        self.allocate(size, Origin::Stack { function: F, site }, false)
    }

    pub fn global(&mut self, name: &str, size: u64, constant: bool) -> ObjectId {
        let (name, init) = (name.to_string(), GlobalInit::Zero);
        let global =
            self.program.module.globals.push(Global { name, size, align: 1, constant, init, location: DECLARED });
        self.allocate(size, Origin::Global(global), constant)
    }

    pub fn heap(&mut self, allocator: &'static str, size: u64) -> ObjectId {
        self.allocate(size, Origin::Heap { allocator }, false)
    }

    pub fn free(&mut self, id: ObjectId) {
        self.state.memory.kill(id, Life::Freed { at: FREED });
    }

    fn access_to(&self, target: Target, len: u64, write: bool) -> Access {
        Access { target, len, write, pointer: Value::Int(0) }
    }

    pub fn access(&mut self, id: ObjectId, offset: i64, len: u64, write: bool) -> Access {
        let offset = self.pool.constant(64, u128::from(offset as u64));
        self.access_to(Target::Object { id, offset }, len, write)
    }

    pub fn access_null(&mut self, address: i64, len: u64) -> Access {
        let address = self.pool.constant(64, u128::from(address as u64));
        self.access_to(Target::Null { address }, len, true)
    }

    pub fn access_nowhere(&mut self, address: u64, len: u64) -> Access {
        let address = self.pool.constant(64, u128::from(address));
        self.access_to(Target::Nowhere { address }, len, false)
    }

    pub fn free_at(&mut self, id: ObjectId, offset: i64) -> Free {
        let offset = self.pool.constant(64, u128::from(offset as u64));
        Free { target: Target::Object { id, offset } }
    }

    /// A fresh input of so many bits, as one little-endian number.
    pub fn symbolic(&mut self, name: &str, width: u32) -> Term {
        let array = self.pool.input(name, width / 8);
        let mut whole = self.pool.select_at(array, 0);
        for i in 1..width / 8 {
            let byte = self.pool.select_at(array, u64::from(i));
            whole = self.pool.concat(byte, whole);
        }
        whole
    }

    /// Makes the witness give a number made by [`Self::symbolic`] this value.
    pub fn assign(&mut self, number: Term, value: u64) {
        let array = input_of(&self.pool, number);
        self.state.witness.set(array, value.to_le_bytes()[..self.pool.width(number) as usize / 8].into());
    }

    pub fn checking(&mut self) -> Checking<'_> {
        Checking { program: &self.program, pool: &mut self.pool, state: &self.state, location: LocId(0) }
    }

    /// Whether a condition holds under the witness.
    pub fn holds(&self, condition: Term) -> bool {
        osier_term::eval(&self.pool, condition, &self.state.witness) == 1
    }

    fn failure(&mut self, hook: impl FnOnce(&mut Checking<'_>) -> Option<Obligation>) -> Option<Obligation> {
        let obligation = hook(&mut self.checking())?;
        (!self.holds(obligation.holds)).then_some(obligation)
    }

    fn explaining(&self) -> Explaining<'_> {
        Explaining { program: &self.program, pool: &self.pool, state: &self.state, witness: &self.state.witness }
    }

    /// The fault that the witness runs into, if it does.
    pub fn verdict(&mut self, hook: impl FnOnce(&mut Checking<'_>) -> Option<Obligation>) -> Option<(Kind, String)> {
        let obligation = self.failure(hook)?;
        Some((obligation.kind, (obligation.explain)(&self.explaining()).0))
    }

    /// The notes of that fault, each with its place.
    pub fn notes(&mut self, hook: impl FnOnce(&mut Checking<'_>) -> Option<Obligation>) -> Vec<String> {
        let obligation = self.failure(hook).expect("there is a fault");
        let (_, notes) = (obligation.explain)(&self.explaining());
        let shown = |place: Option<osier_exec::outcome::Place>| {
            place.map_or_else(String::new, |place| place.to_string().replace("dir/", ""))
        };
        notes.into_iter().map(|note| format!("{} {}", note.text, shown(note.place))).collect()
    }
}

fn input_of(pool: &Pool, number: Term) -> Array {
    match pool.node(number) {
        Node::Concat { low, .. } => input_of(pool, low),
        Node::Select { array, .. } => {
            assert!(matches!(pool.array_node(array), ArrayNode::Input { .. }));
            array
        }
        other => panic!("{other:?} is not a number made here"),
    }
}
