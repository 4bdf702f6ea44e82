//! Which definition a name means where several files have one.

mod common;

use common::Folder;
use osier_frontend::{Loaded, Options, load};
use osier_ir::{Function, Module};
use std::path::PathBuf;

fn write(folder: &Folder, sources: &[&str]) -> Vec<PathBuf> {
    sources.iter().enumerate().map(|(index, text)| folder.write(&format!("file{index}.c"), text)).collect()
}

fn loaded(files: &[PathBuf]) -> Loaded {
    let loaded = load(files, &Options::default()).unwrap_or_else(|error| panic!("{error}"));
    osier_ir::verify(&loaded.module).unwrap_or_else(|found| panic!("{found:?}"));
    loaded
}

/// The sources as objects, which is what a linker sees.
fn objects(folder: &Folder, sources: &[&str]) -> Vec<PathBuf> {
    let compile = |source: PathBuf| {
        let object = source.with_extension("o");
        let words = ["--glibc".into(), "-c".into(), source.into(), "-o".into(), object.clone().into()];
        let compiled = osier_cc::compile("clang-22".as_ref(), words.to_vec()).unwrap();
        assert_eq!((compiled.status, compiled.warnings), (0, Vec::new()));
        object
    };
    write(folder, sources).into_iter().map(compile).collect()
}

/// The files in which functions of a name are defined, by their numbers.
fn homes(module: &Module, name: &str) -> Vec<String> {
    let defined = |function: &&Function| function.name == name && function.body.is_some();
    let file = |function: &Function| module.file_of(function.location).rsplit('/').next().unwrap().to_owned();
    let mut homes: Vec<String> = module.functions.values().filter(defined).map(file).collect();
    homes.sort();
    homes
}

const MAIN: &str = "int f(void); int main(void) { return f(); }";
const WEAK: &str = "__attribute__((weak)) int f(void) { return 1; }";
const STRONG: &str = "int f(void) { return 2; }";

#[test]
fn a_strong_definition_wins_wherever_it_stands() {
    let folder = Folder::new("strong");
    assert_eq!(homes(&loaded(&write(&folder, &[MAIN, WEAK, STRONG])).module, "f"), ["file2.c"]);
    assert_eq!(homes(&loaded(&write(&folder, &[STRONG, WEAK, MAIN])).module, "f"), ["file0.c"]);
    assert_eq!(homes(&loaded(&write(&folder, &[MAIN, WEAK, WEAK])).module, "f"), ["file1.c"]);
}

#[test]
fn the_first_of_several_strong_definitions_wins_in_objects() {
    let folder = Folder::new("first");
    assert_eq!(homes(&loaded(&objects(&folder, &[MAIN, STRONG, STRONG])).module, "f"), ["file1.c"]);
}

#[test]
fn the_largest_common_variable_has_room_for_all() {
    let folder = Folder::new("common");
    let one = "int main(void) { extern __typeof__(char) v[]; return v[0]; }";
    let small = "__attribute__((common)) char v[4];";
    let large = "__attribute__((common)) char v[64];";
    for sources in [[one, small, large], [large, one, small]] {
        let module = loaded(&write(&folder, &sources)).module;
        let sizes: Vec<u64> =
            module.globals.values().filter(|global| global.name == "v").map(|global| global.size).collect();
        assert_eq!(sizes, [64]);
    }
}

#[test]
fn static_functions_of_one_name_stay_apart() {
    let folder = Folder::new("static");
    let first = "static int f(void) { return 1; } int g(void); int main(void) { return f() + g(); }";
    let second = "static int f(void) { return 2; } int g(void) { return f(); }";
    assert_eq!(homes(&loaded(&write(&folder, &[first, second])).module, "f"), ["file0.c", "file1.c"]);
}

#[test]
fn an_alias_stays_with_the_function_of_its_own_file() {
    let folder = Folder::new("alias");
    let aliased = "__attribute__((weak)) int f(void) { return 1; } int g(void) __attribute__((alias(\"f\")));";
    let main = "int f(void); int g(void); int main(void) { return f() + g(); }";
    assert_eq!(homes(&loaded(&write(&folder, &[main, aliased, STRONG])).module, "f"), ["file1.c", "file2.c"]);
}

#[test]
fn only_what_is_reached_is_lowered() {
    let folder = Folder::new("reached");
    let source = "int f(void) { return 1; } int unused(void) { return 2; } int main(void) { return f(); }";
    let module = loaded(&objects(&folder, &[source])).module;
    let names: Vec<&str> = module.functions.values().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["main", "f"]);
}
