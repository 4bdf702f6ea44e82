//! Seeds from files: tests, plain inputs, and the folders in which fuzzers keep theirs.

use crate::set_up::{Fitted, SetUp, file_object, fitted, possible_stat};
use osier_exec::outcome::Input;
use osier_exec::{ANY_OBJECT, Seed, SeedObject};
use osier_linux::{Input as StandardInput, World};
use osier_report::KTest;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A plain seed of more bytes is none: no symbolic input is that long.
const MOST_BYTES: u64 = 64 << 20;

/// The seeds that were found, and what the user should hear about them.
#[derive(Clone, Debug, Default)]
pub struct LoadedSeeds {
    pub seeds: Vec<Seed>,
    /// Files that are no seeds, with the reason, and what had to be changed about the others.
    pub notes: Vec<String>,
}

#[derive(Debug)]
pub enum SeedError {
    /// What was named is not there.
    Unreadable { path: PathBuf, cause: io::Error },
    /// Nothing was left; the notes say why.
    NoneLeft { notes: Vec<String> },
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeedError::Unreadable { path, cause } => write!(f, "cannot read {}: {cause}", path.display()),
            SeedError::NoneLeft { notes } => {
                f.write_str("no seed is left to start from")?;
                notes.iter().try_for_each(|note| write!(f, "\n  note: {note}"))
            }
        }
    }
}

impl std::error::Error for SeedError {}

/// Reads the files, and all files of the folders, as inputs of a run in this world.
pub fn load_seeds(files: &[PathBuf], folders: &[PathBuf], world: &World) -> Result<LoadedSeeds, SeedError> {
    let mut loader =
        Loader { world, seeds: Vec::new(), known: HashSet::new(), notes: Vec::new(), changes: Changes::default() };
    for path in files {
        fs::metadata(path).map_err(|cause| SeedError::Unreadable { path: path.clone(), cause })?;
        loader.load(path);
    }
    for folder in folders {
        let found = seed_files(folder).map_err(|cause| SeedError::Unreadable { path: folder.clone(), cause })?;
        if found.is_empty() {
            loader.notes.push(format!("{} has no file that could be a seed", folder.display()));
        }
        found.iter().for_each(|path| loader.load(path));
    }
    let Loader { seeds, mut notes, changes, .. } = loader;
    notes.extend(changes.notes());
    if seeds.is_empty() && !(files.is_empty() && folders.is_empty()) {
        return Err(SeedError::NoneLeft { notes });
    }
    Ok(LoadedSeeds { seeds, notes })
}

/// The files of a folder that are inputs, in order of their names: of a fuzzer's work folder (AFL) those of its queue and
/// its crashes, of a run's folder the tests, of any other all but hidden ones, in folders below it, too.
fn seed_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (files, folders) = entries(folder)?;
    if folders.iter().any(|below| named(below, "queue")) {
        let wanted = folders.iter().filter(|below| named(below, "queue") || named(below, "crashes"));
        return Ok(wanted.map(|below| seed_files(below)).collect::<io::Result<Vec<_>>>()?.concat());
    }
    let tests: Vec<PathBuf> = files.iter().filter(|file| is_test(file)).cloned().collect();
    if !tests.is_empty() {
        return Ok(tests);
    }
    let fuzzed = files.iter().any(|file| name(file).starts_with("id:") || name(file).starts_with("id_"));
    let mut found = files;
    found.retain(|file| !(fuzzed && named(file, "README.txt")));
    for below in folders {
        found.extend(seed_files(&below)?);
    }
    Ok(found)
}

/// A folder's files and folders without the hidden ones (`.state`, `.cur_input`), by name. A link to a folder is
/// neither: it may lead back.
fn entries(folder: &Path) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.retain(|path| !name(path).starts_with('.'));
    paths.sort();
    let folders = paths.iter().filter(|path| path.is_dir() && !path.is_symlink()).cloned().collect();
    Ok((paths.into_iter().filter(|path| path.is_file()).collect(), folders))
}

fn name(path: &Path) -> std::borrow::Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

fn named(path: &Path, wanted: &str) -> bool {
    name(path) == wanted
}

fn is_test(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "ktest")
}

/// How many seeds had to be changed, for one note about each input.
#[derive(Default)]
struct Changes(BTreeMap<String, Counts>);

#[derive(Default)]
struct Counts {
    size: usize,
    filled: usize,
    cut: usize,
    overruled: usize,
}

impl Changes {
    fn count(&mut self, object: &str, fitted: &Fitted) {
        let counts = self.0.entry(object.into()).or_default();
        counts.size = fitted.bytes.len();
        counts.filled += usize::from(fitted.filled);
        counts.cut += usize::from(fitted.cut);
        counts.overruled += usize::from(fitted.overruled);
    }

