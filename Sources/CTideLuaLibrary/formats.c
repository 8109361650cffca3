#include <ctype.h>
#include <stdio.h>

#include "library.h"

// string.format. Short and simple formats are handled here in half the time. Everything else,
// including every error, is left to the standard function, behind limits on sizes.

enum {
  LONGEST_FORMAT = 1 << 20,
  MOST_ARGUMENTS = 10000,
  LONGEST_RESULT = 8 << 20,
  SHORT_RESULT = 512,
  LONG_ARGUMENTS = 1 << 16,
  LONGEST_PADDED = 99,
};

static StockFunction stock;

/// The remaining room for a result.
typedef struct Room {
  char *next, *end;
} Room;

static inline bool add(Room *room, const char *bytes, size_t count) {
  if (count > (size_t)(room->end - room->next)) return false;
  memcpy(room->next, bytes, count);
  room->next += count;
  return true;
}

static inline bool add_integer(Room *room, lua_Integer integer) {
  char digits[INTEGER_BYTES], *first = integer_write(integer, digits);
  return add(room, first, (size_t)(digits + sizeof digits - first));
}

/// A directive: `%`, at most one flag, a width, a precision, and the letter.
typedef struct Directive {
  const char *start, *end;
  char flag, letter;
  int width;
  bool hasPrecision, isBare;
} Directive;

/// Reads up to two digits.
static inline int read_size(const char **at) {
  int size = 0;
  for (int i = 0; i < 2 && isdigit((unsigned char)**at); i++) size = size * 10 + *(*at)++ - '0';
  return size;
}

static inline Directive read_directive(const char *start) {
  Directive d = {.start = start};
  const char *at = start + 1;
  d.isBare = isalpha((unsigned char)*at);
  if (!d.isBare) {
    if (*at == '-' || *at == '0' || *at == '+') d.flag = *at++;
    if (*at != '0') d.width = read_size(&at);
    if (*at == '.') {
      d.hasPrecision = true;
      at++;
      read_size(&at);
    }
  }
  d.letter = *at;
  d.end = at + 1;
  return d;
}

static bool add_text(Room *room, const Directive *d, const char *bytes, size_t count) {
  if (d->isBare) return add(room, bytes, count);
  if (d->hasPrecision || (d->flag && d->flag != '-')) return false;
  // The standard function refuses zero bytes here, and does not pad long strings.
  if (count > LONGEST_PADDED || memchr(bytes, 0, count)) return false;
  char spaces[LONGEST_PADDED + 1];
  size_t missing = (size_t)d->width > count ? (size_t)d->width - count : 0;
  memset(spaces, ' ', missing);
  if (d->flag) return add(room, bytes, count) && add(room, spaces, missing);
  return add(room, spaces, missing) && add(room, bytes, count);
}

/// Formats an argument by a directive, to which this adds the length modifier.
static bool print(lua_State *L, Room *room, const Directive *d, int index) {
  char form[16];
  size_t count = (size_t)(d->end - d->start) - 1, left = (size_t)(room->end - room->next);
  memcpy(form, d->start, count);
  int length;
  if (lua_isinteger(L, index) && strchr("dxX", d->letter)) {
    if (d->flag == '+' && d->letter != 'd') return false;
    char rest[] = {'l', 'l', d->letter, 0};
    memcpy(form + count, rest, sizeof rest);
    length = snprintf(room->next, left, form, (long long)lua_tointeger(L, index));
  } else if (lua_type(L, index) == LUA_TNUMBER && strchr("fge", d->letter)) {
    char rest[] = {d->letter, 0};
    memcpy(form + count, rest, sizeof rest);
    length = snprintf(room->next, left, form, lua_tonumber(L, index));
  } else {
    return false;
  }
  if (length < 0 || (size_t)length >= left) return false;
  room->next += length;
  return true;
}

enum { LONGEST_QUOTED = 4 };

