//! From a command line to objects and binaries that carry their bitcode.

use crate::arguments::{Arguments, Kind, Product};
use crate::bitcode::{self, Source};
use crate::root::{Root, RootError};
use crate::section::Part;
use crate::target::{self, Libc};
use crate::{elf, response};
use rustix::fs::{MemfdFlags, memfd_create};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why the compiler did not come to run.
#[derive(Debug)]
pub enum Failure {
    NoCompiler {
        clang: PathBuf,
        reason: io::Error,
    },
    NoMusl,
    Folder {
        path: PathBuf,
        reason: io::Error,
    },
    /// The native object is there; its bitcode could not be put into it.
    Object {
        path: PathBuf,
        reason: io::Error,
    },
    System(io::Error),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoCompiler { clang, reason } => {
                write!(f, "cannot run the compiler {}: {reason}\n  help: install clang-22", clang.display())
            }
            Failure::NoMusl => write!(
                f,
                "musl's headers and library are not installed\n  \
                 help: install musl-dev, or compile against the system's libc with `osier cc --glibc`"
            ),
            Failure::Folder { path, reason } => write!(f, "cannot make the folder {}: {reason}", path.display()),
            Failure::Object { path, reason } => write!(f, "cannot put bitcode into {}: {reason}", path.display()),
            Failure::System(reason) => write!(f, "cannot prepare the compiler's input: {reason}"),
        }
    }
}

impl std::error::Error for Failure {}

/// What came of it.
#[derive(Debug, Default)]
pub struct Compiled {
    /// clang's own exit status.
    pub status: u8,
    /// Sources that have no bitcode although they should, with the compiler's reason.
    pub warnings: Vec<String>,
}

/// Longer commands are given to clang in a file.
const LONGEST: usize = 100_000;

/// Runs `clang` on a command line, and adds bitcode to what it makes.
pub fn compile(clang: &OsStr, words: Vec<OsString>) -> Result<Compiled, Failure> {
    let (libc, words) = match words.first() {
        Some(first) if first == "--glibc" => (Libc::Glibc, words[1..].to_vec()),
        _ => (Libc::Musl, words),
    };
    let root = Root::find(clang, libc).map_err(|error| match error {
        RootError::NoMusl => Failure::NoMusl,
        RootError::Folder(path, reason) => Failure::Folder { path, reason },
    })?;
    let arguments = Arguments::parse(response::expand(words));
    let target = target::compile_flags(&root);
    let link = target::link_flags(&root, &arguments);
    let last = target::last_library(&root, &arguments);
    let job = Job { clang, target, link, last, arguments: &arguments };
    match arguments.product() {
        Product::Other => Ok(Compiled { status: job.native(&[], None)?, warnings: Vec::new() }),
        Product::Objects => job.objects(),
        Product::Binary => job.binary(),
    }
}

struct Job<'a> {
    clang: &'a OsStr,
    target: Vec<OsString>,
    link: Vec<OsString>,
    last: Option<OsString>,
    arguments: &'a Arguments,
}

