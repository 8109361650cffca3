#include "host.h"

// Tables of the API whose metatables answer reads and refuse writes, and which all modules of an
// app share. `rawset` would bypass the metatable, so it looks for a mark there.

static const char guardMark = 0;

bool sandbox_is_guarded(lua_State *L, int index) {
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
  lua_State *L = state_enter(state, frame);
  return L ? state_protect(state, L, guard, &metatable, frame) : TIDE_FAILED;
}
