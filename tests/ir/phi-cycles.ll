; Phi nodes of one block read their values at once: a swap and a rotation.
define i32 @main() {
entry:
  br label %loop
loop:
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ 2, %entry ], [ %a, %loop ]
  %x = phi i32 [ 10, %entry ], [ %y, %loop ]
  %y = phi i32 [ 20, %entry ], [ %z, %loop ]
  %z = phi i32 [ 30, %entry ], [ %x, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %done
done:
  %swapped = icmp eq i32 %a, 1
  %r1 = icmp eq i32 %x, 20
  %rotated = icmp eq i32 %z, 10
  %t1 = and i1 %swapped, %r1
  %good = and i1 %t1, %rotated
  %status = select i1 %good, i32 0, i32 1
  ret i32 %status
}
;~ exits: 0
