//! What lowering gives for C: shapes, counts, names, places.

mod common;

use common::{Folder, body, function, load_text, lower, options, unsupported};
use osier_frontend::{Options, load};
use osier_ir::{ArgKind, Callee, Constant, Flags, GlobalInit, Op, SymbolRef};
use std::process::Command;

const LEVELS: &[&str] = &["-O0", "-O1", "-O2", "-O3"];

#[test]
fn a_sum_of_locals_is_one_operation() {
    let module = lower("sum", "int f(int a, int b) { int s = a; s = s + b; return s; }", "-O0");
    let body = body(&module, "f");
    assert_eq!(body.ops.len(), 3, "{module}");
    assert!(matches!(body.ops[1], Op::Bin { flags, .. } if flags == Flags::NSW), "{module}");
    // load, load, add, store.
    assert_eq!(body.op_weights[1], 4, "{module}");
    assert_eq!(body.blocks.as_slice()[0].weight, 13, "{module}");
}

#[test]
fn fields_and_indices_join_their_loads() {
    let source = "struct s { int a, b; }; int f(struct s *p) { return p->b; } int g(int *a, int i) { return a[i]; }";
    let module = lower("fields", source, "-O0");
    assert!(matches!(body(&module, "f").ops[..], [Op::Load { offset: 4, .. }, Op::ReturnOne { .. }]), "{module}");
    let [Op::Index { width: 32, scale: 4, .. }, Op::Load { .. }, Op::ReturnOne { .. }] = body(&module, "g").ops[..]
    else {
        panic!("{module}")
    };
}

#[test]
fn a_comparison_joins_its_branch() {
    let module = lower("branch", "int f(int a) { if (a < 3) return 1; return 2; }", "-O0");
    assert!(body(&module, "f").ops.iter().any(|op| matches!(op, Op::CmpBranch { .. })), "{module}");
    assert!(!body(&module, "f").ops.iter().any(|op| matches!(op, Op::Cmp { .. } | Op::Alloca { .. })), "{module}");
}

#[test]
fn a_local_whose_address_escapes_stays_in_memory_under_its_name() {
    let module = lower("escape", "void g(int *); int f(void) { int counter = 1; g(&counter); return counter; }", "-O0");
    let site = body(&module, "f").ops.iter().find_map(|op| match op {
        Op::Alloca { site, size: 4, .. } => Some(*site),
        _ => None,
    });
    let site = &module.sites[site.expect("an alloca")];
    assert_eq!(site.name, "counter");
    assert_eq!(module.locations[site.location].line, 1);
}

#[test]
fn an_uninitialised_local_is_undefined_until_it_is_written() {
    let module = lower("uninit", "int f(int c) { int x; if (c) x = 1; return x; }", "-O0");
    let undefined = |op: &Op| match op {
        Op::Move { src, .. } => match src.unpack() {
            osier_ir::Unpacked::Const(id) => matches!(module.constants[id], Constant::Undef { .. }),
            osier_ir::Unpacked::Reg(_) => false,
        },
        _ => false,
    };
    assert!(undefined(&body(&module, "f").ops[0]), "{module}");
}

/// The instructions that LLVM's own text shows, function by function.
#[test]
fn weights_count_what_llvm_counts() {
    let source = "#include <string.h>\nstruct p { long a; double d; char t[20]; };
        static int work(struct p *p, int n) { int s = 0; for (int i = 0; i < n; i++) { struct p q = *p; s += q.t[i % 20] + (int)q.d; if (s > 100) s /= 3; switch (s & 7) { case 1: s++; break; case 4: case 5: s--; } } return s; }
        int f(int n) { struct p p; memset(&p, n, sizeof p); int a[10] = {1, 2, 3}; for (int i = 0; i < 10; i++) a[i] += i * n; return work(&p, n) + a[n & 7] + (n > 3 ? a[1] : -a[2]); }";
    for level in LEVELS {
        let module = lower("counts", source, level);
        let folder = Folder::new(&format!("counts-text{level}"));
        let file = folder.write("snippet.c", source);
        let output =
            Command::new("clang-22").args([level, "-g", "-S", "-emit-llvm", "-o", "-"]).arg(file).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        for definition in text.split("\ndefine ").skip(1) {
            let name = definition.split('@').nth(1).unwrap().split('(').next().unwrap();
            let code = definition.split("\n}").next().unwrap();
            // Instructions are indented by two; debug records and the cases of a switch by more.
            let counted = code
                .lines()
                .skip(1)
                .filter(|line| line.starts_with("  ") && !line.starts_with("   ") && !line.starts_with("  ]"))
                .count();
            let weight: u32 = body(&module, name).blocks.values().map(|block| block.weight).sum();
            assert_eq!(weight as usize, counted, "{name} at {level}\n{definition}");
        }
    }
}

