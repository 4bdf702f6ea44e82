@targets = private constant [2 x ptr] [ptr blockaddress(@main, %one), ptr blockaddress(@main, %two)]
define i32 @main() {
  %slot = getelementptr [2 x ptr], ptr @targets, i64 0, i64 1
  %where = load ptr, ptr %slot
  indirectbr ptr %where, [label %one, label %two]
one:
  ret i32 1
two:
  %again = phi ptr [ blockaddress(@main, %three), %0 ]
  indirectbr ptr %again, [label %one, label %three]
three:
  ret i32 0
}
;~ exits: 0
