//! The process: its end, its numbers, its limits. There is one process with one thread.

use super::{Row, error};
use crate::node::Kind;
use crate::sys::{Leave, Reply, Sys};
use osier_exec::step::end_process;
use std::rc::Rc;

pub const ROWS: &[Row] = &[
    Row { number: libc::SYS_exit, run: exit },
    Row { number: libc::SYS_exit_group, run: exit },
    Row { number: libc::SYS_getpid, run: process },
    Row { number: libc::SYS_gettid, run: |_| Ok(PID) },
    Row { number: libc::SYS_getppid, run: |sys| Ok(process(sys)? - 1) },
    Row { number: libc::SYS_getpgrp, run: process },
    Row { number: libc::SYS_getpgid, run: process },
    Row { number: libc::SYS_getsid, run: |_| Ok(PID) },
    Row { number: libc::SYS_setpgid, run: |_| Ok(0) },
    Row { number: libc::SYS_setsid, run: |_| error(libc::EPERM) },
    Row { number: libc::SYS_getuid, run: |sys| Ok(sys.kernel().uid.into()) },
    Row { number: libc::SYS_geteuid, run: |sys| Ok(sys.kernel().uid.into()) },
    Row { number: libc::SYS_getgid, run: |sys| Ok(sys.kernel().gid.into()) },
    Row { number: libc::SYS_getegid, run: |sys| Ok(sys.kernel().gid.into()) },
    Row { number: libc::SYS_getgroups, run: groups },
    Row { number: libc::SYS_getresuid, run: |sys| three(sys, |kernel| kernel.uid) },
    Row { number: libc::SYS_getresgid, run: |sys| three(sys, |kernel| kernel.gid) },
    Row { number: libc::SYS_setuid, run: become_again },
    Row { number: libc::SYS_setgid, run: become_again },
    Row { number: libc::SYS_setgroups, run: |sys| if sys.kernel().uid == 0 { Ok(0) } else { error(libc::EPERM) } },
    Row { number: libc::SYS_set_tid_address, run: |_| Ok(PID) },
    Row { number: libc::SYS_set_robust_list, run: |_| Ok(0) },
    Row { number: libc::SYS_sched_yield, run: |_| Ok(0) },
    Row { number: libc::SYS_sched_getaffinity, run: affinity },
    Row { number: libc::SYS_sched_setaffinity, run: |_| Ok(0) },
    Row { number: libc::SYS_getpriority, run: |_| Ok(20) },
    Row { number: libc::SYS_setpriority, run: |_| Ok(0) },
    Row { number: libc::SYS_prctl, run: |_| error(libc::EINVAL) },
    Row { number: libc::SYS_arch_prctl, run: |_| error(libc::EINVAL) },
    // One thread: a wait would last for ever, and there is nobody to wake.
    Row { number: libc::SYS_futex, run: futex },
    Row { number: libc::SYS_uname, run: name_of_system },
    Row { number: libc::SYS_getrlimit, run: |sys| limit(sys, 0, 1) },
    Row { number: libc::SYS_prlimit64, run: |sys| limit(sys, 1, 3) },
    Row { number: libc::SYS_setrlimit, run: |_| Ok(0) },
    Row { number: libc::SYS_getrusage, run: usage },
    Row { number: libc::SYS_sysinfo, run: system_information },
    Row { number: libc::SYS_getrandom, run: random },
    // What would need a second process or a network.
    Row { number: libc::SYS_fork, run: |_| error(libc::EAGAIN) },
    Row { number: libc::SYS_vfork, run: |_| error(libc::EAGAIN) },
    Row { number: libc::SYS_clone, run: |_| error(libc::EAGAIN) },
    Row { number: libc::SYS_clone3, run: |_| error(libc::EAGAIN) },
    Row { number: libc::SYS_execve, run: |_| error(libc::EACCES) },
    Row { number: libc::SYS_wait4, run: |_| error(libc::ECHILD) },
    Row { number: libc::SYS_waitid, run: |_| error(libc::ECHILD) },
    Row { number: libc::SYS_socket, run: socket },
    Row { number: libc::SYS_connect, run: connect },
    Row { number: libc::SYS_socketpair, run: |_| error(libc::EAFNOSUPPORT) },
];

pub const PID: u64 = 1000;

fn exit(sys: &mut Sys<'_>) -> Reply {
    end_process(sys.program, sys.cx, sys.state, sys.words[0]);
    Err(Leave::Gone)
}

/// A local socket can be made, but there is nobody to connect to; there is no other network.
fn socket(sys: &mut Sys<'_>) -> Reply {
    if sys.int(0)? != libc::AF_UNIX {
        return error(libc::EAFNOSUPPORT);
    }
    let node = sys.kernel_mut().new_node(Kind::Pipe(Rc::default()), 0o777);
    super::descriptors::new_descriptor(sys, node, libc::O_RDWR as u32, false)
}

