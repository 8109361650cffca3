// An interpreter with nothing of ours, to run beside a sandbox in one program: from one program to
// another, where the linker happens to put Lua's functions makes a tenth of a difference.
#pragma once

#include <stdbool.h>

typedef struct lua_State StockLua;

/// Opens an interpreter with Lua's own libraries and a chunk in it; NULL when that fails.
StockLua *_Nullable stock_open(const char *_Nonnull chunk);
/// Calls the chunk with a number of rounds; false when it fails or has no result.
bool stock_run(StockLua *_Nonnull lua, long rounds);
