#include "library.h"

// The functions of the standard library `utf8` that process a whole string. They regularly check
// whether the turn is over.

enum { BYTES_BETWEEN_TESTS = 1 << 12, LARGEST_CODE = 0x10FFFF };

static inline bool goes_on(char byte) { return (byte & 0xC0) == 0x80; }

/// Decodes the character at `s`, whose code has up to 31 bits unless `isStrict` is true. Returns
/// the start of the next character, or NULL if the bytes are invalid. Strings end with a zero byte,
/// so nothing beyond that is read.
static inline const char *decode(const char *s, uint32_t *code, bool isStrict) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};
  uint32_t first = (unsigned char)*s++, value = 0;
  if (likely(first < 0x80)) {
    *code = first;
    return s;
  }
  int more = 0;
  for (; first & 0x40; first <<= 1, more++, s++) {
    if (!goes_on(*s)) return NULL;
    value = value << 6 | (*s & 0x3F);
  }
  if (more == 0 || more > 5) return NULL;
  value |= (first & 0x7F) << (more * 5);
  if (value > 0x7FFFFFFF || value < least[more]) return NULL;
  if (isStrict && (value > LARGEST_CODE || (0xD800 <= value && value <= 0xDFFF))) return NULL;
  *code = value;
  return s;
}

/// A position, which is counted from the end if it is negative.
static inline lua_Integer position_in(size_t count, lua_Integer position) {
  if (position >= 0) return position;
  return 0u - (size_t)position > count ? 0 : (lua_Integer)count + position + 1;
}

static int utf8_len(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Integer first = position_in(count, luaL_optinteger(L, 2, 1));
  lua_Integer last = position_in(count, luaL_optinteger(L, 3, -1));
  bool isStrict = !lua_toboolean(L, 4);
  luaL_argcheck(L, 1 <= first && first - 1 <= (lua_Integer)count, 2,
                "initial position out of bounds");
  luaL_argcheck(L, last - 1 < (lua_Integer)count, 3, "final position out of bounds");
  const char *s = text + first - 1, *end = text + last;
  lua_Integer length = 0;
  while (s < end) {
    uint32_t code;
    const char *next = decode(s, &code, isStrict);
    if (unlikely(!next)) {
      luaL_pushfail(L);
      lua_pushinteger(L, s - text + 1);
      return 2;
    }
    s = next;
    if (unlikely((++length & (BYTES_BETWEEN_TESTS - 1)) == 0)) clock_check(L, budget_of(L));
  }
  lua_pushinteger(L, length);
  return 1;
}

/// Advances by a number of characters, to the first byte of the last one. Returns false if the
/// string ends before.
static inline bool go_on(lua_State *L, const char **at, const char *end, lua_Integer characters) {
  const char *s = *at;
  while (characters && s < end) {
    const char *stop = end - s > BYTES_BETWEEN_TESTS ? s + BYTES_BETWEEN_TESTS : end;
    while (s < stop)
      if (!goes_on(*++s) && --characters == 0) break;
    clock_check(L, budget_of(L));
  }
  *at = s;
  return characters == 0;
}

static inline bool go_back(lua_State *L, const char **at, const char *start,
                           lua_Integer characters) {
  const char *s = *at;
  while (characters && s > start) {
    const char *stop = s - start > BYTES_BETWEEN_TESTS ? s - BYTES_BETWEEN_TESTS : start;
    while (s > stop)
      if ((!goes_on(*--s) || s == start) && --characters == 0) break;
    clock_check(L, budget_of(L));
  }
  *at = s;
  return characters == 0;
}

static int utf8_offset(lua_State *L) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Integer wanted = luaL_checkinteger(L, 2);
  lua_Integer usual = wanted < 0 ? (lua_Integer)count + 1 : 1;
  lua_Integer at = position_in(count, luaL_optinteger(L, 3, usual));
  luaL_argcheck(L, 1 <= at && at - 1 <= (lua_Integer)count, 3, "position out of bounds");
  const char *s = text + at - 1;
  bool isFound = true;
  if (wanted == 0) {
    if (goes_on(*s)) go_back(L, &s, text, 1);
  } else {
    if (goes_on(*s)) return luaL_error(L, "initial position is a continuation byte");
    // The number of bytes is an upper limit, which also prevents overflows.
    if (wanted < -(lua_Integer)count) wanted = -(lua_Integer)count - 1;
    isFound = wanted > 0 ? go_on(L, &s, text + count, wanted - 1) : go_back(L, &s, text, -wanted);
  }
  if (isFound)
    lua_pushinteger(L, s - text + 1);
  else
    luaL_pushfail(L);
  return 1;
}

static inline int next_code(lua_State *L, bool isStrict) {
  size_t count;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Unsigned last = (lua_Unsigned)lua_tointeger(L, 2);
  if (last > count) return 0;
  const char *s = text + last, *end = text + count;
  for (; goes_on(*s); s++) clock_check(L, budget_of(L));
  if (s == end) return 0;
  uint32_t code;
  const char *next = decode(s, &code, isStrict);
  bool skipsStrayBytes = lua_toboolean(L, lua_upvalueindex(1));
  if (unlikely(!next || (goes_on(*next) && !skipsStrayBytes)))
    return luaL_error(L, "invalid UTF-8 code");
  lua_pushinteger(L, s - text + 1);
  lua_pushinteger(L, code);
  return 2;
}

static int next_strictly(lua_State *L) { return next_code(L, true); }
static int next_laxly(lua_State *L) { return next_code(L, false); }

static int utf8_codes(lua_State *L) {
  bool isLax = lua_toboolean(L, 2), skipsStrayBytes = lua_toboolean(L, lua_upvalueindex(3));
  const char *text = luaL_checkstring(L, 1);
  luaL_argcheck(L, skipsStrayBytes || !goes_on(*text), 1, "invalid UTF-8 code");
  lua_pushvalue(L, lua_upvalueindex(isLax ? 2 : 1));
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

/// Whether the interpreter's `codes` skips stray continuation bytes, as in Lua 5.4.4; later
/// releases refuse them.
static bool skips_stray_bytes(lua_State *L) {
  lua_getfield(L, -1, "codes");
  lua_pushliteral(L, "\x80");
  bool isAccepted = lua_pcall(L, 1, 0, 0) == LUA_OK;
  if (!isAccepted) lua_pop(L, 1);
  return isAccepted;
}

/// Replaces functions of the standard library on top of the stack.
void utf8_open(lua_State *L) {
  bool skipsStrayBytes = skips_stray_bytes(L);
  static const luaL_Reg functions[] = {
      {"len", utf8_len}, {"offset", utf8_offset}, {NULL, NULL},
  };
  luaL_setfuncs(L, functions, 0);
  lua_pushboolean(L, skipsStrayBytes);
  lua_pushcclosure(L, next_strictly, 1);
  lua_pushboolean(L, skipsStrayBytes);
  lua_pushcclosure(L, next_laxly, 1);
  lua_pushboolean(L, skipsStrayBytes);
  lua_pushcclosure(L, utf8_codes, 3);
  lua_setfield(L, -2, "codes");
}
