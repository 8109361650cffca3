// lua-cjson, on Debian's Lua, with the chunk that ours runs too.
#include <LuaWorkloads.h>
#include <Measure.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#include <stdio.h>

static void decode(void *context, long count) {
  lua_State *L = context;
  lua_pushvalue(L, 1);
  lua_pushinteger(L, count);
  bool is_done = lua_pcall(L, 1, 1, 0) == LUA_OK;
  if (!is_done) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  measure_check(is_done, "a call of Lua");
  lua_pop(L, 1);
}

int main(int argc, const char *const *argv) {
  Request request = request_parse(argc, argv);
  const char *chunk = json_workload(request.workload);
  if (!chunk) request_refuse(request);
  lua_State *L = luaL_newstate();
  measure_check(L != NULL, "memory");
  luaL_openlibs(L);
  // Where it is not installed, nothing is measured.
  if (luaL_dostring(L, "json = require 'cjson'")) request_refuse(request);
  lua_settop(L, 0);
  measure_check(luaL_loadstring(L, chunk) == LUA_OK, "the chunk loads");
  measure_run(request, "operation", 1, decode, L);
  lua_close(L);
  return 0;
}
