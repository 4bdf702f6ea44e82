//! Building the native program.
//!
//! The sanitizers are chosen so that both sides end at the same place. AddressSanitizer is on. Of the undefined behaviour
//! sanitizer only what Osier always checks: integer division by zero, shift exponents, unreachable code, a missing
//! return value in C++; signed overflow only if the run checked it. Off are the checks that would end the native run
//! where Osier goes on: alignment, null (it fires on `&p->field` without an access; a real access is a SEGV near zero),
//! bounds and object-size (they look inside objects), pointer-overflow, shift-base, function, bool, enum, float casts,
//! builtin and the nonnull attributes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::Checks;
use super::binary::Library;
use super::launch::Isolation;
use crate::error::{ReportError, Result};

/// The runtime's files, in the binary: an installed `osier` needs no source tree.
pub const RUNTIME: &[(&str, &str)] = &[
    ("include/klee/klee.h", include_str!("../../../../runtime/include/klee/klee.h")),
    ("include/osier.h", include_str!("../../../../runtime/include/osier.h")),
    ("include/cpuid.h", include_str!("../../../../runtime/include/cpuid.h")),
    ("native/ending.h", include_str!("../../../../runtime/native/ending.h")),
    ("native/test_file.h", include_str!("../../../../runtime/native/test_file.h")),
    ("native/test_file.c", include_str!("../../../../runtime/native/test_file.c")),
    ("native/intrinsics.c", include_str!("../../../../runtime/native/intrinsics.c")),
    ("native/processor.c", include_str!("../../../../runtime/musl/processor.c")),
];

/// The programs that build, by path or by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Toolchain {
    pub clang: PathBuf,
    pub clang_cpp: PathBuf,
    /// Only for bitcode: it marks functions for AddressSanitizer, which the compiler does for source.
    pub opt: PathBuf,
    pub symbolizer: PathBuf,
}

impl Toolchain {
    /// LLVM 22 under the names that Debian gives it.
    pub fn llvm_22() -> Toolchain {
        Toolchain {
            clang: "clang-22".into(),
            clang_cpp: "clang++-22".into(),
            opt: "opt-22".into(),
            symbolizer: "llvm-symbolizer-22".into(),
        }
    }
}

/// A start other than `main`: a function without parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub function: String,
    /// If it returns an int, that is the exit status; else the status is 0.
    pub returns_int: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildOptions {
    pub toolchain: Toolchain,
    /// The user's compiler and linker flags.
    pub flags: Vec<String>,
    /// None starts at `main`.
    pub entry: Option<Entry>,
    /// False gives a plain build: only what the processor and the C library notice is seen.
    pub sanitize: bool,
    /// Whether the run checked signed overflow.
    pub signed_overflow: bool,
    /// Whether the run checked for leaks.
    pub leaks: bool,
}

/// A native program, ready to run tests. Its files go away with it.
#[derive(Debug)]
pub struct NativeProgram {
    pub(super) folder: TempDir,
    pub(super) binary: PathBuf,
    pub(super) checks: Checks,
    pub(super) symbolizer: Option<PathBuf>,
    pub(super) launcher: PathBuf,
    pub(super) isolation: Isolation,
    /// Whether the engine's intrinsics are linked in. They and the sanitizers need files outside the test's world, so such
    /// a program is never shut in.
    pub(super) has_twin: bool,
    pub(super) libraries: Vec<Library>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Input {
    C,
    Cpp,
    Bitcode,
    /// Objects and archives go to the linker as they are.
    Linkable,
}

fn input_kind(path: &Path) -> Result<Input> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("c" | "s" | "S") => Ok(Input::C),
        Some("cpp" | "cc" | "cxx" | "C" | "c++") => Ok(Input::Cpp),
        Some("bc" | "ll") => Ok(Input::Bitcode),
        Some("o" | "a" | "so") => Ok(Input::Linkable),
        Some(_) | None => Err(ReportError::NotReplayable {
            path: path.to_owned(),
            reason: "only C and C++ sources, .bc and .ll can be built for it".to_owned(),
        }),
    }
}

