// Declarations that the files of this module share.
#pragma once

#include <sqlite3.h>

#include "TideSQLite.h"

/// Registers the file system with SQLite.
void files_register(void);
/// Whether the script's statement on the calling thread has to end, even while the engine runs one
/// of its own within it.
bool tide_sqlite_turn_is_over(void);
/// Lists the functions that scripts do not have.
void guard_list_others(void);
/// Replaces the functions that may be slow or use too much memory.
int functions_register(sqlite3 *database);
