#include <sqlite3.h>

// Swift does not see macros that are casts.
static inline sqlite3_destructor_type tide_sqlite_copied(void) { return SQLITE_TRANSIENT; }

// Swift does not call functions that take any number of arguments.
static inline int tide_sqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
