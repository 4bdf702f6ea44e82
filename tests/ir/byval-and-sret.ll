%big = type { [5 x i64] }
define void @make(ptr sret(%big) %out, ptr byval(%big) align 8 %in) {
  %first = load i64, ptr %in
  %more = add i64 %first, 1
  store i64 99, ptr %in
  store i64 %more, ptr %out
  ret void
}
define i32 @main() {
  %in = alloca %big
  %out = alloca %big
  store i64 41, ptr %in
  call void @make(ptr sret(%big) %out, ptr byval(%big) align 8 %in)
  %r = load i64, ptr %out
  %kept = load i64, ptr %in
  %g1 = icmp eq i64 %r, 42
  %g2 = icmp eq i64 %kept, 41
  %good = and i1 %g1, %g2
  %status = select i1 %good, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
