extern int elsewhere;
int main(void) {
  return elsewhere; //~ unsupported: use of elsewhere, which is declared but not defined
}
//~ replay: no, it does not link
