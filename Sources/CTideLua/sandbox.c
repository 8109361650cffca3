#include "files.h"
#include "frames.h"
#include "sandbox.h"
#include "system.h"

// The environment of scripts: the harmless functions of the standard library, and our own in place
// of the others. Library tables are read-only, because all modules of an app share them.

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

// Tables of the API, whose metatables handle reads and refuse writes, and which all modules of an
// app share. `rawset` would bypass the metatable, so it checks for a mark in it.

static const char guardMark = 0;

static bool is_guarded(lua_State *L, int index) {
  if (!lua_getmetatable(L, index)) return false;
  bool isGuarded = lua_rawgetp(L, -1, &guardMark) != LUA_TNIL;
  lua_pop(L, 2);
  return isGuarded;
}

static int guard(lua_State *L) {
  reference_push(L, state_of(L), *(uint32_t *)lua_touserdata(L, 1));
  lua_pushboolean(L, 1);
  lua_rawsetp(L, -2, &guardMark);
  return 0;
}

int32_t tide_table_guard(TideState *state, uint32_t metatable, TideFrame *frame) {
  return frame_run(state, guard, &metatable, frame);
}

bool sandbox_refuses_write(lua_State *L, int index) {
  if (copy_contents(L, index)) {
    lua_pop(L, 1);
    return true;
  }
  return sandbox_is_sealed(L, index) || is_guarded(L, index);
}

// MARK: Opening

/// Turns the table on top of the stack into a global library.
static void set_library(lua_State *L, const TideState *state, const char *name) {
  bool canReachLoaded = state->budget.limits.open & TIDE_OPEN_PACKAGE;
  functions_close(L);
  lua_pushvalue(L, -1);
  if (!(state->budget.limits.open & TIDE_OPEN_PATCHING)) sandbox_seal(L, name);
  // Lua finds the names of functions for its messages in the loaded libraries.
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

static void open_trusted(lua_State *L, const char *name, lua_CFunction opener) {
  luaL_requiref(L, name, opener, 1);
  functions_close(L);
  lua_pop(L, 1);
}

static void open_dangerous(lua_State *L, TideState *state) {
  uint32_t open = state->budget.limits.open;
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

/// Creates in advance the strings that Lua uses to report that memory or the C stack is exhausted.
/// Lua creates them outside of any protection, so that must not need memory.
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

/// Creates the metatable of the auxiliary library's long buffers in advance. The library creates it
/// for the first such buffer, and if memory runs out at that time, an incomplete metatable would
/// remain.
static void make_buffer_metatable(lua_State *L) {
  luaL_Buffer buffer;
  luaL_buffinitsize(L, &buffer, LUAL_BUFFERSIZE + 1);
  luaL_pushresultsize(&buffer, 0);
  lua_pop(L, 1);
}

static void open_library(lua_State *L, const TideState *state, const TideLibrary *library) {
  if (library->stock)
    open_stock(L, library->stock);
  else
    lua_createtable(L, 0, 8);
  library->open(L);
  if (strcmp(library->name, LUA_GNAME) != 0) {
    set_library(L, state, library->name);
    return;
  }
  // The global table itself.
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_insert(L, -2);
  lua_setfield(L, -2, LUA_GNAME);
  lua_pop(L, 1);
}

void sandbox_open(lua_State *L, TideState *state, const TideLibrary *library) {
  keep_messages(L);
  make_buffer_metatable(L);
  for (; library->name; library++) open_library(L, state, library);
  open_stock(L, luaopen_os);
  if (!(state->budget.limits.open & TIDE_OPEN_OS)) system_open(L);
  set_library(L, state, LUA_OSLIBNAME);
  open_dangerous(L, state);
}
