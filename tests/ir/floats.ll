declare void @abort()
declare double @llvm.minnum.f64(double, double)
declare double @llvm.maximum.f64(double, double)
declare float @llvm.copysign.f32(float, float)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i1 @llvm.is.fpclass.f64(double, i32)
declare float @llvm.fma.f32(float, float, float)
define void @check(i1 %good) {
  br i1 %good, label %yes, label %no
yes:
  ret void
no:
  call void @abort()
  unreachable
}
define i32 @main() {
  %nan = fdiv double 0.0, 0.0
  %1 = fcmp uno double %nan, 1.0
  call void @check(i1 %1)
  %2 = fcmp one double %nan, 1.0
  %not2 = xor i1 %2, true
  call void @check(i1 %not2)
  %3 = fcmp ueq double %nan, 1.0
  call void @check(i1 %3)
  %4 = fcmp ord double 1.0, 2.0
  call void @check(i1 %4)
  %5 = fcmp ult double 1.0, 2.0
  call void @check(i1 %5)
  %6 = fcmp oge double -0.0, 0.0
  call void @check(i1 %6)
  %7 = call double @llvm.minnum.f64(double %nan, double 4.0)
  %8 = fcmp oeq double %7, 4.0
  call void @check(i1 %8)
  %9 = call double @llvm.maximum.f64(double 3.0, double 4.0)
  %10 = fcmp oeq double %9, 4.0
  call void @check(i1 %10)
  %11 = fneg float 2.0
  %12 = call float @llvm.copysign.f32(float 3.0, float %11)
  %13 = fcmp oeq float %12, -3.0
  call void @check(i1 %13)
  %14 = call i8 @llvm.fptosi.sat.i8.f32(float -1000.0)
  %15 = icmp eq i8 %14, -128
  call void @check(i1 %15)
  %16 = call i8 @llvm.fptoui.sat.i8.f32(float -3.0)
  %17 = icmp eq i8 %16, 0
  call void @check(i1 %17)
  %18 = call i1 @llvm.is.fpclass.f64(double %nan, i32 3)
  call void @check(i1 %18)
  %19 = frem double 7.5, 2.0
  %20 = fcmp oeq double %19, 1.5
  call void @check(i1 %20)
  %21 = fptrunc double 0.1 to float
  %22 = fpext float %21 to double
  %23 = fcmp une double %22, 0.1
  call void @check(i1 %23)
  %24 = uitofp i64 -1 to double
  %25 = fcmp oeq double %24, 0x43F0000000000000
  call void @check(i1 %25)
  %26 = sitofp i3 -1 to float
  %27 = fcmp oeq float %26, -1.0
  call void @check(i1 %27)
  %28 = fptoui double 3.9 to i5
  %29 = icmp eq i5 %28, 3
  call void @check(i1 %29)
  %30 = bitcast double 1.0 to i64
  %31 = icmp eq i64 %30, 4607182418800017408
  call void @check(i1 %31)
  %32 = call float @llvm.fma.f32(float 2.0, float 3.0, float 1.0)
  %33 = fcmp oeq float %32, 7.0
  call void @check(i1 %33)
  %34 = fadd <2 x float> <float 1.0, float 2.0>, <float 0.5, float 0.5>
  %35 = extractelement <2 x float> %34, i32 1
  %36 = fcmp oeq float %35, 2.5
  call void @check(i1 %36)
  ret i32 0
}
;~ exits: 0
