#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "TideJSON.h"
#include "library.h"

// JSON for scripts. Reading builds tables straight from the scanner's tokens; it can stop between
// two of them and go on later. Null, and what else is no plain value, is the caller's business: it
// says what null becomes, and gives a function that makes plain values of objects.

enum { TOKENS_BETWEEN_TESTS = 64, IS_OBJECT = -1 };

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

static void mark_as_object(lua_State *L, int index) {
  index = lua_absindex(L, index);
  push_empty_objects(L);
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

static bool was_object(lua_State *L, int index) {
  index = lua_absindex(L, index);
  push_empty_objects(L);
  lua_pushvalue(L, index);
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return found;
}

// MARK: Reading

typedef struct Decoder {
  TideJSON json;
  int level;  // of the calls, where errors are
  int depth;
  // For each open level the number of its elements, or IS_OBJECT.
  int32_t counts[TIDE_JSON_MOST_LEVELS + 1];
} Decoder;

/// Raises the message on top, as the error of a call so many levels above.
static int raise_at(lua_State *L, int level) {
  luaL_where(L, level);
  lua_insert(L, -2);
  lua_concat(L, 2);
  return lua_error(L);
}

static int refuse_text(lua_State *L, const Decoder *decoder, const char *reason) {
  size_t line, column;
  tide_json_locate(&decoder->json, &line, &column);
  lua_pushfstring(L, "invalid JSON at line %I, column %I: %s", (LUAI_UACINT)line,
                  (LUAI_UACINT)column, reason);
  return raise_at(L, decoder->level);
}

static int refuse(lua_State *L, const Decoder *decoder) {
  char message[TIDE_JSON_MESSAGE];
  tide_json_describe(&decoder->json, message);
  return refuse_text(L, decoder, message);
}

/// Pushes the last text.
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

/// Puts the value on top into what it stands in, if anything.
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
      mark_as_object(L, -1);
  }
  decoder->depth--;
  store(L, decoder);
}

