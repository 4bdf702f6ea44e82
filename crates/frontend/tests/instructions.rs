//! Instructions and intrinsics that clang rarely emits, from LLVM text: all of them lower.

mod common;

use common::{load_text, unsupported};

fn lowers(name: &str, text: &str) {
    let module = load_text(name, text).unwrap_or_else(|error| panic!("{error}")).module;
    assert_eq!(unsupported(&module), Vec::<String>::new());
}

#[test]
fn vectors_of_pointers_and_bits() {
    lowers(
        "vectors",
        "define <4 x ptr> @gep(ptr %p, <4 x i32> %i) { %g = getelementptr inbounds [4 x i32], ptr %p, <4 x i32> %i, <4 x i32> <i32 1, i32 2, i32 3, i32 0>
           ret <4 x ptr> %g }
         define i8 @bits(<8 x i16> %v, ptr %p) { %c = icmp slt <8 x i16> %v, zeroinitializer  store <8 x i1> %c, ptr %p  %l = load <8 x i1>, ptr %p  %b = bitcast <8 x i1> %l to i8  ret i8 %b }
         define <3 x i3> @odd(ptr %p) { %v = load <3 x i3>, ptr %p  %w = shl <3 x i3> %v, splat (i3 1)  ret <3 x i3> %w }
         define <2 x i64> @wide(<8 x i32> %v) { %b = bitcast <8 x i32> %v to <4 x i64>  %s = shufflevector <4 x i64> %b, <4 x i64> poison, <2 x i32> <i32 3, i32 poison>  ret <2 x i64> %s }
         define <2 x i1> @mixed(<2 x ptr> %a, <2 x ptr> %b, i1 %c) { %s = select i1 %c, <2 x ptr> %a, <2 x ptr> %b  %r = icmp ult <2 x ptr> %s, %a  ret <2 x i1> %r }
         define i32 @dynamic(<4 x i32> %v, i64 %i) { %w = insertelement <4 x i32> %v, i32 7, i64 %i  %e = extractelement <4 x i32> %w, i64 %i  ret i32 %e }",
    );
}

#[test]
fn masked_memory_and_reductions() {
    lowers(
        "masked",
        "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <4 x i1>, <4 x i32>)
         declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, <4 x i1>)
         declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, <4 x i1>, <4 x i32>)
         declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, <4 x i1>)
         declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
         declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)
         declare float @llvm.vector.reduce.fmax.v4f32(<4 x float>)
         define i32 @f(ptr %p, <4 x ptr> %q, <4 x i1> %m) {
           %a = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, <4 x i1> %m, <4 x i32> zeroinitializer)
           %b = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %q, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i32> %a)
           call void @llvm.masked.store.v4i32.p0(<4 x i32> %b, ptr %p, <4 x i1> %m)
           call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> %a, <4 x ptr> %q, <4 x i1> %m)
           %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %b)  ret i32 %r }
         define float @g(<4 x float> %v) { %s = call float @llvm.vector.reduce.fadd.v4f32(float 1.0, <4 x float> %v)  %t = call float @llvm.vector.reduce.fmax.v4f32(<4 x float> %v)
           %u = fadd float %s, %t  ret float %u }",
    );
}

#[test]
fn lanes_found_and_counted() {
    lowers(
        "lanes",
        "declare i64 @llvm.experimental.cttz.elts.i64.v16i1(<16 x i1>, i1)
         declare <4 x i32> @llvm.stepvector.v4i32()
         declare i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8>)
         define i64 @f(<16 x i8> %v) { %c = icmp eq <16 x i8> %v, zeroinitializer  %n = call i64 @llvm.experimental.cttz.elts.i64.v16i1(<16 x i1> %c, i1 false)
           %m = call i32 @llvm.x86.sse2.pmovmskb.128(<16 x i8> %v)  %z = zext i32 %m to i64  %s = call <4 x i32> @llvm.stepvector.v4i32()  %r = add i64 %n, %z  ret i64 %r }",
    );
}

