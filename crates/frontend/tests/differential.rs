//! What lowering gives computes what the native program computes, at every optimisation level.

mod common;
#[path = "common/run.rs"]
mod run;

use common::{Folder, lower};
use osier_ir::Module;
use run::Machine;
use std::process::Command;

const LEVELS: &[&str] = &["-O0", "-O1", "-O2", "-O3"];
const INPUTS: &[(i64, i64)] =
    &[(0, 0), (1, 2), (-1, 3), (7, -5), (100, 13), (i64::MAX, 2), (i64::MIN, 63), (0x1234_5678_9abc, 31), (-77, 4096)];

/// The results of `test` on all inputs, from a native program.
fn native(name: &str, source: &str) -> Vec<i64> {
    let folder = Folder::new(&format!("native-{name}"));
    let calls: String = INPUTS
        .iter()
        .map(|(a, b)| format!("printf(\"%ld\\n\", test((long){}UL, (long){}UL));", *a as u64, *b as u64))
        .collect();
    let program = format!("{source}\n#include <stdio.h>\nint main(void) {{ {calls} return 0; }}\n");
    let file = folder.write("native.c", program);
    let binary = folder.path().join("native");
    let built = Command::new("clang-22").args(["-w", "-fwrapv", "-lm", "-o"]).arg(&binary).arg(file).status().unwrap();
    assert!(built.success());
    let output = Command::new(binary).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

fn interpreted(module: &Module) -> Vec<i64> {
    let id = module.function_named("test").unwrap();
    INPUTS
        .iter()
        .map(|&(a, b)| Machine::new(module).call(id, &[a as u64 as u128, b as u64 as u128])[0] as i64)
        .collect()
}

fn check(name: &str, source: &str) {
    let expected = native(name, source);
    for level in LEVELS {
        let module = lower(name, source, level);
        assert_eq!(interpreted(&module), expected, "{name} at {level}\n{module}");
    }
}

#[test]
fn loops_locals_and_swaps() {
    check(
        "loops",
        "long test(long a, long b) {
            unsigned long x = a, y = b, s = 0;
            for (int i = 0; i < 20; i++) {
                unsigned long t = x; x = y; y = t ^ (x << 3);
                if (i & 1) { s += x; continue; }
                for (unsigned j = 0; j < (i & 7); ++j) { s = s * 31 + (y >> j); if (s % 11 == 3) break; }
                s ^= (x = s + i, y = x - y, x * y);
            }
            return s + x - y;
        }",
    );
}

#[test]
fn structs_arrays_and_pointers() {
    check(
        "memory",
        "struct in { char c; short s[3]; }; struct out { struct in a[4]; struct out *next; int n; };
        static int grid[4][5]; static short *where = &((short *)grid)[3];
        struct pair { long a, b; }; struct big { long v[6]; };
        static struct pair make(long a, long b) { struct pair p = {a + 1, b - 1}; return p; }
        static struct big grow(struct big x, int k) { x.v[k & 3] += k; return x; }
        long test(long a, long b) {
            struct out o = {0}, q = {0}; o.next = &q; q.next = &o; struct out *p = &o;
            for (int i = 0; i < 8; i++) { p->a[i & 3].s[i % 3] += (short)(a + i); p->n++; p->a[3].c ^= b; p = p->next; }
            for (int i = 0; i < 20; i++) grid[i / 5][i % 5] = i * (int)b;
            struct pair pr = make(a, b); struct big g = {{1, 2, 3, a, b}}; struct big h = grow(g, (int)a); *where += 3;
            long *it = h.v + 5; *--it = 9;
            return o.a[1].s[1] + q.a[2].s[0] + o.n + q.a[3].c + grid[2][3] + grid[0][1] + pr.a * 3 + pr.b + h.v[1] + g.v[1] + *it;
        }",
    );
}

