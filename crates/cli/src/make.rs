//! `osier test make`: a test from what a user has, for a run as the user would start it.

use crate::console::line;
use crate::failure::{Done, Failure};
use crate::native::{program_files, report_failure};
use crate::world::{self, Built, SetUpFlags};
use clap::Args;
use osier::outcome::Input;
use osier::report::KTest;
use osier::report::run_folder::write_whole;
use osier::{Argument, Fitted, SetUp, StandardInput, World, file_object, fit_arguments, fitted};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct MakeFlags {
    /// Write the test here.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Standard input has the bytes of this file.
    #[arg(long, value_name = "FILE", help_heading = "The input")]
    pub stdin: Option<PathBuf>,
    /// The symbolic file GUEST has the bytes of this one.
    #[arg(long, value_name = "HOST[=GUEST]", help_heading = "The input")]
    pub file: Vec<String>,
    /// The object NAME that the program makes symbolic has the bytes of this file. Again: its next object of that name.
    #[arg(long, value_name = "NAME=FILE", help_heading = "The input")]
    pub object: Vec<String>,
    /// The object NAME is this integer, of 4 bytes if nothing else is said.
    #[arg(long, value_name = "NAME=VALUE[:BYTES]", help_heading = "The input", value_parser = integer)]
    pub int: Vec<Input>,
    #[command(flatten)]
    pub set_up: SetUpFlags,
    /// The command line of the run, with its --sym-... options; then `--` and the arguments that the test gives the
    /// program. What no option makes symbolic but the input has becomes so, as long as it is.
    #[arg(required = true, trailing_var_arg = true, value_name = "PROGRAM [ARGS] [-- ARG...]")]
    pub words: Vec<String>,
}

pub fn make(flags: &MakeFlags) -> Done {
    let files = program_files(&flags.words).max(1);
    let (program, words) = flags.words.split_at(files);
    let bytes = Bytes::read(flags)?;
    let (mut built, arguments) = place_arguments(flags, &program[0], words)?;
    let mut notes = Vec::new();
    let stdin = bytes.stdin.map(|bytes| place_stdin(&mut built, bytes, &mut notes));
    let files = place_files(&mut built, bytes.files, &mut notes)?;
    let set_up = SetUp { arguments, files, stdin: stdin.transpose()? };
    let objects = [set_up.objects(&built.world), bytes.objects, flags.int.clone()].concat();
    let recorded = built.recorded.iter().map(|word| word.clone().into_bytes()).collect();
    let test = KTest::new(recorded, objects);
    write_whole(&flags.out, &test.to_bytes()).map_err(report_failure)?;
    for note in notes {
        eprintln!("warning: {note}");
    }
    let seed = flags.out.display().to_string();
    let command = ["osier", "run", "--seed-file", &seed].into_iter().chain(program.iter().map(String::as_str));
    let command = command.chain(built.recorded[1..].iter().map(String::as_str));
    let quoted = command.map(|word| shlex::try_quote(word).unwrap_or(word.into()));
    line(format_args!("start from it: {}", quoted.collect::<Vec<_>>().join(" ")))?;
    Ok(0)
}

/// What the input's options name, read before anything else is done.
struct Bytes {
    stdin: Option<Vec<u8>>,
    /// By their paths in the program's world.
    files: Vec<(Vec<u8>, Vec<u8>)>,
    objects: Vec<Input>,
}

impl Bytes {
    fn read(flags: &MakeFlags) -> Result<Bytes, Failure> {
        let stdin = flags.stdin.as_deref().map(world::read).transpose()?;
        let file = |value: &String| {
            let (host, guest) = world::host_and_guest(value);
            Ok((guest, world::read(Path::new(host))?))
        };
        let object = |value: &String| {
            let (name, path) = value
                .split_once('=')
                .filter(|(name, _)| !name.is_empty())
                .ok_or_else(|| Failure::usage(format!("--object {value}: write NAME=FILE")))?;
            Ok(Input { name: name.into(), bytes: world::read(Path::new(path))? })
        };
        let files = flags.file.iter().map(file).collect::<Result<_, Failure>>()?;
        Ok(Bytes { stdin, files, objects: flags.object.iter().map(object).collect::<Result<_, Failure>>()? })
    }
}

type Arguments = Vec<Vec<Vec<u8>>>;

/// The run's world, and the words that its symbolic arguments are. Where a `--` may belong to the run's own command line,
/// the first one counts whose words fit.
fn place_arguments(flags: &MakeFlags, program: &str, words: &[String]) -> Result<(Built, Arguments), Failure> {
    let build = |words: &[String]| world::build(flags.set_up.world(), program, words);
    let mut misfit = None;
    for at in (0..words.len()).filter(|at| words[*at] == "--") {
        let (before, behind) = (&words[..at], &words[at + 1..]);
        let behind: Vec<Vec<u8>> = behind.iter().map(|word| word.clone().into_bytes()).collect();
        let mut built = build(before)?;
        if built.world.arguments.len() == 1 {
            make_symbolic(&mut built, &behind);
        }
        match fit_arguments(&built.world.arguments[1..], &behind) {
            Ok(mut fitted) => {
                fitted.insert(0, Vec::new());
                return Ok((built, fitted));
            }
            Err(reason) => misfit = misfit.or(Some(reason)),
        }
    }
    match misfit {
        Some(reason) => Err(Failure::usage(format!("the words behind `--` are no command line of the run: {reason}"))),
        None => Ok((build(words)?, Vec::new())),
    }
}

