#include "json.h"

// JSON for scripts: json_reading.c builds tables of it, json_writing.c writes values. Null, and what
// else is no plain value, is the caller's business: it says what null becomes, and gives a function
// that makes plain values of objects.

/// In the registry: tables that were empty objects, which would be written as empty arrays.
static const char emptyObjects;

static void push_empty_objects(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &emptyObjects);
}

static void make_empty_objects(lua_State *L) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &emptyObjects);
}

void json_mark_object(lua_State *L, int index) {
  index = lua_absindex(L, index);
  push_empty_objects(L);
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

bool json_is_object(lua_State *L, int index) {
  index = lua_absindex(L, index);
  push_empty_objects(L);
  lua_pushvalue(L, index);
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return found;
}

int json_raise(lua_State *L, int level) {
  luaL_where(L, level);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

void json_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"decode", json_decode}, {"encode", json_encode}, {"slices", json_slices}, {NULL, NULL},
  };
  make_empty_objects(L);
  luaL_setfuncs(L, functions, 0);
}
