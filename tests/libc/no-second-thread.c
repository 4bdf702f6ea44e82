#include <errno.h>
#include <pthread.h>
static void *other(void *argument) { return argument; }
int main(void) {
  pthread_t thread;
  return pthread_create(&thread, 0, other, 0) == EAGAIN;
}
//~ exits: 1
//~ replay: no, natively there is room for a second thread
