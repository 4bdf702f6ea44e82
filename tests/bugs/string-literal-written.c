int main(void) {
  char *text = "hello";
  text[0] = 'j'; //~ read-only-write: write of 1 byte to a string literal
  return 0;
}
