//! Inline assembly: what must be refused, and forms of it that clang seldom makes. What each instruction does is shown by
//! the programs in `tests/ir`, which are also run natively.

mod common;

use common::{load_text, unsupported};

/// Why a call of assembly does not lower, without the text that it is about.
fn refusal(name: &str, call: &str) -> String {
    let text = format!("define void @f(ptr %p, i64 %x, i32 %y, <4 x i32> %v) {{ {call}  ret void }}");
    let module = load_text(name, &text).unwrap_or_else(|error| panic!("{error}")).module;
    let found = unsupported(&module);
    assert!(found.len() <= 1, "{found:?}");
    let Some(message) = found.first() else { return "lowers".to_owned() };
    let (start, reason) = message.rsplit_once("\": ").unwrap_or_else(|| panic!("{message}"));
    assert!(start.starts_with("inline assembly \""), "{message}");
    reason.to_owned()
}

#[test]
fn registers_are_what_the_constraints_say() {
    for (name, call, expected) in [
        ("unnamed", r#"%r = call i64 asm "movq %rdx, $0", "=r"()"#, "register dx is not in the constraints"),
        ("stack", r#"%r = call i64 asm "movq %rsp, $0", "=r"()"#, "register sp is not in the constraints"),
        ("input", r#"call void asm "incq $0", "r"(i64 %x)"#, "a write to an operand that is only read"),
        ("unset", r#"%r = call i64 asm "incq $0", "=r"()"#, "a read of a register that nothing wrote"),
        ("clobbered", r#"%r = call i64 asm "movq $1, %rdx; movq %rdx, $0", "=r,r,~{rdx}"(i64 %x)"#, "lowers"),
        ("kept", r#"%r = call i32 asm "cpuid", "={ax},0,~{ecx},~{edx}"(i32 %y)"#, "a register is not put back"),
        (
            "restored",
            r#"%r = call { i32, i64 } asm "movq %rbx, $1; cpuid; xchgq %rbx, $1", "={ax},=&r,0,~{ecx},~{edx}"(i32 %y)"#,
            "lowers",
        ),
    ] {
        assert_eq!(refusal(name, call), expected, "{call}");
    }
}

#[test]
fn sizes_must_agree() {
    for (name, call, expected) in [
        ("two", r#"%r = call i64 asm "addq $1, $0", "=r,r,0"(i32 %y, i64 %x)"#, "operands of two sizes"),
        ("number", r#"%r = call i64 asm "addq $1, $0", "=r,i,0"(i32 -5, i64 %x)"#, "lowers"),
        ("upper", r#"%r = call i64 asm "movl $1, %eax; addq %rax, $0", "=r,r,0,~{rax}"(i32 %y, i64 %x)"#, "lowers"),
        ("none", r#"call void asm "inc $0", "=*m"(ptr elementtype(i32) %p)"#, "operands of no size"),
        ("low", r#"%r = call i32 asm "movb $$1, ${0:b}", "=r"()"#, "an output of which only the low bits are known"),
        ("wide", r#"%r = call i64 asm "incq ${0:q}", "=r,0"(i32 %y)"#, "a read of bits that nothing wrote"),
    ] {
        assert_eq!(refusal(name, call), expected, "{call}");
    }
}

#[test]
fn unknown_text_and_flags_are_refused() {
    for (name, call, expected) in [
        ("jump", r#"call void asm "1: jmp 1b", ""()"#, "an operand of unknown form"),
        ("halt", r#"call void asm "hlt", ""()"#, "unknown instruction `hlt`"),
        (
            "copy",
            r#"call void asm "rep movsb", "{di},{si},{cx}"(ptr %p, ptr %p, i64 %x)"#,
            "unknown instruction `rep movsb`",
        ),
        ("intel", r#"%r = call i64 asm inteldialect "add $0, $1", "=r,r,0"(i64 %x, i64 %x)"#, "Intel's syntax"),
        ("flag", r#"%r = call i64 asm "adcq $$1, $0", "=r,0"(i64 %x)"#, "a flag that is not known"),
        ("shift", r#"%r = call i64 asm "shlq $$1, $0; adcq $$0, $0", "=r,0"(i64 %x)"#, "a flag that is not known"),
        ("parity", r#"%r = call i8 asm "testq $1, $1; setp $0", "=q,r"(i64 %x)"#, "condition p"),
        ("string", r#"call void asm "btsq $1, $0", "*m,r"(ptr elementtype(i64) %p, i64 %x)"#, "a string of bits"),
    ] {
        assert_eq!(refusal(name, call), expected, "{call}");
    }
}

#[test]
fn empty_text_hands_values_through() {
    for (name, call) in [
        ("vector", r#"%r = call <4 x i32> asm "", "=x,0"(<4 x i32> %v)"#),
        ("several", r#"%r = call { i32, <4 x i32> } asm sideeffect "", "=r,=x,1,0"(<4 x i32> %v, i32 %y)"#),
        ("nothing", r#"%r = call <4 x i32> asm "", "=x"()"#),
        (
            "memory",
            r#"call void asm sideeffect "", "=*m,*m,~{memory}"(ptr elementtype(i32) %p, ptr elementtype(i32) %p)"#,
        ),
    ] {
        assert_eq!(refusal(name, call), "lowers", "{call}");
    }
}

#[test]
fn helpers_are_made_once() {
    let text = r#"define void @f(ptr %p) {
      call void asm sideeffect "fldcw $0", "*m"(ptr elementtype(i16) %p)
      call void asm sideeffect "fldcw $0", "*m"(ptr elementtype(i16) %p)
      %t = call { i32, i32 } asm sideeffect "rdtsc", "={ax},={dx}"()
      %u = call { i32, i32, i32 } asm sideeffect "rdtscp", "={ax},={dx},={cx}"()
      ret void }"#;
    let module = load_text("helpers", text).unwrap_or_else(|error| panic!("{error}")).module;
    let mut names: Vec<&str> = module.functions.iter().map(|(_, function)| function.name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["asm.fldcw", "asm.rdtsc", "f"]);
    assert_eq!(module.globals.len(), 1);
}
