; Two entries into one cycle.
declare void @klee_make_symbolic(ptr, i64, ptr)
@name = private constant [2 x i8] c"x\00"
define i32 @main() {
entry:
  %slot = alloca i8
  call void @klee_make_symbolic(ptr %slot, i64 1, ptr @name)
  %x = load i8, ptr %slot
  %odd = trunc i8 %x to i1
  br i1 %odd, label %left, label %right
left:
  %a = phi i32 [ 1, %entry ], [ %b2, %right ]
  %a2 = add i32 %a, 3
  br label %right
right:
  %b = phi i32 [ 2, %entry ], [ %a2, %left ]
  %b2 = mul i32 %b, 2
  %big = icmp ugt i32 %b2, 20
  br i1 %big, label %done, label %left
done:
  ret i32 %b2
}
;~ paths: 2
;~ exits: 22*1 34*1