fn connect(sys: &mut Sys<'_>) -> Reply {
    sys.open_file(0)?;
    error(libc::ENOENT)
}

fn groups(sys: &mut Sys<'_>) -> Reply {
    let room = sys.int(0)?;
    if room > 0 {
        let gid = sys.kernel().gid;
        sys.bytes_out(sys.words[1], &gid.to_le_bytes())?;
    }
    Ok(1)
}

fn three(sys: &mut Sys<'_>, which: fn(&crate::kernel::Kernel) -> u32) -> Reply {
    let id = which(sys.kernel()).to_le_bytes();
    for index in 0..3 {
        sys.bytes_out(sys.words[index], &id)?;
    }
    Ok(0)
}

/// A process may only become who it is.
fn become_again(sys: &mut Sys<'_>) -> Reply {
    let wanted = sys.word(0)? as u32;
    let kernel = sys.kernel();
    if kernel.uid == 0 || wanted == kernel.uid || wanted == kernel.gid { Ok(0) } else { error(libc::EPERM) }
}

fn affinity(sys: &mut Sys<'_>) -> Reply {
    let room = sys.word(1)?;
    if room < 8 {
        return error(libc::EINVAL);
    }
    sys.bytes_out(sys.words[2], &1u64.to_le_bytes())?;
    Ok(8)
}

fn futex(sys: &mut Sys<'_>) -> Reply {
    const COMMAND: i32 = 0x7f;
    match sys.int(1)? & COMMAND {
        libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET => error(libc::EDEADLK),
        libc::FUTEX_WAKE | libc::FUTEX_WAKE_BITSET => Ok(0),
        _ => error(libc::ENOSYS),
    }
}

fn name_of_system(sys: &mut Sys<'_>) -> Reply {
    const FIELD: usize = 65;
    let fields = ["Linux", "osier", "6.1.0", "#1 Osier", "x86_64", "(none)"];
    let mut bytes = vec![0; FIELD * fields.len()];
    for (i, field) in fields.iter().enumerate() {
        bytes[i * FIELD..i * FIELD + field.len()].copy_from_slice(field.as_bytes());
    }
    sys.bytes_out(sys.words[0], &bytes)?;
    Ok(0)
}

/// Only open files and the stack have limits.
fn limit(sys: &mut Sys<'_>, resource: usize, target: usize) -> Reply {
    let (soft, hard) = match sys.word(resource)? as u32 {
        libc::RLIMIT_NOFILE => (1024, 4096),
        libc::RLIMIT_STACK => (8 << 20, u64::MAX),
        _ => (u64::MAX, u64::MAX),
    };
    if sys.words[target] != osier_memory::Value::Int(0) {
        sys.bytes_out(sys.words[target], &[u64::to_le_bytes(soft), u64::to_le_bytes(hard)].concat())?;
    }
    Ok(0)
}

fn usage(sys: &mut Sys<'_>) -> Reply {
    let spent = sys.kernel_mut().since_start();
    let mut bytes = vec![0; 144];
    bytes[..8].copy_from_slice(&(spent / 1_000_000_000).to_le_bytes());
    bytes[8..16].copy_from_slice(&(spent % 1_000_000_000 / 1000).to_le_bytes());
    sys.bytes_out(sys.words[1], &bytes)?;
    Ok(0)
}

fn system_information(sys: &mut Sys<'_>) -> Reply {
    let mut bytes = vec![0; 112];
    let seconds = sys.kernel_mut().since_start() / 1_000_000_000;
    bytes[..8].copy_from_slice(&seconds.to_le_bytes());
    // Memory in all and free, 4 and 2 GiB.
    bytes[32..40].copy_from_slice(&(4u64 << 30).to_le_bytes());
    bytes[40..48].copy_from_slice(&(2u64 << 30).to_le_bytes());
    bytes[80..82].copy_from_slice(&1u16.to_le_bytes());
    bytes[104..108].copy_from_slice(&1u32.to_le_bytes());
    sys.bytes_out(sys.words[0], &bytes)?;
    Ok(0)
}

fn process(sys: &mut Sys<'_>) -> Reply {
    sys.state.asked.process = true;
    Ok(PID)
}

/// Numbers that look random and are the same in every run.
fn random(sys: &mut Sys<'_>) -> Reply {
    sys.state.asked.random = true;
    let count = sys.word(1)?.min(256);
    let mut seed = sys.kernel().random;
    let mut bytes = Vec::with_capacity(count as usize);
    for _ in 0..count {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        bytes.push((seed >> 32) as u8);
    }
    sys.bytes_out(sys.words[0], &bytes)?;
    sys.kernel_mut().random = seed;
    Ok(count)
}
