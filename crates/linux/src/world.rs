//! What a program finds around it when it starts, as the user describes it.

/// Everything that a program can see of the world.
#[derive(Clone, Debug)]
pub struct World {
    /// The program's name first.
    pub arguments: Vec<Argument>,
    /// `NAME=value`.
    pub environment: Vec<String>,
    /// Host files and folders, as they are when the run starts.
    pub files: Vec<GivenFile>,
    pub symbolic_files: Vec<SymbolicFile>,
    pub stdin: Input,
    /// `--sym-stdout`: what standard output is, a pipe or a file, is open.
    pub symbolic_stdout: bool,
    /// `/dev/null`, `/dev/zero` and an empty `/tmp` are there.
    pub devices: bool,
    /// So many system calls may fail, any of them.
    pub failures: u32,
    pub uid: u32,
    pub gid: u32,
}

impl Default for World {
    fn default() -> Self {
        World {
            arguments: vec![Argument::Given(b"program".to_vec())],
            environment: Vec::new(),
            files: Vec::new(),
            symbolic_files: Vec::new(),
            stdin: Input::Given(Vec::new()),
            symbolic_stdout: false,
            devices: false,
            failures: 0,
            uid: 0,
            gid: 0,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    Given(Vec<u8>),
    /// Any string of up to so many bytes.
    Symbolic {
        len: u32,
    },
    /// Between `least` and `most` of them.
    Several {
        least: u32,
        most: u32,
        len: u32,
    },
}

#[derive(Clone, Debug)]
pub struct GivenFile {
    /// Absolute, in the program's world.
    pub path: Vec<u8>,
    pub mode: u32,
    /// Nothing for a folder.
    pub bytes: Option<Vec<u8>>,
}

#[derive(Clone, Debug)]
pub struct SymbolicFile {
    pub path: Vec<u8>,
    /// Its bytes; nothing where any value is possible.
    pub bytes: Vec<Option<u8>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    Given(Vec<u8>),
    Symbolic { len: u32 },
}
