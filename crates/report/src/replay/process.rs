//! One process under a time limit, with what it wrote.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

/// Of each stream this much is kept; the rest is read and dropped, so that the program neither blocks nor fills memory.
const KEPT_OUTPUT: u64 = 1 << 20;

pub(super) struct Ran {
    pub pid: u32,
    /// None if the time limit came first.
    pub status: Option<ExitStatus>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
}

/// Runs the command in a process group of its own. When it ends, or at the limit, the whole group is killed, so that no
/// child of the program outlives the run.
pub(super) fn run_limited(command: &mut Command, limit: Duration) -> io::Result<Ran> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()?;
    let stdout = keep(child.stdout.take());
    let stderr = keep(child.stderr.take());
    let waited = wait_until(&child, start + limit);
    // Not reaped yet, so the number still names this group.
    let pid = child.id();
    if let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // A group whose last process has just ended cannot be killed, and need not be.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    let elapsed = start.elapsed();
    let in_time = waited?;
    Ok(Ran { pid, status: in_time.then_some(status), stdout: joined(stdout), stderr: joined(stderr), elapsed })
}

/// Whether the process ended before the deadline. It is left unreaped.
fn wait_until(child: &Child, deadline: Instant) -> io::Result<bool> {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or(io::ErrorKind::InvalidInput)?;
    let handle = pidfd_open(pid, PidfdFlags::empty())?;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
        match poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&timeout)) {
            Ok(0) => return Ok(false),
            Ok(_) => return Ok(true),
            Err(rustix::io::Errno::INTR) => {}
            Err(cause) => return Err(cause.into()),
        }
    }
}

fn keep<R: Read + Send + 'static>(stream: Option<R>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut kept = Vec::new();
        if let Some(mut stream) = stream {
            // An unreadable pipe gives what was read so far: the ending does not depend on it.
            let _ = stream.by_ref().take(KEPT_OUTPUT).read_to_end(&mut kept);
            let _ = io::copy(&mut stream, &mut io::sink());
        }
        kept
    })
}

fn joined(reader: JoinHandle<Vec<u8>>) -> Vec<u8> {
    match reader.join() {
        Ok(bytes) => bytes,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: u64) -> Ran {
        run_limited(Command::new("sh").args(["-c", script]), Duration::from_millis(limit)).unwrap()
    }

    #[test]
    fn status_and_output_come_back() {
        let ran = shell("echo out; echo err >&2; exit 7", 10_000);
        assert_eq!(ran.status.and_then(|status| status.code()), Some(7));
        assert_eq!((ran.stdout.as_slice(), ran.stderr.as_slice()), (&b"out\n"[..], &b"err\n"[..]));
    }

    #[test]
    fn the_limit_holds_for_children_too() {
        let ran = shell("sleep 60 & sleep 60", 200);
        assert!(ran.status.is_none());
        assert!(ran.elapsed < Duration::from_secs(10), "{:?}", ran.elapsed);
    }

    #[test]
    fn a_child_left_behind_does_not_hold_the_run() {
        let ran = shell("sleep 60 & exit 3", 20_000);
        assert_eq!(ran.status.and_then(|status| status.code()), Some(3));
        assert!(ran.elapsed < Duration::from_secs(10), "{:?}", ran.elapsed);
    }

    #[test]
    fn endless_output_is_cut() {
        let ran = shell("yes", 300);
        assert_eq!(ran.stdout.len() as u64, KEPT_OUTPUT);
    }
}
