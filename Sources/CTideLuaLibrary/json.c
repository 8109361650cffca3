#include "json.h"

// JSON for scripts: json_reading.c builds tables from it, json_writing.c writes values. The host
// defines the value for null, and provides a function that converts objects to tables.

/// Registry key: tables that were read as empty objects and would otherwise be written as empty
/// arrays.
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

/// `adapt(null, lower, options, long, bytes, refuse)` returns `decode` and `encode` for a host. The
/// arguments are the value for null, a function that converts objects to plain values, a function
/// that reads options, a function that decodes texts longer than `bytes` by `slices`, and a
/// function that raises the error of invalid JSON from the script's location and the reason.
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
