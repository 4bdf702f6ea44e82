//! The kernel that programs talk to: files, descriptors, arguments, time, signals to oneself. Nothing reaches the
//! host: what a program writes is captured with its path, and what it reads was given to it when it started.
//!
//! This room reads no host file; a [`World`] is handed in. Start reading at [`World`], then `start.rs`, `kernel.rs`
//! and `syscalls/mod.rs`; `path.rs` says how symbolic paths are looked up.
#![forbid(unsafe_code)]

mod console;
mod kernel;
mod node;
mod path;
mod start;
mod stat;
mod sys;
mod syscalls;
mod world;

pub use world::{Argument, GivenFile, Input, SymbolicFile, World};

use osier_exec::builtins::Builtin;
use osier_exec::{Alive, Context, EngineError, Environment, Program, State};

/// What programs find around them.
pub struct Linux {
    world: World,
}

impl Linux {
    pub fn new(world: World) -> Self {
        Linux { world }
    }
}

impl Environment for Linux {
    fn builtins(&self) -> &'static [Builtin] {
        TABLE
    }

    fn begin(&self, program: &Program, cx: &mut Context, state: &mut State) -> Result<Alive, EngineError> {
        start::begin(&self.world, program, cx, state)
    }
}

const TABLE: &[Builtin] = &[
    Builtin { name: "__osier_syscall", least_args: 7, run: syscalls::system_call },
    Builtin { name: "syscall", least_args: 1, run: syscalls::variadic_call },
    Builtin { name: "write", least_args: 3, run: console::write },
    Builtin { name: "putchar", least_args: 1, run: console::putchar },
    Builtin { name: "puts", least_args: 1, run: console::puts },
];
