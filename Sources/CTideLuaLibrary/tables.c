#include <limits.h>
#include <string.h>

#include "library.h"

// The table functions whose loops a hostile length or metamethod could make endless: they regularly
// check whether the turn is over. They accept any value that acts like a table, including the
// engine's lists. (For an existing entry, lua_geti and lua_seti are faster than their raw
// counterparts.)

enum { STEPS_BETWEEN_TESTS = 16 };

static bool has_method(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  return found;
}

static void check_acting_table(lua_State *L, int index, int use) {
  bool acts = lua_getmetatable(L, index) && (!(use & TABLE_READS) || has_method(L, "__index")) &&
              (!(use & TABLE_WRITES) || has_method(L, "__newindex")) &&
              (!(use & TABLE_MEASURES) || has_method(L, "__len"));
  if (!acts) luaL_checktype(L, index, LUA_TTABLE);
  lua_pop(L, 1);
}

static inline void check_table(lua_State *L, int index, int use) {
  if (unlikely(lua_type(L, index) != LUA_TTABLE)) check_acting_table(L, index, use);
}

/// Whether the value is a table without a metatable.
static inline bool is_plain(lua_State *L, int index) {
  if (unlikely(lua_type(L, index) != LUA_TTABLE)) return false;
  if (likely(!lua_getmetatable(L, index))) return true;
  lua_pop(L, 1);
  return false;
}

lua_Integer table_length(lua_State *L, int index, int use) {
  check_table(L, index, use | TABLE_MEASURES);
  return luaL_len(L, index);
}

/// The first argument's length.
static inline lua_Integer measure(lua_State *L, int use) {
  return likely(is_plain(L, 1)) ? (lua_Integer)lua_rawlen(L, 1) : table_length(L, 1, use);
}

/// Copies entries one by one, upwards or, with a step of -1, downwards.
static inline __attribute__((always_inline)) void copy_entries(lua_State *L, int from,
                                                               lua_Integer source, int to,
                                                               lua_Integer target,
                                                               lua_Integer count, int step) {
  TideBudget *budget = budget_of(L);
  // A step beyond the largest integer is counted but not used.
  lua_Unsigned i = (lua_Unsigned)source, j = (lua_Unsigned)target;
  while (count > 0) {
    clock_check(L, budget);
    int part = count < STEPS_BETWEEN_TESTS ? (int)count : STEPS_BETWEEN_TESTS;
    for (count -= part; part > 0; part--, i += (lua_Unsigned)step, j += (lua_Unsigned)step) {
      lua_geti(L, from, (lua_Integer)i);
      lua_seti(L, to, (lua_Integer)j);
    }
  }
}

static int table_insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)measure(L, TABLE_READS | TABLE_WRITES) + 1);
  lua_Integer position = end;
  switch (lua_gettop(L)) {
    case 2: break;
    case 3:
      position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2,
                    "position out of bounds");
      if (position < end) copy_entries(L, 1, end - 1, 1, end, end - position, -1);
      break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, position);
  return 0;
}

static int table_remove(lua_State *L) {
  lua_Integer size = measure(L, TABLE_READS | TABLE_WRITES);
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size)
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size,
                  (int)lua_tointeger(L, lua_upvalueindex(1)), "position out of bounds");
  lua_geti(L, 1, position);
  if (position < size) {
    copy_entries(L, 1, position + 1, 1, position, size - position, 1);
    position = size;
  }
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_checkinteger(L, 3);
  lua_Integer target = luaL_checkinteger(L, 4);
  int to = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, TABLE_READS);
  check_table(L, to, TABLE_WRITES);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3,
                  "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, target <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    if (target > last || target <= first || (to != 1 && !lua_compare(L, 1, to, LUA_OPEQ)))
      copy_entries(L, 1, first, to, target, count, 1);
    else if (lua_type(L, to) != LUA_TTABLE) {
      // A list has no gaps: it can only grow by an element after its last one.
      int copy = lua_gettop(L) + 1;
      lua_newtable(L);
      copy_entries(L, 1, first, copy, 1, count, 1);
      copy_entries(L, copy, 1, to, target, count, 1);
      lua_settop(L, copy - 1);
    } else
      copy_entries(L, 1, last, to, target + (count - 1), count, -1);
  }
  lua_pushvalue(L, to);
  return 1;
}

