#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex); //~ user: deadlock: the only thread waits for another
  return 0;
}
//~ replay: no, natively it waits for ever
