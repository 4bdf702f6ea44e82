; Of the values of 13 bits exactly one times seven is 100; the three bits above them are free.
declare void @klee_make_symbolic(ptr, i64, ptr)
@name = private constant [2 x i8] c"x\00"
define i32 @main() {
  %slot = alloca i16
  call void @klee_make_symbolic(ptr %slot, i64 2, ptr @name)
  %x = load i16, ptr %slot
  %y = trunc i16 %x to i13
  %z = mul i13 %y, 7
  %same = icmp eq i13 %z, 100
  br i1 %same, label %hit, label %miss
hit:
  %w = lshr i16 %x, 13
  %clear = icmp eq i16 %w, 0
  br i1 %clear, label %low, label %high
low:
  ret i32 1
high:
  ret i32 2
miss:
  ret i32 0
}
;~ paths: 3
;~ exits: 0*1 1*1 2*1
