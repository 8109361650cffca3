#include <sqlite3.h>

// Swift does not see macros that are casts.
static inline sqlite3_destructor_type tide_sqlite_copied(void) { return SQLITE_TRANSIENT; }

typedef void (*tide_sqlite_row_hook)(void *context, sqlite3 *database, int action,
                                     const char *schema, const char *table,
                                     sqlite3_int64 former, sqlite3_int64 number);

// Swift does not call functions that take any number of arguments.
static inline int tide_sqlite_configure(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

// Not every build of SQLite has this function, and its header declares it for those alone.
extern void *sqlite3_preupdate_hook(sqlite3 *, tide_sqlite_row_hook, void *)
    __attribute__((weak));

/// Calls a function before each change of a row, with its rowids before and after; NULL ends that.
static inline void tide_sqlite_watch_rows(sqlite3 *database, tide_sqlite_row_hook hook,
                                          void *context) {
  if (sqlite3_preupdate_hook) sqlite3_preupdate_hook(database, hook, context);
}