#[test]
fn control_flow_of_every_kind() {
    check(
        "control",
        "static long add(long a, long b) { return a + b; } static long mul(long a, long b) { return (unsigned long)a * b; }
        static long (*const ops[])(long, long) = {add, mul};
        static const char *const words[] = {\"zero\", \"one\", \"two\", \"three\"};
        static const char *word(unsigned n) { switch (n) { case 0: return \"nil\"; case 1: return \"uno\"; case 2: return \"duo\"; case 3: return \"tre\"; default: return \"?\"; } }
        long test(long a, long b) {
            static const void *const jump[] = {&&first, &&second, &&third}; long r = 0; int n = 0;
            goto *jump[(unsigned long)a % 3];
            first: r += 5; if (n++ < 3) goto *jump[(unsigned long)(a + n) % 3];
            second: r *= 3; if (n++ < 6) goto *jump[(unsigned long)(b + n) % 3];
            third: r -= 7;
            switch (b) { case 0: r++; case 2: r += 2; break; case 3: case 13: r *= 2; break; case -5: r = 9; break; case 4096: return -1; default: r ^= a; }
            do { r = ops[r & 1](r, n); } while (++n < 9 && r != 4);
            const char *w = words[(unsigned long)a & 3]; while (*w) r = r * 7 + *w++;
            for (w = word((unsigned long)b & 3); *w; w++) r += *w;
            return a > b ? r : (a && b) || !r ? r + 1 : -r;
        }",
    );
}

#[test]
fn integers_of_all_widths() {
    check(
        "integers",
        "struct bits { unsigned a : 3, b : 7; signed c : 20; unsigned long d : 40; };
        typedef unsigned __int128 wide; typedef _BitInt(37) odd;
        long test(long a, long b) {
            struct bits f = {a, b, a ^ b, a + b}; f.b += f.a; f.c -= 5; f.d *= 3;
            wide w = ((wide)a << 64 | (unsigned long)b) * 12345u + (wide)(__int128)b; w ^= w >> 17; w = b ? w / ((unsigned long)b | 1) : w;
            odd o = (odd)a; o = (odd)((unsigned _BitInt(37))o * 3 + 1); signed char c = a; unsigned short s = b; int i = (int)a; int r;
            long v = __builtin_add_overflow(i, (int)b, &r) ? 1 : r; v += __builtin_mul_overflow((unsigned)a, (unsigned)b, (unsigned *)&r) + r;
            v += __builtin_popcountl(a) + __builtin_clzl(a | 1) * 3 + __builtin_ctz(i | 256) + __builtin_bswap32(i) + __builtin_bitreverse16(s);
            v ^= __builtin_rotateleft32(i, b & 31) + __builtin_rotateright64(a, 7); v += c >> 2; v += s % 7 + (b ? a % (b | 1) : 0) + (signed char)(c * 3) / 5;
            _Bool z = a & 4; z = !z | (b > a); unsigned char u = ~c; u <<= 1;
            return v + f.a + f.b * 3 + f.c + (long)f.d + (long)w + (long)(w >> 64) + (long)o + z + u + (a < 0 ? -(unsigned long)a : a) % 10;
        }",
    );
}

/// Fields of a packed struct share storage units of 17 to 31 bytes, and `_BitInt` has every operation by name.
#[test]
fn integers_wider_than_a_register() {
    check(
        "packed",
        "#pragma pack(1)
        struct fields { unsigned long a : 37; signed long b : 61; unsigned c : 3; signed d : 29; unsigned e : 31; long f : 55; unsigned char g; };
        #pragma pack()
        static struct fields start = {0x1234567891, -0x123456789abcdefL, 5, -77, 0x7ffffff1, -3, 9};
        static long sum(struct fields s) { return s.a * 3 + s.b * 5 + s.c * 7 + s.d * 11 + s.e * 13 + s.f * 17 + s.g; }
        long test(long a, long b) {
            struct fields s = start, t = {.b = a, .f = b};
            for (int i = 0; i < 5; i++) {
                s.a += a; s.b ^= b << i; s.c++; s.d -= (int)b; s.e = s.e * 3 + s.c; s.f += s.b;
                struct fields swap = s; if (s.d < t.d) { s = t; t = swap; }
                t.d = s.f >> 3; t.e ^= (unsigned)s.b; t.b = -t.b; t.a = s.f;
            }
            start.d ^= 1; start.d ^= 1;
            return sum(s) * 31 + sum(t) + sum(start);
        }",
    );
    check(
        "bitint",
        "typedef unsigned _BitInt(200) wide; typedef _BitInt(193) odd; typedef _BitInt(256) even;
        static const wide table[2] = {((wide)0x123456789abcdef1 << 129) | 0xfedcba9876543210, ~(wide)0 >> 7};
        static long fold(wide w) { return (long)w ^ (long)(w >> 64) * 3 ^ (long)(w >> 128) * 5 ^ (long)(w >> 192) * 7; }
        static int order(odd x, odd y) { return (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5; }
        static int magnitude(wide x, wide y) { return (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4; }
        long test(long a, long b) {
            wide w = ((wide)(unsigned long)a << 136) + ((wide)(unsigned long)b << 70) - (unsigned long)a; odd o = ((odd)a << 100) | (unsigned long)b; even e = (even)o << 63;
            long r = fold(w) + fold(~w + table[0]) + fold(w << 1) + fold(w >> 1) + fold(w << 64) + fold(w >> 65) + fold(w << 199) + fold(w >> 199) + fold((w & table[1]) - table[0]);
            r += fold((wide)(o >> 3)) + fold((wide)(o >> 64)) + fold((wide)(o >> 130)) + fold((wide)(o >> 192)) + fold((wide)(e >> 5)) + fold((wide)(e >> 255)) + (long)(e >> 100);
            r += order(o, a) * 3 + order((odd)b << 128, o) * 5 + order(-o, o) * 7 + magnitude(w, (wide)a) * 11 + magnitude(w << 60, w << 59) * 13 + magnitude(w, w) * 17;
            r += (long)((unsigned __int128)w >> 50) + (long)(unsigned _BitInt(100))(w >> 90) + (int)(signed char)(w >> 77) + fold((wide)(__int128)b) + fold((wide)(_BitInt(77))a) + !!w;
            for (int i = 0; i < (int)(b & 7); i++) { wide n = a & 1 ? w << 3 : w >> 5; if (n > table[1]) n -= b; w = n ^ (wide)o; o += (odd)w; r += fold(w); }
            return r;
        }",
    );
}

#[test]
fn floats() {
    check(
        "floats",
        "long test(long a, long b) {
            double d = a, e = b / 3.0; float f = (float)(a % 1000) * 0.5f; double s = 0; float v[8];
            for (int i = 0; i < 8; i++) v[i] = f * i + 1;
            for (int i = 0; i < 8; i++) { s += v[i]; if (v[i] > e) s -= 1.25; }
            double q = e != 0 ? d / e : 3; if (!(q < 1e15 && q > -1e15)) q = 1; unsigned long u = (unsigned long)(s < 0 ? -s : s);
            float n = -f; int cmp = (d < e) | (d == e) << 1 | (f >= n) << 2 | (e != e) << 3;
            return (long)q + (long)(s * 8) + cmp * 100 + (long)u + (long)(__builtin_fabs(e) > 1) + (int)(unsigned char)(a & 0x7f) * (long)(float)3.9f;
        }",
    );
}

#[test]
fn vectors() {
    check(
        "vectors",
        "typedef int v4 __attribute__((vector_size(16))); typedef short v8 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
        static v4 mix(v4 x, v4 y) { return __builtin_shufflevector(x, y, 0, 5, 2, 7) * y; }
        static unsigned char data[64]; static int wide[64];
        long test(long a, long b) {
            v4 x = {(int)a, (int)b, 3, 4}, y = x + 1; x[a & 3] = 77; v4 m = x > y; y = (x & m) | (y & ~m); x = mix(x, y) >> 1; v8 h = (v8)x; h += 3; x = (v4)h;
            f4 f = __builtin_convertvector(x & 255, f4) * 0.5f; x += __builtin_convertvector(f, v4);
            for (int i = 0; i < 64; i++) data[i] = i * 7 + a; for (int i = 0; i < 64; i++) wide[i] = data[i] * 3 - (data[63 - i] >> 1);
            long s = 0; int top = wide[0]; for (int i = 0; i < 64; i++) { s += wide[i]; if (wide[i] > top) top = wide[i]; if (data[i] == (unsigned char)b) s += 1000; }
            return x[0] + x[1] * 3 + x[2] * 5 + x[b & 3] + s + top;
        }",
    );
}

#[test]
fn atomics_stack_arrays_and_lifetimes() {
    check(
        "atomics",
        "static _Atomic long total; static int plain;
        static void touch(long *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] * 2 + i; }
        long test(long a, long b) {
            total = a; total += b; total ^= 5; long old = __atomic_fetch_sub((long *)&total, 3, __ATOMIC_SEQ_CST); int e = 7;
            __atomic_store_n(&plain, 7, __ATOMIC_RELEASE); _Bool ok = __atomic_compare_exchange_n(&plain, &e, (int)a, 0, 5, 5); ok |= __atomic_compare_exchange_n(&plain, &e, 1, 0, 5, 5) << 1;
            int n = (unsigned long)a % 7 + 2; long vla[n]; for (int i = 0; i < n; i++) vla[i] = b + i;
            for (int i = 0; i < 3; i++) { long local[4] = {i, a}; touch(local, 4); vla[i % n] += local[1] + local[3]; { long x = local[0]; touch(&x, 1); vla[0] ^= x; } }
            touch(vla, n); __asm__ volatile(\"\" : \"+r\"(old)::\"memory\");
            return total + old + ok + e + plain + vla[0] + vla[n - 1];
        }",
    );
}

/// setjmp returns twice: what is computed before it must still be there, and its results must be stored again.
#[test]
fn functions_that_call_setjmp_keep_their_locals_in_memory() {
    let source = "#include <setjmp.h>\nstatic jmp_buf b; long test(long a, long c) { int n = 0; long x = a; if (setjmp(b) == 0) { n = 5; x++; longjmp(b, 1); } return x + n; }";
    let module = lower("setjmp", source, "-O0");
    let id = module.function_named("test").unwrap();
    let body = module.functions[id].body.as_ref().unwrap();
    let allocas = body.ops.iter().filter(|op| matches!(op, osier_ir::Op::Alloca { .. })).count();
    assert_eq!(allocas, 4, "{module}");
}

/// Executing by weights counts what LLVM's instructions are: the same function before and after promotion.
#[test]
fn weights_sum_to_llvm_instructions() {
    let module = lower(
        "weights",
        "long test(long a, long b) { long s = 0; for (long i = 0; i < 10; i++) s += i * a; return s + b; }",
        "-O0",
    );
    let mut machine = Machine::new(&module);
    machine.call(module.function_named("test").unwrap(), &[1, 2]);
    // Four allocas, four stores and a jump; the header 11 times; body and step 10 times; the end.
    let llvm = 9 + 3 * 11 + (7 + 4) * 10 + 4;
    assert_eq!(machine.instructions, llvm);
}

/// Random programs, if csmith is installed: `cargo test --test differential -- --ignored`.
#[test]
#[ignore = "needs csmith, and minutes"]
fn random_programs_print_the_same_checksum() {
    let count = std::env::var("OSIER_CSMITH_COUNT").ok().and_then(|text| text.parse().ok()).unwrap_or(30u32);
    for seed in 0..count {
        let folder = Folder::new("csmith");
        let made = Command::new("csmith").args(["--seed", &seed.to_string(), "--no-packed-struct"]).output().unwrap();
        let text =
            String::from_utf8(made.stdout).unwrap().replace("#include \"csmith.h\"", "#include <csmith/csmith.h>");
        let file = folder.write("random.c", &text);
        let binary = folder.path().join("random");
        let built =
            Command::new("clang-22").args(["-w", "-I/usr/include/csmith", "-o"]).arg(&binary).arg(&file).status();
        assert!(built.unwrap().success());
        let output = Command::new("timeout").arg("2").arg(&binary).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        let Some(checksum) = said.trim().strip_prefix("checksum = ") else { continue };
        let expected = u128::from_str_radix(checksum, 16).unwrap();
        for level in ["-O0", "-O1", "-O2"] {
            let mut options = common::options(level);
            options.cc_flags.push("-I/usr/include/csmith".to_owned());
            let module = osier_frontend::load(std::slice::from_ref(&file), &options).unwrap().module;
            if !common::unsupported(&module).is_empty() {
                continue;
            }
            osier_ir::verify(&module).unwrap_or_else(|found| panic!("{found:?}"));
            let mut machine = Machine::new(&module);
            machine.call(module.function_named("main").unwrap(), &[1, 0]);
            assert_eq!(machine.printed.last(), Some(&expected), "csmith --seed {seed} at {level}");
        }
    }
}