/// A run of which no arguments are said has a symbolic one for each word.
fn make_symbolic(built: &mut Built, words: &[Vec<u8>]) {
    for len in words.iter().map(|word| word.len() as u32) {
        built.world.arguments.push(Argument::Symbolic { len });
        built.recorded.extend(["--sym-arg".into(), len.to_string()]);
    }
}

fn place_stdin(built: &mut Built, bytes: Vec<u8>, notes: &mut Vec<String>) -> Result<Vec<u8>, Failure> {
    let len = match built.world.stdin {
        StandardInput::Symbolic { len } => len as usize,
        StandardInput::Given(_) => {
            let len = length("standard input", bytes.len())?;
            built.world.stdin = StandardInput::Symbolic { len };
            built.recorded.extend(["--sym-stdin".into(), len.to_string()]);
            bytes.len()
        }
    };
    note_change("stdin", &fitted(&bytes, &vec![None; len]), notes);
    Ok(bytes)
}

fn place_files(
    built: &mut Built,
    given: Vec<(Vec<u8>, Vec<u8>)>,
    notes: &mut Vec<String>,
) -> Result<Vec<Option<Vec<u8>>>, Failure> {
    let World { symbolic_files, .. } = &mut built.world;
    let mut files = vec![None; symbolic_files.len()];
    for (path, bytes) in given {
        let at = match symbolic_files.iter().position(|file| file.path == path) {
            Some(at) => at,
            None => {
                let name = String::from_utf8_lossy(&path).into_owned();
                let len = length(&name, bytes.len())?;
                symbolic_files.push(osier::SymbolicFile { path, bytes: vec![None; bytes.len()] });
                built.recorded.extend(["--sym-file".into(), name, len.to_string()]);
                files.push(None);
                files.len() - 1
            }
        };
        let file = &symbolic_files[at];
        note_change(&file_object(file), &fitted(&bytes, &file.bytes), notes);
        if files[at].replace(bytes).is_some() {
            let name = String::from_utf8_lossy(&file.path);
            return Err(Failure::usage(format!("--file: {name} is given twice")));
        }
    }
    Ok(files)
}

fn length(what: &str, bytes: usize) -> Result<u32, Failure> {
    /// What one symbolic input can have: the window that an object lives in.
    const MOST: usize = 16 << 20;
    match u32::try_from(bytes) {
        Ok(len) if bytes <= MOST => Ok(len),
        _ => Err(Failure::usage(format!("{what} has {bytes} bytes: more than {MOST} cannot be symbolic"))),
    }
}

fn note_change(name: &str, fitted: &Fitted, notes: &mut Vec<String>) {
    let Fitted { bytes, filled, cut, overruled } = fitted;
    let done =
        [(*filled, "filled up with zeros"), (*cut, "cut"), (*overruled, "changed where its template is not open")];
    let done: Vec<&str> = done.into_iter().filter_map(|(is, what)| is.then_some(what)).collect();
    if !done.is_empty() {
        notes.push(format!("{name} has {} bytes in the run: what was given is {}", bytes.len(), done.join(", ")));
    }
}

fn integer(text: &str) -> Result<Input, String> {
    const FORM: &str = "write NAME=VALUE or NAME=VALUE:BYTES, with 1, 2, 4 or 8 bytes";
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or(FORM)?;
    let (value, size) = value.split_once(':').unwrap_or((value, "4"));
    let size: usize = size.parse().ok().filter(|size| [1, 2, 4, 8].contains(size)).ok_or(FORM)?;
    let value: i128 = value.parse().map_err(|_| FORM)?;
    let bits = size as u32 * 8;
    if !(-(1i128 << (bits - 1))..1i128 << bits).contains(&value) {
        return Err(format!("{value} does not fit into {size} bytes"));
    }
    Ok(Input { name: name.into(), bytes: value.to_le_bytes()[..size].to_vec() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_little_endian_and_have_their_size() {
        let bytes = |text| integer(text).map(|input| input.bytes);
        assert_eq!(bytes("x=258"), Ok(vec![2, 1, 0, 0]));
        assert_eq!(bytes("x=-1:8"), Ok(vec![0xff; 8]));
        assert_eq!(bytes("x=255:1"), Ok(vec![0xff]));
        assert_eq!(bytes("x=256:1"), Err("256 does not fit into 1 bytes".into()));
        for wrong in ["x", "=3", "x=y", "x=1:3", "x="] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
