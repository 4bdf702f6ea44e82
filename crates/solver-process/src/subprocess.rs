//! A program at the other end of two pipes. Nothing here waits longer than it is told to, whatever the program does.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};

/// How much of what a program complains about is kept.
const LAST_WORDS: usize = 1 << 14;

/// A running program. Dropping it ends the program and whatever that has started.
#[derive(Debug)]
pub struct Subprocess {
    child: Child,
    /// Gone when the program reads no more.
    stdin: Option<ChildStdin>,
    /// Gone when the program writes no more.
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    to_write: Vec<u8>,
    written: usize,
    /// What has come and was not taken yet.
    pub received: Vec<u8>,
    last_words: Vec<u8>,
}

impl Subprocess {
    /// Starts a program in a process group of its own: it is ended with its children, and Ctrl-C is for us alone.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        let mut child = piped.spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Subprocess {
            child,
            stdin,
            stdout,
            stderr,
            to_write: Vec::new(),
            written: 0,
            received: Vec::new(),
            last_words: Vec::new(),
        };
        if let Some(stdin) = &process.stdin {
            fcntl_setfl(stdin, fcntl_getfl(stdin)? | OFlags::NONBLOCK)?;
        }
        if let Some(stdout) = &process.stdout {
            fcntl_setfl(stdout, fcntl_getfl(stdout)? | OFlags::NONBLOCK)?;
        }
        if let Some(stderr) = &process.stderr {
            fcntl_setfl(stderr, fcntl_getfl(stderr)? | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Bounds the program's address space from now on, in bytes.
    pub fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        prlimit(Some(Pid::from_child(&self.child)), Resource::As, limit)?;
        Ok(())
    }

    /// Gives the program something to read, as fast as it reads: see [`pump`].
    pub fn send(&mut self, bytes: &[u8]) {
        self.to_write.extend_from_slice(bytes);
    }

    /// Whether the program has closed its end: nothing more will come.
    pub fn has_ended(&self) -> bool {
        self.stdout.is_none()
    }

    /// What there is to say about a program that has ended: how, and what it complained about last.
    pub fn obituary(&mut self) -> String {
        self.hear();
        let exit = match self.exit_status().map(|status| (status.code(), status.signal())) {
            Some((Some(code), _)) => format!("it ended with status {code}"),
            Some((None, Some(signal))) => format!("it was ended by signal {signal}"),
            Some((None, None)) => "it ended".to_owned(),
            None => "it closed its pipe".to_owned(),
        };
        let words = self.last_words();
        if words.is_empty() { exit } else { format!("{exit}: {words}") }
    }

    /// The pipes of a program that ends are closed a moment before its status is known. One that only closed its pipe
    /// has none.
    fn exit_status(&mut self) -> Option<ExitStatus> {
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Err(_) => return None,
            }
        }
        None
    }

    /// The first line of its last complaints: what follows it are details.
    fn last_words(&self) -> String {
        let text = String::from_utf8_lossy(&self.last_words);
        text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned()
    }

    /// The number that the system knows the program by.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn write(&mut self) {
        while let Some(stdin) = &mut self.stdin
            && self.written < self.to_write.len()
        {
            match stdin.write(&self.to_write[self.written..]) {
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(_) => self.stdin = None,
            }
        }
        self.to_write.clear();
        self.written = 0;
    }

    fn read(&mut self) {
        if let Some(stdout) = &mut self.stdout
            && !drain(stdout, &mut self.received)
        {
            self.stdout = None;
        }
    }

    fn hear(&mut self) {
        if let Some(stderr) = &mut self.stderr
            && !drain(stderr, &mut self.last_words)
        {
            self.stderr = None;
        }
        let surplus = self.last_words.len().saturating_sub(LAST_WORDS);
        self.last_words.drain(..surplus);
    }
}

/// Reads what is there, at most a pipe's worth at a time; whether there may be more some day.
fn drain(from: &mut impl Read, to: &mut Vec<u8>) -> bool {
    let mut buffer = [0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return false,
            Ok(count) => {
                to.extend_from_slice(&buffer[..count]);
                return true;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

impl Drop for Subprocess {
    fn drop(&mut self) {
        // Already gone is as good; the group can be there without its leader.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until something can be written to or read from one of the programs, at most so long, and does it.
pub fn pump(processes: &mut [&mut Subprocess], wait: Duration) -> io::Result<()> {
    let ready: Vec<[bool; 3]> = {
        let mut waiting = Vec::new();
        for process in &*processes {
            if let Some(stdin) = &process.stdin
                && !process.to_write.is_empty()
            {
                waiting.push(PollFd::new(stdin, PollFlags::OUT));
            }
            if let Some(stdout) = &process.stdout {
                waiting.push(PollFd::new(stdout, PollFlags::IN));
            }
            if let Some(stderr) = &process.stderr {
                waiting.push(PollFd::new(stderr, PollFlags::IN));
            }
        }
        let wait = Timespec { tv_sec: wait.as_secs() as i64, tv_nsec: wait.subsec_nanos().into() };
        match poll(&mut waiting, Some(&wait)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut events = waiting.iter().map(|fd| !fd.revents().is_empty());
        let mut next = |expected: bool| expected && events.next().unwrap_or(false);
        let flags = |process: &&mut Subprocess| {
            let writes = next(process.stdin.is_some() && !process.to_write.is_empty());
            let reads = next(process.stdout.is_some());
            [writes, reads, next(process.stderr.is_some())]
        };
        processes.iter().map(flags).collect()
    };
    for (process, [writes, reads, complains]) in processes.iter_mut().zip(ready) {
        if writes {
            process.write();
        }
        if complains {
            process.hear();
        }
        if reads {
            process.read();
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(script: &str) -> Subprocess {
        Subprocess::start(Command::new("sh").args(["-c", script])).unwrap()
    }

    fn pump_until(process: &mut Subprocess, done: impl Fn(&Subprocess) -> bool) {
        let start = Instant::now();
        while !done(process) {
            assert!(start.elapsed() < Duration::from_secs(20), "{process:?}");
            pump(&mut [process], Duration::from_millis(10)).unwrap();
        }
    }

    #[test]
    fn much_can_go_both_ways_at_once() {
        let mut process = shell("cat");
        let text = "0123456789".repeat(100_000);
        process.send(text.as_bytes());
        pump_until(&mut process, |p| p.received.len() == text.len());
        assert_eq!(process.received, text.as_bytes());
    }

    #[test]
    fn a_program_that_neither_reads_nor_writes_holds_nobody_up() {
        let mut process = shell("sleep 1000 & sleep 1000");
        process.send(&vec![b'x'; 1 << 20]);
        let start = Instant::now();
        pump(&mut [&mut process], Duration::ZERO).unwrap();
        pump(&mut [&mut process], Duration::from_millis(30)).unwrap();
        assert!(start.elapsed() < Duration::from_secs(5));
        assert!(!process.has_ended());
        let group = process.id();
        drop(process);
        // Dead ones may still wait for their parent to notice.
        let left = Command::new("pgrep").args(["-r", "D,R,S", "-g", &group.to_string()]).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&left.stdout), "", "its children were ended, too");
    }

    #[test]
    fn the_end_of_a_program_is_seen_and_told() {
        let mut process = shell("echo trouble >&2; echo; exit 3");
        process.send(b"nobody reads this");
        pump_until(&mut process, Subprocess::has_ended);
        assert_eq!(process.obituary(), "it ended with status 3: trouble");
        assert!(Subprocess::start(&mut Command::new("/no/such/program")).is_err());
    }
}
