//! What functions that have no body in the module do with pointers: the engine's built-in functions, and a guess for
//! those that nobody knows.
//!
//! To add one: give it a row.

use crate::shift::Shift;
use crate::template::{Access, Fact, Made, Template, Val};
use osier_ir::{FuncId, Function};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Nothing,
    /// Returns a new block. Its size is the product of these arguments.
    Fresh(&'static [usize]),
    /// Returns a new block with what the first argument's block holds.
    Resized(&'static [usize]),
    /// Stores a new block through its first argument; its size is this argument.
    FreshAt(usize),
    /// Copies from the second to the first argument as many bytes as the third says, and returns the first.
    Copies,
    Returns(usize),
    /// Returns a pointer into what this argument points to.
    ReturnsInto(usize),
    /// Returns the address of memory of the environment.
    Environment,
    /// Has this argument called later, with the argument after it.
    Callback(usize),
    /// Gives its first argument back.
    Frees,
    Syscall,
    /// Anything: may call what it is given, and may return any of it.
    Unknown,
}

struct Row {
    names: &'static [&'static str],
    /// The arguments through which it reads, then those through which it writes.
    reads: &'static [usize],
    writes: &'static [usize],
    effect: Effect,
}

const ROWS: &[Row] = &[
    Row { names: &["malloc"], reads: &[], writes: &[], effect: Effect::Fresh(&[0]) },
    Row { names: &["calloc"], reads: &[], writes: &[], effect: Effect::Fresh(&[0, 1]) },
    Row { names: &["memalign", "aligned_alloc"], reads: &[], writes: &[], effect: Effect::Fresh(&[1]) },
    Row { names: &["realloc"], reads: &[], writes: &[], effect: Effect::Resized(&[1]) },
    Row { names: &["reallocarray"], reads: &[], writes: &[], effect: Effect::Resized(&[1, 2]) },
    Row { names: &["posix_memalign"], reads: &[], writes: &[0], effect: Effect::FreshAt(2) },
    Row { names: &["memcpy", "memmove"], reads: &[1], writes: &[0], effect: Effect::Copies },
    Row { names: &["memset"], reads: &[], writes: &[0], effect: Effect::Returns(0) },
    Row { names: &["memcmp", "bcmp", "strcmp", "strncmp"], reads: &[0, 1], writes: &[], effect: Effect::Nothing },
    Row { names: &["strlen", "strnlen"], reads: &[0], writes: &[], effect: Effect::Nothing },
    Row { names: &["memchr", "strchr", "strrchr"], reads: &[0], writes: &[], effect: Effect::ReturnsInto(0) },
    Row { names: &["strcpy", "strncpy"], reads: &[1], writes: &[0], effect: Effect::Returns(0) },
    Row { names: &["strcat"], reads: &[0, 1], writes: &[0], effect: Effect::Returns(0) },
    Row { names: &["__errno_location"], reads: &[], writes: &[], effect: Effect::Environment },
    Row { names: &["atexit", "__cxa_atexit"], reads: &[], writes: &[], effect: Effect::Callback(0) },
    Row { names: &["__osier_syscall", "syscall"], reads: &[], writes: &[], effect: Effect::Syscall },
    Row { names: &["free"], reads: &[], writes: &[], effect: Effect::Frees },
    Row {
        names: &[
            "setjmp",
            "_setjmp",
            "sigsetjmp",
            "__sigsetjmp",
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__longjmp_chk",
            "abort",
            "exit",
            "_exit",
            "_Exit",
            "quick_exit",
            "__assert_fail",
            "__osier_run_destructors",
            "write",
            "putchar",
            "puts",
            "printf",
        ],
        reads: &[],
        writes: &[],
        effect: Effect::Nothing,
    },
];

/// mmap, brk and mremap: what they return is memory.
const SYSCALLS_THAT_ALLOCATE: [u64; 3] = [9, 12, 25];

/// Whether the function is described here: it has no body, or the engine supplies it whatever its body says.
pub fn is_modelled(function: &Function) -> bool {
    function.body.is_none() || is_intrinsic(&function.name)
}

fn is_intrinsic(name: &str) -> bool {
    name.starts_with("klee_") || name.starts_with("osier_")
}

fn row(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.names.contains(&name))
}

