#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void first(void) { printf("once "); }
static void gone(void *value) { printf("key %s\n", (char *)value); }
int main(void) {
  pthread_key_t key;
  pthread_mutexattr_t attributes;
  pthread_mutex_t again, checked;
  sem_t semaphore;
  pthread_once(&once, first);
  pthread_once(&once, first);
  pthread_mutex_lock(&mutex);
  printf("%d ", pthread_mutex_trylock(&mutex) == EBUSY);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&again, &attributes);
  printf("%d%d ", pthread_mutex_lock(&recursive), pthread_mutex_lock(&recursive));
  printf("%d%d ", pthread_mutex_lock(&again), pthread_mutex_lock(&again));
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  pthread_mutex_lock(&checked);
  printf("%d ", pthread_mutex_lock(&checked) == EDEADLK);
  pthread_rwlock_rdlock(&shared);
  printf("%d%d ", pthread_rwlock_tryrdlock(&shared), pthread_rwlock_trywrlock(&shared) == EBUSY);
  sem_init(&semaphore, 0, 1);
  printf("%d%d ", sem_trywait(&semaphore), sem_trywait(&semaphore));
  printf("%d ", pthread_equal(pthread_self(), pthread_self()) != 0);
  pthread_key_create(&key, gone);
  pthread_setspecific(key, "value");
  printf("%s ", (char *)pthread_getspecific(key));
  pthread_exit(0);
}
//~ output: once 1 00 00 1 01 0-1 1 value key value\n
//~ exits: 0
