; A frozen value is one value, whatever it is.
define i32 @main() {
  %x = freeze i32 undef
  %y = sub i32 %x, %x
  %z = freeze i32 poison
  %same = icmp eq i32 %z, %z
  %w = zext i1 %same to i32
  %bad = add nsw i32 2147483647, 1
  %unused = select i1 true, i32 0, i32 %bad
  %sum = add i32 %y, %w
  %total = add i32 %sum, %unused
  ret i32 %total
}
;~ exits: 1
