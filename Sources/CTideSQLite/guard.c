#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "account.h"

// Scripts have the functions and virtual tables in these lists. All others are replaced or removed
// in each connection, because a database file has a schema of its own: its views, triggers, checks,
// defaults and indexes call functions without asking the authorizer.

static const char *const FUNCTIONS[] = {
    "->", "->>", "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "ceil",
    "ceiling", "changes", "char", "coalesce", "cos", "cosh", "count", "cume_dist", "current_date",
    "current_time", "current_timestamp", "date", "datetime", "degrees", "dense_rank", "exp",
    "first_value", "floor", "format", "glob", "group_concat", "hex", "ifnull", "iif", "instr",
    "json", "json_array", "json_array_length", "json_extract", "json_group_array",
    "json_group_object", "json_insert", "json_object", "json_quote", "json_remove", "json_replace",
    "json_set", "json_type", "json_valid", "julianday", "lag", "last_insert_rowid", "last_value",
    "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower",
    "ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif", "percent_rank", "pi", "pow",
    "power", "printf", "quote", "radians", "random", "randomblob", "rank", "replace", "round",
    "row_number", "rtrim", "sign", "sin", "sinh", "soundex",
    "sqlite_version", "sqrt", "strftime", "substr",
    "substring", "sum", "tan", "tanh", "time", "total", "total_changes", "trim", "trunc", "typeof",
    "unicode", "unixepoch", "unlikely", "upper", "zeroblob", NULL};

static const char *MODULES[] = {"json_each", "json_tree", NULL};

static bool has(const char *const *names, const char *name) {
  for (; *names; names++)
    if (strcasecmp(*names, name) == 0) return true;
  return false;
}

bool tide_sqlite_has_function(const char *name) { return has(FUNCTIONS, name); }
bool tide_sqlite_has_module(const char *name) { return has(MODULES, name); }

const char *tide_sqlite_function_name(int32_t index) {
  return index >= 0 && (size_t)index < sizeof FUNCTIONS / sizeof *FUNCTIONS ? FUNCTIONS[index]
                                                                             : NULL;
}

const char *tide_sqlite_module_name(int32_t index) {
  return index >= 0 && (size_t)index < sizeof MODULES / sizeof *MODULES ? MODULES[index] : NULL;
}

static void refuse(sqlite3_context *context, int count, sqlite3_value **values) {
  char *text = sqlite3_mprintf("the function %s is not for scripts",
                               (const char *)sqlite3_user_data(context));
  if (!text) return sqlite3_result_error_nomem(context);
  sqlite3_result_error(context, text, -1);
  sqlite3_free(text);
}

/// A SQLite function that scripts do not have.
typedef struct Other {
  int count;  // of its arguments; -1: any
  char name[64];
} Other;

enum { MOST_OTHERS = 256 };
static Other others[MOST_OTHERS];
static int other_count = -1;  // -1: they could not be listed

// Listed once, with a database in memory: a statement would read a file's schema, which may be
// corrupt.
void guard_list_others(void) {
  sqlite3 *database = NULL;
  sqlite3_stmt *list = NULL;
  int count = 0, code = sqlite3_open(":memory:", &database);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(database, "SELECT DISTINCT name, narg FROM pragma_function_list", -1,
                              &list, NULL);
  while (code == SQLITE_OK && (code = sqlite3_step(list)) == SQLITE_ROW && count < MOST_OTHERS) {
    code = SQLITE_OK;
    const char *name = (const char *)sqlite3_column_text(list, 0);
    if (!name || has(FUNCTIONS, name)) continue;
    others[count].count = sqlite3_column_int(list, 1);
    sqlite3_snprintf(sizeof others->name, others[count++].name, "%s", name);
  }
  sqlite3_finalize(list);
  sqlite3_close(database);
  if (code == SQLITE_DONE) other_count = count;
}

static int replace_one(sqlite3 *database, const Other *other, int count) {
  // For every encoding, because SQLite prefers the function that matches a call most closely.
  return sqlite3_create_function_v2(database, other->name, count, SQLITE_ANY | SQLITE_DIRECTONLY,
                                    (void *)other->name, refuse, NULL, NULL, NULL);
}

/// Replaces all functions of this build of SQLite that are not in the list. Functions of removed
/// modules may refer to memory that the module has freed.
static int replace_others(sqlite3 *database) {
  int code = other_count < 0 ? SQLITE_NOMEM : SQLITE_OK;
  for (int index = 0; code == SQLITE_OK && index < other_count; index++) {
    code = replace_one(database, &others[index], others[index].count);
    if (code == SQLITE_OK) code = replace_one(database, &others[index], -1);
  }
  return code;
}

static const struct {
  int limit, most;
} LIMITS[] = {
    {SQLITE_LIMIT_SQL_LENGTH, 1000000},
    {SQLITE_LIMIT_COLUMN, 500},
    {SQLITE_LIMIT_EXPR_DEPTH, 200},
    {SQLITE_LIMIT_COMPOUND_SELECT, 100},
    {SQLITE_LIMIT_VDBE_OP, 1000000},
    {SQLITE_LIMIT_FUNCTION_ARG, 100},
    // One for VACUUM, which attaches a file of its own; scripts cannot attach any.
    {SQLITE_LIMIT_ATTACHED, 1},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 10000},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 32766},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 100},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

static const struct {
  int option, value;
} OPTIONS[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
};

/// The number of steps of SQLite's machine after which it asks, at the next jump, whether to
/// continue. Each step may process a long value.
enum { STEPS_BETWEEN_LOOKS = 8 };

static int is_over(void *context) { return tide_sqlite_is_over(); }

static int wait_for_others(void *patience, int tries) {
  static const int DELAYS[] = {1, 2, 5, 10, 15, 20, 25};
  enum { COUNT = sizeof DELAYS / sizeof *DELAYS };
  int waited = 0;
  for (int index = 0; index < tries; index++) waited += DELAYS[index < COUNT ? index : COUNT - 1];
  if (waited >= (int)(intptr_t)patience || tide_sqlite_turn_is_over()) return 0;
  sqlite3_sleep(DELAYS[tries < COUNT ? tries : COUNT - 1]);
  return 1;
}

void tide_sqlite_set_patience(sqlite3 *database, int32_t milliseconds) {
  sqlite3_busy_handler(database, wait_for_others, (void *)(intptr_t)milliseconds);
}

int32_t tide_sqlite_guard(sqlite3 *database) {
  for (size_t index = 0; index < sizeof OPTIONS / sizeof *OPTIONS; index++)
    sqlite3_db_config(database, OPTIONS[index].option, OPTIONS[index].value, (int *)0);
  for (size_t index = 0; index < sizeof LIMITS / sizeof *LIMITS; index++)
    sqlite3_limit(database, LIMITS[index].limit, LIMITS[index].most);
  sqlite3_progress_handler(database, STEPS_BETWEEN_LOOKS, is_over, NULL);
  sqlite3_drop_modules(database, MODULES);
  int code = functions_register(database);
  return code == SQLITE_OK ? replace_others(database) : code;
}
