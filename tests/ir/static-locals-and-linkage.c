// run: --cc-flags="-O0 -g"
// run: --cc-flags="-O1 -g"
// run: --cc-flags="-O2 -g"
#include <assert.h>
__attribute__((weak)) int overridable(void) { return 3; }
int real(void) { return 4; }
int alias(void) __attribute__((alias("real")));
extern int hidden_data;
int hidden_data __attribute__((visibility("hidden"))) = 6;
static _Thread_local int per_thread = 11;
static int next(void) {
  static int calls = 40;
  return ++calls;
}
int main(void) {
  next();
  assert(next() == 42 && overridable() == 3 && alias() == 4 && hidden_data == 6);
  per_thread++;
  assert(per_thread == 12);
  return 0;
}
//~ paths: 1