#[test]
fn places_come_from_debug_information_also_in_inlined_code() {
    let source = "static inline int twice(int x) {\n  return x * 2;\n}\nint f(int a) {\n  return twice(a) + 1;\n}\n";
    let module = lower("places", source, "-O2");
    let body = body(&module, "f");
    let lines: Vec<u32> = body.op_locations.iter().map(|&at| module.locations[at].line).collect();
    assert!(lines.contains(&2) && lines.contains(&5), "{lines:?}");
    assert!(module.file_of(body.op_locations[0]).ends_with("snippet.c"));
    assert_eq!(module.locations[function(&module, "f").location].line, 4);
}

#[test]
fn arguments_know_how_they_are_passed() {
    let source = "struct big { long v[5]; }; struct two { float x, y; };
        struct big make(struct big b, double d, long double l, char *p, struct two t); int printf(const char *, ...);
        int f(struct big b, struct two t) { struct big r = make(b, 1.0, 2.0L, 0, t); return printf(\"%d\", (int)r.v[0], t, 1.5); }";
    let module = lower("arguments", source, "-O0");
    let kinds: Vec<ArgKind> = function(&module, "make").params.iter().map(|p| p.kind).collect();
    let by_value = ArgKind::ByVal { size: 40, align: 8 };
    use ArgKind::{Extended, Float, Integer, StructReturn};
    assert_eq!(kinds, [StructReturn, by_value, Float, Extended, Integer, Float, Float]);
    let calls = &body(&module, "f").calls;
    assert_eq!(calls.as_slice()[0].arg_kinds, kinds);
    // The unnamed pair of floats is one SSE register, as va_arg will look for it.
    assert_eq!(calls.as_slice()[1].arg_kinds, [Integer, Integer, Float, Float]);
    assert_eq!(calls.as_slice()[1].arg_widths, [64, 32, 64, 64]);
    assert!(calls.as_slice()[1].variadic);
}

#[test]
fn a_struct_in_registers_is_returned_field_by_field() {
    let source = "struct p { long a; double d; }; struct p f(long x) { struct p p = {x, 2}; return p; } long g(void) { return f(1).a; }";
    for level in LEVELS {
        let module = lower("fields-returned", source, level);
        assert_eq!(function(&module, "f").returns, [64, 64]);
        assert!(body(&module, "f").ops.iter().any(|op| matches!(op, Op::ReturnMany { len: 2, .. })));
    }
}

#[test]
fn initialisers_hold_bytes_and_addresses() {
    let source = "int target[4]; int f(void); struct { char c; int *p; int (*q)(void); const char *s; } x = {'a', &target[2], f, \"hi\"};
        int zero[100]; extern int elsewhere; int *e = &elsewhere; float h = 1.5f; unsigned long n = (unsigned long)&target[1];";
    let module = lower(
        "initialisers",
        &format!("{source} int f(void) {{ return x.c + zero[0] + *e + (int)h + (int)n; }}"),
        "-O0",
    );
    let global = |name: &str| module.globals.values().find(|g| g.name == name).unwrap();
    let GlobalInit::Data { bytes, relocations } = &global("x").init else { panic!() };
    assert_eq!((bytes.len(), bytes[0]), (32, b'a'));
    assert!(
        matches!(relocations[..], [a, b, c] if a.offset == 8 && a.addend == 8 && matches!(b.symbol, SymbolRef::Function(_)) && c.offset == 24)
    );
    assert_eq!(global("zero").init, GlobalInit::Zero);
    assert_eq!(global("elsewhere").init, GlobalInit::External);
    assert_eq!(global("h").init, GlobalInit::Data { bytes: 1.5f32.to_le_bytes().to_vec(), relocations: vec![] });
    assert!(matches!(&global("n").init, GlobalInit::Data { relocations, .. } if relocations[0].addend == 4));
}

#[test]
fn constructors_run_by_priority_and_destructors_backwards() {
    let source = "#define C(n, p) __attribute__((constructor(p))) void c##n(void) {} __attribute__((destructor(p))) void d##n(void) {}
        C(1, 300) C(2, 200) C(3, 400) int main(void) { return 0; }";
    let module = lower("constructors", source, "-O0");
    let names =
        |ids: &[osier_ir::FuncId]| -> Vec<String> { ids.iter().map(|&id| module.functions[id].name.clone()).collect() };
    assert_eq!(names(&module.constructors), ["c2", "c1", "c3"]);
    assert_eq!(names(&module.destructors), ["d3", "d1", "d2"]);
}

#[test]
fn only_what_the_entry_reaches_is_lowered() {
    let folder = Folder::new("reach");
    let source = "void gone(void); static int a(void) { return 1; } int (*table[])(void) = {a}; int unused(void) { gone(); return 2; } int puts(const char *); int main(void) { puts(\"x\"); return table[0](); }";
    let file = folder.write("reach.c", source);
    let module = load(&[file], &Options::default()).unwrap().module;
    let mut names: Vec<&str> = module.functions.values().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "main", "puts"]);
    assert!(function(&module, "puts").body.is_none());
}

