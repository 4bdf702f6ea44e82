@table = global [4 x i32] [i32 10, i32 20, i32 30, i32 40]
define i32 @main() {
  %ps = getelementptr [4 x i32], ptr @table, i64 0, <2 x i64> <i64 1, i64 3>
  %p0 = extractelement <2 x ptr> %ps, i32 0
  %p1 = extractelement <2 x ptr> %ps, i32 1
  %a = load i32, ptr %p0
  %b = load i32, ptr %p1
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr> %ps, <2 x i1> <i1 true, i1 false>, <2 x i32> <i32 5, i32 6>)
  %v0 = extractelement <2 x i32> %v, i32 0
  %v1 = extractelement <2 x i32> %v, i32 1
  %s1 = add i32 %a, %b
  %s2 = add i32 %s1, %v0
  %s3 = add i32 %s2, %v1
  %good = icmp eq i32 %s3, 86
  %status = select i1 %good, i32 0, i32 1
  ret i32 %status
}
declare <2 x i32> @llvm.masked.gather.v2i32.v2p0(<2 x ptr>, <2 x i1>, <2 x i32>)
;~ exits: 0
