// A function without a prototype and a cast back to the true type are both fine.
static int twice(int x) { return 2 * x; }
int main(void) {
  void (*any)(void) = (void (*)(void))twice;
  int (*back)(int) = (int (*)(int))any;
  return back(21) == 42 ? 0 : 1;
}
//~ exits: 0
