//! Broken files give a clear error, whatever LLVM does with them.

mod common;

use common::Folder;
use osier_frontend::{LoadError, Options, load};
use std::process::Command;

const SOURCE: &str = "
struct node { int value; struct node *next; };
static const char *names[] = {\"a\", \"bc\", 0};
int table[4] = {1, 2, 3, 4};
int sum(struct node *n, int k) { int s = 0; while (n) { s += n->value * table[k & 3]; n = n->next; } return s; }
double half(double d, unsigned char c) { switch (c) { case 1: return d / 2; case 7: return d; default: return 0.5; } }
int main(int argc, char **argv) { struct node n = {argc, 0}; return sum(&n, argc) + names[argc & 1][0] + (int)half(2, 1); }
";

fn everything() -> Options {
    Options { entry: String::new(), ..Options::default() }
}

fn compiled(folder: &Folder, flags: &[&str]) -> Vec<u8> {
    let source = folder.write("seed.c", SOURCE);
    let output = Command::new("clang-22").args(flags).args(["-emit-llvm", "-o", "-"]).arg(source).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// A copy with a few bytes changed, cut, repeated or taken out.
fn mutate(seed: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    match random.u8(0..10) {
        0 => bytes.truncate(random.usize(0..bytes.len())),
        1 => {
            let at = random.usize(0..bytes.len());
            let end = (at + random.usize(1..64)).min(bytes.len());
            bytes.drain(at..end);
        }
        2 => {
            let at = random.usize(0..bytes.len());
            let end = (at + random.usize(1..64)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = random.usize(0..bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => {
            for _ in 0..random.usize(1..8) {
                let at = random.usize(0..bytes.len());
                bytes[at] = if random.bool() { random.u8(..) } else { bytes[at] ^ 1 << random.u8(0..8) };
            }
        }
    }
    bytes
}

/// Loads many mutants of one file. What still loads must be a sound module; nothing may end this process.
fn storm(name: &str, extension: &str, seed: &[u8], rounds: usize) {
    let folder = Folder::new(name);
    let mut random = fastrand::Rng::with_seed(7);
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..rounds {
        let file = folder.write(&format!("mutant.{extension}"), mutate(seed, &mut random));
        match load(&[file], &everything()) {
            Ok(program) => {
                osier_ir::verify(&program.module).unwrap_or_else(|found| panic!("{found:?}"));
                loaded += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                refused += 1;
            }
        }
    }
    assert!(refused > rounds / 10, "{loaded} mutants loaded, {refused} were refused");
}

fn rounds() -> usize {
    std::env::var("OSIER_FUZZ_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3200)
}

#[test]
fn mutated_bitcode_never_ends_the_process() {
    let folder = Folder::new("bitcode-seed");
    storm("bitcode", "bc", &compiled(&folder, &["-c"]), rounds());
}

#[test]
fn mutated_optimised_bitcode_with_debug_information_never_ends_the_process() {
    let folder = Folder::new("debug-seed");
    storm("debug", "bc", &compiled(&folder, &["-c", "-O2", "-g"]), rounds());
}

/// The bitcode in an object is read function by function, as far as `main` comes.
#[test]
fn mutated_bitcode_in_an_object_never_ends_the_process() {
    let folder = Folder::new("object-seed");
    let (source, object) = (folder.write("seed.c", SOURCE), folder.path().join("seed.o"));
    let words = ["--glibc", "-c", "-O2"].iter().map(Into::into);
    let files = [source.into_os_string(), "-o".into(), object.clone().into_os_string()];
    let compiled = osier_cc::compile("clang-22".as_ref(), words.chain(files).collect()).unwrap();
    assert_eq!((compiled.status, compiled.warnings), (0, Vec::new()));
    let whole = std::fs::read(&object).unwrap();
    let start = whole.windows(4).position(|bytes| bytes == b"BC\xC0\xDE").expect("the bitcode");
    let length =
        u64::from_le_bytes(whole[start - 8 - source_length(&whole, start)..][..8].try_into().unwrap()) as usize;
    let mut random = fastrand::Rng::with_seed(5);
    let mut refused = 0;
    let rounds = rounds() / 4;
    for _ in 0..rounds {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..8) {
            bytes[start + random.usize(0..length)] = random.u8(..);
        }
        match load(&[folder.write("mutant.o", bytes)], &Options::default()) {
            Ok(program) => osier_ir::verify(&program.module).unwrap_or_else(|found| panic!("{found:?}")),
            Err(error) => {
                assert!(
                    error.to_string().contains("mutant.o (") || matches!(error, LoadError::NoEntry { .. }),
                    "{error}"
                );
                refused += 1;
            }
        }
    }
    assert!(refused > rounds / 10, "{refused} of {rounds} were refused");
}

/// The source's name stands between a part's header and its bitcode.
fn source_length(object: &[u8], bitcode: usize) -> usize {
    let header = object[..bitcode].windows(8).rposition(|bytes| bytes == b"OSIERBC1").expect("the header");
    bitcode - header - 24
}

#[test]
fn mutated_text_never_ends_the_process() {
    let folder = Folder::new("text-seed");
    storm("text", "ll", &compiled(&folder, &["-S"]), rounds());
}

#[test]
fn random_bytes_are_refused() {
    let folder = Folder::new("random");
    let mut random = fastrand::Rng::with_seed(3);
    for length in 0..200 {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.u8(..)).collect();
        assert!(load(&[folder.write("noise.ll", &bytes)], &everything()).is_err() || bytes.is_empty());
        assert!(load(&[folder.write("noise.bc", &bytes)], &everything()).is_err());
        bytes.splice(0..0, *b"BC\xC0\xDE");
        assert!(load(&[folder.write("noise.bc", &bytes)], &everything()).is_err());
    }
}

#[test]
fn a_text_error_names_line_and_column() {
    let folder = Folder::new("column");
    let file = folder.write("bad.ll", "define i32 @main() {\n  ret i32 nonsense\n}\n");
    let error = load(&[file], &everything()).unwrap_err();
    assert!(matches!(error, LoadError::Parse { .. }), "{error:?}");
    assert!(error.to_string().contains("bad.ll:2:11"), "{error}");
}

#[test]
fn what_the_verifier_refuses_is_invalid() {
    let folder = Folder::new("invalid");
    let text = "define i32 @main(i1 %c) {\n  br i1 %c, label %a, label %b\na:\n  %x = add i32 1, 2\n  br label %b\nb:\n  ret i32 %x\n}\n";
    let error = load(&[folder.write("bad.ll", text)], &everything()).unwrap_err();
    assert!(matches!(&error, LoadError::Invalid { message, .. } if message.contains("dominate")), "{error:?}");
}

#[test]
fn each_mistake_has_its_own_message() {
    let folder = Folder::new("mistakes");
    let load_one = |name: &str, contents: &str, entry: &str| {
        let file = folder.write(name, contents);
        load(&[file], &Options { entry: entry.to_owned(), ..Options::default() }).unwrap_err()
    };
    let error = load_one("bad.c", "int main(void) { return x; }", "main");
    assert!(error.to_string().contains("undeclared identifier 'x'"), "{error}");
    assert!(matches!(load_one("good.c", "int f(void) { return 1; }", "main"), LoadError::NoEntry { .. }));
    assert!(matches!(load_one("readme.txt", "hello", "main"), LoadError::UnknownKind { .. }));
    assert!(matches!(load_one("not.bc", "hello", "main"), LoadError::Parse { .. }));
    let arm =
        "target datalayout = \"e-p:32:32\"\ntarget triple = \"armv7-linux-gnueabi\"\ndefine void @main() { ret void }";
    assert!(matches!(load_one("arm.ll", arm, "main"), LoadError::Target { .. }));
    assert!(matches!(load(&[folder.path().join("none.c")], &everything()), Err(LoadError::Unreadable { .. })));
    assert!(matches!(load(&[], &everything()), Err(LoadError::NoInput)));
    let good = folder.write("good.c", "int f(void) { return 1; }");
    let clang = Options { clang: "no-such-compiler".into(), ..Options::default() };
    assert!(matches!(load(std::slice::from_ref(&good), &clang), Err(LoadError::NoCompiler { .. })));
    let twice = folder.write("twice.c", "int f(void) { return 2; }");
    let error = load(&[good, twice], &everything()).unwrap_err();
    assert!(
        matches!(&error, LoadError::Link { message, .. } if message.contains("symbol multiply defined")),
        "{error:?}"
    );
}
