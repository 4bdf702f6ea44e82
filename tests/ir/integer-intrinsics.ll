declare i8 @llvm.uadd.sat.i8(i8, i8)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare i8 @llvm.ssub.sat.i8(i8, i8)
declare i8 @llvm.sshl.sat.i8(i8, i8)
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.smin.i8(i8, i8)
declare i8 @llvm.umax.i8(i8, i8)
declare i17 @llvm.ctlz.i17(i17, i1)
declare i17 @llvm.cttz.i17(i17, i1)
declare i17 @llvm.ctpop.i17(i17)
declare i17 @llvm.bitreverse.i17(i17)
declare i48 @llvm.bswap.i48(i48)
declare { i9, i1 } @llvm.smul.with.overflow.i9(i9, i9)
declare { i9, i1 } @llvm.usub.with.overflow.i9(i9, i9)
declare i8 @llvm.ucmp.i8.i32(i32, i32)
declare i8 @llvm.scmp.i8.i32(i32, i32)
declare void @abort()
define void @eq(i64 %a, i64 %b) {
  %good = icmp eq i64 %a, %b
  br i1 %good, label %yes, label %no
yes:
  ret void
no:
  call void @abort()
  unreachable
}
define void @eq8(i8 %a, i8 %b) {
  %x = zext i8 %a to i64
  %y = zext i8 %b to i64
  call void @eq(i64 %x, i64 %y)
  ret void
}
define void @eq17(i17 %a, i17 %b) {
  %x = zext i17 %a to i64
  %y = zext i17 %b to i64
  call void @eq(i64 %x, i64 %y)
  ret void
}
define i32 @main() {
  %1 = call i8 @llvm.uadd.sat.i8(i8 200, i8 100)
  call void @eq8(i8 %1, i8 255)
  %2 = call i8 @llvm.sadd.sat.i8(i8 -100, i8 -100)
  call void @eq8(i8 %2, i8 -128)
  %3 = call i8 @llvm.usub.sat.i8(i8 5, i8 9)
  call void @eq8(i8 %3, i8 0)
  %4 = call i8 @llvm.ssub.sat.i8(i8 100, i8 -100)
  call void @eq8(i8 %4, i8 127)
  %5 = call i8 @llvm.sshl.sat.i8(i8 -65, i8 2)
  call void @eq8(i8 %5, i8 -128)
  %6 = call i8 @llvm.fshl.i8(i8 255, i8 0, i8 15)
  call void @eq8(i8 %6, i8 128)
  %7 = call i8 @llvm.fshr.i8(i8 255, i8 0, i8 8)
  call void @eq8(i8 %7, i8 0)
  %8 = call i8 @llvm.abs.i8(i8 -128, i1 false)
  call void @eq8(i8 %8, i8 -128)
  %9 = call i8 @llvm.smin.i8(i8 3, i8 -3)
  call void @eq8(i8 %9, i8 -3)
  %10 = call i8 @llvm.umax.i8(i8 3, i8 -3)
  call void @eq8(i8 %10, i8 -3)
  %11 = call i17 @llvm.ctlz.i17(i17 0, i1 false)
  call void @eq17(i17 %11, i17 17)
  %12 = call i17 @llvm.cttz.i17(i17 4096, i1 true)
  call void @eq17(i17 %12, i17 12)
  %13 = call i17 @llvm.ctpop.i17(i17 -1)
  call void @eq17(i17 %13, i17 17)
  %14 = call i17 @llvm.bitreverse.i17(i17 1)
  call void @eq17(i17 %14, i17 65536)
  %15 = call i48 @llvm.bswap.i48(i48 1108152157446)
  %16 = zext i48 %15 to i64
  call void @eq(i64 %16, i64 6618611909121)
  %17 = call { i9, i1 } @llvm.smul.with.overflow.i9(i9 16, i9 16)
  %18 = extractvalue { i9, i1 } %17, 1
  %19 = zext i1 %18 to i8
  call void @eq8(i8 %19, i8 1)
  %20 = call { i9, i1 } @llvm.usub.with.overflow.i9(i9 5, i9 5)
  %21 = extractvalue { i9, i1 } %20, 1
  %22 = zext i1 %21 to i8
  call void @eq8(i8 %22, i8 0)
  %23 = call i8 @llvm.ucmp.i8.i32(i32 -1, i32 1)
  call void @eq8(i8 %23, i8 1)
  %24 = call i8 @llvm.scmp.i8.i32(i32 -1, i32 1)
  call void @eq8(i8 %24, i8 -1)
  ret i32 0
}
;~ exits: 0
