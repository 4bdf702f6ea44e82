//! What a compiler's command line means, as far as it matters here: what is an input, what is an output, which flags
//! belong to which step.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What a word of the command line is, together with the value that follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// C or C++, also preprocessed: it gets bitcode.
    Source,
    /// Assembly: compiled, but there is no bitcode of it.
    Assembly,
    /// Anything else that is no option: objects, archives, shared objects.
    Linked,
    /// `-x LANGUAGE`.
    Language,
    /// `-o FILE`.
    Output,
    /// `-c`.
    ObjectsOnly,
    /// Ends before there is an object: `-E`, `-S`, `-print-...`.
    NoObject,
    /// `-O...`.
    Level,
    /// For the native code alone: dependency files, instrumentation, time reports.
    NativeOnly,
    /// Would make objects that are none: link-time optimisation, embedding by clang itself.
    Dropped,
    /// For the linker.
    Link,
    /// Any other option: for every step.
    Plain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    pub kind: Kind,
    pub words: Vec<OsString>,
}

impl Item {
    /// An input's path, or an option's value in a word of its own.
    pub fn value(&self) -> &OsStr {
        self.words.last().expect("an item has a word")
    }

    fn is(&self, option: &str) -> bool {
        self.words[0] == option
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// Preprocessed text, assembly, a version: nothing that could carry bitcode.
    Other,
    Objects,
    /// A program, a shared object, or a relocatable file of several.
    Binary,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arguments {
    pub items: Vec<Item>,
}

/// Options whose value is the next word, when it is not in the same one. What follows them is no input.
const WITH_VALUE: &[&str] = &[
    "-A",
    "-B",
    "-D",
    "-F",
    "-G",
    "-I",
    "-L",
    "-MF",
    "-MJ",
    "-MQ",
    "-MT",
    "-T",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-U",
    "-Xanalyzer",
    "-Xarch_host",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-arch",
    "-aux-info",
    "-cxx-isystem",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-e",
    "-framework",
    "-gcc-toolchain",
    "-h",
    "-idirafter",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-isystem-after",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-l",
    "-meabi",
    "-mllvm",
    "-o",
    "-rpath",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-target",
    "-u",
    "-undefined",
    "-wrapper",
    "-working-directory",
    "-x",
    "-z",
    "--config",
    "--entry",
    "--for-linker",
    "--include",
    "--imacros",
    "--language",
    "--library-directory",
    "--output",
    "--param",
    "--prefix",
    "--sysroot",
    "--undefined-macro",
    "--define-macro",
    "--include-directory",
];

/// Options with which no object is made.
const NO_OBJECT: &[&str] = &[
    "-E",
    "-S",
    "-M",
    "-MM",
    "-fsyntax-only",
    "-emit-llvm",
    "-emit-ast",
    "-###",
    "-rewrite-objc",
    "-verify-pch",
    "--analyze",
    "--precompile",
    "--preprocess",
    "--assemble",
    "--version",
    "--help",
    "-help",
    "-dumpmachine",
    "-dumpversion",
    "-dumpspecs",
    "-dumpfullversion",
    "--help-hidden",
    "--autocomplete",
    "--target-help",
];

const NATIVE_ONLY: &[&str] = &[
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-MV",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-pg",
    "-p",
    "-v",
    "-gsplit-dwarf",
    "--coverage",
    "-coverage",
    "-ftest-coverage",
    "-fcoverage-mapping",
    "-fmcdc-coverage",
    "-ftime-report",
    "-ftime-trace",
    "-serialize-diagnostics",
    "--serialize-diagnostics",
    "-fsave-optimization-record",
    "-fstack-usage",
    "-dD",
    "--trace-includes",
    "-H",
    "-pedantic-errors",
    "-fmemory-profile",
];

const NATIVE_ONLY_BEGINNINGS: &[&str] = &[
    "-save-temps",
    "--save-temps",
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile-",
    "-fcs-profile",
    "-ftime-report=",
    "-ftime-trace=",
    "-ftime-trace-granularity",
    "-foptimization-record",
    "-fxray",
    "-fsave-optimization-record=",
    "-gsplit-dwarf=",
    "-fdiagnostics-parseable",
    "-fdump-",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-fproc-stat-report",
    "-Wp,-M",
];

const DROPPED_BEGINNINGS: &[&str] =
    &["-flto", "-fembed-bitcode", "-fthinlto", "-funified-lto", "-fwhole-program-vtables"];

const LINK: &[&str] = &[
    "-shared",
    "-static",
    "-static-pie",
    "-static-libgcc",
    "-shared-libgcc",
    "-pie",
    "-no-pie",
    "-nopie",
    "-rdynamic",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-nolibc",
    "-r",
    "-s",
    "-Xlinker",
    "-l",
    "-L",
    "-T",
    "-e",
    "-u",
    "-z",
    "-rpath",
    "-symbolic",
    "--entry",
    "--for-linker",
    "--library-directory",
];

const LINK_BEGINNINGS: &[&str] = &["-Wl,", "-l", "-L", "-fuse-ld", "--ld-path", "-Bdynamic", "-Bstatic"];

impl Arguments {
    pub fn parse(words: Vec<OsString>) -> Arguments {
        let mut items = Vec::new();
        let mut language: Option<String> = None;
        let mut only_inputs = false;
        let mut rest = words.into_iter();
        while let Some(word) = rest.next() {
            let text = word.to_string_lossy().into_owned();
            let is_input = only_inputs || !text.starts_with('-') || text == "-";
            if !is_input && text == "--" {
                only_inputs = true;
                items.push(Item { kind: Kind::Plain, words: vec![word] });
                continue;
            }
            let kind = if is_input { input_kind(Path::new(&word), language.as_deref()) } else { option_kind(&text) };
            let mut item = Item { kind, words: vec![word] };
            if !is_input && WITH_VALUE.contains(&text.as_str()) {
                item.words.extend(rest.next());
            }
            if kind == Kind::Language {
                let name = item.value().to_string_lossy();
                let name = if item.words.len() == 1 { joined(&name, &["-x", "--language="]) } else { &name };
                language = (name != "none").then(|| name.to_owned());
            }
            items.push(item);
        }
        Arguments { items }
    }

    pub fn product(&self) -> Product {
        let has = |kind: Kind| self.items.iter().any(|item| item.kind == kind);
        let has_input = has(Kind::Source) || has(Kind::Assembly) || has(Kind::Linked) || has(Kind::Link);
        if has(Kind::NoObject) || !has_input {
            Product::Other
        } else if has(Kind::ObjectsOnly) {
            Product::Objects
        } else {
            Product::Binary
        }
    }

    /// Whether there is an option of just this name.
    pub fn has(&self, option: &str) -> bool {
        self.items.iter().any(|item| !item.kind.is_input() && item.is(option))
    }

    /// The value of the last `-o`.
    pub fn output(&self) -> Option<PathBuf> {
        let item = self.items.iter().rfind(|item| item.kind == Kind::Output)?;
        let value = item.value();
        let text = value.to_string_lossy();
        Some(if item.words.len() == 2 { value.into() } else { joined(&text, &["-o", "--output="]).into() })
    }

    /// Values of an option, joined or in the next word.
    pub fn values<'a>(&'a self, option: &'a str) -> impl Iterator<Item = String> + 'a {
        self.items.iter().filter(|item| !item.kind.is_input()).filter_map(move |item| {
            let first = item.words[0].to_string_lossy();
            match item.words.get(1) {
                Some(value) => (first == option).then(|| value.to_string_lossy().into_owned()),
                None => first.strip_prefix(option).filter(|value| !value.is_empty()).map(str::to_owned),
            }
        })
    }
}

impl Kind {
    pub fn is_input(self) -> bool {
        match self {
            Kind::Source | Kind::Assembly | Kind::Linked => true,
            Kind::Language
            | Kind::Output
            | Kind::ObjectsOnly
            | Kind::NoObject
            | Kind::Level
            | Kind::NativeOnly
            | Kind::Dropped
            | Kind::Link
            | Kind::Plain => false,
        }
    }
}

fn joined<'a>(word: &'a str, beginnings: &[&str]) -> &'a str {
    beginnings.iter().find_map(|beginning| word.strip_prefix(beginning)).unwrap_or(word)
}

