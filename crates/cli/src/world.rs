//! The options that describe the program's world. Those that KLEE has may also stand among the program's arguments,
//! where their place counts.

use crate::failure::Failure;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use osier::report::{World as Given, world_file};
use osier::{Argument, GivenFile, StandardInput, SymbolicFile, World};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

/// An option: its name, the names of its values, its help, and whether KLEE has it among the program's arguments.
struct Row {
    name: &'static str,
    values: &'static [&'static str],
    help: &'static str,
    among_arguments: bool,
}

const ROWS: &[Row] = &[
    Row { name: "sym-arg", values: &["N"], help: "An argument of up to N bytes, any", among_arguments: true },
    Row {
        name: "sym-args",
        values: &["MIN", "MAX", "N"],
        help: "MIN to MAX arguments of up to N bytes",
        among_arguments: true,
    },
    Row {
        name: "sym-files",
        values: &["NUM", "N"],
        help: "NUM files A, B, ... of N bytes, any",
        among_arguments: true,
    },
    Row {
        name: "sym-file",
        values: &["PATH", "N"],
        help: "A file PATH of N bytes, any; for N a host file is a template in which bytes `?` are open",
        among_arguments: true,
    },
    Row { name: "sym-stdin", values: &["N"], help: "Standard input of N bytes, any", among_arguments: true },
    Row {
        name: "sym-stdout",
        values: &[],
        help: "Leave open whether standard output is a file or a pipe",
        among_arguments: true,
    },
    Row {
        name: "devices",
        values: &[],
        help: "/dev/null, /dev/zero and an empty /tmp are there",
        among_arguments: true,
    },
    Row { name: "max-fail", values: &["N"], help: "Any N system calls may fail", among_arguments: true },
    Row {
        name: "file",
        values: &["HOST[=GUEST]"],
        help: "The program finds this file of the host; it is read once",
        among_arguments: false,
    },
    Row {
        name: "dir",
        values: &["HOST[=GUEST]"],
        help: "The program finds this folder of the host with all in it",
        among_arguments: false,
    },
    Row { name: "stdin", values: &["FILE"], help: "Standard input is this file of the host", among_arguments: false },
    Row {
        name: "env",
        values: &["NAME=VALUE"],
        help: "An environment variable; there are no others",
        among_arguments: false,
    },
];

