// What the files of this module share.
#pragma once

#include <sqlite3.h>

#include "TideSQLite.h"

/// Makes the file system known to SQLite.
void files_register(void);
/// Whether the statement has to end that runs on the calling thread, or within which the engine
/// runs one of its own.
bool tide_sqlite_turn_is_over(void);
/// Lists the functions that scripts do not have.
void guard_list_others(void);
/// Replaces the functions that take long, or more than their share.
int functions_register(sqlite3 *database);
