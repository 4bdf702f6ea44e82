//! Signals that a process sends to itself; no other ones come.

use super::process::PID;
use super::{Row, error};
use crate::sys::{Leave, Reply, Sys};
use osier_exec::outcome::Kind;
use osier_exec::step::{end_process, end_with_fault};
use osier_memory::{Contents, Value};

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_rt_sigaction, run: action },
    Row { number: libc::SYS_rt_sigprocmask, run: mask },
    Row { number: libc::SYS_rt_sigpending, run: pending },
    Row { number: libc::SYS_sigaltstack, run: |_| Ok(0) },
    Row { number: libc::SYS_kill, run: kill },
    // There is one thread, whatever its number.
    Row { number: libc::SYS_tkill, run: |sys| send(sys, 1) },
    Row { number: libc::SYS_tgkill, run: |sys| send(sys, 2) },
    Row { number: libc::SYS_pause, run: |_| error(libc::EINTR) },
    Row { number: libc::SYS_rt_sigsuspend, run: |_| error(libc::EINTR) },
];

const IGNORE: u64 = 1;

fn signal(sys: &mut Sys<'_>, index: usize) -> Result<usize, Leave> {
    match sys.int(index)? {
        number @ 1..=64 => Ok(number as usize),
        _ => error(libc::EINVAL),
    }
}

/// The kernel's `struct sigaction`: handler, flags, restorer, mask.
fn action(sys: &mut Sys<'_>) -> Reply {
    let number = signal(sys, 0)?;
    let (new, old) = (sys.words[1], sys.words[2]);
    let handler = match new {
        Value::Int(0) => None,
        address => Some(sys.numbers_in(address, [8])?[0]),
    };
    if handler.is_some() && matches!(number as i32, libc::SIGKILL | libc::SIGSTOP) {
        return error(libc::EINVAL);
    }
    let before = sys.kernel().handlers[number];
    if old != Value::Int(0) {
        let mut bytes = Contents::zeroed(32);
        bytes.write_concrete(0, 8, before);
        sys.copy_out(old, &bytes)?;
    }
    if let Some(handler) = handler {
        sys.kernel_mut().handlers[number] = handler;
    }
    Ok(0)
}

fn mask(sys: &mut Sys<'_>) -> Reply {
    let how = sys.int(0)?;
    let old = sys.kernel().blocked;
    let change = match sys.words[1] {
        Value::Int(0) => None,
        address => Some(sys.numbers_in(address, [8])?[0]),
    };
    if sys.words[2] != Value::Int(0) {
        sys.bytes_out(sys.words[2], &old.to_le_bytes())?;
    }
    let Some(change) = change else { return Ok(0) };
    let blocked = match how {
        libc::SIG_BLOCK => old | change,
        libc::SIG_UNBLOCK => old & !change,
        _ => change,
    };
    let kernel = sys.kernel_mut();
    kernel.blocked = blocked;
    let waiting = kernel.pending & !blocked;
    if waiting == 0 {
        return Ok(0);
    }
    let first = waiting.trailing_zeros();
    kernel.pending &= !(1 << first);
    deliver(sys, first as usize + 1)
}

fn pending(sys: &mut Sys<'_>) -> Reply {
    let waiting = sys.kernel().pending;
    sys.bytes_out(sys.words[0], &waiting.to_le_bytes())?;
    Ok(0)
}

fn kill(sys: &mut Sys<'_>) -> Reply {
    let to = i64::from(sys.int(0)?);
    // Itself, or its group.
    if to == PID as i64 || to == 0 || to == -(PID as i64) { send(sys, 1) } else { error(libc::ESRCH) }
}

/// A signal to the process itself, which comes at once unless it is blocked.
fn send(sys: &mut Sys<'_>, number: usize) -> Reply {
    if sys.int(number)? == 0 {
        return Ok(0);
    }
    let number = signal(sys, number)?;
    let bit = 1 << (number - 1);
    if sys.kernel().blocked & bit != 0 {
        sys.kernel_mut().pending |= bit;
        return Ok(0);
    }
    deliver(sys, number)
}

fn deliver(sys: &mut Sys<'_>, number: usize) -> Reply {
    match sys.kernel().handlers[number] {
        0 => by_default(sys, number as i32),
        IGNORE => Ok(0),
        handler => match sys.program.function_at(handler) {
            Some(function) => Err(Leave::Signal(function, number as u64)),
            None => {
                let message = "a signal handler that is no function";
                end_with_fault(sys.program, sys.cx, sys.state, Kind::InvalidCall, message);
                Err(Leave::Gone)
            }
        },
    }
}

fn by_default(sys: &mut Sys<'_>, number: i32) -> Reply {
    match number {
        libc::SIGCHLD | libc::SIGURG | libc::SIGWINCH | libc::SIGCONT => Ok(0),
        // Nobody would ever continue it.
        libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU => Ok(0),
        libc::SIGABRT => {
            end_with_fault(sys.program, sys.cx, sys.state, Kind::Abort, "killed by SIGABRT");
            Err(Leave::Gone)
        }
        _ => {
            // As a shell shows it.
            end_process(sys.program, sys.cx, sys.state, Value::Int(128 + number as u64));
            Err(Leave::Gone)
        }
    }
}
