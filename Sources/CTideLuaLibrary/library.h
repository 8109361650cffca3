// What the files of the script library share.
#pragma once

#include <stdatomic.h>

#include "CTideLuaLibrary.h"
#include "TideBorder.h"

/// A stock function that ours stands before. It is kept for the whole program, since every state
/// has the same one.
typedef _Atomic(lua_CFunction) StockFunction;

static inline int stock_run(lua_State *L, StockFunction *stock) {
  return atomic_load_explicit(stock, memory_order_relaxed)(L);
}

/// Puts a function in front of a stock one of the table on top.
static inline void stock_guard(lua_State *L, const char *name, lua_CFunction function,
                               StockFunction *stock) {
  lua_getfield(L, -1, name);
  atomic_store_explicit(stock, lua_tocfunction(L, -1), memory_order_relaxed);
  lua_pop(L, 1);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, name);
}

enum { INTEGER_BYTES = 24 };
/// Writes an integer to the end of so many bytes and gives where it begins.
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

// Each puts the functions of its file into the stock library's table on top of the stack.
void base_open(lua_State *L);
void strings_open(lua_State *L);
void formats_open(lua_State *L);
void search_open(lua_State *L);
void tables_open(lua_State *L);
void math_open(lua_State *L);
void utf8_open(lua_State *L);
void coroutines_open(lua_State *L);
void json_open(lua_State *L);

/// What a function does with an argument that acts like a table.
enum { TABLE_READS = 1, TABLE_WRITES = 2, TABLE_MEASURES = 4 };
/// The length of what acts like a table and allows the use; raises where it does not.
lua_Integer table_length(lua_State *L, int index, int use);
/// `table.sort` (sort.c).
int table_sort(lua_State *L);
