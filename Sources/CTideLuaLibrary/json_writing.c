#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"

// Writes scripts' values to a growing buffer. The values in progress are on the stack above it.

enum {
  ENCODER_VALUE = 1,
  ENCODER_LOWER,
  ENCODER_INDENT,
  ENCODER_SORT,
  ENCODER_BYTES,
};

typedef struct Encoder {
  char *bytes;
  size_t count, room;
  uint64_t longest;
  const char *indent;  // NULL for one line
  size_t indentCount;
  bool sorts;
  int depth;
} Encoder;

/// Reserves room for additional bytes, and returns the position where they begin.
static char *reserve(lua_State *L, Encoder *encoder, size_t count) {
  if (unlikely(encoder->longest && encoder->count + count > encoder->longest)) {
    luaL_error(L, "resulting string too large");
  }
  if (unlikely(count > encoder->room - encoder->count)) {
    size_t room = 2 * (encoder->count + count);
    memory_make_room(L, room);
    char *bytes = lua_newuserdatauv(L, room, 0);
    memcpy(bytes, encoder->bytes, encoder->count);
    lua_replace(L, ENCODER_BYTES);
    encoder->bytes = bytes;
    encoder->room = room;
  }
  return encoder->bytes + encoder->count;
}

static inline void put(lua_State *L, Encoder *encoder, const char *text, size_t count) {
  memcpy(reserve(L, encoder, count), text, count);
  encoder->count += count;
}

static void put_text(lua_State *L, Encoder *encoder, int index) {
  enum { BLOCK = 4096 };
  size_t count;
  const char *text = lua_tolstring(L, index, &count);
  // Bytes that are not UTF-8, which JSON forbids, are found by reading the result back.
  char *out = reserve(L, encoder, 2);
  *out = '"';
  encoder->count++;
  size_t done = 0;
  for (size_t i = 0; i <= count; i++) {
    // Writing in blocks also checks the time in strings that consist of escapes, the slowest ones.
    if (i % BLOCK == BLOCK - 1) {
      put(L, encoder, text + done, i - done);
      done = i;
      clock_check(L, budget_of(L));
    }
    uint8_t byte = i < count ? (uint8_t)text[i] : '"';
    if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F) continue;
    put(L, encoder, text + done, i - done);
    done = i;
    if (i == count) break;
    char escape[8];
    int length;
    switch (byte) {
      case '"': length = snprintf(escape, sizeof escape, "\\\""); break;
      case '\\': length = snprintf(escape, sizeof escape, "\\\\"); break;
      case '\n': length = snprintf(escape, sizeof escape, "\\n"); break;
      case '\r': length = snprintf(escape, sizeof escape, "\\r"); break;
      case '\t': length = snprintf(escape, sizeof escape, "\\t"); break;
      default: length = snprintf(escape, sizeof escape, "\\u%04x", byte);
    }
    put(L, encoder, escape, (size_t)length);
    done = i + 1;
  }
  put(L, encoder, "\"", 1);
}

static int refuse_value(lua_State *L, const char *what) {
  return luaL_error(L, "%s cannot be written as JSON", what);
}

static void put_number(lua_State *L, Encoder *encoder, lua_Number number) {
  if (!isfinite(number))
    refuse_value(L, isnan(number) ? "a number that is none (nan)" : "an endless number");
  char text[40];
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  // A float stays a float.
  if (strspn(text, "-0123456789") == (size_t)length) {
    memcpy(text + length, ".0", 3);
    length += 2;
  }
  put(L, encoder, text, (size_t)length);
}

static void put_line(lua_State *L, Encoder *encoder) {
  if (!encoder->indent) return;
  put(L, encoder, "\n", 1);
  for (int i = 0; i < encoder->depth; i++)
    put(L, encoder, encoder->indent, encoder->indentCount);
}

static void encode(lua_State *L, Encoder *encoder);

static void put_elements(lua_State *L, Encoder *encoder, lua_Integer count) {
  int table = lua_gettop(L);
  put(L, encoder, "[", 1);
  encoder->depth++;
  for (lua_Integer i = 1; i <= count; i++) {
    if (i > 1) put(L, encoder, ",", 1);
    put_line(L, encoder);
    lua_rawgeti(L, table, i);
    encode(L, encoder);
  }
  encoder->depth--;
  if (count > 0) put_line(L, encoder);
  put(L, encoder, "]", 1);
}

/// Writes the key at the index and the value on top, and pops the value.
static void put_entry(lua_State *L, Encoder *encoder, int key, bool isFirst) {
  if (!isFirst) put(L, encoder, ",", 1);
  put_line(L, encoder);
  put_text(L, encoder, key);
  put(L, encoder, ": ", encoder->indent ? 2 : 1);
  encode(L, encoder);
}

