declare void @klee_make_symbolic(ptr, i64, ptr)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.uadd.sat.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
@name = private constant [2 x i8] c"x\00"
define i32 @main() {
  %slot = alloca i32
  call void @klee_make_symbolic(ptr %slot, i64 4, ptr @name)
  %x = load i32, ptr %slot
  %lead = call i32 @llvm.ctlz.i32(i32 %x, i1 false)
  %trail = call i32 @llvm.cttz.i32(i32 %x, i1 false)
  %sum = add i32 %lead, %trail
  %one.bit = icmp eq i32 %sum, 31
  br i1 %one.bit, label %single, label %other
single:
  %ten = icmp eq i32 %trail, 10
  br i1 %ten, label %is.ten, label %not.ten
is.ten:
  ret i32 1
not.ten:
  ret i32 2
other:
  %sat = call i32 @llvm.uadd.sat.i32(i32 %x, i32 5)
  %less = icmp ult i32 %sat, %x
  br i1 %less, label %wrong, label %next
wrong:
  ret i32 99
next:
  %both = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %x, i32 3)
  %over = extractvalue { i32, i1 } %both, 1
  br i1 %over, label %wraps, label %fits
wraps:
  ret i32 3
fits:
  ret i32 4
}
;~ paths: 4
;~ exits: 1*1 2*1 3*1 4*1
;~ test: x=1024