/// Adds a byte as in a literal that Lua can parse. There must be room for it.
static inline void add_quoted_byte(Room *room, unsigned char c, bool digitFollows) {
  if (c == '"' || c == '\\' || c == '\n') {
    *room->next++ = '\\';
    *room->next++ = (char)c;
  } else if (iscntrl(c)) {
    char form[LONGEST_QUOTED + 1];
    int length = snprintf(form, sizeof form, digitFollows ? "\\%03d" : "\\%d", c);
    add(room, form, (size_t)length);
  } else {
    *room->next++ = (char)c;
  }
}

static inline bool is_digit_at(const char *bytes, size_t index, size_t count) {
  return index < count && isdigit((unsigned char)bytes[index]);
}

/// Adds a string as a literal that Lua can parse.
static bool add_quoted(Room *room, const char *bytes, size_t count) {
  if (!add(room, "\"", 1)) return false;
  for (size_t i = 0; i < count; i++) {
    if (room->end - room->next < LONGEST_QUOTED) return false;
    add_quoted_byte(room, (unsigned char)bytes[i], is_digit_at(bytes, i + 1, count));
  }
  return add(room, "\"", 1);
}

/// Adds the result of `tostring` for a value that is not a string and has no metatable.
static bool add_described(lua_State *L, Room *room, int index) {
  char text[64];
  switch (lua_type(L, index)) {
    case LUA_TNIL: return add(room, "nil", 3);
    case LUA_TBOOLEAN:
      return lua_toboolean(L, index) ? add(room, "true", 4) : add(room, "false", 5);
    case LUA_TNUMBER: break;
    default: return false;
  }
  if (lua_isinteger(L, index)) return add_integer(room, lua_tointeger(L, index));
  int length = snprintf(text, sizeof text, LUA_NUMBER_FMT, lua_tonumber(L, index));
  bool looksWhole = text[strspn(text, "-0123456789")] == 0;
  return add(room, text, (size_t)length) && (!looksWhole || add(room, ".0", 2));
}

/// Formats an argument. Returns false if the standard function must do it or report an error.
static bool add_argument(lua_State *L, Room *room, const Directive *d, int index) {
  if (!isalpha((unsigned char)d->letter)) return false;
  if ((d->letter == 's' || d->letter == 'q') && lua_type(L, index) == LUA_TSTRING) {
    size_t count;
    const char *bytes = lua_tolstring(L, index, &count);
    if (d->letter == 's') return add_text(room, d, bytes, count);
    return d->isBare && add_quoted(room, bytes, count);
  }
  if (d->isBare && d->letter == 'd' && lua_isinteger(L, index))
    return add_integer(room, lua_tointeger(L, index));
  if (d->letter != 's') return print(L, room, d, index);
  if (lua_getmetatable(L, index)) {
    lua_pop(L, 1);
    return false;
  }
  return d->isBare && add_described(L, room, index);
}

static inline bool format_simply(lua_State *L, Room *room, const char *format, size_t count) {
  const char *end = format + count, *escape;
  int index = 2;
  while ((escape = memchr(format, '%', (size_t)(end - format)))) {
    bool isEscaped = escape[1] == '%';
    if (!add(room, format, (size_t)(escape - format) + isEscaped)) return false;
    format = escape + 2;
    if (isEscaped) continue;
    Directive directive = read_directive(escape);
    if (!add_argument(L, room, &directive, index++)) return false;
    format = directive.end;
  }
  return add(room, format, (size_t)(end - format));
}

