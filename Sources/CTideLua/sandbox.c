#include "access.h"

// The environment of scripts: what the stock library has that can do no harm, and ours in place of
// what can. Library tables are read-only, because all modules of an app share them.

enum { LONGEST_DATE_FORMAT = 4096 };

static const char sealMark = 0;

static int refuse_write(lua_State *L) {
  return luaL_error(L, "the table '%s' is read-only",
                    lua_tostring(L, lua_upvalueindex(1)));
}

static int next_of_sealed(lua_State *L) {
  lua_settop(L, 2);
  lua_replace(L, 1);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  if (lua_next(L, 1)) return 2;
  lua_pushnil(L);
  return 1;
}

static int pairs_of_sealed(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushcclosure(L, next_of_sealed, 1);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int length_of_sealed(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, lua_upvalueindex(1)));
  return 1;
}

void sandbox_seal(lua_State *L, const char *name) {
  int table = lua_gettop(L);
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 6);
  lua_pushvalue(L, table);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, name);
  lua_pushcclosure(L, refuse_write, 1);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, table);
  lua_pushcclosure(L, pairs_of_sealed, 1);
  lua_setfield(L, -2, "__pairs");
  lua_pushvalue(L, table);
  lua_pushcclosure(L, length_of_sealed, 1);
  lua_setfield(L, -2, "__len");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &sealMark);
  lua_setmetatable(L, -2);
  lua_replace(L, table);
}

bool sandbox_is_sealed(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool isSealed = lua_rawgetp(L, -1, &sealMark) != LUA_TNIL;
  lua_pop(L, 2);
  return isSealed;
}

/// Makes the table on top a global library.
static void set_library(lua_State *L, const TideState *state, const char *name) {
  bool canReachLoaded = state->configuration.open & TIDE_OPEN_PACKAGE;
  functions_close(L);
  lua_pushvalue(L, -1);
  if (!(state->configuration.open & TIDE_OPEN_PATCHING)) sandbox_seal(L, name);
  // Lua names a function in messages by finding it among the loaded libraries themselves.
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushvalue(L, canReachLoaded ? -2 : -3);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  lua_setglobal(L, name);
  lua_pop(L, 1);
}

static void open_stock(lua_State *L, lua_CFunction opener) {
  lua_pushcfunction(L, opener);
  lua_call(L, 0, 1);
}

static void remove_field(lua_State *L, const char *name) {
  lua_pushnil(L);
  lua_setfield(L, -2, name);
}

static void open_strings(lua_State *L, TideState *state) {
  open_stock(L, luaopen_string);
  if (!(state->configuration.open & TIDE_OPEN_LOADING)) remove_field(L, "dump");
  strings_open(L, state);
  // Methods of strings are found in the real table; its proxy is for `string` alone.
  if (!(state->configuration.open & TIDE_OPEN_PATCHING)) {
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 2);
  }
  set_library(L, state, LUA_STRLIBNAME);
}

static int os_date(lua_State *L) {
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > LONGEST_DATE_FORMAT)
    return luaL_error(L, "format too long");
  return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static void open_os(lua_State *L, TideState *state) {
  open_stock(L, luaopen_os);
  if (!(state->configuration.open & TIDE_OPEN_OS)) {
    static const char *const harmless[] = {"time", "clock", "difftime"};
    lua_createtable(L, 0, 10);
    for (int i = 0; i < 3; i++) {
      lua_getfield(L, -2, harmless[i]);
      lua_setfield(L, -2, harmless[i]);
    }
    lua_getfield(L, -2, "date");
    lua_pushcclosure(L, os_date, 1);
    lua_setfield(L, -2, "date");
    lua_remove(L, -2);
    system_open(L);
  }
  set_library(L, state, LUA_OSLIBNAME);
}

static void open_trusted(lua_State *L, const char *name, lua_CFunction opener) {
  luaL_requiref(L, name, opener, 1);
  functions_close(L);
  lua_pop(L, 1);
}

static void open_dangerous(lua_State *L, TideState *state) {
  uint32_t open = state->configuration.open;
  if (open & TIDE_OPEN_IO) {
    open_trusted(L, LUA_IOLIBNAME, luaopen_io);
  } else {
    files_open(L);
    set_library(L, state, LUA_IOLIBNAME);
  }
  if (open & TIDE_OPEN_DEBUG) open_trusted(L, LUA_DBLIBNAME, luaopen_debug);
  if (open & TIDE_OPEN_PACKAGE) open_trusted(L, LUA_LOADLIBNAME, luaopen_package);
  lua_settop(L, 1);
}

/// Lua makes these when it reports that memory or the C stack is exhausted; making them must then
/// need no memory, since that report is not protected.
static void keep_messages(lua_State *L) {
  static const char *const messages[] = {
      "C stack overflow", "error in error handling", "stack overflow", "not enough memory"};
  lua_createtable(L, 4, 0);
  for (int i = 0; i < 4; i++) {
    lua_pushstring(L, messages[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, messages);
}

/// The auxiliary library makes the metatable of its long buffers when it needs the first one, and
/// where memory fails amid that, half of one stays for ever.
static void make_buffer_metatable(lua_State *L) {
  luaL_Buffer buffer;
  luaL_buffinitsize(L, &buffer, LUAL_BUFFERSIZE + 1);
  luaL_pushresultsize(&buffer, 0);
  lua_pop(L, 1);
}

void sandbox_open(lua_State *L, TideState *state) {
  keep_messages(L);
  make_buffer_metatable(L);
  open_stock(L, luaopen_base);
  base_open(L, state);
  lua_pop(L, 1);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_pushglobaltable(L);
  lua_setfield(L, -2, LUA_GNAME);
  lua_pop(L, 1);

  open_strings(L, state);
  open_stock(L, luaopen_table);
  table_library_open(L);
  set_library(L, state, LUA_TABLIBNAME);
  open_stock(L, luaopen_math);
  math_open(L);
  set_library(L, state, LUA_MATHLIBNAME);
  open_stock(L, luaopen_utf8);
  utf8_open(L);
  set_library(L, state, LUA_UTF8LIBNAME);
  coroutines_open(L);
  set_library(L, state, LUA_COLIBNAME);
  open_os(L, state);
  open_dangerous(L, state);
}