/// Writes the entries in Lua's order of keys.
static void put_sorted_entries(lua_State *L, Encoder *encoder, int count) {
  int table = lua_gettop(L), keys = table + 1;
  lua_createtable(L, count, 0);
  lua_Integer last = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, keys, ++last);
  }
  lua_pushcfunction(L, table_sort);
  lua_pushvalue(L, keys);
  lua_call(L, 1, 0);
  for (lua_Integer i = 1; i <= last; i++) {
    lua_rawgeti(L, keys, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    put_entry(L, encoder, lua_gettop(L) - 1, i == 1);
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

static void put_entries(lua_State *L, Encoder *encoder) {
  int table = lua_gettop(L);
  bool isFirst = true;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    put_entry(L, encoder, lua_gettop(L) - 1, isFirst);
    isFirst = false;
  }
}

/// Writes the table on top: an array if its keys are 1 to n, an object if all keys are strings.
static void put_table(lua_State *L, Encoder *encoder) {
  int table = lua_gettop(L);
  if (copy_contents(L, table)) lua_replace(L, table);
  lua_Integer length = (lua_Integer)lua_rawlen(L, table);
  size_t texts = 0, others = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) == LUA_TSTRING)
      texts++;
    else if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= length)
      others++;
    else
      refuse_value(L, "a table with keys that are neither texts nor 1 to n");
    if ((texts + others) % 256 == 0) clock_check(L, budget_of(L));
  }
  if (texts && others) refuse_value(L, "a table with both texts and numbers as keys");
  if ((lua_Integer)others != length) refuse_value(L, "a table with gaps");
  if (!texts && !(length == 0 && json_is_object(L, table))) {
    put_elements(L, encoder, length);
    return;
  }
  put(L, encoder, "{", 1);
  encoder->depth++;
  if (encoder->sorts)
    put_sorted_entries(L, encoder, (int)texts);
  else
    put_entries(L, encoder);
  encoder->depth--;
  if (texts) put_line(L, encoder);
  put(L, encoder, "}", 1);
}

/// Calls a host function with one argument and two results. A third result is an error message.
static void call_host(lua_State *L) {
  lua_call(L, 1, 3);
  if (lua_isstring(L, -1)) luaL_error(L, "%s", lua_tostring(L, -1));
  lua_pop(L, 1);
}

/// Calls the host's function to convert the value on top to a plain value. The function returns a
/// table, and true if the table is an object even when it is empty.
static void lower(lua_State *L) {
  if (lua_isnil(L, ENCODER_LOWER)) refuse_value(L, luaL_typename(L, -1));
  lua_pushvalue(L, ENCODER_LOWER);
  lua_insert(L, -2);
  call_host(L);
  bool isObject = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (isObject && lua_istable(L, -1)) json_mark_object(L, -1);
}

/// Writes the value on top and pops it.
static void encode(lua_State *L, Encoder *encoder) {
  clock_check(L, budget_of(L));
  luaL_checkstack(L, 16, "the value nests too deep for JSON");
  int type = lua_type(L, -1);
  if (type == LUA_TUSERDATA || (type == LUA_TTABLE && luaL_getmetafield(L, -1, "__index"))) {
    if (type == LUA_TTABLE) lua_pop(L, 1);
    lower(L);
    type = lua_type(L, -1);
  }
  switch (type) {
    case LUA_TNIL: put(L, encoder, "null", 4); break;
    case LUA_TBOOLEAN:
      if (lua_toboolean(L, -1))
        put(L, encoder, "true", 4);
      else
        put(L, encoder, "false", 5);
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, -1)) {
        char digits[INTEGER_BYTES];
        const char *first = integer_write(lua_tointeger(L, -1), digits);
        put(L, encoder, first, (size_t)(digits + sizeof digits - first));
      } else {
        put_number(L, encoder, lua_tonumber(L, -1));
      }
      break;
    case LUA_TSTRING: put_text(L, encoder, -1); break;
    case LUA_TTABLE:
      if (encoder->depth == TIDE_JSON_MOST_LEVELS)
        refuse_value(L, "a value that nests deeper than 1000 levels, or contains itself,");
      put_table(L, encoder);
      break;
    default: refuse_value(L, type == LUA_TFUNCTION ? "a function" : luaL_typename(L, -1));
  }
  lua_pop(L, 1);
}

/// Checks for bytes that are not UTF-8, which scripts' strings may contain.
static void check_text(lua_State *L, const Encoder *encoder) {
  TideJSON json =
      tide_json_begin((const uint8_t *)encoder->bytes, encoder->count, TIDE_JSON_MOST_LEVELS);
  TideBudget *budget = budget_of(L);
  for (TideJSONToken token; (token = tide_json_next(&json)) != TideJSONEnd;) {
    clock_check(L, budget);
    if (token == TideJSONFault) refuse_value(L, "text that is not UTF-8");
  }
}

/// `encode(value [, options])`
int json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  luaL_argexpected(L, lua_isnoneornil(L, 3), 3, "no value");
  lua_settop(L, 2);
  bool hasOptions = !lua_isnil(L, 2);
  if (hasOptions) luaL_checktype(L, 2, LUA_TTABLE);
  lua_pushvalue(L, lua_upvalueindex(ENCODE_LOWER));
  lua_insert(L, ENCODER_LOWER);
  if (!hasOptions) {
    lua_settop(L, ENCODER_SORT);
  } else if (lua_isnil(L, lua_upvalueindex(ENCODE_OPTIONS))) {
    lua_getfield(L, 3, "indent");
    lua_getfield(L, 3, "sort");
    lua_remove(L, 3);
  } else {
    lua_pushvalue(L, lua_upvalueindex(ENCODE_OPTIONS));
    lua_insert(L, 3);
    call_host(L);
  }
  Encoder encoder = {
      .longest = budget_of(L)->limits.textBytes,
      .indent = luaL_optlstring(L, ENCODER_INDENT, NULL, NULL),
      .sorts = lua_isnil(L, ENCODER_SORT) || lua_toboolean(L, ENCODER_SORT),
      .room = 256,
  };
  encoder.indentCount = encoder.indent ? strlen(encoder.indent) : 0;
  encoder.bytes = lua_newuserdatauv(L, encoder.room, 0);
  lua_pushvalue(L, ENCODER_VALUE);
  encode(L, &encoder);
  for (size_t i = 0; i < encoder.count; i++)
    if (encoder.bytes[i] & 0x80) {
      check_text(L, &encoder);
      break;
    }
  lua_pushlstring(L, encoder.bytes, encoder.count);
  return 1;
}