#[test]
fn files_link_and_aliases_resolve() {
    let folder = Folder::new("link");
    let one = folder.write("one.c", "int helper(int); int weak_one(void) __attribute__((weak)); int main(void) { return helper(2) + (weak_one ? 1 : 0); }");
    let two =
        folder.write("two.c", "static int real(int x) { return x; } int helper(int) __attribute__((alias(\"real\")));");
    let module = load(&[one, two], &options("-O0")).unwrap().module;
    osier_ir::verify(&module).unwrap();
    let Callee::Direct(callee) = body(&module, "main").calls.as_slice()[0].callee else { panic!() };
    assert_eq!(module.functions[callee].name, "real");
    assert!(module.function_named("weak_one").is_none(), "its address is null: {module}");
}

#[test]
fn optimised_code_marks_what_it_computes_ahead() {
    let source = "int f(int a, int b, int c) { return c ? a + b : a; } int g(int a, int b) { return a + b; }";
    let find = |module: &osier_ir::Module, name: &str| {
        let flags = body(module, name).ops.iter().find_map(|op| match op {
            Op::Bin { op: osier_ir::BinOp::Add, flags, .. } => Some(*flags),
            _ => None,
        });
        flags.unwrap_or_else(|| panic!("no addition: {module}"))
    };
    let text = "define i32 @f(i32 %a, i32 %b, i1 %c) {\n  %s = add nsw i32 %a, %b\n  %r = select i1 %c, i32 %s, i32 %a\n  ret i32 %r\n}\n";
    let chosen = load_text("ahead", text).unwrap().module;
    assert_eq!(find(&chosen, "f"), Flags::NSW.with(Flags::SPECULATED));
    let text = "declare i32 @llvm.umin.i32(i32, i32)
        define i32 @f(i32 %a, i32 %b, i1 %c) {\n  %s = add nsw i32 %a, %b\n  %d = sdiv i32 %s, 7\n  %m = call i32 @llvm.umin.i32(i32 %d, i32 %a)\n  %r = select i1 %c, i32 %m, i32 %a\n  ret i32 %r\n}
        define i32 @g(i32 %a, i32 %b, i1 %c) {\n  %s = add nsw i32 %a, %b\n  %d = sdiv i32 7, %s\n  %r = select i1 %c, i32 %d, i32 %a\n  ret i32 %r\n}";
    let through = load_text("ahead-through", text).unwrap().module;
    assert_eq!(find(&through, "f"), Flags::NSW.with(Flags::SPECULATED));
    assert_eq!(find(&through, "g"), Flags::NSW);
    assert_eq!(find(&lower("ahead-g", source, "-O2"), "g"), Flags::NSW);
    assert_eq!(find(&lower("ahead-f", source, "-O0"), "f"), Flags::NSW);
}

#[test]
fn what_does_not_lower_is_named_and_ends_only_its_path() {
    let source = "int f(int a) { if (a) { __asm__(\"hlt\"); a = 3; } return a; }
        _BitInt(200) g(_BitInt(200) x) { return x; } int h(int a) { _BitInt(256) w = a; return (int)(w * w); }";
    for level in LEVELS {
        let module = lower("asm", source, level);
        let found = unsupported(&module);
        assert!(found.iter().any(|text| text == "inline assembly \"hlt\": unknown instruction `hlt`"), "{found:?}");
        assert!(
            found.iter().any(|text| text.contains("an integer of 256 bits, where only 128")) || *level != "-O0",
            "{found:?}"
        );
        assert!(body(&module, "f").ops.iter().any(|op| matches!(op, Op::ReturnOne { .. })), "{module}");
    }
}