// MARK: Concatenation

/// Adds the value on top of the stack and pops it.
static inline void add_value(lua_State *L, luaL_Buffer *buffer, lua_Integer index) {
  int type = lua_type(L, -1);
  char digits[INTEGER_BYTES];
  const char *bytes;
  size_t count;
  if (likely(type == LUA_TSTRING)) {
    bytes = lua_tolstring(L, -1, &count);
  } else if (type != LUA_TNUMBER) {
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
               (LUAI_UACINT)index);
    return;
  } else if (lua_isinteger(L, -1)) {
    bytes = integer_write(lua_tointeger(L, -1), digits);
    count = (size_t)(digits + sizeof digits - bytes);
  } else {
    luaL_addvalue(buffer);
    return;
  }
  if (unlikely(count > buffer->size - buffer->n)) {
    luaL_addvalue(buffer);
    return;
  }
  memcpy(buffer->b + buffer->n, bytes, count);
  luaL_addsize(buffer, count);
  lua_pop(L, 1);
}

static int table_concat(lua_State *L) {
  lua_Integer size = measure(L, TABLE_READS);
  size_t gap;
  const char *between = luaL_optlstring(L, 2, "", &gap);
  lua_Integer i = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, size);
  TideBudget *budget = budget_of(L);
  uint64_t longest = budget->limits.textBytes;
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (bool goesOn = i <= last; goesOn; i++) {
    clock_check(L, budget);
    lua_geti(L, 1, i);
    add_value(L, &buffer, i);
    // The last index may be the largest integer.
    goesOn = i < last;
    if (goesOn) {
      if (likely(gap <= buffer.size - buffer.n)) {
        memcpy(buffer.b + buffer.n, between, gap);
        luaL_addsize(&buffer, gap);
      } else {
        luaL_addlstring(&buffer, between, gap);
      }
    }
    if (unlikely(longest && luaL_bufflen(&buffer) > longest))
      return luaL_error(L, "resulting string too large");
    if (!goesOn) break;
  }
  luaL_pushresult(&buffer);
  return 1;
}

static inline lua_Integer measure_any(lua_State *L) {
  return likely(is_plain(L, 1)) ? (lua_Integer)lua_rawlen(L, 1) : luaL_len(L, 1);
}

static int table_unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? measure_any(L) : luaL_checkinteger(L, 3);
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (unlikely(count >= INT_MAX || !lua_checkstack(L, (int)(count + 1))))
    return luaL_error(L, "too many results to unpack");
  TideBudget *budget = budget_of(L);
  for (lua_Unsigned i = 0; i <= count; i++) {
    if (i % STEPS_BETWEEN_TESTS == 0) clock_check(L, budget);
    lua_geti(L, 1, (lua_Integer)((lua_Unsigned)first + i));
  }
  return (int)(count + 1);
}

/// The number by which the interpreter's `remove` refers to its position argument in messages: 1 up
/// to Lua 5.4.4, and 2 since then.
static int number_of_position(lua_State *L) {
  int number = 1;
  lua_getfield(L, -1, "remove");
  lua_newtable(L);
  lua_pushinteger(L, 5);
  if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
    const char *message = lua_tostring(L, -1);
    if (message && strstr(message, "#2")) number = 2;
    lua_pop(L, 1);
  }
  return number;
}

/// Replaces functions of the standard library on top of the stack.
void tables_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"insert", table_insert}, {"move", table_move}, {"concat", table_concat},
      {"unpack", table_unpack}, {"sort", table_sort}, {NULL, NULL},
  };
  int number = number_of_position(L);
  luaL_setfuncs(L, functions, 0);
  lua_pushinteger(L, number);
  lua_pushcclosure(L, table_remove, 1);
  lua_setfield(L, -2, "remove");
}
