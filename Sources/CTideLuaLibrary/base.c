#include "library.h"

// The sandbox's own versions of base functions. Lua's versions could swallow the error that ends a
// turn, run compiled code, run code in the collector, or block for seconds.

enum { LONGEST_NUMERAL = 4096, LONGEST_WARNING = 1 << 16 };

// MARK: Protected calls

static int base_pcall(lua_State *L) {
  luaL_checkany(L, 1);
  lua_pushboolean(L, 1);
  lua_insert(L, 1);
  return protected_call(L, lua_gettop(L) - 2, 0, 0);
}

/// Wraps a script's message handler, which must not run once the turn is over, because hooks are
/// off in handlers.
static int call_handler(lua_State *L) {
  if (budget_of(L)->expired) return 1;
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

static int base_xpcall(lua_State *L) {
  int count = lua_gettop(L);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  lua_pushvalue(L, 2);
  lua_pushcclosure(L, call_handler, 1);
  lua_replace(L, 2);
  // function, handler, arguments… become function, handler, true, function, arguments…
  lua_pushboolean(L, 1);
  lua_pushvalue(L, 1);
  lua_rotate(L, 3, 2);
  return protected_call(L, count - 2, 2, 2);
}

// MARK: Loading

typedef struct Pieces {
  TideBudget *budget;
  uint64_t total;
} Pieces;

enum { PIECE_INDEX = 5 };

/// Reads a chunk piece by piece from a script's function.
static const char *read_piece(lua_State *L, void *context, size_t *count) {
  Pieces *pieces = context;
  clock_look(L, pieces->budget);
  luaL_checkstack(L, 2, "too many nested functions");
  lua_pushvalue(L, 1);
  lua_call(L, 0, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    *count = 0;
    return NULL;
  }
  if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "reader function must return a string");
  lua_replace(L, PIECE_INDEX);
  const char *text = lua_tolstring(L, PIECE_INDEX, count);
  pieces->total += *count;
  if (pieces->total > pieces->budget->limits.sourceBytes)
    luaL_error(L, "the chunk is too long");
  return text;
}

static int load_result(lua_State *L, int status, int environment) {
  if (status != LUA_OK) {
    luaL_pushfail(L);
    lua_insert(L, -2);
    return 2;
  }
  if (environment) {
    lua_pushvalue(L, environment);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

static int base_load(lua_State *L) {
  TideBudget *budget = budget_of(L);
  clock_look(L, budget);
  const char *mode = luaL_optstring(L, 3, "t");
  int environment = lua_isnone(L, 4) ? 0 : 4;
  size_t count;
  const char *text = lua_type(L, 1) == LUA_TSTRING ? lua_tolstring(L, 1, &count) : NULL;
  // Compiled code could take control of the program.
  mode = strchr(mode, 't') ? "t" : "";
  if (text) {
    const char *name = luaL_optstring(L, 2, text);
    if (count > budget->limits.sourceBytes) {
      luaL_pushfail(L);
      lua_pushliteral(L, "the chunk is too long");
      return 2;
    }
    return load_result(L, load_text(L, text, count, name, mode), environment);
  }
  const char *name = luaL_optstring(L, 2, "=(load)");
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, PIECE_INDEX);
  Pieces pieces = {.budget = budget};
  return load_result(L, load_pieces(L, read_piece, &pieces, name, mode), environment);
}

// MARK: Errors

static int base_error(lua_State *L) {
  lua_Integer level = luaL_optinteger(L, 2, 1);
  lua_settop(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING && level > 0) {
    location_push(L, level);
    lua_insert(L, 1);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// MARK: Tables

static int base_setmetatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    return luaL_error(L, "cannot change a protected metatable");
  if (type == LUA_TTABLE && !(budget_of(L)->limits.open & TIDE_OPEN_PATCHING)) {
    // No hook runs inside of a finalizer, so nothing could stop it.
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) return luaL_error(L, "a metatable may not have '__gc'");
  }
  lua_settop(L, 2);
  metatable_set(L, 1);
  return 1;
}

static int base_rawset(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (sandbox_refuses_write(L, 1))
    return luaL_error(L, "the table is read-only");
  lua_rawset(L, 1);
  return 1;
}

// A copy of a Swift value is an empty table in front of its fields.

static int base_rawget(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  lua_settop(L, 2);
  if (unlikely(copy_contents(L, 1))) {
    lua_settop(L, 2);
    lua_gettable(L, 1);
  } else {
    lua_rawget(L, 1);
  }
  return 1;
}

static int base_rawlen(lua_State *L) {
  int type = lua_type(L, 1);
  luaL_argexpected(L, type == LUA_TTABLE || type == LUA_TSTRING, 1, "table or string");
  int measured = copy_contents(L, 1) ? -1 : 1;
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, measured));
  return 1;
}

