#include <limits.h>

#include "host.h"

// The table functions whose loops a hostile length or metamethod could make endless: each step
// tests whether the turn is over. They take whatever acts like a table, lists of the engine among
// them.

enum { READS = 1, WRITES = 2, MEASURES = 4 };

static bool has_method(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  return found;
}

static void check_table(lua_State *L, int index, int use) {
  if (lua_type(L, index) == LUA_TTABLE) return;
  bool acts = lua_getmetatable(L, index) && (!(use & READS) || has_method(L, "__index")) &&
              (!(use & WRITES) || has_method(L, "__newindex")) &&
              (!(use & MEASURES) || has_method(L, "__len"));
  if (!acts) luaL_checktype(L, index, LUA_TTABLE);
  lua_pop(L, 1);
}

static lua_Integer length(lua_State *L, int index, int use) {
  check_table(L, index, use | MEASURES);
  return luaL_len(L, index);
}

static inline void test_stop(lua_State *L) { clock_check(L, state_of(L)); }

/// Copies one entry; the tables are at these indexes.
static inline void copy_entry(lua_State *L, int from, lua_Integer source, int to,
                              lua_Integer target) {
  test_stop(L);
  lua_geti(L, from, source);
  lua_seti(L, to, target);
}

static int table_insert(lua_State *L) {
  lua_Integer end = (lua_Integer)((lua_Unsigned)length(L, 1, READS | WRITES) + 1);
  lua_Integer position = end;
  switch (lua_gettop(L)) {
    case 2: break;
    case 3:
      position = luaL_checkinteger(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1u < (lua_Unsigned)end, 2,
                    "position out of bounds");
      for (lua_Integer i = end; i > position; i--) copy_entry(L, 1, i - 1, 1, i);
      break;
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
  lua_seti(L, 1, position);
  return 0;
}

static int table_remove(lua_State *L) {
  lua_Integer size = length(L, 1, READS | WRITES);
  lua_Integer position = luaL_optinteger(L, 2, size);
  if (position != size)
    luaL_argcheck(L, (lua_Unsigned)position - 1u <= (lua_Unsigned)size, 1,
                  "position out of bounds");
  lua_geti(L, 1, position);
  for (; position < size; position++) copy_entry(L, 1, position + 1, 1, position);
  lua_pushnil(L);
  lua_seti(L, 1, position);
  return 1;
}

static int table_move(lua_State *L) {
  lua_Integer first = luaL_checkinteger(L, 2);
  lua_Integer last = luaL_checkinteger(L, 3);
  lua_Integer target = luaL_checkinteger(L, 4);
  int to = lua_isnoneornil(L, 5) ? 1 : 5;
  check_table(L, 1, READS);
  check_table(L, to, WRITES);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3,
                  "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, target <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    bool isSame = to == 1 || lua_compare(L, 1, to, LUA_OPEQ);
    if (target > last || target <= first || !isSame)
      for (lua_Integer i = 0; i < count; i++) copy_entry(L, 1, first + i, to, target + i);
    else
      for (lua_Integer i = count; i-- > 0;) copy_entry(L, 1, first + i, to, target + i);
  }
  lua_pushvalue(L, to);
  return 1;
}

static void add_entry(lua_State *L, luaL_Buffer *buffer, lua_Integer i) {
  lua_geti(L, 1, i);
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid value (%s) at index %I in table for 'concat'",
               luaL_typename(L, -1), (LUAI_UACINT)i);
  luaL_addvalue(buffer);
}

static int table_concat(lua_State *L) {
  lua_Integer size = length(L, 1, READS);
  size_t gap;
  const char *between = luaL_optlstring(L, 2, "", &gap);
  lua_Integer i = luaL_optinteger(L, 3, 1), last = luaL_optinteger(L, 4, size);
  TideState *state = state_of(L);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (; i < last; i++) {
    clock_check(L, state);
    add_entry(L, &buffer, i);
    luaL_addlstring(&buffer, between, gap);
    if (state->configuration.textBytes && luaL_bufflen(&buffer) > state->configuration.textBytes)
      return luaL_error(L, "resulting string too large");
  }
  if (i == last) add_entry(L, &buffer, i);
  luaL_pushresult(&buffer);
  return 1;
}

