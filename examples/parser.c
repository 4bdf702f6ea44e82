/* A parser of `key=value` lines with a bug in it: a long key runs over the end of its buffer. */
#include <klee/klee.h>
#include <string.h>

struct pair {
  char key[4];
  int value;
};

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

/* Returns 1 and fills `out` if `line` is a pair, 0 if it is not. */
static int parse(const char *line, struct pair *out) {
  char key[4];
  int length = 0;
  while (is_letter(*line)) {
    if (length > 4) /* should be: length >= 3 */
      return 0;
    key[length++] = *line++;
  }
  if (length == 0 || *line++ != '=')
    return 0;
  int value = 0;
  while (is_digit(*line))
    value = value * 10 + (*line++ - '0');
  if (*line != '\0')
    return 0;
  memcpy(out->key, key, sizeof key);
  out->value = value;
  return 1;
}

int main(void) {
  char line[9];
  klee_make_symbolic(line, sizeof line, "line");
  line[8] = '\0';
  struct pair pair;
  return parse(line, &pair) ? pair.value & 0x7f : 0;
}