#[test]
fn mathematics_plain_and_constrained() {
    lowers(
        "math",
        "declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
         declare i1 @llvm.experimental.constrained.fcmps.f64(double, double, metadata, metadata)
         declare double @llvm.experimental.constrained.pow.f64(double, double, metadata, metadata)
         declare i32 @llvm.experimental.constrained.fptosi.i32.f64(double, metadata)
         declare <2 x double> @llvm.sin.v2f64(<2 x double>)
         declare { double, i32 } @llvm.frexp.f64.i32(double)
         declare { float, float } @llvm.sincos.f32(float)
         declare double @llvm.powi.f64.i32(double, i32)
         declare i1 @llvm.is.fpclass.f64(double, i32)
         declare i8 @llvm.fptosi.sat.i8.f64(double)
         declare i32 @llvm.get.rounding()
         declare x86_fp80 @llvm.floor.f80(x86_fp80)
         define double @f(double %a, double %b, float %c, x86_fp80 %l) strictfp {
           %1 = call double @llvm.experimental.constrained.fadd.f64(double %a, double %b, metadata !\"round.dynamic\", metadata !\"fpexcept.strict\") strictfp
           %2 = call i1 @llvm.experimental.constrained.fcmps.f64(double %a, double %1, metadata !\"olt\", metadata !\"fpexcept.strict\") strictfp
           %3 = call double @llvm.experimental.constrained.pow.f64(double %a, double %b, metadata !\"round.dynamic\", metadata !\"fpexcept.strict\") strictfp
           %4 = call i32 @llvm.experimental.constrained.fptosi.i32.f64(double %3, metadata !\"fpexcept.strict\") strictfp
           %v = insertelement <2 x double> zeroinitializer, double %a, i32 1
           %5 = call <2 x double> @llvm.sin.v2f64(<2 x double> %v)
           %6 = call { double, i32 } @llvm.frexp.f64.i32(double %a)  %7 = extractvalue { double, i32 } %6, 0
           %8 = call { float, float } @llvm.sincos.f32(float %c)  %9 = call double @llvm.powi.f64.i32(double %7, i32 %4)
           %10 = call i1 @llvm.is.fpclass.f64(double %9, i32 3)  %11 = call i8 @llvm.fptosi.sat.i8.f64(double %9)
           %12 = call i32 @llvm.get.rounding()  %13 = call x86_fp80 @llvm.floor.f80(x86_fp80 %l)  %14 = fptrunc x86_fp80 %13 to double
           %15 = select i1 %10, double %9, double %14  ret double %15 }",
    );
}

#[test]
fn integers_atomics_and_aggregates() {
    lowers(
        "integers",
        "declare { <2 x i32>, <2 x i1> } @llvm.sadd.with.overflow.v2i32(<2 x i32>, <2 x i32>)
         declare i8 @llvm.scmp.i8.i32(i32, i32)
         declare i32 @llvm.sshl.sat.i32(i32, i32)
         declare i128 @llvm.fshr.i128(i128, i128, i128)
         declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
         declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
         declare i1 @llvm.is.constant.i32(i32)
         define i32 @f(<2 x i32> %a, i32 %b, ptr %p, i128 %w) {
           %1 = call { <2 x i32>, <2 x i1> } @llvm.sadd.with.overflow.v2i32(<2 x i32> %a, <2 x i32> %a)
           %2 = extractvalue { <2 x i32>, <2 x i1> } %1, 1  %3 = extractelement <2 x i1> %2, i32 1
           %4 = call i8 @llvm.scmp.i8.i32(i32 %b, i32 3)  %5 = call i32 @llvm.sshl.sat.i32(i32 %b, i32 2)
           %6 = call i128 @llvm.fshr.i128(i128 %w, i128 1, i128 77)  %7 = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
           %8 = call i64 @llvm.objectsize.i64.p0(ptr %7, i1 false, i1 true, i1 false)  %9 = call i1 @llvm.is.constant.i32(i32 %b)
           %10 = atomicrmw nand ptr %p, i32 %b seq_cst  %11 = atomicrmw uinc_wrap ptr %p, i32 %b seq_cst  %12 = atomicrmw fadd ptr %p, float 1.0 seq_cst
           %13 = cmpxchg ptr %p, i32 %10, i32 %11 seq_cst seq_cst  %14 = extractvalue { i32, i1 } %13, 0  fence seq_cst
           %15 = load { i8, [2 x i32] }, ptr %p  %16 = insertvalue { i8, [2 x i32] } %15, i32 %5, 1, 1  store { i8, [2 x i32] } %16, ptr %p
           %17 = extractvalue { i8, [2 x i32] } %16, 1, 0  %18 = freeze i32 %17  %19 = va_arg ptr %p, i32  %20 = va_arg ptr %p, double
           %21 = add i32 %18, %19  %22 = add i32 %21, %14  ret i32 %22 }",
    );
}

#[test]
fn constant_expressions_and_phis_of_them() {
    lowers(
        "expressions",
        "@a = global [4 x i32] zeroinitializer
         @b = global i64 sub (i64 ptrtoint (ptr getelementptr (i32, ptr @a, i64 3) to i64), i64 ptrtoint (ptr @a to i64))
         @c = global [2 x ptr] [ptr inttoptr (i64 add (i64 ptrtoint (ptr @a to i64), i64 4) to ptr), ptr @f]
         define i64 @f(i1 %c) {
         entry:
           br i1 %c, label %x, label %y
         x:
           br label %y
         y:
           %p = phi i64 [ sub (i64 ptrtoint (ptr @b to i64), i64 ptrtoint (ptr @a to i64)), %entry ], [ ptrtoint (ptr getelementptr ([4 x i32], ptr @a, i64 0, i64 2) to i64), %x ]
           %t = trunc i64 ptrtoint (ptr @a to i64) to i32
           %s = icmp eq ptr getelementptr inbounds (i8, ptr @f, i64 1), null
           %z = select i1 %s, i64 %p, i64 7
           ret i64 %z
         }",
    );
    let loaded = load_text("expression-data", "@a = global [4 x i32] zeroinitializer\n@b = global i64 sub (i64 ptrtoint (ptr getelementptr (i32, ptr @a, i64 3) to i64), i64 ptrtoint (ptr @a to i64))\ndefine i64 @f() { %v = load i64, ptr @b  ret i64 %v }").unwrap();
    let bytes = loaded.module.globals.values().find_map(|global| match &global.init {
        osier_ir::GlobalInit::Data { bytes, relocations } if relocations.is_empty() => Some(bytes.clone()),
        _ => None,
    });
    assert_eq!(bytes, Some(12u64.to_le_bytes().to_vec()));
}

#[test]
fn values_behind_an_unsupported_construct_do_no_harm() {
    let text = "declare i64 @llvm.readcyclecounter()
         define i64 @f(i1 %c, i64 %n) {
         entry:
           %t = call i64 @llvm.readcyclecounter()
           %u = add i64 %t, %n
           br i1 %c, label %a, label %b
         a:
           %w = mul i64 %u, 3
           br label %b
         b:
           %p = phi i64 [ %u, %entry ], [ %w, %a ]
           ret i64 %p
         }";
    let module = load_text("behind", text).unwrap().module;
    assert_eq!(unsupported(&module), ["intrinsic `llvm.readcyclecounter`"]);
}

#[test]
fn scalable_vectors_are_named_and_do_not_end_the_process() {
    let text = "@g = external global { i32, ptr }
         define void @f(ptr %p) {
           %a = alloca <vscale x 4 x i32>
           ret void
         }
         define void @h(ptr %p) {
           %g = getelementptr <vscale x 4 x i32>, ptr %p, i64 1
           store i32 0, ptr %g
           ret void
         }
         define { <vscale x 4 x i32>, <vscale x 4 x i32> } @s({ <vscale x 4 x i32>, <vscale x 4 x i32> } %x) {
           ret { <vscale x 4 x i32>, <vscale x 4 x i32> } %x
         }";
    let module = load_text("scalable", text).unwrap().module;
    let found = unsupported(&module);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(found.iter().all(|text| text.contains("vscale")), "{found:?}");
}

#[test]
fn odd_corners_are_lowered_or_named() {
    let text = "@data = global [4 x i32] [i32 1, i32 2, i32 3, i32 4]
         @inside = alias i32, getelementptr ([4 x i32], ptr @data, i64 0, i64 2)
         @nowhere = extern_weak global i32
         @chosen = ifunc void (), ptr @resolver
         @other = global ptr blockaddress(@jumps, %a)
         declare i256 @wide(i256)
         declare i32 @personality(...)
         define ptr @resolver() { ret ptr null }
         define void @calls_ifunc() { call void @chosen()  ret void }
         define i32 @aliased() { %v = load i32, ptr @inside  %c = icmp eq ptr @nowhere, null  %r = select i1 %c, i32 %v, i32 0  ret i32 %r }
         define i64 @wide_phi(i1 %c) {
         entry:
           br label %loop
         loop:
           %p = phi i256 [ 0, %entry ], [ %n, %loop ]
           %q = phi i64 [ 1, %entry ], [ %m, %loop ]
           %n = add i256 %p, 1
           %m = add i64 %q, 1
           br i1 %c, label %loop, label %out
         out:
           %t = trunc i256 %n to i64
           ret i64 %t
         }
         define void @wide_call() { %r = call i256 @wide(i256 5)  ret void }
         define i32 @jumps(ptr %p, i1 %c) {
           indirectbr ptr %p, [label %a, label %b, label %a]
         a:
           %x = phi i32 [ 1, %0 ], [ 1, %0 ], [ 3, %dead ]
           ret i32 %x
         b:
           ret i32 2
         dead:
           br label %a
         }
         define i32 @handled() personality ptr @personality {
           invoke void @calls_ifunc() to label %fine unwind label %bad
         fine:
           ret i32 1
         bad:
           %l = landingpad { ptr, i32 } cleanup
           resume { ptr, i32 } %l
         }
         define i32 @big_switch(i128 %v) {
           switch i128 %v, label %d [ i128 170141183460469231731687303715884105727, label %x  i128 -1, label %x ]
         x:
           ret i32 1
         d:
           ret i32 0
         }";
    let module = load_text("corners", text).unwrap_or_else(|error| panic!("{error}")).module;
    let mut found = unsupported(&module);
    found.sort();
    assert_eq!(found, ["call of ifunc `chosen`", "instruction `%l = landingpad { ptr, i32 }`",]);
}
