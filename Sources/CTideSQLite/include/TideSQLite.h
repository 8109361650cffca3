// SQLite for scripts: whose memory and time it takes, which of its functions there are, and how it
// opens files.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct sqlite3;

#pragma clang assume_nonnull begin

// MARK: Memory and time (account.c)

/// What SQLite holds for one app, on all of its connections and threads.
typedef struct TideSQLiteAccount TideSQLiteAccount;

/// NULL without memory.
TideSQLiteAccount *_Nullable tide_account_make(void);
/// Lets go of an account. It stays until the last of its blocks is freed.
void tide_account_release(TideSQLiteAccount *account);
/// Where the bytes are counted that it holds.
const uint64_t *tide_account_bytes(const TideSQLiteAccount *account);
uint64_t tide_account_used(const TideSQLiteAccount *account);
/// Sets how many bytes it may hold in all.
void tide_account_set_limit(TideSQLiteAccount *account, uint64_t bytes);
/// Counts bytes that the host is about to hold for a query; false where that passes the limit.
bool tide_account_reserve(TideSQLiteAccount *account, uint64_t bytes);
void tide_account_give_back(TideSQLiteAccount *account, uint64_t bytes);

/// What a connection does now on the calling thread, and at whose expense. Uses nest.
typedef struct TideSQLiteUse {
  TideSQLiteAccount *_Nullable account;
  struct TideSQLiteUse *_Nullable outer;
  /// When a script's statement has to end, in nanoseconds of the monotonic clock; 0: never.
  uint64_t deadline;
  /// Another thread sets it to 1 to end the statement.
  const int32_t *_Nullable ending;
  /// Whether a script's statement runs, which time ends, and none of the engine's own.
  bool isTimed;
  /// Whether time has ended it.
  bool wasStopped;
} TideSQLiteUse;

void tide_sqlite_begin_use(TideSQLiteUse *use);
void tide_sqlite_end_use(TideSQLiteUse *use);
/// Whether the statement that runs on the calling thread has to end.
bool tide_sqlite_is_over(void);
/// Ends the statement of the use that looks at `ending`.
void tide_sqlite_end(int32_t *ending);
uint64_t tide_sqlite_now(void);

/// Has SQLite count its memory, and makes its file system known; once for the process. False where
/// the program has used SQLite before: then nothing is counted.
bool tide_sqlite_start(void);

// MARK: What scripts may use (guard.c)

/// Closes all of a new connection that is not for scripts, and replaces the functions that take
/// long. Returns SQLite's result code.
int32_t tide_sqlite_guard(struct sqlite3 *database);
/// How long a connection waits for others that are writing, in milliseconds. It waits no longer
/// than the turn.
void tide_sqlite_set_patience(struct sqlite3 *database, int32_t milliseconds);
/// Whether scripts may call a function; the names of those follow, until NULL.
bool tide_sqlite_has_function(const char *name);
const char *_Nullable tide_sqlite_function_name(int32_t index);
/// The same for table-valued functions, which are SQLite's virtual tables.
bool tide_sqlite_has_module(const char *name);
const char *_Nullable tide_sqlite_module_name(int32_t index);

// MARK: Long values (cost.c)

typedef struct TideSQLiteCost {
  /// How many bytes a value may have in a statement, so that it looks at the clock in time.
  int32_t longest;
  /// Whether all of its parameters together may have no more than that.
  bool isSum;
  /// Whether it runs other statements within, as VACUUM does.
  bool runsOthers;
} TideSQLiteCost;

/// Measures what a statement, which has been prepared, does between two looks at the clock.
///
/// - Parameters:
///   - length: how many bytes of the text the statement has.
///   - most: how many bytes a value may have at most.
///   - isOwn: whether it is one of the engine's own, which may have longer values if it is short.
/// - Returns: SQLite's result code; SQLITE_TOOBIG for a statement that cannot end in time.
int32_t tide_sqlite_measure(struct sqlite3 *database, const char *sql, int32_t length, int32_t most,
                            bool isOwn, TideSQLiteCost *cost);

// MARK: Files (files.c)

/// The name of the file system: it opens paths as they are, keeps temporary files in memory, and
/// ends long reads with the turn.
const char *tide_sqlite_file_system(void);
/// Reads the first bytes of a file; gives how many there are, or -1 where it cannot be opened. Closing
/// a descriptor of a database's file ends the locks of all connections in the process, so SQLite opens
/// and closes it.
int32_t tide_sqlite_read_start(const char *path, void *bytes, int32_t count);

#pragma clang assume_nonnull end
