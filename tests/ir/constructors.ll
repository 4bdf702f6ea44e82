@state = global i32 0
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 500, ptr @later, ptr null }, { i32, ptr, ptr } { i32 100, ptr @sooner, ptr null }]
define void @sooner() {
  store i32 20, ptr @state
  ret void
}
define void @later() {
  %s = load i32, ptr @state
  %t = add i32 %s, 1
  store i32 %t, ptr @state
  ret void
}
define i32 @main() {
  %s = load i32, ptr @state
  ret i32 %s
}
;~ exits: 21
