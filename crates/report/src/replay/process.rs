//! One process under a time limit, with what it wrote.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::stream::Stream;

pub(super) struct Ran {
    pub pid: u32,
    /// None if the time limit came first.
    pub status: Option<ExitStatus>,
    pub stdout: Stream,
    pub stderr: Stream,
    pub elapsed: Duration,
}

/// What is written into the program's standard input while it runs.
pub(super) struct Feed {
    pub pipe: PipeWriter,
    pub bytes: Vec<u8>,
}

/// Runs the command in a process group of its own. When it ends, or at the limit, the whole group is killed, so that no
/// child of the program outlives the run. `stdout` is the reading end of the command's standard output, if that is a
/// pipe; standard error always is one.
pub(super) fn run_limited(
    mut command: Command,
    feed: Option<Feed>,
    stdout: Option<PipeReader>,
    limit: Duration,
) -> io::Result<Ran> {
    let start = Instant::now();
    let (stderr, writer) = io::pipe()?;
    let mut child = command.stderr(Stdio::from(writer)).process_group(0).spawn()?;
    // Its ends of the pipes must be the program's alone, or they never close.
    drop(command);
    let mut streams = [Reading::new(stdout)?, Reading::new(Some(stderr))?];
    let waited = Waiting { child: &child, streams: &mut streams, feed }.until(start + limit);
    // Not reaped yet, so the number still names this group.
    let pid = child.id();
    if let Some(group) = process_id(&child) {
        // A group whose last process has just ended cannot be killed, and need not be.
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait()?;
    let in_time = waited?;
    // What a process that left the group may still write is not waited for.
    streams.iter_mut().for_each(Reading::take_what_is_there);
    let [stdout, stderr] = streams.map(|reading| reading.stream);
    Ok(Ran { pid, status: in_time.then_some(status), stdout, stderr, elapsed: start.elapsed() })
}

fn process_id(child: &Child) -> Option<Pid> {
    i32::try_from(child.id()).ok().and_then(Pid::from_raw)
}

struct Reading {
    /// None at its end.
    pipe: Option<PipeReader>,
    stream: Stream,
}

impl Reading {
    fn new(pipe: Option<PipeReader>) -> io::Result<Reading> {
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Reading { pipe, stream: Stream::default() })
    }

    fn take_what_is_there(&mut self) {
        let mut buffer = [0; 16 << 10];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut buffer) {
                Ok(0) => self.pipe = None,
                Ok(count) => self.stream.extend(&buffer[..count]),
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return,
                // An unreadable pipe gives what was read so far: the ending does not depend on it.
                Err(_) => self.pipe = None,
            }
        }
    }
}

struct Waiting<'a> {
    child: &'a Child,
    streams: &'a mut [Reading; 2],
    feed: Option<Feed>,
}

impl Waiting<'_> {
    /// Whether the process ended before the deadline. It is left unreaped.
    fn until(mut self, deadline: Instant) -> io::Result<bool> {
        let handle = pidfd_open(process_id(self.child).ok_or(io::ErrorKind::InvalidInput)?, PidfdFlags::empty())?;
        if let Some(feed) = &self.feed {
            rustix::io::ioctl_fionbio(&feed.pipe, true)?;
            self.write();
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
            let mut waited = vec![PollFd::new(&handle, PollFlags::IN)];
            let pipes = self.streams.iter().filter_map(|stream| stream.pipe.as_ref());
            waited.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
            waited.extend(self.feed.as_ref().map(|feed| PollFd::new(&feed.pipe, PollFlags::OUT)));
            match poll(&mut waited, Some(&timeout)) {
                Ok(0) => return Ok(false),
                Ok(_) if !waited[0].revents().is_empty() => return Ok(true),
                Ok(_) => {}
                Err(rustix::io::Errno::INTR) => {}
                Err(cause) => return Err(cause.into()),
            }
            self.streams.iter_mut().for_each(Reading::take_what_is_there);
            self.write();
        }
    }

    /// Writes as much as there is room for. At the end, or when nobody reads any more, the pipe is closed.
    fn write(&mut self) {
        while let Some(Feed { pipe, bytes }) = &mut self.feed {
            match pipe.write(bytes) {
                Ok(count) => drop(bytes.drain(..count)),
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) if cause.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => bytes.clear(),
            }
            if bytes.is_empty() {
                self.feed = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell_with(script: &str, limit: u64, input: Vec<u8>) -> Ran {
        let (reader, writer) = io::pipe().unwrap();
        let (stdin, pipe) = io::pipe().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(stdin).stdout(writer);
        let feed = Feed { pipe, bytes: input };
        run_limited(command, Some(feed), Some(reader), Duration::from_millis(limit)).unwrap()
    }

    fn shell(script: &str, limit: u64) -> Ran {
        shell_with(script, limit, Vec::new())
    }

    #[test]
    fn status_and_output_come_back() {
        let ran = shell("echo out; echo err >&2; exit 7", 10_000);
        assert_eq!(ran.status.and_then(|status| status.code()), Some(7));
        assert_eq!((ran.stdout, ran.stderr), (Stream::of(b"out\n"), Stream::of(b"err\n")));
    }

    #[test]
    fn the_limit_holds_for_children_too() {
        let ran = shell("sleep 60 & sleep 60", 200);
        assert!(ran.status.is_none());
        assert!(ran.elapsed < Duration::from_secs(10), "{:?}", ran.elapsed);
    }

    #[test]
    fn a_child_left_behind_does_not_hold_the_run() {
        for script in ["sleep 60 & exit 3", "setsid sleep 20 & exit 3"] {
            let ran = shell(script, 15_000);
            assert_eq!(ran.status.and_then(|status| status.code()), Some(3));
            assert!(ran.elapsed < Duration::from_secs(10), "{:?}", ran.elapsed);
        }
    }

    #[test]
    fn endless_output_is_counted_but_not_kept() {
        let ran = shell("yes", 300);
        assert_eq!(ran.stdout.beginning.len(), crate::stream::KEPT);
        assert!(!ran.stdout.is_whole());
    }

    #[test]
    fn input_larger_than_a_pipe_arrives_and_an_unread_one_does_not_block() {
        let input = vec![b'x'; 1 << 20];
        let ran = shell_with("cat", 10_000, input.clone());
        assert_eq!(ran.stdout, Stream::of(&input));
        let ran = shell_with("exit 4", 10_000, input);
        assert_eq!(ran.status.and_then(|status| status.code()), Some(4));
    }
}
