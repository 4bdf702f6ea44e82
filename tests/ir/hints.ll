declare void @llvm.assume(i1)
declare i32 @llvm.expect.i32(i32, i32)
declare i64 @llvm.objectsize.i64.p0(ptr, i1, i1, i1)
declare i1 @llvm.is.constant.i32(i32)
declare void @llvm.donothing()
declare void @llvm.sideeffect()
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
define i32 @main() {
  %p = alloca i32, align 16
  store i32 5, ptr %p
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]
  call void @llvm.donothing()
  call void @llvm.sideeffect()
  %q = call ptr @llvm.launder.invariant.group.p0(ptr %p)
  %inside = getelementptr i8, ptr %q, i64 3
  %r = call ptr @llvm.ptrmask.p0.i64(ptr %inside, i64 -16)
  %v = load i32, ptr %r
  %e = call i32 @llvm.expect.i32(i32 %v, i32 5)
  %n = call i64 @llvm.objectsize.i64.p0(ptr %p, i1 false, i1 true, i1 false)
  %four = icmp eq i64 %n, 4
  %w = zext i1 %four to i32
  %sum = add i32 %e, %w
  ret i32 %sum
}
;~ exits: 6
;~ replay: no, under AddressSanitizer LLVM does not know the size of a local
