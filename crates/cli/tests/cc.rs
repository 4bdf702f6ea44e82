//! `osier cc` in the place of a compiler, and `osier run` on what it makes.

mod common;

use common::{OSIER, Place, Said};
use std::process::{Command, Stdio};

/// Runs a command in the folder.
#[track_caller]
fn sh(place: &Place, command: &str) -> Said {
    let output = Command::new("sh")
        .args(["-c", command])
        .env("CC", format!("{OSIER} cc"))
        .current_dir(place.path())
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    Said {
        status: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// It works and says nothing.
#[track_caller]
fn quietly(place: &Place, command: &str) {
    let said = sh(place, command);
    assert_eq!((said.status, said.out.as_str(), said.err.as_str()), (Some(0), "", ""), "{command}");
}

/// The program does under Osier what it does natively. The output.
#[track_caller]
fn same_as_native(place: &Place, program: &str, arguments: &[&str]) -> String {
    let native = sh(place, &format!("{program} {}", arguments.join(" ")));
    let _ = std::fs::remove_dir_all(place.path().join("out"));
    let said = place.osier(&[&["run", "--echo", "--out", "out", program], arguments].concat());
    assert_eq!(said.status, Some(0), "{said:?}");
    assert_eq!(said.err, "", "{said:?}");
    assert!(said.out.starts_with(&native.out), "{native:?}: {said:?}");
    assert!(!native.out.is_empty());
    native.out
}

const MAKEFILE: &str = "
CFLAGS = -O2 -g -Iinc -MD -MP
all: prog
prog: main.o libgreet.a libnum.so
\t$(CC) -o $@ main.o -L. -lgreet ./libnum.so '-Wl,-rpath,$$ORIGIN'
libgreet.a: hello.o unused.o
\tar rcs $@ $^
libnum.so: num.o more.o
\t$(CC) -shared -o $@ $^
num.o more.o: CFLAGS += -fPIC
-include main.d hello.d
";

/// A program with a header, an archive and a shared object. `scale` is a name of the program's and, hidden, of the shared
/// object's.
fn project() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path().join("inc")).unwrap();
    place.write("Makefile", MAKEFILE);
    place.write("inc/all.h", "const char *hello(void);\nint number(int);\nint scale(int);\n");
    place.write("hello.c", "#include \"all.h\"\nint made;\n__attribute__((constructor)) static void make(void) { made = 7; }\nconst char *hello(void) { return \"hello\"; }\n");
    place.write("unused.c", "int nowhere(void);\nint unused(void) { return nowhere(); }\n");
    place.write("num.c", "__attribute__((visibility(\"hidden\"))) int scale(int x);\n__attribute__((weak)) int level(void) { return 1; }\nint number(int x) { return scale(x) + 100 * level(); }\n");
    place.write("more.c", "__attribute__((visibility(\"hidden\"))) int scale(int x) { return 2 * x; }\n");
    place.write(
        "main.c",
        "#include <stdio.h>\n#include \"all.h\"\nextern int made;\nint scale(int x) { return 10 * x; }\nint level(void) { return 5; }\n\
         int main(int argc, char **argv) { printf(\"%s %d %d %d\\n\", hello(), number(argc), scale(argc), made); return 0; }\n",
    );
    place
}

#[test]
fn a_project_with_an_archive_and_a_shared_object_is_built_by_make_and_run() {
    let place = project();
    let made = sh(&place, "make -j4 CC=\"$CC\"");
    assert_eq!((made.status, made.err.as_str()), (Some(0), ""), "{made:?}");
    assert_eq!(same_as_native(&place, "./prog", &["x", "y"]), "hello 506 30 7\n");
    // The header is a dependency, as clang writes it.
    let rules = std::fs::read_to_string(place.path().join("hello.d")).unwrap();
    assert!(rules.starts_with("hello.o: hello.c inc/all.h"), "{rules}");
    assert!(rules.ends_with("inc/all.h:\n"), "{rules}");
    assert_eq!(sh(&place, "make -q CC=\"$CC\"").status, Some(0));
    // What the linker did not take is not there.
    let ir = place.osier(&["ir", "--libc=none", "./prog"]).out;
    assert!(ir.contains("hello") && !ir.contains("nowhere"), "{ir}");
}

