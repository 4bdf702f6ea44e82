int nowhere(int);
int main(void) {
  return nowhere(3); //~ unsupported: call of nowhere, which is not defined
}
//~ replay: no, it does not link