impl NativeProgram {
    /// Compiles and links the program with the twin. Relative paths, also in the flags, are the caller's.
    pub fn build(sources: &[PathBuf], options: &BuildOptions) -> Result<NativeProgram> {
        let kinds = sources.iter().map(|path| input_kind(path)).collect::<Result<Vec<_>>>()?;
        let folder = tempfile::Builder::new()
            .prefix("osier-replay-")
            // The program may run as another user.
            .permissions(fs::Permissions::from_mode(0o711))
            .tempdir()
            .map_err(|cause| ReportError::file("make a folder in", &std::env::temp_dir(), cause))?;
        let build = Build { folder: folder.path(), options };
        build.unpack_runtime()?;
        let mut objects = Vec::new();
        for (index, (source, kind)) in sources.iter().zip(&kinds).enumerate() {
            let object = folder.path().join(format!("program{index}.o"));
            match kind {
                Input::C => build.compile(&options.toolchain.clang, source, &object)?,
                Input::Cpp => build.compile(&options.toolchain.clang_cpp, source, &object)?,
                Input::Bitcode => build.compile_bitcode(source, &object)?,
                Input::Linkable => {
                    objects.push(source.clone());
                    continue;
                }
            }
            objects.push(object);
        }
        // The twin comes last: the constructor that calls another entry must follow the program's own constructors.
        objects.extend(build.compile_twin()?);
        let binary = folder.path().join("program");
        let linker = if kinds.contains(&Input::Cpp) { &options.toolchain.clang_cpp } else { &options.toolchain.clang };
        let mut link = Command::new(linker);
        link.args(&objects).arg("-o").arg(&binary).args(&options.flags).args(build.sanitizers());
        run_tool(link.arg("-Qunused-arguments"))?;
        let from_source = kinds.iter().all(|kind| matches!(kind, Input::C | Input::Cpp));
        let checks = Checks {
            address: options.sanitize,
            undefined: options.sanitize && from_source,
            signed_overflow: options.sanitize && from_source && options.signed_overflow,
            leaks: options.sanitize && options.leaks,
        };
        let symbolizer = find_program(&options.toolchain.symbolizer);
        let launcher = compile_launcher(&options.toolchain, folder.path())?;
        Ok(NativeProgram {
            folder,
            binary,
            checks,
            symbolizer,
            launcher,
            isolation: Isolation::Folder,
            has_twin: true,
            libraries: Vec::new(),
        })
    }

    pub fn checks(&self) -> Checks {
        self.checks
    }

    pub fn isolation(&self) -> Isolation {
        self.isolation
    }

    /// Gives up a root of its own: absolute paths are the machine's.
    pub fn without_root(self) -> NativeProgram {
        NativeProgram { isolation: Isolation::Folder, ..self }
    }

    /// The binary, for a person who wants to start it under a debugger with `OSIER_TEST` set.
    pub fn binary(&self) -> &Path {
        &self.binary
    }
}

struct Build<'a> {
    folder: &'a Path,
    options: &'a BuildOptions,
}