#[test]
fn sources_are_compiled_and_linked_in_one_step() {
    let place = Place::new();
    place.write(
        "a.c",
        "#include <stdio.h>\nint b(void);\nint both;\nint main(void) { printf(\"%d\\n\", b() + both); }\n",
    );
    place.write("b.c", "int both;\nint b(void) { both = 40; return OURS; }\n");
    quietly(&place, "$CC -fcommon -DOURS=2 a.c b.c -o prog");
    assert_eq!(same_as_native(&place, "./prog", &[]), "42\n");
    quietly(&place, "echo '-fcommon -DOURS=3 \"a.c\" b.c' >words && $CC @words -o prog");
    assert_eq!(same_as_native(&place, "./prog", &[]), "43\n");
    quietly(&place, "$CC -fcommon -DOURS=4 -c a.c b.c && $CC -flto -r a.o b.o -o both.o && $CC both.o -o prog");
    assert_eq!(same_as_native(&place, "./prog", &[]), "44\n");
    quietly(&place, "echo 'int b(void) { return 5; }' | $CC -x c - -x none -fcommon a.c -static -s -o prog");
    assert_eq!(same_as_native(&place, "./prog", &[]), "5\n");
    quietly(&place, "$CC --glibc -fcommon -DOURS=6 a.c b.c -o prog");
    // What follows a program are its arguments, even where they could be files of one.
    assert_eq!(same_as_native(&place, "./prog", &["b.c"]), "46\n");
}

#[test]
fn objects_and_archives_are_programs_too() {
    let place = Place::new();
    place.write("a.c", "#include <stdio.h>\nint b(void);\nint main(void) { printf(\"%d\\n\", b()); }\n");
    place.write("b.c", "int b(void) { return 7; }\n");
    quietly(&place, "$CC -O0 -c a.c && $CC -O2 --coverage -fsanitize=address -c b.c && ar rcs lib.a a.o b.o");
    quietly(&place, "ar rcsT thin.a a.o b.o && strip -o stripped.o a.o 2>&1");
    for files in [&["a.o", "b.o"][..], &["lib.a"], &["thin.a"], &["a.o", "b.c"]] {
        let said = place.osier(&[&["run", "--echo", "--out", &format!("out-{}", files.join("+"))], files].concat());
        assert_eq!((said.status, said.err.as_str()), (Some(0), ""), "{said:?}");
        assert!(said.out.starts_with("7\n"), "{said:?}");
    }
    assert!(place.names().contains("b.gcno"), "{:?}", place.names());
    // Coverage is of the native program alone.
    quietly(&place, "$CC --coverage a.c b.c -o measured");
    assert_eq!(same_as_native(&place, "./measured", &[]), "7\n");
    assert!(place.names().iter().any(|name| name.ends_with(".gcda")), "{:?}", place.names());
}

/// Asks for the processor in all ways but assembly, and for a function that only glibc has.
const ASKING: &str = r#"
#define _GNU_SOURCE
#include <cpuid.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  unsigned a, b, c, d;
  __cpuid(0, a, b, c, d);
  printf("%u %.4s%.4s%.4s\n", a, (char *)&b, (char *)&d, (char *)&c);
  if (__get_cpuid(1, &a, &b, &c, &d))
    printf("%d%d%d\n", (d & bit_SSE2) != 0, (c & bit_SSE4_2) != 0, (c & bit_OSXSAVE) != 0);
  printf("%d\n", __get_cpuid_count(7, 0, &a, &b, &c, &d));
  printf("%x %d\n", __get_cpuid_max(0x80000000, 0), __get_cpuid(0x80000001, &a, &b, &c, &d) && (d & bit_LM));
  __builtin_cpu_init();
  printf("%d%d%d%d\n", __builtin_cpu_supports("sse2") != 0, __builtin_cpu_supports("avx2") != 0,
         __builtin_cpu_supports("x86-64") != 0, __builtin_cpu_is("intel") != 0);
  char text[] = "find me";
  puts((char *)rawmemchr(text, ' ') + 1);
}
"#;

#[test]
fn the_processor_is_the_same_natively_and_under_osier() {
    let place = Place::new();
    place.write("asking.c", ASKING);
    let expected = "1 Osier x86-64\n100\n0\n80000001 1\n1010\nme\n";
    let compile = "-Wall -Wextra -Werror -pedantic -std=c99";
    for options in ["", "-O2", "-pie -fPIE", "--glibc", "-x c"] {
        let first = if options == "--glibc" { options } else { "" };
        let rest = options.trim_start_matches("--glibc");
        quietly(&place, &format!("$CC {first} {compile} {rest} asking.c -o prog"));
        assert_eq!(same_as_native(&place, "./prog", &[]), expected, "{options}");
    }
    // From source, too, where `osier replay` builds the native program.
    place.write("short.c", ASKING.replace("puts(", "return puts(").replace("+ 1);", "+ 1) < 0;"));
    let said = place.osier(&["run", "--echo", "--out", "source", "short.c"]);
    assert!(said.status == Some(0) && said.out.starts_with(expected), "{said:?}");
    let replayed = place.osier(&["replay", "short.c", "source/test000001.ktest"]);
    assert!(replayed.status == Some(0) && replayed.out.contains("same"), "{replayed:?}");
}

