%s = type { i32, [4 x i16], ptr }
@data = global %s { i32 1, [4 x i16] [i16 2, i16 3, i16 4, i16 5], ptr getelementptr (%s, ptr @data, i32 0, i32 1, i32 2) }
@end = global ptr getelementptr (i8, ptr @data, i64 12)
@offset = global i64 sub (i64 ptrtoint (ptr getelementptr (%s, ptr @data, i32 0, i32 1, i32 3) to i64), i64 ptrtoint (ptr @data to i64))
@text = private constant [4 x i8] c"ok\00\FF"
@same = alias i32, ptr @data
@zero = global [100 x i8] zeroinitializer
define i32 @main() {
  %p.at = getelementptr %s, ptr @data, i32 0, i32 2
  %p = load ptr, ptr %p.at
  %four = load i16, ptr %p
  %g1 = icmp eq i16 %four, 4
  %o = load i64, ptr @offset
  %g2 = icmp eq i64 %o, 10
  %c = load i8, ptr getelementptr ([4 x i8], ptr @text, i64 0, i64 3)
  %g3 = icmp eq i8 %c, -1
  store i32 6, ptr @same
  %six = load i32, ptr @data
  %g4 = icmp eq i32 %six, 6
  %e = load ptr, ptr @end
  %back = getelementptr i8, ptr %e, i64 -2
  %five = load i16, ptr %back
  %g5 = icmp eq i16 %five, 5
  %z = load i64, ptr getelementptr (i8, ptr @zero, i64 92)
  %g6 = icmp eq i64 %z, 0
  %1 = and i1 %g1, %g2
  %2 = and i1 %1, %g3
  %3 = and i1 %2, %g4
  %4 = and i1 %3, %g5
  %5 = and i1 %4, %g6
  %status = select i1 %5, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
