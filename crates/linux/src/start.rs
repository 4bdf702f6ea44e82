//! The start of a program: its arguments, its environment, the files that it finds.
//!
//! Symbolic objects are made in KLEE's order and have KLEE's names, so that tests can be exchanged: the arguments, the
//! files, the standard streams, and the version of this model.

use crate::kernel::{Failing, Kernel, kernel, kernel_mut};
use crate::node::{File, Kind, NodeId, Stamp, Stream};
use crate::stat;
use crate::world::{Argument, GivenFile, Input, SymbolicFile, World};
use osier_exec::{Alive, Context, EngineError, Program, State, oblige, settle};
use osier_ir::LocId;
use osier_memory::{Allocation, Contents, Origin, Value};
use osier_term::{Array, Term};
use std::rc::Rc;

/// How far the start of a program has got, on a path that forks during it.
#[derive(Clone, Default)]
pub struct Setup {
    /// How many of the world's arguments are done.
    done: usize,
    /// The number of arguments of the group under way, once it is symbolic.
    count: Option<Term>,
    arguments: Vec<Contents>,
    symbolic: u32,
}

/// The size of KLEE's object for standard output; it says nothing about what is written.
const STDOUT_SIZE: u32 = 1024;

pub fn begin(world: &World, program: &Program, cx: &mut Context, state: &mut State) -> Result<Alive, EngineError> {
    if !state.surroundings.is::<Kernel>() {
        state.surroundings = Rc::new(Kernel::new(world.uid, world.gid));
    }
    while let Some(argument) = world.arguments.get(kernel(state).setup.done) {
        match argument {
            Argument::Given(bytes) => {
                let mut bytes = bytes.clone();
                bytes.push(0);
                kernel_mut(state).setup.arguments.push(Contents::of(bytes));
            }
            Argument::Symbolic { len } => add_symbolic_argument(cx, state, *len),
            Argument::Several { least, most, len } => {
                let count = match kernel(state).setup.count {
                    Some(count) => count,
                    None => new_count(cx, state, *least, *most),
                };
                kernel_mut(state).setup.count = Some(count);
                for _ in 0..settle(program, cx, state, count)? {
                    add_symbolic_argument(cx, state, *len);
                }
                kernel_mut(state).setup.count = None;
            }
        }
        kernel_mut(state).setup.done += 1;
    }
    make_files(world, cx, state);
    make_failures(world, cx, state);
    make_streams(world, cx, state);
    let symbolic_world =
        !world.symbolic_files.is_empty() || world.symbolic_stdout || world.stdin != Input::Given(vec![]);
    if symbolic_world || kernel(state).setup.symbolic > 0 {
        let array = state.new_input(cx, "model_version", 4, Some(vec![1, 0, 0, 0]));
        let version = word(cx, array, 0, 4);
        let one = cx.pool.constant(32, 1);
        let known = cx.pool.eq(version, one);
        oblige(cx, state, (array, &[1, 0, 0, 0]), known);
    }
    place_arguments(world, state);
    Ok(Alive::Yes)
}

/// `n_args`: how many arguments a group has.
fn new_count(cx: &mut Context, state: &mut State, least: u32, most: u32) -> Term {
    if least == most {
        return cx.pool.constant(32, u128::from(least));
    }
    let example = least.to_le_bytes();
    let array = state.new_input(cx, "n_args", 4, Some(example.to_vec()));
    let count = word(cx, array, 0, 4);
    let (low, high) = (cx.pool.constant(32, u128::from(least)), cx.pool.constant(32, u128::from(most)));
    let (above, below) = (cx.pool.ule(low, count), cx.pool.ule(count, high));
    let within = cx.pool.and(above, below);
    oblige(cx, state, (array, &example), within);
    count
}

fn add_symbolic_argument(cx: &mut Context, state: &mut State, len: u32) {
    let number = kernel(state).setup.symbolic;
    let array = state.new_input(cx, &format!("arg{number:02}"), len + 1, None);
    let end = cx.pool.select_at(array, len.into());
    let zero = cx.pool.constant(8, 0);
    let ends = cx.pool.eq(end, zero);
    oblige(cx, state, (array, &[]), ends);
    let mut contents = Contents::of_array(len as usize + 1, array);
    contents.write_bytes(len as usize, &[0]);
    let setup = &mut kernel_mut(state).setup;
    setup.symbolic += 1;
    setup.arguments.push(contents);
}

/// A little-endian number in an array.
pub fn word(cx: &mut Context, array: Array, offset: u64, bytes: u64) -> Term {
    let mut whole = cx.pool.select_at(array, offset + bytes - 1);
    for i in (offset..offset + bytes - 1).rev() {
        let low = cx.pool.select_at(array, i);
        whole = cx.pool.concat(whole, low);
    }
    whole
}

