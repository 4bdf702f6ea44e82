// A string's beginning is copied. The end of the copy is its start plus the distance between two places of the original,
// one of which depends on the input: constants added first are the address of neither object.
// run: --memory={auto,fork,merge,flat,segmented,dynamic}
#include <alloca.h>
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char name[3];
  klee_make_symbolic(name, sizeof name, "name");
  char *original = malloc(64);
  memcpy(original, name, sizeof name);
  original[sizeof name] = 0;
  char *slash = strrchr(original, '/');
  if (!slash)
    return 9;
  char *copy = alloca(slash - original + 1);
  memcpy(copy, original, slash - original);
  copy[slash - original] = 0;
  return strlen(copy);
}
//~ exits: 0 1 2 9