/// Whether it returns memory that nobody has had before.
pub fn allocates(function: &Function) -> bool {
    is_modelled(function)
        && row(&function.name).is_some_and(|row| match row.effect {
            Effect::Fresh(_) | Effect::Resized(_) | Effect::FreshAt(_) => true,
            Effect::Nothing
            | Effect::Copies
            | Effect::Returns(_)
            | Effect::ReturnsInto(_)
            | Effect::Environment
            | Effect::Callback(_)
            | Effect::Frees
            | Effect::Syscall
            | Effect::Unknown => false,
        })
}

/// A call of a modelled function.
pub struct ModelCall<'a> {
    pub function: FuncId,
    pub name: &'a str,
    pub op: u32,
    pub args: &'a [Val],
    /// The arguments that are integer constants.
    pub numbers: &'a [Option<u64>],
    /// Whether a length that it is given may be one of pointers.
    pub moves_pointers: bool,
    pub result: Option<u32>,
}

/// Adds what the call does. `fresh` makes values.
pub fn expand(call: &ModelCall<'_>, template: &mut Template, mut fresh: impl FnMut() -> u32) {
    let (reads, writes, effect) = match row(call.name) {
        Some(row) => (row.reads, row.writes, row.effect),
        None if is_intrinsic(call.name) => (&[][..], &[][..], Effect::Nothing),
        None => (&[][..], &[][..], Effect::Unknown),
    };
    let arg = |index: usize| call.args.get(index).copied().unwrap_or(Val::Nothing);
    let touched = reads.iter().map(|&index| (index, false)).chain(writes.iter().map(|&index| (index, true)));
    template.accesses.extend(touched.map(|(index, write)| Access { op: call.op, addr: arg(index), write }));

    let size_of = |factors: &[usize]| {
        factors.iter().try_fold(1u64, |size, &index| size.checked_mul(call.numbers.get(index).copied().flatten()?))
    };
    let made = Made::Heap { allocator: call.function };
    let facts = &mut template.facts;
    let flow = |facts: &mut Vec<Fact>, from: Val, shift: Shift| {
        facts.extend(call.result.map(|to| Fact::Flow { to, from, shift }));
    };
    match effect {
        Effect::Nothing => {}
        Effect::Frees => template.freed.push(arg(0)),
        Effect::Fresh(factors) => {
            facts.extend(call.result.map(|to| Fact::New { to, op: call.op, made, size: size_of(factors) }));
        }
        Effect::Resized(factors) => {
            let to = call.result.unwrap_or_else(fresh);
            facts.push(Fact::New { to, op: call.op, made, size: size_of(factors) });
            facts.push(Fact::Copy { dst: Val::Local(to), src: arg(0), len: size_of(factors) });
        }
        Effect::FreshAt(factor) => {
            let block = fresh();
            facts.push(Fact::New { to: block, op: call.op, made, size: size_of(&[factor]) });
            facts.push(Fact::Store { addr: arg(0), offset: 0, value: Val::Local(block) });
        }
        Effect::Copies => {
            if call.moves_pointers {
                facts.push(Fact::Copy { dst: arg(0), src: arg(1), len: call.numbers.get(2).copied().flatten() });
            }
            flow(facts, arg(0), Shift::None);
        }
        Effect::Returns(index) => flow(facts, arg(index), Shift::None),
        Effect::ReturnsInto(index) => flow(facts, arg(index), Shift::By { offset: 0, stride: 1 }),
        Effect::Environment => facts.extend(call.result.map(|to| Fact::Environment { to })),
        Effect::Callback(index) => facts.push(Fact::Callback { function: arg(index), args: arg(index + 1) }),
        Effect::Syscall => {
            if let Some(number) = call.numbers.first().copied().flatten()
                && SYSCALLS_THAT_ALLOCATE.contains(&number)
            {
                facts.extend(call.result.map(|to| Fact::New { to, op: call.op, made, size: None }));
            }
            // A signal's action begins with its handler.
            for &pointer in call.args.iter().filter(|&&pointer| pointer != Val::Nothing) {
                let handler = fresh();
                facts.push(Fact::Load { to: handler, addr: pointer, offset: 0 });
                facts.push(Fact::Callback { function: Val::Local(handler), args: Val::Nothing });
            }
        }
        Effect::Unknown => {
            let all = fresh();
            for &from in call.args {
                facts.push(Fact::Flow { to: all, from, shift: Shift::Anywhere });
                flow(facts, from, Shift::Anywhere);
            }
            for &function in call.args {
                facts.push(Fact::Callback { function, args: Val::Local(all) });
            }
        }
    }
}
