#include <stdint.h>
#include <string.h>

#include "json.h"

// Builds tables directly from the scanner's tokens. It can stop between two tokens and continue
// later.

enum { TOKENS_BETWEEN_TESTS = 64, IS_OBJECT = -1 };

typedef struct Decoder {
  TideJSON json;
  int level;   // the call level for errors
  int refuse;  // the index of the host's function that raises errors, or nil
  int depth;
  // For each open level, the number of its elements, or IS_OBJECT.
  int32_t counts[TIDE_JSON_MOST_LEVELS + 1];
} Decoder;

static int refuse_text(lua_State *L, const Decoder *decoder, const char *reason) {
  size_t line, column;
  tide_json_locate(&decoder->json, &line, &column);
  luaL_where(L, decoder->level);
  lua_pushfstring(L, "invalid JSON at line %I, column %I: %s", (LUAI_UACINT)line,
                  (LUAI_UACINT)column, reason);
  if (!lua_isnil(L, decoder->refuse)) {
    lua_pushvalue(L, decoder->refuse);
    lua_insert(L, -3);
    lua_call(L, 2, 0);
    return luaL_error(L, "%s", reason);
  }
  lua_concat(L, 2);
  return lua_error(L);
}

static int refuse(lua_State *L, const Decoder *decoder) {
  char message[TIDE_JSON_MESSAGE];
  tide_json_describe(&decoder->json, message);
  return refuse_text(L, decoder, message);
}

/// Pushes the last string.
static void push_text(lua_State *L, const TideJSON *json) {
  size_t most = json->end - json->start;
  if (!json->hasEscapes) {
    lua_pushlstring(L, (const char *)json->bytes + json->start, most);
    return;
  }
  char room[256];
  if (most <= sizeof room) {
    lua_pushlstring(L, room, tide_json_copy(json, (uint8_t *)room));
    return;
  }
  memory_make_room(L, 2 * most);
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, most);
  luaL_pushresultsize(&buffer, tide_json_copy(json, (uint8_t *)out));
}

static void push_key(lua_State *L, Decoder *decoder) {
  push_text(L, &decoder->json);
  lua_pushvalue(L, -1);
  if (unlikely(lua_rawget(L, -3) != LUA_TNIL)) {
    lua_pop(L, 1);
    lua_pushfstring(L, "the key \"%s\" is there twice", lua_tostring(L, -1));
    decoder->json.position = decoder->json.start - 1;
    refuse_text(L, decoder, lua_tostring(L, -1));
  }
  lua_pop(L, 1);
}

/// Stores the value on top in its container, if any.
static inline void store(lua_State *L, Decoder *decoder) {
  int32_t *count = &decoder->counts[decoder->depth];
  if (decoder->depth == 0) return;
  if (*count == IS_OBJECT)
    lua_rawset(L, -3);
  else
    lua_rawseti(L, -2, ++*count);
}

static void leave(lua_State *L, Decoder *decoder) {
  if (decoder->counts[decoder->depth] == IS_OBJECT) {
    lua_pushnil(L);
    if (lua_next(L, -2))
      lua_pop(L, 2);
    else
      json_mark_object(L, -1);
  }
  decoder->depth--;
  store(L, decoder);
}

/// Decodes up to a position, with the open containers on top of the stack. Returns true with the
/// value on top once it is complete. `null` is the stack index of the value for null.
static bool decode(lua_State *L, Decoder *decoder, size_t limit, int null) {
  TideJSON *json = &decoder->json;
  TideBudget *budget = budget_of(L);
  for (unsigned tokens = 1;; tokens++) {
    if (tokens % TOKENS_BETWEEN_TESTS == 0) {
      clock_check(L, budget);
      if (json->position >= limit) return false;
    }
    TideJSONToken token = tide_json_next(json);
    switch (token) {
      case TideJSONNull: lua_pushvalue(L, null); break;
      case TideJSONFalse: lua_pushboolean(L, 0); break;
      case TideJSONTrue: lua_pushboolean(L, 1); break;
      case TideJSONInteger: lua_pushinteger(L, json->integer); break;
      case TideJSONNumber: lua_pushnumber(L, json->number); break;
      case TideJSONString: push_text(L, json); break;
      case TideJSONKey: push_key(L, decoder); continue;
      case TideJSONBeginArray:
      case TideJSONBeginObject:
        luaL_checkstack(L, 8, "JSON nests too deep");
        lua_newtable(L);
        decoder->depth++;
        decoder->counts[decoder->depth] = token == TideJSONBeginObject ? IS_OBJECT : 0;
        continue;
      case TideJSONEndArray:
      case TideJSONEndObject: leave(L, decoder); continue;
      case TideJSONEnd: return true;
      case TideJSONPause: clock_look(L, budget); continue;
      case TideJSONFault: refuse(L, decoder);
    }
    store(L, decoder);
  }
}

