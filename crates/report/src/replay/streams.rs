//! Standard input and output of a native run, of the kind that the test says: pipes or files.

use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{Gid, Mode, Uid, fchmod, fchown, futimens};

use super::process::Feed;
use super::root::{set_stat, timestamps};
use super::world::TestWorld;
use crate::stat::{FileType, Stat};
use crate::stream::Stream;

/// The ends that stay here.
pub(super) struct Streams {
    pub feed: Option<Feed>,
    pub stdout: Option<PipeReader>,
    /// What standard output is, if it is no pipe.
    pub stdout_file: Option<PathBuf>,
}

impl Streams {
    /// Opens both for the command. `given` is the file whose contents come in where the test has none. Files are made in the folder `outside`, where the program does not see them.
    pub fn open(test: &TestWorld, given: Option<&Path>, outside: &Path, command: &mut Command) -> io::Result<Streams> {
        let may_chown = rustix::process::geteuid().is_root();
        let mut streams = Streams { feed: None, stdout: None, stdout_file: None };
        match file_stat(test.stdin_stat) {
            Some(stat) => {
                let path = outside.join("stdin");
                std::fs::write(&path, test.stdin.as_deref().unwrap_or_default())?;
                let file = File::open(&path)?;
                set_stat(&path, &stat, may_chown)?;
                command.stdin(file);
            }
            None => {
                let (reader, pipe) = io::pipe()?;
                set_pipe_stat(&reader, test.stdin_stat, may_chown);
                let bytes = match (&test.stdin, given) {
                    (Some(bytes), _) => bytes.clone(),
                    (None, Some(path)) => std::fs::read(path)?,
                    (None, None) => Vec::new(),
                };
                streams.feed = Some(Feed { pipe, bytes });
                command.stdin(reader);
            }
        }
        match file_stat(test.stdout_stat) {
            Some(stat) => {
                let path = outside.join("stdout");
                let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
                set_stat(&path, &stat, may_chown)?;
                command.stdout(file);
                streams.stdout_file = Some(path);
            }
            None => {
                let (reader, pipe) = io::pipe()?;
                set_pipe_stat(&pipe, test.stdout_stat, may_chown);
                command.stdout(pipe);
                streams.stdout = Some(reader);
            }
        }
        Ok(streams)
    }
}

/// What is in the file that standard output was.
pub(super) fn written(stdout_file: &Path) -> io::Result<Stream> {
    let mut stream = Stream::default();
    let mut file = File::open(stdout_file)?;
    let mut buffer = [0; 16 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(stream),
            count => stream.extend(&buffer[..count]),
        }
    }
}

/// The stat of a regular file; anything else is given as a pipe.
fn file_stat(stat: Option<Stat>) -> Option<Stat> {
    stat.filter(|stat| stat.file_type() == FileType::Regular)
}

/// As far as the system lets a pipe have such things: a program seldom looks.
fn set_pipe_stat(pipe: &impl AsFd, stat: Option<Stat>, may_chown: bool) {
    let Some(stat) = stat else { return };
    if may_chown {
        let _ = fchown(pipe, Some(Uid::from_raw(stat.user)), Some(Gid::from_raw(stat.group)));
    }
    let _ = fchmod(pipe, Mode::from_raw_mode(stat.permissions()));
    let _ = futimens(pipe, &timestamps(stat.accessed, stat.modified));
}
