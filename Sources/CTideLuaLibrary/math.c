#include <sys/random.h>

#include "library.h"

// Random numbers. The standard library seeds its generator with the time and an address and returns
// both, and its state can be reversed to the seed from a few numbers. So every seed that does not
// come from the script comes from the system.

static void push_seed(lua_State *L) {
  lua_Integer seed = 0;
  // A request for so few bytes never fails once the system has started.
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) luaL_error(L, "the system has no seed");
  lua_pushinteger(L, seed);
}

/// The upvalue is the standard function, whose own upvalue is the generator's state.
static int math_randomseed(lua_State *L) {
  if (lua_gettop(L) == 0) {
    push_seed(L);
    push_seed(L);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  return lua_gettop(L);
}

void math_open(lua_State *L) {
  lua_getfield(L, -1, "randomseed");
  lua_pushcclosure(L, math_randomseed, 1);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "randomseed");
  lua_call(L, 0, 0);
}
