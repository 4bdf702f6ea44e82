//! Work in a child process: LLVM's readers can crash or exit on malformed input, and must not take us along.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How work in a child ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ending<T> {
    /// With what LLVM printed meanwhile: its debug-information reader complains to standard error only.
    Done { result: T, said: String },
    /// The child died before it was through; the first line of what it printed.
    Died { said: String },
}

/// What the work may use. A damaged file can make LLVM's readers run for minutes and take all memory.
#[derive(Clone, Copy)]
pub struct Allowance {
    seconds: u64,
    bytes: u64,
}

impl Allowance {
    /// More than LLVM needs for an intact file of this size, many times over.
    pub fn for_file(bytes: usize) -> Self {
        let megabytes = (bytes >> 20) as u64;
        Allowance { seconds: 4 + 2 * megabytes, bytes: (1 << 30) + (megabytes << 27) }
    }
}

pub fn in_child<T: Serialize + DeserializeOwned>(
    allowance: Allowance,
    work: impl FnOnce() -> T,
) -> std::io::Result<Ending<T>> {
    let address_space = address_space() + allowance.bytes;
    let (reader, writer) = pipe()?;
    let mut results = unnamed_file()?;
    // SAFETY: the child only runs `work`, writes to the two descriptors and leaves by `_exit`; glibc keeps the
    // allocator usable after a fork, and LLVM's state is per context.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(std::io::Error::last_os_error());
    }
    if child == 0 {
        run_child(work, &writer, results, allowance.seconds, address_space);
    }
    drop(writer);
    let mut said = Vec::new();
    File::from(reader).read_to_end(&mut said)?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    let status = wait(child)?;
    if libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0 {
        let mut bytes = Vec::new();
        results.rewind()?;
        results.read_to_end(&mut bytes)?;
        let result = postcard::from_bytes(&bytes).map_err(std::io::Error::other)?;
        return Ok(Ending::Done { result, said });
    }
    // LLVM's crash reports run over pages; the first line says what it was.
    Ok(Ending::Died { said: said.lines().next().unwrap_or_default().to_owned() })
}

/// Standard error becomes the pipe, so that the last words of a crashing LLVM come back too.
fn run_child<T: Serialize>(
    work: impl FnOnce() -> T,
    writer: &OwnedFd,
    mut results: File,
    seconds: u64,
    address_space: u64,
) -> ! {
    // SAFETY: plain system calls on descriptors, limits and signals of this process, which is the child.
    unsafe {
        libc::dup2(writer.as_raw_fd(), libc::STDERR_FILENO);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        let most = libc::rlimit { rlim_cur: address_space, rlim_max: address_space };
        libc::setrlimit(libc::RLIMIT_AS, &most);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Time on the processor: how busy the machine is decides nothing.
        let longest = libc::rlimit { rlim_cur: seconds, rlim_max: seconds };
        libc::setrlimit(libc::RLIMIT_CPU, &longest);
    }
    let through = catch_unwind(AssertUnwindSafe(|| {
        let bytes = postcard::to_stdvec(&work()).map_err(std::io::Error::other)?;
        results.write_all(&bytes)
    }));
    let code = i32::from(!matches!(through, Ok(Ok(()))));
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

/// A file in memory that both processes see.
fn unnamed_file() -> std::io::Result<File> {
    // SAFETY: the name ends in a zero; on success the descriptor is open and ours alone.
    unsafe {
        let descriptor = libc::memfd_create(c"module".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 { Err(std::io::Error::last_os_error()) } else { Ok(File::from_raw_fd(descriptor)) }
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

    type Said = Result<u32, String>;

    #[test]
    fn work_is_done_or_dies_and_the_parent_lives_on() {
        let some = Allowance::for_file(1000);
        let done = |result| Ending::Done { result, said: String::new() };
        assert_eq!(in_child::<Said>(some, || Ok(7)).unwrap(), done(Ok(7)));
        assert_eq!(in_child::<Said>(some, || Err("n\0o".to_owned())).unwrap(), done(Err("n\0o".to_owned())));
        // SAFETY: ends the child only.
        let died = in_child::<Said>(some, || unsafe { libc::abort() }).unwrap();
        assert_eq!(died, Ending::Died { said: String::new() });
    }

    #[test]
    fn a_result_may_be_larger_than_a_pipe() {
        let large = vec![5u8; 1 << 20];
        let ending = in_child(Allowance::for_file(1000), || large.clone()).unwrap();
        assert_eq!(ending, Ending::Done { result: large, said: String::new() });
    }

    #[test]
    fn work_that_takes_all_memory_is_refused_more() {
        let greedy = || {
            let mut taken: Vec<Vec<u8>> = Vec::new();
            while taken.try_reserve(1).is_ok() {
                let mut more = Vec::new();
                if more.try_reserve_exact(64 << 20).is_err() {
                    return taken.len();
                }
                taken.push(more);
            }
            usize::MAX
        };
        let Ending::Done { result, .. } = in_child(Allowance::for_file(1000), greedy).unwrap() else {
            panic!("it died")
        };
        assert!(result < 100, "{result} blocks");
    }
}
