declare void @klee_make_symbolic(ptr, i64, ptr)
@name = private constant [2 x i8] c"x\00"
define i32 @main() {
  %slot = alloca i8
  call void @klee_make_symbolic(ptr %slot, i64 1, ptr @name)
  %x = load i8, ptr %slot
  %y = trunc i8 %x to i2
  switch i2 %y, label %three [ i2 0, label %zero
                               i2 1, label %one
                               i2 -2, label %two ]
zero:
  ret i32 10
one:
  ret i32 11
two:
  ret i32 12
three:
  ret i32 13
}
;~ paths: 4
;~ exits: 10*1 11*1 12*1 13*1