#[test]
fn a_programs_own_function_of_the_name_is_taken() {
    let place = Place::new();
    place.write("own.c", "void *rawmemchr(const void *from, int byte) { return (char *)from + byte; }\n");
    place.write("main.c", "#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\nint main(void) { puts(rawmemchr(\"abc\", 1)); }\n");
    quietly(&place, "$CC -c own.c && ar rcs libown.a own.o && $CC main.c -L. -lown -o prog");
    assert_eq!(same_as_native(&place, "./prog", &[]), "bc\n");
}

#[test]
fn clang_speaks_for_itself() {
    let place = Place::new();
    place.write("bad.c", "int main( {\n");
    place.write("warn.c", "int main(void) { int x; return 0; }\n");
    let version = sh(&place, "$CC --version");
    assert!(version.out.contains("clang version 22"), "{version:?}");
    for command in
        ["-c bad.c", "-V", "-c none.c", "-c -Wall warn.c", "-Wunused -Werror warn.c -o w", "-c -o x.o", "none.o"]
    {
        let (ours, clangs) = (sh(&place, &format!("$CC {command}")), sh(&place, &format!("clang-22 {command}")));
        assert_eq!((ours.status, &ours.err), (clangs.status, &clangs.err), "{command}");
    }
    for command in ["-E warn.c", "-MM warn.c", "-dumpversion", "-print-prog-name=ld", "-S -O1 warn.c -o -"] {
        let (ours, clangs) =
            (sh(&place, &format!("$CC --glibc {command}")), sh(&place, &format!("clang-22 {command}")));
        assert_eq!((ours.status, &ours.out, &ours.err), (clangs.status, &clangs.out, &clangs.err), "{command}");
    }
    quietly(&place, "$CC -c warn.c -o /dev/null && $CC -E -x c - </dev/null >nothing && $CC -c -emit-llvm warn.c");
    assert!(place.names().contains("warn.bc"), "{:?}", place.names());
}

#[test]
fn what_has_no_bitcode_is_named_and_ends_only_the_paths_that_need_it() {
    let place = Place::new();
    place.write("a.c", "int asm_one(void);\nint main(int argc, char **argv) { return argc > 1 ? asm_one() : 0; }\n");
    place.write("one.S", ".globl asm_one\nasm_one:\n  movl $1, %eax\n  ret\n.section .note.GNU-stack,\"\",@progbits\n");
    quietly(&place, "$CC a.c one.S -o prog");
    let said = place.osier(&["run", "--out", "fine", "./prog"]);
    assert_eq!(said.status, Some(0), "{said:?}");
    assert_eq!(said.err, "warning: ./prog has no bitcode of one.S\n", "{said:?}");
    let said = place.osier(&["run", "--out", "needed", "./prog", "x"]);
    assert_eq!(said.status, Some(1), "{said:?}");
    assert!(said.out.contains("unsupported") && said.out.contains("asm_one"), "{said:?}");
}

#[test]
fn binaries_without_bitcode_and_damaged_ones_are_refused() {
    let place = Place::new();
    place.write("a.c", "#include <stdio.h>\nint main(void) { puts(\"a\"); return 0; }\n");
    quietly(&place, "clang-22 a.c -o plain && $CC a.c -o prog");
    for command in ["run", "ir"] {
        place.refuses(&[command, "./plain"], 2, &["./plain carries no bitcode", "CC=\"osier cc\""]);
    }
    let whole = std::fs::read(place.path().join("prog")).unwrap();
    let start = whole.windows(8).position(|bytes| bytes == b"OSIERBC1").expect("the section's first part");
    let damage = |at: usize, bytes: &[u8]| {
        let mut damaged = whole.clone();
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        place.write("damaged", damaged);
    };
    damage(start, b"NOTHING!");
    place.refuses(&["run", "damaged"], 2, &["damaged is damaged: in its section .osier.bitcode, no part begins"]);
    damage(start + 16, &[0xFF; 8]);
    place.refuses(&["run", "damaged"], 2, &["damaged is damaged", "cut off"]);
    damage(start + 40, &[0x5A; 400]);
    place.refuses(&["run", "damaged"], 2, &["damaged (a.c)"]);
    place.write("damaged", &whole[..whole.len() / 2]);
    place.refuses(&["run", "damaged"], 2, &["damaged is damaged"]);
}
