#include <stdio.h>
#include <stdlib.h>

#include "classes.h"
#include "outlines.h"

// The description of tables that scripts raise as errors. It is created when no script may run and
// memory may be exhausted, so all fields are read raw, and the text is written to a buffer of fixed
// size:
//
//   point { 1, 2, code = 42, message = "no", cause = { … }, … }

enum { DEPTH = 3, SEQUENCE = 8, FIELDS = 8, KEYS = 64, STRING = 80, ENTRIES = 1000 };

typedef struct Outline {
  lua_State *L;
  TideState *state;
  char *text;
  size_t count;
  bool isFull;
} Outline;

static void add(Outline *out, const char *text, size_t count) {
  enum { END = sizeof " … }" };
  if (out->isFull) return;
  if (out->count + count + END > OUTLINE_TEXT) {
    out->isFull = true;
    return;
  }
  memcpy(out->text + out->count, text, count);
  out->count += count;
}

static void add_text(Outline *out, const char *text) { add(out, text, strlen(text)); }

/// The length of the longest prefix of at most `most` bytes that cuts no character.
static size_t whole_characters(const char *text, size_t count, size_t most) {
  if (count <= most) return count;
  while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80) most--;
  return most;
}

static void add_quoted(Outline *out, const char *text, size_t count) {
  size_t shown = whole_characters(text, count, STRING);
  add(out, "\"", 1);
  for (size_t i = 0; i < shown; i++) {
    unsigned char byte = (unsigned char)text[i];
    char escaped[8];
    if (byte == '\n')
      add(out, "\\n", 2);
    else if (byte == '"' || byte == '\\')
      add(out, (char[]){'\\', text[i]}, 2);
    else if (byte < 0x20 || byte == 0x7f)
      add(out, escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%03d", byte));
    else
      add(out, text + i, 1);
  }
  add_text(out, shown < count ? "\"…" : "\"");
}

static void add_number(Outline *out, int index) {
  char text[64];
  if (lua_isinteger(out->L, index)) {
    snprintf(text, sizeof text, LUA_INTEGER_FMT, lua_tointegerx(out->L, index, NULL));
    return add_text(out, text);
  }
  double number = lua_tonumberx(out->L, index, NULL);
  for (int digits = 14; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, number);
    if (strtod(text, NULL) == number) break;
  }
  if (text[strspn(text, "-0123456789")] == 0) strcat(text, ".0");
  add_text(out, text);
}

static bool is_name(const char *text, size_t count) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  if (count == 0 || !memchr(letters, *text, sizeof letters - 1)) return false;
  for (size_t i = 1; i < count; i++) {
    bool isDigit = text[i] >= '0' && text[i] <= '9';
    if (!isDigit && !memchr(letters, text[i], sizeof letters - 1)) return false;
  }
  return true;
}

static void add_table(Outline *out, int index, int depth);

static void add_value(Outline *out, int index, int depth) {
  size_t count;
  switch (lua_type(out->L, index)) {
    case LUA_TNUMBER: return add_number(out, index);
    case LUA_TBOOLEAN: return add_text(out, lua_toboolean(out->L, index) ? "true" : "false");
    case LUA_TSTRING: {
      const char *text = lua_tolstring(out->L, index, &count);
      return add_quoted(out, text, count);
    }
    case LUA_TTABLE: return add_table(out, index, depth);
    case LUA_TUSERDATA: {
      TideBox *box = object_at(out->L, out->state, index);
      return add_text(out, box ? box->class->name : "userdata");
    }
    default: return add_text(out, lua_typename(out->L, lua_type(out->L, index)));
  }
}

typedef struct Key {
  const char *text;
  size_t count;
} Key;

static int compare_keys(const void *left, const void *right) {
  const Key *a = left, *b = right;
  int order = memcmp(a->text, b->text, a->count < b->count ? a->count : b->count);
  return order ? order : (a->count > b->count) - (a->count < b->count);
}

/// Adds the fields with string keys, in order. For a table with very many entries only the first
/// ones are read, because no time limit applies here.
static void add_fields(Outline *out, int index, int depth, lua_Integer sequence, bool isFirst) {
  lua_State *L = out->L;
  Key keys[KEYS];
  size_t count = 0, others = 0;
  int seen = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    seen++;
    // The table keeps the strings alive.
    if (lua_type(L, -1) == LUA_TSTRING && count < KEYS) {
      keys[count].text = lua_tolstring(L, -1, &keys[count].count);
      count++;
    } else if (!lua_isinteger(L, -1) || lua_tointegerx(L, -1, NULL) < 1 ||
               lua_tointegerx(L, -1, NULL) > sequence) {
      others++;
    }
    if (count + others >= KEYS || seen >= ENTRIES) {
      lua_pop(L, 1);
      break;
    }
  }
  qsort(keys, count, sizeof *keys, compare_keys);
  for (size_t i = 0; i < count && i < FIELDS && !out->isFull; i++) {
    add_text(out, isFirst ? "{ " : ", ");
    isFirst = false;
    if (is_name(keys[i].text, keys[i].count)) {
      add(out, keys[i].text, keys[i].count);
    } else {
      add_text(out, "[");
      add_quoted(out, keys[i].text, keys[i].count);
      add_text(out, "]");
    }
    add_text(out, " = ");
    // Finds the key by its address, because creating the key again might allocate.
    lua_pushnil(L);
    while (lua_next(L, index)) {
      size_t length;
      bool isKey = lua_type(L, -2) == LUA_TSTRING && lua_tolstring(L, -2, &length) == keys[i].text;
      if (isKey) break;
      lua_pop(L, 1);
    }
    add_value(out, lua_gettop(L), depth + 1);
    lua_pop(L, 2);
  }
  if (count > FIELDS || others > 0 || sequence > SEQUENCE)
    add_text(out, isFirst ? "{ …" : ", …");
  else if (isFirst)
    return add_text(out, "{}");
  add_text(out, " }");
}

static void add_table(Outline *out, int index, int depth) {
  lua_State *L = out->L;
  if (depth >= DEPTH) return add_text(out, "{…}");
  luaL_checkstack(L, 8, NULL);
  if (lua_getmetatable(L, index)) {
    lua_pushliteral(L, "__name");
    lua_rawget(L, -2);
    if (lua_type(L, -1) == LUA_TSTRING) {
      size_t count;
      const char *name = lua_tolstring(L, -1, &count);
      add(out, name, whole_characters(name, count, STRING));
      add(out, " ", 1);
    }
    lua_pop(L, 2);
  }
  lua_Integer sequence = (lua_Integer)lua_rawlen(L, index);
  bool isFirst = true;
  for (lua_Integer i = 1; i <= sequence && i <= SEQUENCE && !out->isFull; i++) {
    add_text(out, isFirst ? "{ " : ", ");
    isFirst = false;
    lua_rawgeti(L, index, i);
    add_value(out, lua_gettop(L), depth + 1);
    lua_pop(L, 1);
  }
  add_fields(out, index, depth, sequence, isFirst);
}

size_t table_outline(lua_State *L, TideState *state, int index, char text[OUTLINE_TEXT]) {
  static const char end[] = " … }";
  Outline out = {.L = L, .state = state, .text = text};
  add_table(&out, lua_absindex(L, index), 0);
  if (out.isFull) {
    memcpy(text + out.count, end, sizeof end - 1);
    out.count += sizeof end - 1;
  }
  return out.count;
}
