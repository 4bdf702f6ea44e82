//! The second compilation of a source: to bitcode.

use crate::arguments::{Arguments, Kind};
use crate::section::Part;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A source of a command line: its place there, and the language that holds for it.
#[derive(Debug)]
pub struct Source {
    pub index: usize,
    language: Option<Vec<OsString>>,
}

/// The sources that get bitcode. A configure script's trial programs do not: nobody runs them here, and there are many.
pub fn sources(arguments: &Arguments) -> Vec<Source> {
    let mut language = None;
    let mut found = Vec::new();
    for (index, item) in arguments.items.iter().enumerate() {
        if item.kind == Kind::Language {
            language = Some(item.words.clone());
        }
        let wanted = matches!(item.kind, Kind::Source | Kind::Assembly);
        let trial = Path::new(item.value()).file_stem() == Some(OsStr::new("conftest"));
        if wanted && !trial {
            found.push(Source { index, language: language.clone() });
        }
    }
    found
}

/// The flags of the command line that say what a source means, without those for the native code.
///
/// The level stays: headers look at it (`__OPTIMIZE__`), and so does the way that clang decides what is constant. The
/// passes are left out instead. Debug information comes last, so that it is complete whatever the user asked for. What
/// only optimisers look at (which types may lie in one place) is left out: it is a fifth of the bitcode.
pub fn flags(arguments: &Arguments) -> Vec<OsString> {
    let kept = arguments.items.iter().filter(|item| match item.kind {
        Kind::Level | Kind::Plain => item.words[0] != "--",
        Kind::Source
        | Kind::Assembly
        | Kind::Linked
        | Kind::Language
        | Kind::Output
        | Kind::ObjectsOnly
        | Kind::NoObject
        | Kind::NativeOnly
        | Kind::Dropped
        | Kind::Link => false,
    });
    let mut flags: Vec<OsString> = kept.flat_map(|item| item.words.clone()).collect();
    let quiet = ["-w", "-Qunused-arguments"];
    let code = ["-fno-strict-aliasing", "-Xclang", "-disable-llvm-passes", "-g"];
    let output = ["-c", "-emit-llvm", "-o", "-"];
    flags.extend(quiet.iter().chain(&code).chain(&output).map(OsString::from));
    flags
}

/// Compiles a source. A part without bitcode if that fails or if it is assembly; the compiler's last words then.
pub fn compile(
    clang: &OsStr,
    flags: &[OsString],
    arguments: &Arguments,
    source: &Source,
    input: Option<&[u8]>,
) -> (Part, Option<String>) {
    let item = &arguments.items[source.index];
    let path = item.value();
    let mut part = Part { source: path.to_string_lossy().into_owned(), bitcode: Vec::new() };
    if item.kind == Kind::Assembly {
        return (part, None);
    }
    let mut command = Command::new(clang);
    command.args(flags).args(source.language.iter().flatten());
    if path.to_string_lossy().starts_with('-') && path != "-" {
        command.arg("--");
    }
    command.arg(path).env_remove("DEPENDENCIES_OUTPUT").env_remove("SUNPRO_DEPENDENCIES");
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = command.spawn().and_then(|mut child| {
        std::thread::scope(|scope| {
            if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), input) {
                // A compiler that stops reading says itself why.
                scope.spawn(move || drop(pipe.write_all(bytes)));
            }
            child.wait_with_output()
        })
    });
    match output {
        Ok(output) if output.status.success() && !output.stdout.is_empty() => {
            part.bitcode = output.stdout;
            (part, None)
        }
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let line = said.lines().find(|line| line.contains("error")).or(said.lines().last()).unwrap_or_default();
            (part, Some(line.to_owned()))
        }
        Err(error) => (part, Some(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Arguments {
        Arguments::parse(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn bitcode_is_compiled_without_what_is_for_the_native_code() {
        let flags = flags(&parse("-c -O2 -DX -I inc -MD -MF a.d --coverage -fsanitize=address -flto -lm -o a.o a.c"));
        let flags: Vec<&str> = flags.iter().map(|flag| flag.to_str().unwrap()).collect();
        assert_eq!(flags[..4], ["-O2", "-DX", "-I", "inc"]);
        assert!(flags[4..].contains(&"-emit-llvm") && flags[4..].contains(&"-g"), "{flags:?}");
        assert!(!flags.iter().any(|flag| flag.contains("a.") || flag.contains("coverage")), "{flags:?}");
    }

    #[test]
    fn each_source_has_the_language_that_holds_for_it() {
        let arguments = parse("a.c -x c - -x none b.c conftest.c c.S d.o");
        let found = sources(&arguments);
        let names: Vec<&OsStr> = found.iter().map(|source| arguments.items[source.index].value()).collect();
        assert_eq!(names, ["a.c", "-", "b.c", "c.S"]);
        assert_eq!(found[0].language, None);
        assert_eq!(found[1].language, Some(vec!["-x".into(), "c".into()]));
        assert_eq!(found[2].language, Some(vec!["-x".into(), "none".into()]));
    }
}