/// Goes on to a position, with what is open on top of the stack; true with the value there once it
/// is whole. `null` is where what null becomes lies.
static bool decode(lua_State *L, Decoder *decoder, size_t limit, int null) {
  TideJSON *json = &decoder->json;
  TideBudget *budget = budget_of(L);
  for (unsigned tokens = 1;; tokens++) {
    if (tokens % TOKENS_BETWEEN_TESTS == 0) {
      clock_check(L, budget);
      if (json->position >= limit) return false;
    }
    switch (tide_json_next(json)) {
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
        decoder->counts[decoder->depth] =
            json->kinds[(json->depth - 1) >> 3] >> ((json->depth - 1) & 7) & 1 ? IS_OBJECT : 0;
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

static void begin(lua_State *L, Decoder *decoder, int index, int level) {
  size_t count;
  if (lua_type(L, index) != LUA_TSTRING) {
    lua_pushfstring(L, "bad argument #%d to 'decode' (string expected, got %s)", index,
                    luaL_typename(L, index));
    raise_at(L, level);
  }
  const char *text = lua_tolstring(L, index, &count);
  decoder->json = tide_json_begin((const uint8_t *)text, count, TIDE_JSON_MOST_LEVELS);
  decoder->level = level;
  decoder->depth = 0;
}

/// `decode(text [, null [, level]])`
static int json_decode(lua_State *L) {
  Decoder decoder;
  begin(L, &decoder, 1, (int)luaL_optinteger(L, 3, 1));
  lua_settop(L, 2);
  decode(L, &decoder, SIZE_MAX, 2);
  return 1;
}

enum { UPVALUE_TEXT = 1, UPVALUE_NULL, UPVALUE_DECODER, UPVALUE_OPEN, UPVALUE_STEP };

/// Goes on where the last call stopped: gives nothing until the value is whole, then true and it.
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

/// `slices(text, null, bytes)` gives a function that decodes so many bytes a call.
static int json_slices(lua_State *L) {
  lua_Integer step = luaL_checkinteger(L, 3);
  luaL_argcheck(L, step > 0, 3, "more than 0 bytes expected");
  luaL_checkstring(L, 1);
  lua_settop(L, 2);
  Decoder *decoder = lua_newuserdatauv(L, sizeof *decoder, 0);
  begin(L, decoder, 1, 2);
  lua_newtable(L);
  lua_pushinteger(L, step);
  lua_pushcclosure(L, decode_slice, UPVALUE_STEP);
  return 1;
}

// MARK: Writing

enum {
  ENCODER_VALUE = 1,
  ENCODER_LOWER,
  ENCODER_LEVEL,
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
  int level;  // of the calls, where errors are
  int depth;
} Encoder;

/// Makes room for so many bytes more and gives where they begin.
static char *reserve(lua_State *L, Encoder *encoder, size_t count) {
  if (unlikely(encoder->longest && encoder->count + count > encoder->longest)) {
    lua_pushliteral(L, "resulting string too large");
    raise_at(L, encoder->level);
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
  size_t count;
  const char *text = lua_tolstring(L, index, &count);
  // Reading it back finds what cannot stand in JSON: bytes that are not UTF-8.
  char *out = reserve(L, encoder, 2);
  *out = '"';
  encoder->count++;
  size_t done = 0;
  for (size_t i = 0; i <= count; i++) {
    uint8_t byte = i < count ? (uint8_t)text[i] : '"';
    if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F) {
      if (i - done < 4096) continue;
    }
    put(L, encoder, text + done, i - done);
    done = i;
    if (i == count) break;
    if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7F) {
      clock_check(L, budget_of(L));
      continue;
    }
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

static int refuse_value(lua_State *L, const Encoder *encoder, const char *what) {
  lua_pushfstring(L, "%s cannot be written as JSON", what);
  return raise_at(L, encoder->level);
}

static void put_number(lua_State *L, Encoder *encoder, lua_Number number) {
  if (!isfinite(number))
    refuse_value(L, encoder, isnan(number) ? "a number that is none (nan)" : "an endless number");
  char text[40];
  int length = 0;
  for (int digits = 15; digits <= 17; digits++) {
    length = snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  // What was a float stays one.
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

/// Writes a key, which lies at the index, and the value on top, which is taken.
static void put_entry(lua_State *L, Encoder *encoder, int key, bool isFirst) {
  if (!isFirst) put(L, encoder, ",", 1);
  put_line(L, encoder);
  put_text(L, encoder, key);
  put(L, encoder, ": ", encoder->indent ? 2 : 1);
  encode(L, encoder);
}

static int compare_keys(const void *left, const void *right) {
  const char *const *a = left, *const *b = right;
  return strcmp(*a, *b);
}

/// In the order of the keys' bytes; keys with a zero byte come as they are up to it.
static void put_sorted_entries(lua_State *L, Encoder *encoder, size_t count) {
  int table = lua_gettop(L);
  const char **keys = lua_newuserdatauv(L, count * sizeof *keys + 1, 0);
  size_t i = 0;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (i < count) keys[i++] = lua_tostring(L, -1);
  }
  clock_look(L, budget_of(L));
  qsort(keys, i, sizeof *keys, compare_keys);
  for (size_t k = 0; k < i; k++) {
    lua_pushstring(L, keys[k]);
    lua_pushvalue(L, -1);
    lua_rawget(L, table);
    int key = lua_gettop(L) - 1;
    put_entry(L, encoder, key, k == 0);
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

/// Writes the table on top: an array where its keys are 1 to n, an object where all are texts.
static void put_table(lua_State *L, Encoder *encoder) {
  int table = lua_gettop(L);
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
      refuse_value(L, encoder, "a table with keys that are neither texts nor 1 to n");
    if ((texts + others) % 256 == 0) clock_check(L, budget_of(L));
  }
  if (texts && others) refuse_value(L, encoder, "a table with both texts and numbers as keys");
  if ((lua_Integer)others != length) refuse_value(L, encoder, "a table with gaps");
  if (!texts && !(length == 0 && was_object(L, table))) {
    put_elements(L, encoder, length);
    return;
  }
  put(L, encoder, "{", 1);
  encoder->depth++;
  if (encoder->sorts)
    put_sorted_entries(L, encoder, texts);
  else
    put_entries(L, encoder);
  encoder->depth--;
  if (texts) put_line(L, encoder);
  put(L, encoder, "}", 1);
}

/// Has the host's function make a plain value of what is on top: a table, with true where it is an
/// object even if it is empty.
static void lower(lua_State *L, const Encoder *encoder) {
  if (lua_isnil(L, ENCODER_LOWER)) refuse_value(L, encoder, luaL_typename(L, -1));
  lua_pushvalue(L, ENCODER_LOWER);
  lua_insert(L, -2);
  lua_call(L, 1, 2);
  bool isObject = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (isObject && lua_istable(L, -1)) mark_as_object(L, -1);
}

/// Writes the value on top and pops it.
static void encode(lua_State *L, Encoder *encoder) {
  clock_check(L, budget_of(L));
  luaL_checkstack(L, 16, "the value nests too deep for JSON");
  int type = lua_type(L, -1);
  if (type == LUA_TUSERDATA || (type == LUA_TTABLE && luaL_getmetafield(L, -1, "__index"))) {
    if (type == LUA_TTABLE) lua_pop(L, 1);
    lower(L, encoder);
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
        refuse_value(L, encoder, "a value that nests deeper than 1000 levels, or contains itself,");
      put_table(L, encoder);
      break;
    default: refuse_value(L, encoder, type == LUA_TFUNCTION ? "a function" : luaL_typename(L, -1));
  }
  lua_pop(L, 1);
}

/// Finds bytes that are not UTF-8, which texts of scripts may have.
static void check_text(lua_State *L, const Encoder *encoder) {
  TideJSON json =
      tide_json_begin((const uint8_t *)encoder->bytes, encoder->count, TIDE_JSON_MOST_LEVELS);
  TideBudget *budget = budget_of(L);
  for (TideJSONToken token; (token = tide_json_next(&json)) != TideJSONEnd;) {
    clock_check(L, budget);
    if (token == TideJSONFault) refuse_value(L, encoder, "text that is not UTF-8");
  }
}

/// `encode(value [, lower [, level [, indent [, sort]]]])`
static int json_encode(lua_State *L) {
  luaL_checkany(L, 1);
  lua_settop(L, ENCODER_SORT);
  Encoder encoder = {
      .longest = budget_of(L)->limits.textBytes,
      .indent = luaL_optlstring(L, ENCODER_INDENT, NULL, NULL),
      .sorts = lua_toboolean(L, ENCODER_SORT),
      .level = (int)luaL_optinteger(L, ENCODER_LEVEL, 1),
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

void json_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"decode", json_decode}, {"encode", json_encode}, {"slices", json_slices}, {NULL, NULL},
  };
  make_empty_objects(L);
  luaL_setfuncs(L, functions, 0);
}
