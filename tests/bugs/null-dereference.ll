; The text form has no source lines of its own.
define i32 @main() {
  %slot = alloca ptr
  store ptr null, ptr %slot
  %p = load ptr, ptr %slot
  %v = load i32, ptr %p
  ret i32 %v
}
;~ error: null-pointer: read of 4 bytes through a null pointer
