#include "host.h"

#include <ctype.h>

// The string functions whose work grows with what they are given: the limits of a text's size hold
// here, and long loops test whether the turn is over.

enum {
  LONGEST_FORMAT = 1 << 20,
  MOST_FORMAT_ARGUMENTS = 10000,
  LONGEST_PACK_FORMAT = 1 << 16,
  LONGEST_TEXT_FORMATTED = 8 << 20,
  LONGEST_UTF8 = 8 << 20,
  BYTES_BETWEEN_TESTS = 1 << 16,
};

/// Runs the stock function that the first upvalue holds in place of this one.
static int run_stock(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

static int string_rep(lua_State *L) {
  size_t count, gap;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *between = luaL_optlstring(L, 3, "", &gap);
  if (times <= 0 || count + gap == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  uint64_t most = state_of(L)->configuration.textBytes;
  if (!most) most = PTRDIFF_MAX;
  if (count + gap > most / (uint64_t)times)
    return luaL_error(L, "resulting string too large");
  if (count + gap > BYTES_BETWEEN_TESTS / (uint64_t)times) clock_look(L, state_of(L));
  size_t unit = count + gap, total = (size_t)times * unit - gap;
  memory_make_room(L, state_of(L), total + gap);
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, total + gap);
  memcpy(out, text, count);
  memcpy(out + count, between, gap);
  // Copying what is there doubles it, however short the text.
  for (size_t done = unit; done < total + gap;) {
    size_t part = done < total + gap - done ? done : total + gap - done;
    memcpy(out + done, out, part);
    done += part;
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

static int convert(lua_State *L, int (*of)(int)) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  TideState *state = state_of(L);
  memory_make_room(L, state, count);
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, count);
  for (size_t i = 0; i < count; i++) {
    if ((i & (BYTES_BETWEEN_TESTS - 1)) == 0) clock_look(L, state);
    out[i] = (char)of((unsigned char)text[i]);
  }
  luaL_pushresultsize(&buffer, count);
  return 1;
}

static int string_lower(lua_State *L) { return convert(L, tolower); }
static int string_upper(lua_State *L) { return convert(L, toupper); }

static int string_reverse(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  TideState *state = state_of(L);
  memory_make_room(L, state, count);
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, count);
  for (size_t i = 0; i < count; i++) {
    if ((i & (BYTES_BETWEEN_TESTS - 1)) == 0) clock_look(L, state);
    out[i] = text[count - 1 - i];
  }
  luaL_pushresultsize(&buffer, count);
  return 1;
}

static int string_format(lua_State *L) {
  size_t count;
  luaL_checklstring(L, 1, &count);
  int top = lua_gettop(L);
  if (count > LONGEST_FORMAT || top > MOST_FORMAT_ARGUMENTS)
    return luaL_error(L, "format too long");
  size_t total = 0;
  for (int i = 2; i <= top; i++)
    if (lua_type(L, i) == LUA_TSTRING) total += lua_rawlen(L, i);
  if (total > LONGEST_TEXT_FORMATTED) return luaL_error(L, "resulting string too large");
  return run_stock(L);
}

static int limited(lua_State *L, size_t most, const char *message) {
  if (lua_type(L, 1) == LUA_TSTRING && lua_rawlen(L, 1) > most) return luaL_error(L, message);
  return run_stock(L);
}

static int limited_format(lua_State *L) {
  return limited(L, LONGEST_PACK_FORMAT, "format too long");
}

static int limited_utf8(lua_State *L) { return limited(L, LONGEST_UTF8, "string too long"); }

/// Puts a function in front of a stock one of the table on top.
static void guard(lua_State *L, const char *name, lua_CFunction function) {
  lua_getfield(L, -1, name);
  lua_pushcclosure(L, function, 1);
  lua_setfield(L, -2, name);
}

void strings_open(lua_State *L, TideState *state) {
  (void)state;
  static const luaL_Reg functions[] = {
      {"rep", string_rep},         {"lower", string_lower}, {"upper", string_upper},
      {"reverse", string_reverse}, {NULL, NULL},
  };
  luaL_setfuncs(L, functions, 0);
  guard(L, "format", string_format);
  guard(L, "pack", limited_format);
  guard(L, "unpack", limited_format);
  guard(L, "packsize", limited_format);
  search_open(L);
}

void utf8_open(lua_State *L) {
  static const char *const names[] = {"len", "codepoint", "offset", "codes"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) guard(L, names[i], limited_utf8);
}