/// The options in the order in which they were given.
#[derive(Clone, Default)]
pub struct WorldFlags {
    given: Vec<(&'static str, Vec<String>)>,
}

fn augment(command: Command, rows: impl Iterator<Item = &'static Row>) -> Command {
    rows.fold(command, |command, row| {
        let arg = Arg::new(row.name).long(row.name).help(row.help).help_heading("The program's world");
        command.arg(if row.values.is_empty() {
            arg.action(ArgAction::SetTrue)
        } else {
            arg.action(ArgAction::Append).num_args(row.values.len()).value_names(row.values)
        })
    })
}

fn matched(matches: &ArgMatches, rows: impl Iterator<Item = &'static Row>) -> WorldFlags {
    let mut given: Vec<(usize, &'static str, Vec<String>)> = Vec::new();
    for row in rows {
        if row.values.is_empty() {
            if matches.get_flag(row.name) {
                given.push((matches.index_of(row.name).unwrap_or(0), row.name, Vec::new()));
            }
            continue;
        }
        let values = matches.get_occurrences::<String>(row.name).into_iter().flatten();
        let mut indices = matches.indices_of(row.name).into_iter().flatten();
        for occurrence in values {
            let occurrence: Vec<String> = occurrence.cloned().collect();
            let at = indices.next().unwrap_or(0);
            for _ in 1..occurrence.len() {
                indices.next();
            }
            given.push((at, row.name, occurrence));
        }
    }
    given.sort_by_key(|(at, _, _)| *at);
    WorldFlags { given: given.into_iter().map(|(_, name, values)| (name, values)).collect() }
}

impl Args for WorldFlags {
    fn augment_args(command: Command) -> Command {
        augment(command, ROWS.iter())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for WorldFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(matched(matches, ROWS.iter()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Only those that say what is symbolic, for commands that give the rest another meaning.
#[derive(Clone, Default)]
pub struct SetUpFlags(WorldFlags);

impl SetUpFlags {
    pub fn world(&self) -> &WorldFlags {
        &self.0
    }

    fn rows() -> impl Iterator<Item = &'static Row> {
        ROWS.iter().filter(|row| row.among_arguments)
    }
}

impl Args for SetUpFlags {
    fn augment_args(command: Command) -> Command {
        augment(command, Self::rows())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SetUpFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(SetUpFlags(matched(matches, Self::rows())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What the options make.
pub struct Built {
    pub world: World,
    /// The program's arguments as a test records them: with the options that stand for symbolic ones.
    pub recorded: Vec<String>,
    /// What a replay has to give the native program besides the test.
    pub given: Given,
}

pub fn build(flags: &WorldFlags, program: &str, words: &[String]) -> Result<Built, Failure> {
    let owner = fs::metadata("/proc/self").map(|me| (me.uid(), me.gid())).unwrap_or((0, 0));
    let mut world = World {
        arguments: vec![Argument::Given(program.as_bytes().to_vec())],
        uid: owner.0,
        gid: owner.1,
        ..World::default()
    };
    let mut recorded = vec![program.to_string()];
    let mut words = words.iter().enumerate();
    let mut plain = false;
    while let Some((at, word)) = words.next() {
        // Behind it nothing is an option of ours. The program sees it, too, unless it stands before all arguments.
        plain |= word == "--";
        if at == 0 && plain {
            continue;
        }
        let Some(row) = row_of(word).filter(|_| !plain) else {
            recorded.push(word.clone());
            world.arguments.push(Argument::Given(word.clone().into_bytes()));
            continue;
        };
        let values: Vec<String> = words.by_ref().take(row.values.len()).map(|(_, word)| word.clone()).collect();
        if values.len() < row.values.len() {
            return Err(Failure::usage(format!("{word} needs {}", row.values.join(" "))));
        }
        record(&mut recorded, row.name, &values);
        apply(&mut world, row.name, &values)?;
    }
    for (name, values) in &flags.given {
        if ROWS.iter().any(|row| row.name == *name && row.among_arguments) {
            record(&mut recorded, name, values);
        }
        apply(&mut world, name, values)?;
    }
    let given = given(flags, &world)?;
    Ok(Built { world, recorded, given })
}

fn given(flags: &WorldFlags, world: &World) -> Result<Given, Failure> {
    let mut given = Given { env: world.environment.clone(), user: world.uid, group: world.gid, ..Given::default() };
    for (name, values) in &flags.given {
        match *name {
            "file" => given.files.push(world_file::GivenFile::parse(&values[0]).map_err(Failure::usage)?),
            "dir" => given.dirs.push(world_file::GivenDir::parse(&values[0]).map_err(Failure::usage)?),
            "stdin" => given.stdin = fs::canonicalize(&values[0]).ok(),
            _ => {}
        }
    }
    Ok(given)
}

fn record(recorded: &mut Vec<String>, name: &str, values: &[String]) {
    recorded.push(format!("--{name}"));
    recorded.extend(values.iter().cloned());
}

/// The option that a word among the program's arguments is, as KLEE spells it: with one dash or two.
fn row_of(word: &str) -> Option<&'static Row> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    ROWS.iter().find(|row| row.among_arguments && row.name == name)
}

pub fn is_option(word: &str) -> bool {
    row_of(word).is_some()
}

fn apply(world: &mut World, name: &str, values: &[String]) -> Result<(), Failure> {
    let number = |index: usize| -> Result<u32, Failure> {
        let text: &str = &values[index];
        text.parse().map_err(|_| Failure::usage(format!("--{name}: {text} is no number")))
    };
    match name {
        "sym-arg" => world.arguments.push(Argument::Symbolic { len: number(0)? }),
        "sym-args" => {
            let (least, most, len) = (number(0)?, number(1)?, number(2)?);
            if least > most {
                return Err(Failure::usage(format!("--sym-args: {least} is more than {most}")));
            }
            world.arguments.push(Argument::Several { least, most, len });
        }
        "sym-files" => {
            let (count, len) = (number(0)?, number(1)?);
            if count > 26 {
                return Err(Failure::usage("--sym-files: files are named A to Z"));
            }
            for file in 0..count {
                let path = vec![b'/', b'A' + file as u8];
                world.symbolic_files.push(SymbolicFile { path, bytes: vec![None; len as usize] });
            }
        }
        "sym-file" => world.symbolic_files.push(symbolic_file(&values[0], &values[1])?),
        "sym-stdin" => world.stdin = StandardInput::Symbolic { len: number(0)? },
        "sym-stdout" => world.symbolic_stdout = true,
        "devices" => world.devices = true,
        "max-fail" => world.failures = number(0)?,
        "file" => {
            let (host, guest) = host_and_guest(&values[0]);
            world.files.push(given_file(host, guest)?);
        }
        "dir" => {
            let (host, guest) = host_and_guest(&values[0]);
            add_folder(world, Path::new(host), &guest)?;
        }
        "stdin" => world.stdin = StandardInput::Given(read(Path::new(&values[0]))?),
        "env" => {
            if !values[0].contains('=') {
                return Err(Failure::usage(format!("--env {}: write NAME=VALUE", values[0])));
            }
            world.environment.push(values[0].clone());
        }
        other => unreachable!("{other} has no row"),
    }
    Ok(())
}

fn symbolic_file(path: &str, size: &str) -> Result<SymbolicFile, Failure> {
    let bytes = match size.parse::<u32>() {
        Ok(len) => vec![None; len as usize],
        Err(_) => read(Path::new(size))?.into_iter().map(|byte| (byte != b'?').then_some(byte)).collect(),
    };
    Ok(SymbolicFile { path: absolute(path), bytes })
}

pub fn host_and_guest(value: &str) -> (&str, Vec<u8>) {
    let (host, guest) = value.split_once('=').unwrap_or((value, value));
    (host, absolute(guest))
}

/// In the guest, where programs start in the root.
fn absolute(path: &str) -> Vec<u8> {
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.starts_with('/') { path.as_bytes().to_vec() } else { format!("/{path}").into_bytes() }
}

pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|cause| Failure::usage(format!("cannot read {}: {cause}", path.display())))
}

fn mode_of(path: &Path) -> Result<u32, Failure> {
    let found = fs::metadata(path);
    let found = found.map_err(|cause| Failure::usage(format!("cannot read {}: {cause}", path.display())))?;
    Ok(found.permissions().mode() & 0o7777)
}

fn given_file(host: &str, path: Vec<u8>) -> Result<GivenFile, Failure> {
    let host = Path::new(host);
    Ok(GivenFile { path, mode: mode_of(host)?, bytes: Some(read(host)?) })
}

fn add_folder(world: &mut World, host: &Path, guest: &[u8]) -> Result<(), Failure> {
    world.files.push(GivenFile { path: guest.to_vec(), mode: mode_of(host)?, bytes: None });
    let failed = |cause: std::io::Error| Failure::usage(format!("cannot read {}: {cause}", host.display()));
    let mut entries = fs::read_dir(host).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), entry.file_name());
        let guest = [guest, b"/", name.as_encoded_bytes()].concat();
        if path.is_dir() {
            add_folder(world, &path, &guest)?;
        } else if path.is_file() {
            world.files.push(GivenFile { path: guest, mode: mode_of(&path)?, bytes: Some(read(&path)?) });
        }
    }
    Ok(())
}