fn make_files(world: &World, cx: &mut Context, state: &mut State) {
    let kernel = kernel_mut(state);
    if world.devices {
        let dev = kernel.make_folders(b"/dev");
        let null = kernel.new_node(Kind::Null, 0o666);
        kernel.enter(dev, b"null", null);
        let zero = kernel.new_node(Kind::Zero, 0o666);
        kernel.enter(dev, b"zero", zero);
        let tmp = kernel.make_folders(b"/tmp");
        kernel.node_mut(tmp).mode = Value::Int(u64::from(libc::S_IFDIR | 0o1777));
    }
    for GivenFile { path, mode, bytes } in &world.files {
        match bytes {
            Some(bytes) => {
                let file = Kind::File(File::of(Contents::of(bytes.clone())));
                let node = kernel.new_node(file, *mode);
                enter_at(kernel, path, node);
            }
            None => {
                let folder = kernel.make_folders(path);
                kernel.node_mut(folder).mode = Value::Int(u64::from(libc::S_IFDIR | *mode));
            }
        }
    }
    for SymbolicFile { path, bytes } in &world.symbolic_files {
        let name = String::from_utf8_lossy(path).trim_start_matches('/').to_owned();
        let contents = symbolic_contents(cx, state, &format!("{name}-data"), bytes);
        let node = kernel_mut(state).new_node(Kind::File(File::of(contents)), 0o644);
        let stat_name = format!("{name}-data-stat");
        if bytes.iter().all(Option::is_none) {
            make_stat_symbolic(cx, state, node, &stat_name, &[libc::S_IFREG]);
        } else {
            // Of a template only the marked bytes are open; the test still says what the rest is.
            name_stat(cx, state, node, &stat_name);
        }
        enter_at(kernel_mut(state), path, node);
    }
}

fn enter_at(kernel: &mut Kernel, path: &[u8], node: NodeId) {
    let split = path.iter().rposition(|b| *b == b'/').map_or(0, |at| at + 1);
    let folder = kernel.make_folders(&path[..split]);
    kernel.enter(folder, &path[split..], node);
}

/// Contents of which some bytes may be anything.
fn symbolic_contents(cx: &mut Context, state: &mut State, name: &str, bytes: &[Option<u8>]) -> Contents {
    let example: Vec<u8> = bytes.iter().map(|byte| byte.unwrap_or(0)).collect();
    let array = state.new_input(cx, name, bytes.len() as u32, Some(example.clone()));
    let mut contents = Contents::of_array(bytes.len(), array);
    for (i, byte) in bytes.iter().enumerate() {
        if let Some(byte) = byte {
            if !state.seeds.is_empty() {
                let (open, given) = (cx.pool.select_at(array, i as u64), cx.pool.constant(8, u128::from(*byte)));
                let as_given = cx.pool.eq(open, given);
                oblige(cx, state, (array, &example), as_given);
            }
            contents.write_bytes(i, &[*byte]);
        }
    }
    contents
}

/// An input for what `stat` tells of a node, with what it tells now as the example.
fn name_stat(cx: &mut Context, state: &mut State, node: NodeId, name: &str) -> (Array, Vec<u8>) {
    let defaults = stat::encode(&mut cx.pool, kernel(state).node(node), node);
    let example = defaults.concrete_bytes().expect("nothing is open yet").to_vec();
    (state.new_input(cx, name, stat::SIZE as u32, Some(example.clone())), example)
}

