// run: --max-instructions=20000
static volatile unsigned count;
int main(void) {
  for (;;)
    count++;
}
//~ stopped: max-instructions
//~ paths: 0
//~ replay: no, it does not end
