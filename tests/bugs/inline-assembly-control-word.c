// Precision and rounding are what they are at the start: a program that changes them is followed up to there.
int main(void) {
  unsigned short control;
  __asm__ volatile("fnstcw %0" : "=m"(control));
  __asm__ volatile("fldcw %0" : : "m"(control));
  control = (control & ~0x300) | 0x200;
  __asm__ volatile("fldcw %0" : : "m"(control));
  return 0;
}
//~ error: unsupported: fldcw: a rounding mode, a precision or an exception
//~ replay: no, the native program goes on
