#include "StockLua.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

StockLua *stock_open(const char *chunk) {
  lua_State *L = luaL_newstate();
  if (!L) return NULL;
  luaL_openlibs(L);
  return luaL_loadstring(L, chunk) == LUA_OK ? L : NULL;
}

bool stock_run(StockLua *L, long rounds) {
  lua_pushvalue(L, 1);
  lua_pushinteger(L, rounds);
  bool isFine = lua_pcall(L, 1, 1, 0) == LUA_OK && !lua_isnil(L, -1);
  lua_settop(L, 1);
  return isFine;
}
