#include <sys/random.h>

#include "library.h"

// Numbers by chance. The stock library seeds them with the time and an address, tells both, and can
// be run backwards from a few numbers to its seed; so every seed that is not the script's comes
// from the system.

static void push_seed(lua_State *L) {
  lua_Integer seed = 0;
  // So few bytes are never refused once the system has started.
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) luaL_error(L, "the system has no seed");
  lua_pushinteger(L, seed);
}

/// Its upvalue is the stock function, which has the state of the generator as its own.
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
