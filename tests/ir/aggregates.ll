%pair = type { i32, { i8, i64 } }
define %pair @make(i32 %a, i8 %b, i64 %c) {
  %1 = insertvalue %pair poison, i32 %a, 0
  %2 = insertvalue %pair %1, i8 %b, 1, 0
  %3 = insertvalue %pair %2, i64 %c, 1, 1
  ret %pair %3
}
define i32 @main() {
  %p = call %pair @make(i32 5, i8 6, i64 7)
  %slot = alloca %pair
  store %pair %p, ptr %slot
  %q = load %pair, ptr %slot
  %chosen = select i1 true, %pair %q, %pair zeroinitializer
  %frozen = freeze %pair %chosen
  %inner = extractvalue %pair %frozen, 1
  %c = extractvalue { i8, i64 } %inner, 1
  %a = extractvalue %pair %q, 0
  %wide = zext i32 %a to i64
  %sum = add i64 %c, %wide
  %arr = insertvalue [3 x i16] [i16 1, i16 2, i16 3], i16 9, 1
  %m = extractvalue [3 x i16] %arr, 1
  %mw = zext i16 %m to i64
  %total = add i64 %sum, %mw
  %good = icmp eq i64 %total, 21
  %status = select i1 %good, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