    fn notes(self) -> impl Iterator<Item = String> {
        self.0.into_iter().filter_map(|(object, Counts { size, filled, cut, overruled })| {
            let done = [
                (filled, "filled up with zeros"),
                (cut, "cut"),
                (overruled, "changed where the file's template is not open"),
            ];
            let done = done.into_iter().filter(|(seeds, _)| *seeds > 0);
            let done: Vec<String> = done.map(|(seeds, what)| format!("{seeds} {what}")).collect();
            (!done.is_empty()).then(|| format!("{object} has {size} bytes: of the seeds for it {}", done.join(", ")))
        })
    }
}

struct Loader<'a> {
    world: &'a World,
    seeds: Vec<Seed>,
    /// What the seeds say: after cutting, many are the same.
    known: HashSet<Vec<(String, Vec<u8>)>>,
    notes: Vec<String>,
    changes: Changes,
}

impl Loader<'_> {
    fn load(&mut self, path: &Path) {
        let read = if is_test(path) {
            KTest::read(path).map(|test| self.fit_test(test)).map_err(|problem| problem.to_string())
        } else {
            read_plain(path).map(|bytes| self.plain(&bytes)).map_err(|cause| format!("{}: {cause}", path.display()))
        };
        match read {
            Ok(objects) => {
                let pairs = objects.iter().map(|object| (object.name.clone(), object.bytes.clone())).collect();
                if self.known.insert(pairs) {
                    let objects = objects.into_iter().map(|Input { name, bytes }| SeedObject { name, bytes }).collect();
                    self.seeds.push(Seed { name: path.display().to_string(), objects });
                }
            }
            Err(reason) => self.notes.push(format!("skipped a seed: {reason}")),
        }
    }

    /// A plain file is standard input, else the first symbolic file, else the program's first symbolic object.
    fn plain(&mut self, bytes: &[u8]) -> Vec<Input> {
        let mut set_up = SetUp::default();
        if let StandardInput::Symbolic { len } = self.world.stdin {
            self.changes.count("stdin", &fitted(bytes, &vec![None; len as usize]));
            set_up.stdin = Some(bytes.to_vec());
        } else if let Some(file) = self.world.symbolic_files.first() {
            self.changes.count(&file_object(file), &fitted(bytes, &file.bytes));
            set_up.files = vec![Some(bytes.to_vec())];
        } else {
            let mut objects = set_up.objects(self.world);
            objects.push(Input { name: ANY_OBJECT.into(), bytes: bytes.to_vec() });
            return objects;
        }
        set_up.objects(self.world)
    }

    /// A test for this run: files and streams have the run's sizes, also under the names that newer versions of KLEE
    /// give them, and what the test lacks of the run's set-up is as if nothing had been said of it.
    fn fit_test(&mut self, test: KTest) -> Vec<Input> {
        let is_argument = |name: &str| name == "n_args" || name.starts_with("arg");
        let default = SetUp::default().objects(self.world);
        let mut objects = test.objects;
        for expected in default.iter().filter(|object| !is_argument(&object.name)) {
            let other = expected.name.replace("-data", "_data").replace("-stat", "_stat");
            let found = objects.iter().position(|object| object.name == expected.name);
            match found.or_else(|| objects.iter().position(|object| object.name == other)) {
                None => objects.push(expected.clone()),
                Some(at) => {
                    let object = &mut objects[at];
                    object.name.clone_from(&expected.name);
                    self.fit_object(object, expected.bytes.len());
                }
            }
        }
        objects
    }

    fn fit_object(&mut self, object: &mut Input, size: usize) {
        let file = self.world.symbolic_files.iter().find(|file| file_object(file) == object.name);
        if object.name.ends_with("-stat") {
            let may_be_pipe = matches!(&*object.name, "stdin-stat" | "stdout-stat");
            object.bytes = possible_stat(&object.bytes, may_be_pipe);
        } else if file.is_some() || object.name == "stdin" {
            let open = file.map_or_else(|| vec![None; size], |file| file.bytes.clone());
            let fitted = fitted(&object.bytes, &open);
            self.changes.count(&object.name, &fitted);
            object.bytes = fitted.bytes;
        }
    }
}

