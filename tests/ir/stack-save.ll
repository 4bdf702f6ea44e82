declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
define i32 @main() {
entry:
  %kept = alloca i32
  store i32 0, ptr %kept
  br label %loop
loop:
  %i = phi i64 [ 1, %entry ], [ %next, %loop ]
  %mark = call ptr @llvm.stacksave.p0()
  %block = alloca i8, i64 %i
  %last = sub i64 %i, 1
  %at = getelementptr i8, ptr %block, i64 %last
  store i8 1, ptr %at
  %byte = load i8, ptr %at
  %old = load i32, ptr %kept
  %wide = zext i8 %byte to i32
  %new = add i32 %old, %wide
  store i32 %new, ptr %kept
  call void @llvm.stackrestore.p0(ptr %mark)
  %next = add i64 %i, 1
  %more = icmp ule i64 %next, 64
  br i1 %more, label %loop, label %done
done:
  %r = load i32, ptr %kept
  ret i32 %r
}
;~ exits: 64
