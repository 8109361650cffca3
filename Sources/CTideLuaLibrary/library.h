// Declarations that the files of the script library share.
#pragma once

#include <stdatomic.h>

#include "CTideLuaLibrary.h"
#include "TideBorder.h"

/// The standard function behind one of ours. It is stored once for the whole program, because it is
/// the same in every state.
typedef _Atomic(lua_CFunction) StockFunction;

static inline int stock_run(lua_State *L, StockFunction *stock) {
  return atomic_load_explicit(stock, memory_order_relaxed)(L);
}

/// Replaces a standard function in the table on top by one that wraps it.
static inline void stock_guard(lua_State *L, const char *name, lua_CFunction function,
                               StockFunction *stock) {
  lua_getfield(L, -1, name);
  atomic_store_explicit(stock, lua_tocfunction(L, -1), memory_order_relaxed);
  lua_pop(L, 1);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

enum { INTEGER_BYTES = 24 };
/// Writes an integer to the end of the buffer and returns the position where it begins.
static inline char *integer_write(lua_Integer integer, char digits[INTEGER_BYTES]) {
  char *first = digits + INTEGER_BYTES;
  lua_Unsigned rest = integer < 0 ? 0u - (lua_Unsigned)integer : (lua_Unsigned)integer;
  do {
    *--first = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (integer < 0) *--first = '-';
  return first;
}

// Each adds the functions of its file to the standard library's table on top of the stack.
void base_open(lua_State *L);
void strings_open(lua_State *L);
void formats_open(lua_State *L);
void search_open(lua_State *L);
void tables_open(lua_State *L);
void math_open(lua_State *L);
void utf8_open(lua_State *L);
void coroutines_open(lua_State *L);
void json_open(lua_State *L);

/// The access that a function needs to an argument that acts like a table.
enum { TABLE_READS = 1, TABLE_WRITES = 2, TABLE_MEASURES = 4 };
/// The length of a value that acts like a table and allows the access; raises an error if it does
/// not.
lua_Integer table_length(lua_State *L, int index, int use);
/// `table.sort` (sort.c).
int table_sort(lua_State *L);
