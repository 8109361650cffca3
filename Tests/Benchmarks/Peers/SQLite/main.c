// SQLite by its C API: a query of 10,000 rows after an UPDATE of one of them, whose values are all read.
#include <Measure.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sqlite3 *database;
static sqlite3_stmt *update, *query;
static long cents;

static void run(const char *sql) {
  measure_check(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = NULL;
  measure_check(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

static void update_and_query(void *context, long count) {
  (void)context;
  for (long i = 0; i < count; i++) {
    sqlite3_bind_int64(update, 1, ++cents);
    measure_check(sqlite3_step(update) == SQLITE_DONE, "the update");
    sqlite3_reset(update);
    long rows = 0;
    int64_t sum = 0;
    while (sqlite3_step(query) == SQLITE_ROW) {
      rows++;
      sum += sqlite3_column_int64(query, 0) + sqlite3_column_int64(query, 2);
      char payee[64], day[16];
      const char *text = (const char *)sqlite3_column_text(query, 1);
      memcpy(payee, text, (size_t)sqlite3_column_bytes(query, 1));
      text = (const char *)sqlite3_column_text(query, 3);
      memcpy(day, text, (size_t)sqlite3_column_bytes(query, 3));
      sum += payee[0] + day[0];
    }
    sqlite3_reset(query);
    measure_check(rows == 10000 && sum > 0, "ten thousand rows");
  }
}

int main(int argc, const char *const *argv) {
  Request request = request_parse(argc, argv);
  if (!request_is(request, "query list")) request_refuse(request);
  char folder[] = "/tmp/tidelock-sqlite-XXXXXX", path[64];
  measure_check(mkdtemp(folder) != NULL, "a folder");
  snprintf(path, sizeof path, "%s/query.db", folder);
  measure_check(sqlite3_open(path, &database) == SQLITE_OK, "the database");
  run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
      "CREATE TABLE entry (id INTEGER PRIMARY KEY, payee TEXT, cents INTEGER, day TEXT); BEGIN");
  sqlite3_stmt *insert = prepare("INSERT INTO entry (payee, cents, day) VALUES (?, ?, ?)");
  for (int i = 1; i <= 10000; i++) {
    char payee[64], day[16];
    snprintf(payee, sizeof payee, "payee %d", i);
    snprintf(day, sizeof day, "2026-01-%d", i % 28);
    sqlite3_bind_text(insert, 1, payee, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 2, i * 7);
    sqlite3_bind_text(insert, 3, day, -1, SQLITE_TRANSIENT);
    measure_check(sqlite3_step(insert) == SQLITE_DONE, "a row");
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  run("COMMIT");
  update = prepare("UPDATE entry SET cents = ? WHERE id = 5000");
  query = prepare("SELECT id, payee, cents, day FROM entry ORDER BY id");
  measure_run(request, "update", 1, update_and_query, NULL);
  sqlite3_finalize(update);
  sqlite3_finalize(query);
  sqlite3_close(database);
  char command[128];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command);
}
