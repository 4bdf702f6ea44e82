//! Runs a check in a child process: LLVM's readers can crash or exit on malformed input, and must not take us along.

use std::io::Read;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a check in a child ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With what LLVM printed meanwhile: its debug-information reader complains to standard error only.
    Passed(String),
    /// The check itself said no; its words.
    Refused(String),
    /// The child died before the check was through; what it printed.
    Died(String),
}

const REFUSED: i32 = 77;
/// Longer than LLVM takes for any program that we could execute.
const MAX_SECONDS: u32 = 300;

pub fn in_child(check: impl FnOnce() -> Result<(), String>) -> std::io::Result<Outcome> {
    let (reader, writer) = pipe()?;
    // SAFETY: the child only runs `check`, writes to its standard error and leaves by `_exit`; glibc keeps the
    // allocator usable after a fork, and LLVM's state is per context.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(std::io::Error::last_os_error());
    }
    if child == 0 {
        run_child(check, &writer);
    }
    drop(writer);
    let mut said = Vec::new();
    std::fs::File::from(reader).read_to_end(&mut said)?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let status = wait(child)?;
    if libc::WIFEXITED(status) {
        match libc::WEXITSTATUS(status) {
            0 => return Ok(Outcome::Passed(said)),
            REFUSED => return Ok(Outcome::Refused(said)),
            _ => {}
        }
    }
    // LLVM's crash reports run over pages; the first line says what it was.
    Ok(Outcome::Died(said.lines().next().unwrap_or_default().to_owned()))
}

/// Standard error becomes the pipe, so that the last words of a crashing LLVM come back too.
fn run_child(check: impl FnOnce() -> Result<(), String>, writer: &OwnedFd) -> ! {
    // SAFETY: plain system calls on descriptors, limits and signals of this process, which is the child.
    unsafe {
        libc::dup2(writer.as_raw_fd(), libc::STDERR_FILENO);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::alarm(MAX_SECONDS);
    }
    let code = match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Ok(())) => 0,
        Ok(Err(message)) => {
            // SAFETY: the bytes are readable for their length. A short write loses the end of a message only.
            unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
            REFUSED
        }
        Err(_) => REFUSED + 1,
    };
    // SAFETY: leaves without running handlers that belong to the parent.
    unsafe { libc::_exit(code) }
}

fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: there is room for two descriptors; on success both are open and ours alone.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}

fn wait(child: libc::pid_t) -> std::io::Result<i32> {
    let mut status = 0;
    loop {
        // SAFETY: waits for a child of ours; the out-pointer is valid.
        let waited = unsafe { libc::waitpid(child, &mut status, 0) };
        if waited == child {
            return Ok(status);
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_passes_refuses_or_dies_and_the_parent_lives_on() {
        assert_eq!(in_child(|| Ok(())).unwrap(), Outcome::Passed(String::new()));
        assert_eq!(in_child(|| Err("no".to_owned())).unwrap(), Outcome::Refused("no".to_owned()));
        // SAFETY: ends the child only.
        let died = in_child(|| unsafe { libc::abort() }).unwrap();
        assert_eq!(died, Outcome::Died(String::new()));
    }
}
