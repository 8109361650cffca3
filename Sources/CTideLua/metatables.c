#include "concat.h"
#include "guards.h"

// Before Lua 5.4.9, the collector visits a table with weak keys and weak values only once per
// cycle. If the table then gets another metatable, that one may be freed while in use. So every
// metatable of a table except its first is also stored in a private table with weak keys, which the
// collector visits until the end of the cycle:
//
//   table ── metatable
//     └╌╌ replaced[table] ── the same

void metatable_set(lua_State *L, int index) {
  TideState *state = state_of(L);
  int table = lua_absindex(L, index), metatable = lua_gettop(L);
  if (lua_istable(L, metatable)) {
    concat_guard(L, metatable);
    guards_note(L, metatable);
  }
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
      // False marks a table without a metatable, which may get one again.
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
