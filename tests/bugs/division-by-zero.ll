declare void @klee_make_symbolic(ptr, i64, ptr)
@name = private constant [2 x i8] c"d\00"
define i32 @main() {
  %slot = alloca i8
  call void @klee_make_symbolic(ptr %slot, i64 1, ptr @name)
  %byte = load i8, ptr %slot
  %d = trunc i8 %byte to i7
  %q = udiv i7 100, %d
  %small = icmp ult i7 %q, 101
  %status = select i1 %small, i32 0, i32 1
  ret i32 %status
}
;~ error: division-by-zero: division by zero
;~ exits: 0*1
