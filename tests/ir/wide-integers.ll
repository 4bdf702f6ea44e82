; Integers of 200 bits in every place that the front end knows: memory, phis, choices, calls, aggregates, vectors.
declare void @klee_make_symbolic(ptr, i64, ptr)
declare void @exit(i32)
@name = private constant [2 x i8] c"x\00"
; 2^150 + 7
@data = global i200 1427247692705959881058285969449495136382746631

define i200 @twice({ i8, i200 } %pair, i1 %left) {
  %value = extractvalue { i8, i200 } %pair, 1
  %up = shl i200 %value, 1
  %down = lshr i200 %value, 1
  %chosen = select i1 %left, i200 %up, i200 %down
  ret i200 %chosen
}

define i64 @fold(i200 %value) {
  %parts = zext i200 %value to i256
  %lanes = bitcast i256 %parts to <4 x i64>
  %first = extractelement <4 x i64> %lanes, i32 0
  %1 = extractelement <4 x i64> %lanes, i32 1
  %2 = extractelement <4 x i64> %lanes, i32 2
  %3 = extractelement <4 x i64> %lanes, i32 3
  %4 = add i64 %first, %1
  %5 = add i64 %2, %3
  %6 = add i64 %4, %5
  ret i64 %6
}

define i32 @main() {
entry:
  %slot = alloca i8
  %wide = alloca i200
  call void @klee_make_symbolic(ptr %slot, i64 1, ptr @name)
  %x = load i8, ptr %slot
  %far = sext i8 %x to i200
  store i200 %far, ptr %wide
  %start = load i200, ptr @data
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %m, %loop ]
  %sum = phi i200 [ %start, %entry ], [ %next, %loop ]
  %again = load i200, ptr %wide
  %frozen = freeze i200 %again
  %next = add i200 %sum, %frozen
  %m = add i32 %n, 1
  %more = icmp ult i32 %m, 3
  br i1 %more, label %loop, label %done
done:
  ; start + 3x: x = -3 gives 2^150 - 2
  %small = icmp slt i200 %next, 1427247692705959881058285969449495136382746623
  br i1 %small, label %negative, label %other
negative:
  %pair = insertvalue { i8, i200 } poison, i200 %next, 1
  %doubled = call i200 @twice({ i8, i200 } %pair, i1 true)
  %code = call i64 @fold(i200 %doubled)
  ; 2^151 - 4: the limbs are -4, -1, 2^23 - 1 and 0
  %is = icmp eq i64 %code, 8388602
  br i1 %is, label %found, label %other
found:
  call void @exit(i32 3)
  unreachable
other:
  ret i32 0
}
;~ exits: 0*2 3*1
;~ paths: 3
;~ test: x=-3
