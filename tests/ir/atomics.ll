define i32 @main() {
  %p = alloca i32
  store atomic i32 10, ptr %p seq_cst, align 4
  %a = atomicrmw add ptr %p, i32 5 seq_cst
  %b = atomicrmw nand ptr %p, i32 7 seq_cst
  %c = atomicrmw max ptr %p, i32 3 seq_cst
  %d = atomicrmw umin ptr %p, i32 2 seq_cst
  %e = atomicrmw xchg ptr %p, i32 100 monotonic
  %f = atomicrmw uinc_wrap ptr %p, i32 100 seq_cst
  %pair = cmpxchg ptr %p, i32 0, i32 77 acq_rel monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  %won = extractvalue { i32, i1 } %pair, 1
  %weak = cmpxchg weak ptr %p, i32 0, i32 88 seq_cst seq_cst
  %lost = extractvalue { i32, i1 } %weak, 1
  fence seq_cst
  %last = load atomic i32, ptr %p acquire, align 4
  %g1 = icmp eq i32 %a, 10
  %g2 = icmp eq i32 %b, 15
  %g3 = icmp eq i32 %c, -8
  %g4 = icmp eq i32 %d, 3
  %g5 = icmp eq i32 %e, 2
  %g6 = icmp eq i32 %f, 100
  %g7 = icmp eq i32 %old, 0
  %g8 = icmp eq i32 %last, 77
  %1 = and i1 %g1, %g2
  %2 = and i1 %1, %g3
  %3 = and i1 %2, %g4
  %4 = and i1 %3, %g5
  %5 = and i1 %4, %g6
  %6 = and i1 %5, %g7
  %7 = and i1 %6, %g8
  %8 = and i1 %7, %won
  %not.lost = xor i1 %lost, true
  %9 = and i1 %8, %not.lost
  %status = select i1 %9, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