impl Build<'_> {
    fn unpack_runtime(&self) -> Result<()> {
        for (name, text) in RUNTIME {
            let path = self.folder.join(name);
            let written =
                fs::create_dir_all(path.parent().unwrap_or(self.folder)).and_then(|()| fs::write(&path, text));
            written.map_err(|cause| ReportError::file("write", &path, cause))?;
        }
        Ok(())
    }

    fn include(&self) -> String {
        format!("-I{}", self.folder.join("include").display())
    }

    fn sanitizers(&self) -> Vec<&'static str> {
        if !self.options.sanitize {
            return Vec::new();
        }
        let mut flags = vec![
            "-fsanitize=address,integer-divide-by-zero,shift-exponent,unreachable,return",
            "-fno-sanitize-recover=all",
            "-fno-omit-frame-pointer",
        ];
        if self.options.signed_overflow {
            flags.insert(1, "-fsanitize=signed-integer-overflow");
        }
        flags
    }

    fn compile(&self, compiler: &Path, source: &Path, object: &Path) -> Result<()> {
        let mut command = Command::new(compiler);
        command.arg("-g").args(&self.options.flags).arg(self.include()).args(self.sanitizers());
        run_tool(command.args(["-Qunused-arguments", "-c"]).arg(source).arg("-o").arg(object))
    }

    fn compile_bitcode(&self, source: &Path, object: &Path) -> Result<()> {
        let mut command = Command::new(&self.options.toolchain.clang);
        command.args(&self.options.flags).args(["-Qunused-arguments", "-Wno-override-module", "-c"]);
        if self.options.sanitize {
            let marked = object.with_extension("bc");
            let mut opt = Command::new(&self.options.toolchain.opt);
            opt.args(["-passes=forceattrs", "-force-attribute=sanitize_address"]);
            run_tool(opt.arg(source).arg("-o").arg(&marked))?;
            command.arg("-fsanitize=address").arg(marked);
        } else {
            command.arg(source);
        }
        run_tool(command.arg("-o").arg(object))
    }

    /// Without sanitizers and debug information: the twin is no part of the program and must not show in its stacks.
    fn compile_twin(&self) -> Result<Vec<PathBuf>> {
        let mut sources = vec!["native/test_file.c", "native/intrinsics.c", "native/processor.c"];
        if let Some(entry) = &self.options.entry {
            let path = self.folder.join("native/entry.c");
            fs::write(&path, entry_source(entry)).map_err(|cause| ReportError::file("write", &path, cause))?;
            sources.push("native/entry.c");
        }
        let mut objects = Vec::new();
        for source in sources {
            let object = self.folder.join(source).with_extension("o");
            let mut command = Command::new(&self.options.toolchain.clang);
            command.args(["-std=gnu17", "-D_GNU_SOURCE", "-O1", "-c"]).arg(self.include());
            run_tool(command.arg(self.folder.join(source)).arg("-o").arg(&object))?;
            objects.push(object);
        }
        Ok(objects)
    }
}

/// Calls the entry from a constructor, so that a program that also has a `main` still links; the weak `main` serves the
/// one that has none.
fn entry_source(entry: &Entry) -> String {
    let Entry { function, returns_int } = entry;
    let (result, call) = match returns_int {
        true => ("int", format!("exit({function}());")),
        false => ("void", format!("{function}();\n    exit(0);")),
    };
    format!(
        "#include <stdlib.h>\nextern {result} {function}();\n\
         __attribute__((constructor)) static void osier_start_at_entry(void) {{\n    {call}\n}}\n\
         __attribute__((weak)) int main(void) {{ return 0; }}\n"
    )
}

/// Compiles what starts the program; see `runtime/native/launch.c`. Static, because it starts in roots that are empty.
pub(super) fn compile_launcher(toolchain: &Toolchain, folder: &Path) -> Result<PathBuf> {
    let (source, binary) = (folder.join("launch.c"), folder.join("launch"));
    let text = include_str!("../../../../runtime/native/launch.c");
    fs::write(&source, text).map_err(|cause| ReportError::file("write", &source, cause))?;
    let mut command = Command::new(&toolchain.clang);
    run_tool(command.args(["-std=gnu17", "-O1", "-static"]).arg(&source).arg("-o").arg(&binary))?;
    Ok(binary)
}

fn run_tool(command: &mut Command) -> Result<()> {
    let program = PathBuf::from(command.get_program());
    let output = command.output().map_err(|cause| ReportError::file("start", &program, cause))?;
    if output.status.success() {
        return Ok(());
    }
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let command = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    Err(ReportError::Build { command, output: String::from_utf8_lossy(&output.stderr).into_owned() })
}

/// The program's path, looked up as the shell would: the sanitizers want it absolute.
fn find_program(name: &Path) -> Option<PathBuf> {
    if name.is_absolute() {
        return name.is_file().then(|| name.to_owned());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}
