#include "json.h"

// JSON for scripts: json_reading.c builds tables of it, json_writing.c writes values. The host says
// what null becomes, and lends a function that makes tables of objects.

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

/// `adapt(null, lower, options, long, bytes, refuse)` gives `decode` and `encode` for a host: what
/// null becomes, what makes plain values of objects, what reads options, what decodes texts of more
/// than so many bytes, with `slices`, and what raises that a text is wrong, given where the script
/// is and why.
static int json_adapt(lua_State *L) {
  lua_settop(L, 6);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 4);
  lua_pushvalue(L, 5);
  lua_pushvalue(L, 6);
  lua_pushcclosure(L, json_decode, DECODE_UPVALUES);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_pushcclosure(L, json_encode, ENCODE_UPVALUES);
  return 2;
}

void json_open(lua_State *L) {
  make_empty_objects(L);
  for (int i = 0; i < DECODE_UPVALUES; i++) lua_pushnil(L);
  lua_pushcclosure(L, json_decode, DECODE_UPVALUES);
  lua_setfield(L, -2, "decode");
  for (int i = 0; i < ENCODE_UPVALUES; i++) lua_pushnil(L);
  lua_pushcclosure(L, json_encode, ENCODE_UPVALUES);
  lua_setfield(L, -2, "encode");
  lua_pushcfunction(L, json_slices);
  lua_setfield(L, -2, "slices");
  lua_pushcfunction(L, json_adapt);
  lua_setfield(L, -2, "adapt");
}