static int base_next(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  if (unlikely(copy_contents(L, 1))) {
    lua_settop(L, 2);
    return copy_next(L);
  }
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

// MARK: The host and the collector

static int base_collectgarbage(lua_State *L) {
  static const char *const options[] = {"collect",    "count",       "step",        "isrunning",
                                        "stop",       "restart",     "incremental", "generational",
                                        "setpause",   "setstepmul",  NULL};
  switch (luaL_checkoption(L, 1, "collect", options)) {
    case 1:
      lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0);
      return 1;
    case 2: lua_pushboolean(L, memory_step(L)); return 1;
    case 3: lua_pushboolean(L, 1); return 1;
    case 0: memory_collect(L);
  }
  // Other options have no effect, but report success.
  lua_pushinteger(L, 0);
  return 1;
}

static int base_print(lua_State *L) {
  int count = lua_gettop(L);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  for (int i = 1; i <= count; i++) {
    if (i > 1) luaL_addchar(&buffer, '\t');
    value_describe(L, i, NULL);
    luaL_addvalue(&buffer);
  }
  luaL_pushresult(&buffer);
  size_t length;
  const char *line = lua_tolstring(L, -1, &length);
  host_print(L, line, length);
  return 0;
}

/// Limits the total length, because a script could pass one long string many times.
static int base_warn(lua_State *L) {
  int count = lua_gettop(L);
  size_t total = 0;
  luaL_checkstring(L, 1);
  for (int i = 1; i <= count; i++) {
    size_t length;
    luaL_checklstring(L, i, &length);
    total += length;
  }
  if (total > LONGEST_WARNING)
    return luaL_error(L, "a warning of %I bytes is too long; there may be %d", (LUAI_UACINT)total,
                      LONGEST_WARNING);
  for (int i = 1; i <= count; i++) lua_warning(L, lua_tostring(L, i), i < count);
  clock_return(L, budget_of(L));
  return 0;
}

static int base_tostring(lua_State *L) {
  luaL_checkany(L, 1);
  value_describe(L, 1, NULL);
  return 1;
}

/// Refuses long numerals, because parsing millions of digits would take seconds.
static int base_tonumber(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > LONGEST_NUMERAL) {
    luaL_pushfail(L);
    return 1;
  }
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// MARK: Iterating

static int pairs_continued(lua_State *L, int status, lua_KContext results) {
  (void)L, (void)status;
  return (int)results;
}

/// Returns the same function that scripts know as `next`.
static int base_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  // An object's iterator may have a value to be closed.
  int results = lua_type(L, 1) == LUA_TUSERDATA ? 4 : 3;
  if (luaL_getmetafield(L, 1, "__pairs") == LUA_TNIL) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
  }
  lua_pushvalue(L, 1);
  lua_callk(L, 1, results, results, pairs_continued);
  return results;
}

static int next_index(lua_State *L) {
  lua_Integer index = (lua_Integer)((lua_Unsigned)luaL_checkinteger(L, 2) + 1);
  lua_pushinteger(L, index);
  return lua_geti(L, 1, index) == LUA_TNIL ? 1 : 2;
}

/// Iterates over the elements that a list had when the loop began.
static int base_ipairs(lua_State *L) {
  luaL_checkany(L, 1);
  if (lua_type(L, 1) == LUA_TUSERDATA && luaL_getmetafield(L, 1, "__ipairs") != LUA_TNIL) {
    int base = lua_gettop(L) - 1;
    lua_pushvalue(L, 1);
    lua_call(L, 1, LUA_MULTRET);
    int results = lua_gettop(L) - base;
    if (results) return results;
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

static void iteration_open(lua_State *L) {
  lua_getfield(L, -1, "next");
  lua_pushcclosure(L, base_pairs, 1);
  lua_setfield(L, -2, "pairs");
  lua_pushnil(L);
  lua_pushcclosure(L, next_index, 1);
  lua_pushcclosure(L, base_ipairs, 1);
  lua_setfield(L, -2, "ipairs");
}

void base_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"pcall", base_pcall},   {"xpcall", base_xpcall}, {"setmetatable", base_setmetatable},
      {"rawget", base_rawget}, {"rawlen", base_rawlen}, {"next", base_next},
      {"rawset", base_rawset}, {"print", base_print},   {"tostring", base_tostring},
      {"warn", base_warn},     {"error", base_error}, {NULL, NULL},
  };
  static const luaL_Reg closed[] = {
      {"dofile", NULL}, {"loadfile", NULL}, {"load", base_load},
      {"collectgarbage", base_collectgarbage},
  };
  luaL_setfuncs(L, functions, 0);
  lua_getfield(L, -1, "tonumber");
  lua_pushcclosure(L, base_tonumber, 1);
  lua_setfield(L, -2, "tonumber");
  for (int i = 0; i < 4 && !(budget_of(L)->limits.open & TIDE_OPEN_LOADING); i++) {
    if (closed[i].func)
      lua_pushcfunction(L, closed[i].func);
    else
      lua_pushnil(L);
    lua_setfield(L, -2, closed[i].name);
  }
  functions_close(L);
  iteration_open(L);
}
