// run: --sym-stdin 2 --sym-stdout
// Standard input of symbolic bytes, which may be a file or a pipe.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  if (lseek(0, 0, SEEK_CUR) < 0)
    return 1;
  int sum = 0, byte;
  while ((byte = getchar()) != EOF)
    sum += byte == 'x';
  printf("%d\n", sum);
  return 3;
}
//~ exits: 1*1 3*2
//~ output: 0\n
