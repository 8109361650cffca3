// SQLite for scripts: accounting of its memory and time, the functions that scripts may use, and
// the way it opens files.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

#pragma clang assume_nonnull begin

// MARK: Memory and time (account.c)

/// The memory that SQLite has allocated for one app, on all its connections and threads.
typedef struct TideSQLiteAccount TideSQLiteAccount;

/// Returns NULL if memory runs out.
TideSQLiteAccount *_Nullable tide_account_make(void);
/// Releases an account. It exists until the last of its blocks is freed.
void tide_account_release(TideSQLiteAccount *account);
/// The counter of the account's bytes.
const uint64_t *tide_account_bytes(const TideSQLiteAccount *account);
uint64_t tide_account_used(const TideSQLiteAccount *account);
/// Sets the maximum number of bytes.
void tide_account_set_limit(TideSQLiteAccount *account, uint64_t bytes);
/// Reserves bytes that the host is about to allocate for a query. Returns false if they exceed the
/// limit.
bool tide_account_reserve(TideSQLiteAccount *account, uint64_t bytes);
void tide_account_give_back(TideSQLiteAccount *account, uint64_t bytes);

/// The use of a connection on the calling thread, with the account that pays for it. Uses nest.
typedef struct TideSQLiteUse {
  TideSQLiteAccount *_Nullable account;
  struct TideSQLiteUse *_Nullable outer;
  /// The time at which a script's statement has to end, in nanoseconds of the monotonic clock; 0:
  /// never.
  uint64_t deadline;
  /// Set to 1 by another thread to end the statement.
  const int32_t *_Nullable ending;
  /// Whether the statement is a script's, to which the time limit applies, and not the engine's
  /// own.
  bool isTimed;
  /// Whether the time limit has ended the statement.
  bool wasStopped;
} TideSQLiteUse;

void tide_sqlite_begin_use(TideSQLiteUse *use);
void tide_sqlite_end_use(TideSQLiteUse *use);
/// Whether the statement on the calling thread has to end.
bool tide_sqlite_is_over(void);
/// Sets the flag that a use reads as its `ending`, which ends its statement.
void tide_sqlite_end(int32_t *ending);
uint64_t tide_sqlite_now(void);

/// Makes SQLite count its memory, and registers its file system; once per process. Returns false if
/// the program has used SQLite before: then nothing is counted.
bool tide_sqlite_start(void);

// MARK: Functions for scripts (guard.c)

/// Disables everything in a new connection that is not for scripts, and replaces slow functions.
/// Returns SQLite's result code.
int32_t tide_sqlite_guard(struct sqlite3 *database);
/// Sets how long a connection waits for others that are writing, in milliseconds. It never waits
/// longer than the turn.
void tide_sqlite_set_patience(struct sqlite3 *database, int32_t milliseconds);
/// Whether scripts may call a function. The second function lists their names, until NULL.
bool tide_sqlite_has_function(const char *name);
const char *_Nullable tide_sqlite_function_name(int32_t index);
/// The same for table-valued functions, which are SQLite's virtual tables.
bool tide_sqlite_has_module(const char *name);
const char *_Nullable tide_sqlite_module_name(int32_t index);

// MARK: Long values (cost.c)

typedef struct TideSQLiteCost {
  /// The maximum length of a value in the statement, in bytes, so that it checks the clock in time.
  int32_t longest;
  /// Whether that limit applies to the total length of all parameters.
  bool isSum;
  /// Whether it runs other statements internally, as VACUUM does.
  bool runsOthers;
} TideSQLiteCost;

/// Estimates the work of a prepared statement between two checks of the clock.
///
/// - Parameters:
///   - length: The length of the statement in the text, in bytes.
///   - most: The maximum length of a value, in bytes.
///   - isOwn: Whether it is one of the engine's own statements, which may have longer values if it
///     is short.
/// - Returns: SQLite's result code, or SQLITE_TOOBIG for a statement that cannot end in time.
int32_t tide_sqlite_measure(struct sqlite3 *database, const char *sql, int32_t length, int32_t most,
                            bool isOwn, TideSQLiteCost *cost);

// MARK: Files (files.c)

/// The name of the file system. It opens paths unchanged, keeps temporary files in memory, and ends
/// long reads with the turn.
const char *tide_sqlite_file_system(void);
/// Reads the first bytes of a file. Returns their number, or -1 if the file cannot be opened.
/// SQLite opens and closes the file, because closing any descriptor of a database file releases the
/// locks of all connections in the process.
int32_t tide_sqlite_read_start(const char *path, void *bytes, int32_t count);

#pragma clang assume_nonnull end