fn input_kind(path: &Path, language: Option<&str>) -> Kind {
    let by_language = |name: &str| match name {
        "c" | "cpp-output" | "c++" | "c++-cpp-output" => Kind::Source,
        "assembler" | "assembler-with-cpp" => Kind::Assembly,
        _ => Kind::Linked,
    };
    if let Some(name) = language {
        return by_language(name);
    }
    match path.extension().and_then(OsStr::to_str) {
        Some("c" | "i" | "ii" | "cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CC" | "CPP" | "CXX") => Kind::Source,
        Some("s" | "S" | "asm" | "sx") => Kind::Assembly,
        _ => Kind::Linked,
    }
}

fn option_kind(word: &str) -> Kind {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| word.starts_with(beginning));
    match word {
        "-c" | "--compile" => Kind::ObjectsOnly,
        "-o" | "--output" => Kind::Output,
        "-x" | "--language" => Kind::Language,
        _ if NO_OBJECT.contains(&word) || begins(&["-print-", "--print-", "--help="]) => Kind::NoObject,
        _ if NATIVE_ONLY.contains(&word) || begins(NATIVE_ONLY_BEGINNINGS) => Kind::NativeOnly,
        _ if begins(DROPPED_BEGINNINGS) || begins(&["-fno-lto"]) => Kind::Dropped,
        _ if LINK.contains(&word) || begins(LINK_BEGINNINGS) => Kind::Link,
        _ if begins(&["-x", "--language="]) => Kind::Language,
        _ if begins(&["-O", "--optimize"]) => Kind::Level,
        _ if begins(&["-o", "--output="]) && !begins(&["-object"]) => Kind::Output,
        _ => Kind::Plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Arguments {
        Arguments::parse(line.split(' ').map(OsString::from).collect())
    }

    fn kinds(line: &str) -> Vec<Kind> {
        parse(line).items.iter().map(|item| item.kind).collect()
    }

    #[test]
    fn values_in_the_next_word_are_no_inputs() {
        use Kind::{Linked, Output, Plain, Source};
        assert_eq!(kinds("-I inc.c -D X.c -include a.c b.c"), [Plain, Plain, Plain, Source]);
        assert_eq!(kinds("-Iinc -DX=1 -includea.h b.c"), [Plain, Plain, Plain, Source]);
        assert_eq!(kinds("-o a.c b.o"), [Output, Linked]);
        assert_eq!(kinds("-Xclang a.c -mllvm b.c --param c.c"), [Plain, Plain, Plain]);
    }

    #[test]
    fn inputs_are_told_apart_by_their_names_and_by_the_language() {
        use Kind::{Assembly, Language, Linked, Plain, Source};
        assert_eq!(
            kinds("a.c b.i c.S d.s e.o f.a g.so h"),
            [Source, Source, Assembly, Assembly, Linked, Linked, Linked, Linked]
        );
        assert_eq!(
            kinds("-x c - -x assembler a.c -xnone b.c"),
            [Language, Source, Language, Assembly, Language, Source]
        );
        assert_eq!(kinds("-x c-header a.h"), [Language, Linked]);
        assert_eq!(kinds("-- -c"), [Plain, Linked]);
    }

    #[test]
    fn what_is_made_follows_from_the_last_phase() {
        use Product::{Binary, Objects, Other};
        for (line, product) in [
            ("-c a.c", Objects),
            ("a.c -o a", Binary),
            ("a.o -lm", Binary),
            ("-E a.c", Other),
            ("-c -S a.c", Other),
            ("-MM a.c", Other),
            ("-MD -c a.c", Objects),
            ("--version", Other),
            ("-v", Other),
            ("-V", Other),
            ("-print-search-dirs", Other),
            ("-c -emit-llvm a.c", Other),
            ("-fsyntax-only a.c", Other),
        ] {
            assert_eq!(parse(line).product(), product, "{line}");
        }
    }

    #[test]
    fn the_last_output_counts_joined_or_not() {
        assert_eq!(parse("-c a.c -o x.o").output(), Some("x.o".into()));
        assert_eq!(parse("-ox.o -c a.c -o y.o").output(), Some("y.o".into()));
        assert_eq!(parse("-c a.c --output=z.o").output(), Some("z.o".into()));
        assert_eq!(parse("-c a.c").output(), None);
    }

    #[test]
    fn flags_belong_to_steps() {
        use Kind::{Dropped, Level, Link, NativeOnly, Plain};
        assert_eq!(kinds("-MD -MF x.d -MTx.o -save-temps=obj -Wp,-MD,x.d"), [NativeOnly; 5]);
        assert_eq!(kinds("-fsanitize=address --coverage -fprofile-arcs -ftest-coverage -pg"), [NativeOnly; 5]);
        assert_eq!(kinds("-flto -flto=thin -fembed-bitcode"), [Dropped; 3]);
        assert_eq!(kinds("-lm -l m -L. -Wl,-E -shared -s"), [Link; 6]);
        assert_eq!(kinds("-O2 -O -Os"), [Level; 3]);
        assert_eq!(kinds("-fPIC -Wall -std=c99 -march=native -pthread -Wp,-DX"), [Plain; 6]);
    }

    #[test]
    fn values_of_an_option_are_found_joined_or_not() {
        let arguments = parse("-L a -Lb x.c -l m -lc");
        assert_eq!(arguments.values("-L").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(arguments.values("-l").collect::<Vec<_>>(), ["m", "c"]);
    }
}
