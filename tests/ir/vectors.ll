define i32 @main() {
  %a = add <4 x i16> <i16 1, i16 -1, i16 32767, i16 0>, splat (i16 1)
  %c = icmp slt <4 x i16> %a, zeroinitializer
  %m = bitcast <4 x i1> %c to i4
  %m.good = icmp eq i4 %m, 4
  %s = select <4 x i1> %c, <4 x i16> splat (i16 7), <4 x i16> %a
  %t = shufflevector <4 x i16> %s, <4 x i16> poison, <8 x i32> <i32 3, i32 2, i32 1, i32 0, i32 0, i32 0, i32 2, i32 2>
  %bits = bitcast <4 x i16> %s to i64
  %bits.good = icmp eq i64 %bits, 281505041481730
  %index = add i32 1, 2
  %e = extractelement <8 x i16> %t, i32 %index
  %e.good = icmp eq i16 %e, 2
  %u = insertelement <8 x i16> %t, i16 9, i32 %index
  %sum = call i16 @llvm.vector.reduce.add.v8i16(<8 x i16> %u)
  %sum.good = icmp eq i16 %sum, 35
  %slot = alloca <3 x i8>
  store <3 x i8> <i8 1, i8 2, i8 3>, ptr %slot
  %second = getelementptr i8, ptr %slot, i64 1
  %b = load i8, ptr %second
  %b.good = icmp eq i8 %b, 2
  %1 = and i1 %m.good, %bits.good
  %2 = and i1 %e.good, %sum.good
  %3 = and i1 %1, %2
  %4 = and i1 %3, %b.good
  %status = select i1 %4, i32 0, i32 1
  ret i32 %status
}
declare i16 @llvm.vector.reduce.add.v8i16(<8 x i16>)
;~ exits: 0
