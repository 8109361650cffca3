#include "objects.h"
#include "properties.h"
#include "references.h"
#include "values.h"

// Values cross the border as a tag and sixteen bytes. Conversions that cannot raise an error are
// tried first, outside of any protected call. Long strings, new userdata and new references need
// one.

bool value_push_quietly(lua_State *L, TideState *state, const TideValue *value, int cache) {
  switch (value->tag) {
    case TIDE_LUA_NIL: lua_pushnil(L); return true;
    case TIDE_LUA_BOOLEAN: lua_pushboolean(L, value->integer != 0); return true;
    case TIDE_LUA_INTEGER: lua_pushinteger(L, value->integer); return true;
    case TIDE_LUA_NUMBER: lua_pushnumber(L, value->number); return true;
    case TIDE_LUA_TABLE:
    case TIDE_LUA_FUNCTION:
    case TIDE_LUA_THREAD:
    case TIDE_LUA_USERDATA: reference_push(L, state, value->reference); return true;
    case TIDE_LUA_SLOT: return slot_push_quietly(L, state, value->slot, cache);
    case TIDE_LUA_OBJECT: return object_push_known(L, state, value->slot, cache);
    case TIDE_LUA_TEXT: return memory_push_text(L, state, value->bytes, value->count);
    default: return false;
  }
}

void value_push(lua_State *L, TideState *state, const TideValue *value) {
  if (value->tag == TIDE_LUA_TEXT) {
    lua_pushlstring(L, value->bytes, value->count);
  } else if (!value_push_quietly(L, state, value, 0)) {
    switch (value->tag) {
      case TIDE_LUA_OBJECT: object_push(L, state, value->slot, 0); break;
      case TIDE_LUA_GIVEN: object_push_given(L, state, value->slot); break;
      case TIDE_LUA_SLOT:
        private_get(L, state, PRIVATE_CACHE);
        slot_push(L, state, value->slot, lua_gettop(L));
        lua_remove(L, -2);
        break;
      case TIDE_LUA_OTHER_STATE: luaL_error(L, "the value belongs to another Lua state"); break;
      default: lua_pushnil(L);
    }
  }
}

bool value_peek(lua_State *L, TideState *state, int index, TideValue *value) {
  value->integer = 0;
  value->count = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        value->tag = TIDE_LUA_INTEGER;
        value->integer = lua_tointegerx(L, index, NULL);
      } else {
        value->tag = TIDE_LUA_NUMBER;
        value->number = lua_tonumberx(L, index, NULL);
      }
      return true;
    case LUA_TSTRING: {
      size_t count;
      value->tag = TIDE_LUA_TEXT;
      value->bytes = lua_tolstring(L, index, &count);
      value->count = (uint32_t)count;
      return true;
    }
    case LUA_TBOOLEAN:
      value->tag = TIDE_LUA_BOOLEAN;
      value->integer = lua_toboolean(L, index);
      return true;
    case LUA_TUSERDATA: {
      TideBox *box = object_at(L, state, index);
      if (box && box->header->generation == box->generation) {
        value->tag = TIDE_LUA_OBJECT;
        value->slot = box->header;
        value->count = box->generation;
        return true;
      }
      value->tag = TIDE_LUA_USERDATA;
      return false;
    }
    case LUA_TTABLE: value->tag = TIDE_LUA_TABLE; return false;
    case LUA_TFUNCTION: value->tag = TIDE_LUA_FUNCTION; return false;
    case LUA_TTHREAD: value->tag = TIDE_LUA_THREAD; return false;
    case LUA_TLIGHTUSERDATA: value->tag = TIDE_LUA_USERDATA; return false;
    default: value->tag = TIDE_LUA_NIL; return true;
  }
}

void value_read(lua_State *L, TideState *state, int index, TideValue *value) {
  if (value_peek(L, state, index, value)) return;
  luaL_checkstack(L, 4, NULL);
  lua_pushvalue(L, index);
  value->reference = reference_take(L, state);
}