static void begin(lua_State *L, Decoder *decoder, int level, int refuse) {
  size_t count;
  const char *text = lua_tolstring(L, 1, &count);
  decoder->json = tide_json_begin((const uint8_t *)text, count, TIDE_JSON_MOST_LEVELS);
  decoder->level = level;
  decoder->refuse = refuse;
  decoder->depth = 0;
}

static int finish_long(lua_State *L, int status, lua_KContext context) {
  (void)L;
  (void)status;
  (void)context;
  return 1;
}

/// `decode(text)`
int json_decode(lua_State *L) {
  luaL_checktype(L, 1, LUA_TSTRING);
  luaL_argexpected(L, lua_isnoneornil(L, 2), 2, "no value");
  lua_settop(L, 1);
  if (!lua_isnil(L, lua_upvalueindex(DECODE_LONG)) &&
      (lua_Integer)lua_rawlen(L, 1) > lua_tointeger(L, lua_upvalueindex(DECODE_SLICE))) {
    lua_pushvalue(L, lua_upvalueindex(DECODE_LONG));
    lua_insert(L, 1);
    // It may suspend between two slices.
    lua_callk(L, 1, 1, 0, finish_long);
    return 1;
  }
  Decoder decoder;
  begin(L, &decoder, 1, lua_upvalueindex(DECODE_REFUSE));
  lua_pushvalue(L, lua_upvalueindex(DECODE_NULL));
  decode(L, &decoder, SIZE_MAX, 2);
  return 1;
}

enum {
  UPVALUE_TEXT = 1,
  UPVALUE_NULL,
  UPVALUE_DECODER,
  UPVALUE_OPEN,
  UPVALUE_STEP,
  UPVALUE_REFUSE,
};

/// Continues where the last call stopped. Returns nothing until the value is complete, then true
/// and the value.
static int decode_slice(lua_State *L) {
  Decoder *decoder = lua_touserdata(L, lua_upvalueindex(UPVALUE_DECODER));
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(UPVALUE_NULL));
  int open = (int)lua_rawlen(L, lua_upvalueindex(UPVALUE_OPEN));
  luaL_checkstack(L, open + 8, "JSON nests too deep");
  for (int i = 1; i <= open; i++) lua_rawgeti(L, lua_upvalueindex(UPVALUE_OPEN), i);
  size_t step = (size_t)lua_tointeger(L, lua_upvalueindex(UPVALUE_STEP));
  if (decode(L, decoder, decoder->json.position + step, 1)) {
    lua_pushboolean(L, 1);
    lua_insert(L, -2);
    return 2;
  }
  open = lua_gettop(L) - 1;
  lua_createtable(L, open, 0);
  lua_insert(L, 2);
  for (int i = open; i > 0; i--) lua_rawseti(L, 2, i);
  lua_replace(L, lua_upvalueindex(UPVALUE_OPEN));
  return 0;
}

/// `slices(text, null, bytes, refuse)` returns a function that decodes the given number of bytes
/// per call.
int json_slices(lua_State *L) {
  lua_Integer step = luaL_checkinteger(L, 3);
  luaL_argcheck(L, step > 0, 3, "more than 0 bytes expected");
  luaL_checktype(L, 1, LUA_TSTRING);
  lua_settop(L, 4);
  lua_insert(L, 3);
  lua_settop(L, 3);
  Decoder *decoder = lua_newuserdatauv(L, sizeof *decoder, 0);
  // Below it are the function that called `slices`, and json_decode.
  begin(L, decoder, 3, lua_upvalueindex(UPVALUE_REFUSE));
  lua_insert(L, 3);
  lua_newtable(L);
  lua_insert(L, 4);
  lua_pushinteger(L, step);
  lua_insert(L, 5);
  lua_pushcclosure(L, decode_slice, UPVALUE_REFUSE);
  return 1;
}
