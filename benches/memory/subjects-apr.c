/* The hash table of "Segmented Memory Model", Figure 3.10: 15 keys, then two lookups of keys that the file named by the
   first argument gives, four bytes each. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <apr_general.h>
#include <apr_hash.h>
#include <apr_pools.h>

int main(int argc, char **argv) {
  apr_pool_t *pool;
  int wanted[2];
  int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;

  if (file < 0 || read(file, wanted, sizeof wanted) != sizeof wanted)
    return 3;
  if (apr_initialize() != APR_SUCCESS || apr_pool_create(&pool, NULL) != APR_SUCCESS)
    return 2;
  apr_hash_t *table = apr_hash_make(pool);
  for (int i = 0; i < 15; i++) {
    int *key = malloc(sizeof *key);
    *key = i;
    apr_hash_set(table, key, sizeof *key, "A_value");
  }
  int found = apr_hash_get(table, &wanted[0], sizeof wanted[0]) != NULL;
  found |= (apr_hash_get(table, &wanted[1], sizeof wanted[1]) != NULL) << 1;
  return found << 2;
}