static int table_unpack(lua_State *L) {
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = luaL_opt(L, luaL_checkinteger, 3, luaL_len(L, 1));
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
  if (count >= INT_MAX || !lua_checkstack(L, (int)(count + 1)))
    return luaL_error(L, "too many results to unpack");
  for (lua_Unsigned i = 0; i <= count; i++) {
    test_stop(L);
    lua_geti(L, 1, first + (lua_Integer)i);
  }
  return (int)(count + 1);
}

// MARK: Sorting

// A merge sort between two tables of our own: it is stable, no comparator can lead it astray, and
// the caller's table is read once and written once, unless the comparator fails.

enum { ORDER = 2, SOURCE = 3, TARGET = 4 };

static bool is_less(lua_State *L, int left, int right) {
  if (lua_isnil(L, ORDER)) return lua_compare(L, left, right, LUA_OPLT);
  lua_pushvalue(L, ORDER);
  lua_pushvalue(L, left);
  lua_pushvalue(L, right);
  lua_call(L, 2, 1);
  bool less = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return less;
}

static void copy_raw(lua_State *L, int from, int to, lua_Integer first, lua_Integer end) {
  for (; first < end; first++) {
    lua_rawgeti(L, from, first);
    lua_rawseti(L, to, first);
  }
}

/// Merges two sorted runs of `from` into `to`.
static void merge(lua_State *L, int from, int to, lua_Integer left, lua_Integer middle,
                  lua_Integer end) {
  lua_Integer right = middle, out = left;
  int base = lua_gettop(L);
  lua_rawgeti(L, from, middle - 1);
  lua_rawgeti(L, from, middle);
  bool isOrdered = !is_less(L, base + 2, base + 1);
  lua_settop(L, base);
  if (isOrdered) {
    copy_raw(L, from, to, left, end);
    return;
  }
  lua_rawgeti(L, from, left);
  lua_rawgeti(L, from, right);
  for (;;) {
    test_stop(L);
    bool takesRight = is_less(L, base + 2, base + 1);
    lua_pushvalue(L, takesRight ? base + 2 : base + 1);
    lua_rawseti(L, to, out++);
    lua_Integer *next = takesRight ? &right : &left;
    if (++*next == (takesRight ? end : middle)) break;
    lua_rawgeti(L, from, *next);
    lua_replace(L, takesRight ? base + 2 : base + 1);
  }
  lua_settop(L, base);
  for (; left < middle; left++) {
    lua_rawgeti(L, from, left);
    lua_rawseti(L, to, out++);
  }
  for (; right < end; right++) {
    lua_rawgeti(L, from, right);
    lua_rawseti(L, to, out++);
  }
}

static int sort_runs(lua_State *L, lua_Integer size) {
  int from = SOURCE, to = TARGET;
  for (lua_Integer width = 1; width < size; width *= 2) {
    for (lua_Integer left = 1; left <= size; left += 2 * width) {
      test_stop(L);
      lua_Integer middle = left + width, end = middle + width;
      if (end > size + 1) end = size + 1;
      if (middle < end)
        merge(L, from, to, left, middle, end);
      else
        copy_raw(L, from, to, left, end);
    }
    int other = from;
    from = to;
    to = other;
  }
  return from;
}

static int table_sort(lua_State *L) {
  lua_Integer size = length(L, 1, READS | WRITES);
  if (size < 2) return 0;
  luaL_argcheck(L, size < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, ORDER)) luaL_checktype(L, ORDER, LUA_TFUNCTION);
  lua_settop(L, 2);
  // A length that a metamethod claims earns no memory in advance.
  lua_Unsigned known = lua_istable(L, 1) ? lua_rawlen(L, 1) : 0;
  int room = (lua_Unsigned)size < known ? (int)size : (int)known;
  lua_createtable(L, room, 0);
  lua_createtable(L, room, 0);
  for (lua_Integer i = 1; i <= size; i++) {
    test_stop(L);
    lua_geti(L, 1, i);
    lua_rawseti(L, SOURCE, i);
  }
  int sorted = sort_runs(L, size);
  for (lua_Integer i = 1; i <= size; i++) {
    test_stop(L);
    lua_rawgeti(L, sorted, i);
    lua_seti(L, 1, i);
  }
  return 0;
}

void table_library_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"insert", table_insert}, {"remove", table_remove}, {"move", table_move},
      {"concat", table_concat}, {"unpack", table_unpack}, {"sort", table_sort},
      {NULL, NULL},
  };
  luaL_setfuncs(L, functions, 0);
}
