declare void @abort()
define void @check(i1 %good) {
  br i1 %good, label %yes, label %no
yes:
  ret void
no:
  call void @abort()
  unreachable
}
define i32 @main() {
  %a = add i13 8191, 2
  %a.good = icmp eq i13 %a, 1
  call void @check(i1 %a.good)
  %b = mul i3 5, 3
  %b.good = icmp eq i3 %b, -1
  call void @check(i1 %b.good)
  %c = sext i5 -3 to i37
  %c.good = icmp slt i37 %c, 0
  call void @check(i1 %c.good)
  %d = zext i5 -3 to i37
  %d.good = icmp eq i37 %d, 29
  call void @check(i1 %d.good)
  %e = trunc i100 1267650600228229401496703205375 to i33
  %e.good = icmp eq i33 %e, -1
  call void @check(i1 %e.good)
  %f = shl i100 1, 99
  %f.good = icmp slt i100 %f, 0
  call void @check(i1 %f.good)
  %g = udiv i100 %f, 3
  %h = mul i100 %g, 3
  %h.rest = sub i100 %f, %h
  %h.good = icmp eq i100 %h.rest, 2
  call void @check(i1 %h.good)
  %i = ashr i24 -8388608, 23
  %i.good = icmp eq i24 %i, -1
  call void @check(i1 %i.good)
  %j = srem i6 -32, 5
  %j.good = icmp eq i6 %j, -2
  call void @check(i1 %j.good)
  %slot = alloca i24
  store i24 -2, ptr %slot
  %k = load i24, ptr %slot
  %k.good = icmp eq i24 %k, 16777214
  call void @check(i1 %k.good)
  %l = xor i1 true, true
  %l.good = icmp eq i1 %l, false
  call void @check(i1 %l.good)
  ret i32 0
}
;~ exits: 0
