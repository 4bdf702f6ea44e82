declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memcpy.inline.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i32(ptr, ptr, i32, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
@from = constant [8 x i8] c"abcdefgh"
define i32 @main() {
  %to = alloca [8 x i8]
  call void @llvm.memset.p0.i64(ptr %to, i8 122, i64 8, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @from, i64 4, i1 true)
  %second = getelementptr i8, ptr %to, i64 1
  call void @llvm.memmove.p0.p0.i32(ptr %second, ptr %to, i32 4, i1 false)
  %seventh = getelementptr i8, ptr %to, i64 6
  call void @llvm.memcpy.inline.p0.p0.i64(ptr %seventh, ptr @from, i64 2, i1 false)
  %all = load i64, ptr %to
  %good = icmp eq i64 %all, 7089081860040581473
  %status = select i1 %good, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
