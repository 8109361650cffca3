#include "concat.h"
#include "state.h"

// The collector of Lua before 5.4.9 looks once at a table whose keys and values are both weak. A metatable
// that such a table gets afterwards may be freed while it is in use. So a table's second metatable, and each
// later one, is also kept under the table in a table with weak keys, at which the collector looks to its end:
//
//   table ── metatable
//     └╌╌ replaced[table] ── the same

void metatable_set(lua_State *L, int index) {
  TideState *state = state_of(L);
  int table = lua_absindex(L, index), metatable = lua_gettop(L);
  if (lua_istable(L, metatable)) concat_guard(L, metatable);
  bool isReplaced = lua_getmetatable(L, table);
  if (isReplaced) lua_pop(L, 1);
  if (isReplaced || state->hasReplacedMetatables) {
    private_get(L, state, PRIVATE_REPLACED);
    lua_pushvalue(L, table);
    isReplaced |= lua_rawget(L, -2) != LUA_TNIL;
    lua_pop(L, 1);
    if (isReplaced) {
      state->hasReplacedMetatables = true;
      lua_pushvalue(L, table);
      // It may get one anew.
      if (lua_isnil(L, metatable))
        lua_pushboolean(L, false);
      else
        lua_pushvalue(L, metatable);
      lua_rawset(L, -3);
    }
    lua_pop(L, 1);
  }
  lua_setmetatable(L, table);
}
