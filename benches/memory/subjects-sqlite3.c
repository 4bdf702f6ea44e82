/* An in-memory database that runs the SQL of the file named by the first argument: the library without its shell, whose
   own reading of lines would fork on the open bytes as well. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stddef.h>
#include <unistd.h>

int main(int argc, char **argv) {
  static char text[4096];
  sqlite3 *database;
  int file = argc == 2 ? open(argv[1], O_RDONLY) : -1;

  if (file < 0 || read(file, text, sizeof text - 1) <= 0)
    return 3;
  if (sqlite3_open(":memory:", &database) != SQLITE_OK)
    return 2;
  int failed = sqlite3_exec(database, text, NULL, NULL, NULL) != SQLITE_OK;
  sqlite3_close(database);
  return failed;
}
