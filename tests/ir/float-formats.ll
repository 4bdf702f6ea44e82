define i32 @main() {
  %slot = alloca half
  store half 0xH3C00, ptr %slot
  %h = load half, ptr %slot
  %h2 = fadd half %h, 0xH3C00
  %hi = bitcast half %h2 to i16
  %h.good = icmp eq i16 %hi, 16384
  %wide = alloca x86_fp80
  store x86_fp80 0xK3FFF8000000000000000, ptr %wide
  %x = load x86_fp80, ptr %wide
  %x3 = fmul x86_fp80 %x, 0xK4000C000000000000000
  %d = fptrunc x86_fp80 %x3 to double
  %x.good = fcmp oeq double %d, 3.0
  %b = fpext bfloat 0xR4040 to float
  %b.good = fcmp oeq float %b, 3.0
  %1 = and i1 %h.good, %x.good
  %2 = and i1 %1, %b.good
  %status = select i1 %2, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
