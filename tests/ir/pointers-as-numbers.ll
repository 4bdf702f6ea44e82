define i32 @main() {
  %p = alloca [4 x i32], align 16
  %third = getelementptr [4 x i32], ptr %p, i64 0, i64 2
  store i32 9, ptr %third
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %third to i64
  %d = sub i64 %b, %a
  %e = add i64 %a, %d
  %q = inttoptr i64 %e to ptr
  %v = load i32, ptr %q
  %low = ptrtoint ptr %p to i4
  %aligned = icmp eq i4 %low, 0
  %order = icmp ult ptr %p, %third
  %g1 = icmp eq i32 %v, 9
  %g2 = icmp eq i64 %d, 8
  %1 = and i1 %g1, %g2
  %2 = and i1 %1, %aligned
  %3 = and i1 %2, %order
  %status = select i1 %3, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