/// Quotes a string of any length, piece by piece, so that the turn can be stopped in between.
static void push_quoted(lua_State *L, int index) {
  enum { PIECE = 1 << 14 };
  size_t count;
  const char *bytes = lua_tolstring(L, index, &count);
  luaL_Buffer buffer;
  luaL_buffinit(L, &buffer);
  luaL_addchar(&buffer, '"');
  for (size_t i = 0; i < count;) {
    clock_look(L, budget_of(L));
    size_t stop = count - i > PIECE ? i + PIECE : count;
    char *start = luaL_prepbuffsize(&buffer, (stop - i) * LONGEST_QUOTED);
    Room room = {start, start + (stop - i) * LONGEST_QUOTED};
    for (; i < stop; i++)
      add_quoted_byte(&room, (unsigned char)bytes[i], is_digit_at(bytes, i + 1, count));
    luaL_addsize(&buffer, (size_t)(room.next - start));
  }
  luaL_addchar(&buffer, '"');
  luaL_pushresult(&buffer);
}

static bool describes_itself(lua_State *L, int index) {
  if (luaL_getmetafield(L, index, "__tostring") == LUA_TNIL) return false;
  lua_pop(L, 1);
  return true;
}

static int describe_other(lua_State *L) {
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  value_describe(L, 1, NULL);
  return 1;
}

/// Pushes a stand-in for a value, which the standard function describes by our function when it
/// reaches the value. Describing one argument may end the life of the next one.
static void push_described(lua_State *L, int index) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, index);
  lua_pushcclosure(L, describe_other, 1);
  lua_setfield(L, -2, "__tostring");
  lua_setmetatable(L, -2);
}

/// Prepares the arguments for Lua's own function. Replaces values that have an address by
/// stand-ins, and strings for `%q` by quoted ones, because Lua would quote a long string without
/// interruption.
static void describe_arguments(lua_State *L, const char *format, size_t count) {
  int top = lua_gettop(L), index = 2;
  luaL_checkstack(L, 8, NULL);
  char *copy = lua_newuserdatauv(L, count + 1, 0);
  memcpy(copy, format, count + 1);
  bool isChanged = false;
  for (size_t i = 0; i + 1 < count; i++) {
    if (copy[i] != '%' || copy[++i] == '%') continue;
    bool isBare = isalpha((unsigned char)copy[i]);
    i += strspn(copy + i, "-+ #0123456789.");
    bool isText = lua_type(L, index) == LUA_TSTRING;
    if (index > top) break;
    if (copy[i] == 's' && !isText && describes_itself(L, index)) {
      push_described(L, index);
      lua_replace(L, index);
    } else if (copy[i] == 's' && !isText && lua_topointer(L, index)) {
      value_describe(L, index, NULL);
      lua_replace(L, index);
    } else if (copy[i] == 'p' && lua_topointer(L, index)) {
      uint64_t disguise = address_disguise(lua_topointer(L, index));
      lua_pushlightuserdata(L, (void *)(uintptr_t)disguise);
      lua_replace(L, index);
    } else if (copy[i] == 'q' && isBare && isText) {
      push_quoted(L, index);
      lua_replace(L, index);
      copy[i] = 's';
      isChanged = true;
    }
    index++;
  }
  if (isChanged) {
    lua_pushlstring(L, copy, count);
    lua_replace(L, 1);
  }
  lua_settop(L, top);
}

static int string_format(lua_State *L) {
  size_t count, total = 0;
  const char *format = luaL_checklstring(L, 1, &count);
  char bytes[SHORT_RESULT];
  Room room = {bytes, bytes + sizeof bytes};
  if (format_simply(L, &room, format, count)) {
    lua_pushlstring(L, bytes, (size_t)(room.next - bytes));
    return 1;
  }
  int top = lua_gettop(L);
  if (unlikely(count > LONGEST_FORMAT || top > MOST_ARGUMENTS))
    return luaL_error(L, "format too long");
  for (int i = 2; i <= top; i++) total += lua_rawlen(L, i);
  if (unlikely(total > LONGEST_RESULT)) return luaL_error(L, "resulting string too large");
  if (unlikely(total > LONG_ARGUMENTS)) clock_look(L, budget_of(L));
  describe_arguments(L, format, count);
  return stock_run(L, &stock);
}

void formats_open(lua_State *L) { stock_guard(L, "format", string_format, &stock); }
