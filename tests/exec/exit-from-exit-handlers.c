// `exit` in a handler or a destructor changes the status and goes on with what is left, once each.
#include <stdlib.h>
#include <unistd.h>
static void say(const char *text) { write(1, text, 1); }
static void first(void) { say("1"); }
static void second(void) {
  say("2");
  exit(4);
}
__attribute__((destructor)) static void last(void) { say("d"); }
int main(void) {
  atexit(first);
  atexit(second);
  return 3;
}
//~ paths: 1
//~ exits: 4
//~ output: 21d