fn read_plain(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("larger than {} MiB", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use osier_linux::{Argument, SymbolicFile};

    struct Place(tempfile::TempDir);

    impl Place {
        fn new(files: &[(&str, &[u8])]) -> Place {
            let place = Place(tempfile::tempdir().unwrap());
            for (name, bytes) in files {
                let path = place.0.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, bytes).unwrap();
            }
            place
        }

        fn found(&self, folder: &str) -> Vec<String> {
            let found = seed_files(&self.0.path().join(folder)).unwrap();
            found.iter().map(|path| path.strip_prefix(self.0.path()).unwrap().display().to_string()).collect()
        }

        fn load(&self, world: &World) -> Result<LoadedSeeds, SeedError> {
            load_seeds(&[], &[self.0.path().to_owned()], world)
        }
    }

    fn stdin(len: u32) -> World {
        World { stdin: StandardInput::Symbolic { len }, ..World::default() }
    }

    fn object<'a>(seed: &'a Seed, name: &str) -> &'a [u8] {
        &seed.objects.iter().find(|object| object.name == name).unwrap().bytes
    }

    #[test]
    fn of_a_fuzzers_folder_the_inputs_are_taken() {
        let place = Place::new(&[
            ("out/default/queue/id:000000,orig:a", b"1"),
            ("out/default/queue/.state/deterministic_done/id:000000", b""),
            ("out/default/crashes/id:000000,sig:11", b"2"),
            ("out/default/crashes/README.txt", b"read me"),
            ("out/default/hangs/id:000000", b"3"),
            ("out/default/fuzzer_stats", b"4"),
            ("out/default/.cur_input", b"5"),
            ("corpus/da39a3ee", b"6"),
            ("corpus/README.txt", b"an input"),
            ("corpus/below/356a192b", b"7"),
            ("run/test000001.ktest", b""),
            ("run/summary.json", b"{}"),
        ]);
        let instance = ["out/default/queue/id:000000,orig:a", "out/default/crashes/id:000000,sig:11"];
        for folder in ["out", "out/default"] {
            let mut found = place.found(folder);
            found.sort_by_key(|name| name.contains("crashes"));
            assert_eq!(found, instance);
        }
        assert_eq!(place.found("out/default/crashes"), instance[1..]);
        assert_eq!(place.found("corpus"), ["corpus/README.txt", "corpus/da39a3ee", "corpus/below/356a192b"]);
        assert_eq!(place.found("run"), ["run/test000001.ktest"]);
    }

    #[test]
    fn a_plain_file_is_the_runs_input() {
        let place = Place::new(&[("a", b"xy")]);
        let loaded = place.load(&stdin(4)).unwrap();
        assert_eq!(object(&loaded.seeds[0], "stdin"), b"xy\0\0");
        assert_eq!(object(&loaded.seeds[0], "stdin-stat").len(), 144);
        let file = SymbolicFile { path: b"/A".to_vec(), bytes: vec![None] };
        let world = World { symbolic_files: vec![file], ..World::default() };
        assert_eq!(object(&place.load(&world).unwrap().seeds[0], "A-data"), b"x");
        let arguments = vec![Argument::Given(b"p".to_vec()), Argument::Several { least: 0, most: 1, len: 2 }];
        let seed = &place.load(&World { arguments, ..World::default() }).unwrap().seeds[0];
        assert_eq!((object(seed, "n_args"), object(seed, ANY_OBJECT)), (&[0; 4][..], &b"xy"[..]));
    }

    #[test]
    fn one_note_tells_of_all_that_was_changed_and_the_same_is_taken_once() {
        let place = Place::new(&[("a", b"1"), ("b", b"12"), ("c", b"12345"), ("d", b"12678")]);
        let loaded = place.load(&stdin(2)).unwrap();
        assert_eq!(loaded.notes, ["stdin has 2 bytes: of the seeds for it 1 filled up with zeros, 2 cut"]);
        assert_eq!(loaded.seeds.len(), 2);
        assert!(Place::new(&[("a", b"12")]).load(&stdin(2)).unwrap().notes.is_empty());
    }

    #[test]
    fn tests_fit_the_run_whoever_wrote_them() {
        let input = |name: &str, bytes: &[u8]| Input { name: name.into(), bytes: bytes.to_vec() };
        let objects = vec![input("arg00", b"-n\0"), input("A_data", b"abc"), input("A_data_stat", &[0xff; 144])];
        let place = Place::new(&[("a.ktest", &KTest::new(vec![], objects).to_bytes()), ("bad.ktest", b"KTEST")]);
        let file = SymbolicFile { path: b"/A".to_vec(), bytes: vec![None, Some(b'B')] };
        let loaded = place.load(&World { symbolic_files: vec![file], ..stdin(3) }).unwrap();
        let seed = &loaded.seeds[0];
        assert_eq!((object(seed, "arg00"), object(seed, "A-data")), (&b"-n\0"[..], &b"aB"[..]));
        assert_eq!(object(seed, "A-data-stat")[24..28], 0o100_777_u32.to_le_bytes());
        assert_eq!((object(seed, "stdin"), object(seed, "model_version")), (&[0; 3][..], &[1, 0, 0, 0][..]));
        assert!(loaded.notes[0].contains("bad.ktest: truncated"), "{:?}", loaded.notes);
        assert!(loaded.notes[1].contains("1 cut, 1 changed where the file's template is not open"));
    }

    #[test]
    fn where_no_seed_is_left_the_reasons_are_told() {
        let place = Place::new(&[("bad.ktest", b"garbage")]);
        let error = place.load(&stdin(3)).unwrap_err().to_string();
        assert!(error.starts_with("no seed is left to start from\n  note: skipped a seed: "), "{error}");
        let empty = Place::new(&[]).load(&stdin(3)).unwrap_err().to_string();
        assert!(empty.contains("has no file that could be a seed"), "{empty}");
        let missing = load_seeds(&["/nowhere/seed".into()], &[], &stdin(3)).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read /nowhere/seed: No such file"), "{missing}");
        assert!(load_seeds(&[], &[], &stdin(3)).unwrap().seeds.is_empty());
    }
}