/// Leaves open what a replay can establish: the type among `formats`, permissions of others, and the times.
fn make_stat_symbolic(cx: &mut Context, state: &mut State, node: NodeId, name: &str, formats: &[u32]) {
    let (array, example) = name_stat(cx, state, node, name);
    let mode = word(cx, array, stat::MODE as u64, 4);
    let (format_bits, other_bits) = (cx.pool.constant(32, u128::from(libc::S_IFMT)), cx.pool.constant(32, 0o7000));
    let format = cx.pool.and(mode, format_bits);
    let mut known = cx.pool.truth(false);
    for one in formats {
        let one = cx.pool.constant(32, u128::from(*one));
        let is = cx.pool.eq(format, one);
        known = cx.pool.or(known, is);
    }
    let zero = cx.pool.constant(32, 0);
    let others = cx.pool.and(mode, other_bits);
    let no_others = cx.pool.eq(others, zero);
    let (owner, read_write) = (cx.pool.constant(32, 0o600), cx.pool.constant(32, 0o600));
    let owners = cx.pool.and(mode, owner);
    let readable = cx.pool.eq(owners, read_write);
    let beyond = cx.pool.constant(32, u128::from(!(libc::S_IFMT | 0o7777)));
    let rest = cx.pool.and(mode, beyond);
    let no_rest = cx.pool.eq(rest, zero);
    let mut conditions = vec![known, no_others, readable, no_rest];
    let mut stamp = |cx: &mut Context, offset: usize| {
        let seconds = word(cx, array, offset as u64, 8);
        let most = cx.pool.constant(64, u128::from(u32::MAX));
        conditions.push(cx.pool.ule(seconds, most));
        Stamp { seconds: Value::Term(seconds), nanoseconds: Value::Int(0) }
    };
    let (accessed, modified) = (stamp(cx, stat::ACCESSED), stamp(cx, stat::MODIFIED));
    for condition in conditions {
        oblige(cx, state, (array, &example), condition);
    }
    let node = kernel_mut(state).node_mut(node);
    node.mode = Value::Term(mode);
    (node.accessed, node.modified) = (accessed, modified);
}

/// `--max-fail`: which call of each kind fails is open; 0 is none of them.
fn make_failures(world: &World, cx: &mut Context, state: &mut State) {
    if world.failures == 0 {
        return;
    }
    for call in ["read", "write", "close", "ftruncate", "getcwd", "open"] {
        let array = state.new_input(cx, &format!("{call}_fail"), 4, None);
        let fails_at = word(cx, array, 0, 4);
        kernel_mut(state).failing.push(Failing { call, made: 0, fails_at });
    }
    kernel_mut(state).failures_left = world.failures;
}

fn make_streams(world: &World, cx: &mut Context, state: &mut State) {
    let stdin = match &world.stdin {
        Input::Given(bytes) => {
            let node = kernel_mut(state).new_node(Kind::File(File::of(Contents::of(bytes.clone()))), 0o600);
            kernel_mut(state).node_mut(node).mode = Value::Int(u64::from(libc::S_IFIFO | 0o600));
            node
        }
        Input::Symbolic { len } => {
            let contents = symbolic_contents(cx, state, "stdin", &vec![None; *len as usize]);
            let node = kernel_mut(state).new_node(Kind::File(File::of(contents)), 0o644);
            make_stat_symbolic(cx, state, node, "stdin-stat", &[libc::S_IFREG, libc::S_IFIFO]);
            node
        }
    };
    let stdout = kernel_mut(state).new_node(Kind::Console(Stream::Out), 0o600);
    if world.symbolic_stdout {
        kernel_mut(state).node_mut(stdout).mode = Value::Int(u64::from(libc::S_IFREG | 0o644));
        state.new_input(cx, "stdout", STDOUT_SIZE, None);
        make_stat_symbolic(cx, state, stdout, "stdout-stat", &[libc::S_IFREG, libc::S_IFIFO]);
    }
    let stderr = kernel_mut(state).new_node(Kind::Console(Stream::Err), 0o600);
    let streams = [(stdin, libc::O_RDONLY), (stdout, libc::O_WRONLY), (stderr, libc::O_WRONLY)];
    for (fd, (node, flags)) in streams.into_iter().enumerate() {
        let kernel = kernel_mut(state);
        let file = kernel.open(node, flags as u32);
        kernel.set_descriptor(fd, crate::kernel::Descriptor { file, close_on_exec: false });
    }
}

/// `argc`, `argv` and `envp`, in memory of their own.
fn place_arguments(world: &World, state: &mut State) {
    let arguments = std::mem::take(&mut kernel_mut(state).setup.arguments);
    let mut place = |name: &'static str, contents: Contents| {
        let allocation = Allocation {
            size: contents.len() as u64,
            align: 16,
            origin: Origin::Environment { name },
            read_only: false,
            allocated_at: LocId(0),
            contents,
            limit: None,
        };
        state.memory.allocate(allocation).map_or(0, |(_, base)| base)
    };
    let count = arguments.len() as u64;
    let mut vector = |name: &'static str, whole: &'static str, strings: Vec<Contents>| {
        let mut pointers = Vec::new();
        for string in strings {
            pointers.extend(place(name, string).to_le_bytes());
        }
        pointers.extend([0; 8]);
        Value::Int(place(whole, Contents::of(pointers)))
    };
    let argv = vector("an argument", "argv", arguments);
    let variable = |text: &String| Contents::of(text.bytes().chain([0]).collect());
    let envp = vector("an environment variable", "envp", world.environment.iter().map(variable).collect());
    state.arguments = [Value::Int(count), argv, envp];
}
