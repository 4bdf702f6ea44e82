//! A folder of its own for each test, and the command run in it.
#![allow(dead_code, reason = "each test program uses its part")]

use assert_cmd::Command;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Two paths, none of them wrong.
pub const GOOD: &str = "#include <klee/klee.h>\nint main(void) { return klee_int(\"x\") > 3; }\n";
/// One path that is wrong and one that is not.
pub const BUG: &str = "#include <klee/klee.h>

int main(void) {
  char buf[4];
  unsigned i;
  klee_make_symbolic(&i, sizeof i, \"i\");
  klee_assume(i <= 4);
  buf[i] = 0;
  return buf[i];
}
";
/// Never ends, and finishes paths all the time.
pub const ENDLESS: &str = "#include <klee/klee.h>
int main(void) {
  for (unsigned n = 0;;)
    if (klee_int(\"x\") == 7 && ++n == 3)
      return 3;
}
";

pub const OSIER: &str = env!("CARGO_BIN_EXE_osier");

/// What a command said and how it ended.
#[derive(Debug)]
pub struct Said {
    /// None if a signal ended it.
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

pub struct Place(TempDir);

impl Place {
    pub fn new() -> Place {
        Place(tempfile::tempdir().expect("there is a temporary folder"))
    }

    /// With the three programs in it.
    pub fn with_programs() -> Place {
        let place = Place::new();
        for (name, text) in [("good.c", GOOD), ("bug.c", BUG), ("endless.c", ENDLESS)] {
            place.write(name, text);
        }
        place
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, bytes).expect("the folder can be written");
        path
    }

    pub fn names(&self) -> BTreeSet<String> {
        let entries = std::fs::read_dir(self.path()).expect("the folder can be read");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(OSIER);
        command.args(args).current_dir(self.path()).timeout(Duration::from_secs(60));
        command
    }

    pub fn osier(&self, args: &[&str]) -> Said {
        let output = self.command(args).output().expect("the command starts");
        Said {
            status: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// The command fails with this status and one message that has all the words, and leaves nothing behind.
    pub fn refuses(&self, args: &[&str], status: i32, words: &[&str]) {
        let before = self.names();
        let said = self.osier(args);
        assert_eq!(said.status, Some(status), "{args:?}: {said:?}");
        one_message(&said);
        assert_eq!(said.out, "", "{args:?}: {said:?}");
        for word in words {
            assert!(said.err.contains(word), "{args:?} does not say `{word}`: {}", said.err);
        }
        assert_eq!(self.names(), before, "{args:?} left something behind");
    }
}

/// One error, at the beginning; no panic.
pub fn one_message(said: &Said) {
    assert!(said.err.starts_with("error: "), "{said:?}");
    let messages = said.err.lines().filter(|line| line.starts_with("error: ")).count();
    assert_eq!(messages, 1, "{said:?}");
    assert!(!said.err.contains("panicked"), "{said:?}");
}
