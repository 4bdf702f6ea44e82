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

/// What a check may use. A damaged file can make LLVM's readers run for minutes and take all memory.
#[derive(Clone, Copy)]
pub struct Allowance {
    seconds: u32,
    bytes: u64,
}

impl Allowance {
    /// More than LLVM needs for an intact file of this size, many times over.
    pub fn for_file(bytes: usize) -> Self {
        let megabytes = (bytes >> 20) as u64;
        Allowance { seconds: 10 + 2 * megabytes as u32, bytes: (1 << 30) + (megabytes << 27) }
    }
}

pub fn in_child(allowance: Allowance, check: impl FnOnce() -> Result<(), String>) -> std::io::Result<Outcome> {
    let address_space = address_space() + allowance.bytes;
    let (reader, writer) = pipe()?;
    // SAFETY: the child only runs `check`, writes to its standard error and leaves by `_exit`; glibc keeps the
    // allocator usable after a fork, and LLVM's state is per context.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(std::io::Error::last_os_error());
    }
    if child == 0 {
        run_child(check, &writer, allowance.seconds, address_space);
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
fn run_child(check: impl FnOnce() -> Result<(), String>, writer: &OwnedFd, seconds: u32, address_space: u64) -> ! {
    // SAFETY: plain system calls on descriptors, limits and signals of this process, which is the child.
    unsafe {
        libc::dup2(writer.as_raw_fd(), libc::STDERR_FILENO);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        let most = libc::rlimit { rlim_cur: address_space, rlim_max: address_space };
        libc::setrlimit(libc::RLIMIT_AS, &most);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        libc::signal(libc::SIGALRM, libc::SIG_DFL);
        libc::alarm(seconds);
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

/// The address space that this process has now, which the child starts with.
fn address_space() -> u64 {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().next().and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(1 << 20) * PAGE
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
        let some = Allowance::for_file(1000);
        assert_eq!(in_child(some, || Ok(())).unwrap(), Outcome::Passed(String::new()));
        assert_eq!(in_child(some, || Err("no".to_owned())).unwrap(), Outcome::Refused("no".to_owned()));
        // SAFETY: ends the child only.
        let died = in_child(some, || unsafe { libc::abort() }).unwrap();
        assert_eq!(died, Outcome::Died(String::new()));
    }

    #[test]
    fn a_check_that_takes_all_memory_dies() {
        let greedy = || {
            let mut taken: Vec<Vec<u8>> = Vec::new();
            while taken.try_reserve(1).is_ok() {
                let mut more = Vec::new();
                if more.try_reserve_exact(64 << 20).is_err() {
                    return Err(format!("{} blocks", taken.len()));
                }
                taken.push(more);
            }
            Ok(())
        };
        let Outcome::Refused(said) = in_child(Allowance::for_file(1000), greedy).unwrap() else { panic!("it ended") };
        assert!(said.ends_with("blocks"), "{said}");
    }
}
