@table = private constant [2 x ptr] [ptr @inc, ptr @dec]
define internal i32 @inc(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define internal i32 @dec(i32 %x) {
  %y = sub i32 %x, 1
  ret i32 %y
}
define internal i32 @count(i32 %n, i32 %acc) {
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
done:
  ret i32 %acc
more:
  %m = sub i32 %n, 1
  %a = add i32 %acc, 2
  %r = musttail call i32 @count(i32 %m, i32 %a)
  ret i32 %r
}
define i32 @main() {
  %slot = getelementptr [2 x ptr], ptr @table, i64 0, i64 1
  %f = load ptr, ptr %slot
  %a = call i32 %f(i32 10)
  %same = icmp eq ptr %f, @dec
  %b = select i1 %same, ptr @inc, ptr @dec
  %c = call i32 %b(i32 %a)
  %d = call i32 @count(i32 20, i32 %c)
  ret i32 %d
}
;~ exits: 50