impl Job<'_> {
    /// The bitcode is made while clang makes the objects, and goes into them when both are ready.
    fn objects(&self) -> Result<Compiled, Failure> {
        let sources = bitcode::sources(self.arguments);
        let input = self.standard_input(&sources).map_err(Failure::System)?;
        let (status, parts) = std::thread::scope(|scope| {
            let parts = scope.spawn(|| self.parts(&sources, input.as_deref()));
            let status = self.native(&[], input.as_deref());
            (status, parts.join().expect("the thread does not panic"))
        });
        let status = status?;
        let mut compiled = Compiled { status, warnings: Vec::new() };
        if status != 0 {
            return Ok(compiled);
        }
        for (source, (part, problem)) in sources.iter().zip(parts) {
            compiled.warn(&part, problem);
            let object = self.arguments.output().unwrap_or_else(|| self.default_object(source));
            elf::add_to_object(&object, &part).map_err(|reason| Failure::Object { path: object, reason })?;
        }
        Ok(compiled)
    }

    /// The bitcode comes first: each source's goes to the linker behind the source's own object.
    fn binary(&self) -> Result<Compiled, Failure> {
        let sources = bitcode::sources(self.arguments);
        let input = self.standard_input(&sources).map_err(Failure::System)?;
        let parts = self.parts(&sources, input.as_deref());
        let mut carriers = Vec::new();
        let mut compiled = Compiled::default();
        for (source, (part, problem)) in sources.iter().zip(parts) {
            compiled.warn(&part, problem);
            carriers.push((source.index, memory_file(&elf::carrier(&part)).map_err(Failure::System)?));
        }
        compiled.status = self.native(&carriers, input.as_deref())?;
        if compiled.status != 0 {
            compiled.warnings.clear();
        }
        Ok(compiled)
    }

    fn parts(&self, sources: &[Source], input: Option<&[u8]>) -> Vec<(Part, Option<String>)> {
        let flags = [&self.target[..], &bitcode::flags(self.arguments)].concat();
        let compile = |source| bitcode::compile(self.clang, &flags, self.arguments, source, input);
        sources.iter().map(compile).collect()
    }

    /// Both compilations read it, so it is read here.
    fn standard_input(&self, sources: &[Source]) -> io::Result<Option<Vec<u8>>> {
        if !sources.iter().any(|source| self.arguments.items[source.index].value() == "-") {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes)?;
        Ok(Some(bytes))
    }

    /// What clang calls the object of a source when nobody says.
    fn default_object(&self, source: &Source) -> PathBuf {
        let path = Path::new(self.arguments.items[source.index].value());
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(".o");
        name.into()
    }

    /// clang's status for the user's command, with these objects behind the inputs at these places.
    fn native(&self, carriers: &[(usize, File)], input: Option<&[u8]>) -> Result<u8, Failure> {
        let mut words = [&self.target[..], &self.link].concat();
        let mut options_end = false;
        // Past the driver, whatever language holds for inputs.
        let to_linker = |words: &mut Vec<OsString>, options_end: bool, path: OsString| {
            if !options_end {
                words.push("-Xlinker".into());
            }
            words.push(path);
        };
        for (index, item) in self.arguments.items.iter().enumerate() {
            if item.kind == Kind::Dropped {
                continue;
            }
            options_end |= item.words[0] == "--";
            words.extend(item.words.iter().cloned());
            for (_, file) in carriers.iter().filter(|(at, _)| *at == index) {
                // By this process's number: the linker is not our child, and need not have inherited the file.
                let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
                to_linker(&mut words, options_end, path.into());
            }
        }
        if let Some(library) = &self.last {
            to_linker(&mut words, options_end, library.clone());
        }
        let mut command = Command::new(self.clang);
        let long;
        if words.iter().map(|word| word.len() + 1).sum::<usize>() > LONGEST {
            long = memory_file(&response::quoted(&words)).map_err(Failure::System)?;
            command.arg(format!("@/proc/{}/fd/{}", std::process::id(), long.as_raw_fd()));
        } else {
            command.args(words);
        }
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::inherit() });
        let missing = |reason| Failure::NoCompiler { clang: self.clang.into(), reason };
        let mut child = command.spawn().map_err(missing)?;
        if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), input) {
            // A compiler that stops reading says itself why.
            let _ = pipe.write_all(bytes);
        }
        let status = child.wait().map_err(missing)?;
        // A shell's way to say that a signal ended it.
        Ok(status
            .code()
            .or(status.signal().map(|signal| 128 + signal))
            .and_then(|code| code.try_into().ok())
            .unwrap_or(1))
    }
}

impl Compiled {
    fn warn(&mut self, part: &Part, problem: Option<String>) {
        self.warnings.extend(problem.map(|reason| format!("no bitcode for {}: {reason}", part.source)));
    }
}

fn memory_file(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(memfd_create("osier-bitcode", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    Ok(file)
}
