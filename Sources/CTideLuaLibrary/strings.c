#include <ctype.h>

#include "library.h"

// The string functions whose work grows with their arguments. The limits on the length of strings
// are enforced here, and long loops check whether the turn is over.

enum { LONGEST_PACK_FORMAT = 1 << 16, BYTES_BETWEEN_TESTS = 1 << 16, PIECE = 1 << 20 };

/// The standard functions behind ours, which are the same in every state.
static StockFunction pack, unpack, packSize;

static inline uint64_t longest_text(lua_State *L) {
  uint64_t most = budget_of(L)->limits.textBytes;
  return most ? most : PTRDIFF_MAX;
}

static int string_rep(lua_State *L) {
  size_t count, gap;
  const char *text = luaL_checklstring(L, 1, &count);
  lua_Integer times = luaL_checkinteger(L, 2);
  const char *between = luaL_optlstring(L, 3, "", &gap);
  if (times <= 0 || count + gap == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  if (count + gap > longest_text(L) / (uint64_t)times)
    return luaL_error(L, "resulting string too large");
  if (count + gap > BYTES_BETWEEN_TESTS / (uint64_t)times) clock_look(L, budget_of(L));
  size_t unit = count + gap, total = (size_t)times * unit - gap;
  memory_make_room(L, total + gap);
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, total + gap);
  memcpy(out, text, count);
  memcpy(out + count, between, gap);
  // Each copy of the existing part doubles it, however short the unit.
  for (size_t done = unit; done < total + gap;) {
    size_t part = done < total + gap - done ? done : total + gap - done;
    // A piece remains a multiple of the unit.
    if (part > PIECE && unit <= PIECE) part = PIECE / unit * unit;
    if (part > total + gap - done) part = total + gap - done;
    if (done > PIECE) clock_look(L, budget_of(L));
    memcpy(out + done, out, part);
    done += part;
  }
  luaL_pushresultsize(&buffer, total);
  return 1;
}

// MARK: Byte by byte

/// Creates a string of the same length: `CONVERT` is the byte at `i` of the result.
#define CONVERTING(name, CONVERT)                                               \
  static int name(lua_State *L) {                                               \
    size_t count, stop;                                                         \
    const char *text = luaL_checklstring(L, 1, &count);                         \
    memory_make_room(L, count);                                    \
    luaL_Buffer buffer;                                                         \
    char *out = luaL_buffinitsize(L, &buffer, count);                           \
    for (size_t i = 0; i < count;) {                                            \
      clock_look(L, budget_of(L));                                               \
      stop = count - i > BYTES_BETWEEN_TESTS ? i + BYTES_BETWEEN_TESTS : count; \
      for (; i < stop; i++) out[i] = (char)(CONVERT);                           \
    }                                                                           \
    luaL_pushresultsize(&buffer, count);                                        \
    return 1;                                                                   \
  }

CONVERTING(string_lower, tolower((unsigned char)text[i]))
CONVERTING(string_upper, toupper((unsigned char)text[i]))
CONVERTING(string_reverse, text[count - 1 - i])

// MARK: Packing

/// The number of bytes that the directives `c` request, which need no argument of that length.
static uint64_t padding(const char *format) {
  uint64_t total = 0;
  while ((format = strchr(format, 'c'))) {
    uint64_t size = 0;
    while (isdigit((unsigned char)*++format) && size < PTRDIFF_MAX / 16)
      size = size * 10 + (uint64_t)(*format - '0');
    total += size;
  }
  return total;
}

static inline int run_limited(lua_State *L, StockFunction *stock) {
  if (unlikely(lua_rawlen(L, 1) > LONGEST_PACK_FORMAT) && lua_type(L, 1) == LUA_TSTRING)
    return luaL_error(L, "format too long");
  return stock_run(L, stock);
}

static int string_pack(lua_State *L) {
  size_t count = 0;
  const char *format = lua_tolstring(L, 1, &count);
  if (unlikely(count > LONGEST_PACK_FORMAT)) return luaL_error(L, "format too long");
  if (unlikely(format && strchr(format, 'c') && padding(format) > longest_text(L)))
    return luaL_error(L, "resulting string too large");
  return stock_run(L, &pack);
}

static int string_unpack(lua_State *L) { return run_limited(L, &unpack); }
static int string_packsize(lua_State *L) { return run_limited(L, &packSize); }

/// Keeps scripts from changing the methods of strings, which are looked up in the table itself and
/// not in the sealed global one.
static void protect_methods(lua_State *L) {
  lua_pushliteral(L, "");
  lua_getmetatable(L, -1);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 2);
}

void strings_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"rep", string_rep},         {"lower", string_lower}, {"upper", string_upper},
      {"reverse", string_reverse}, {NULL, NULL},
  };
  uint32_t open = budget_of(L)->limits.open;
  if (!(open & TIDE_OPEN_LOADING)) {
    lua_pushnil(L);
    lua_setfield(L, -2, "dump");
  }
  luaL_setfuncs(L, functions, 0);
  stock_guard(L, "pack", string_pack, &pack);
  stock_guard(L, "unpack", string_unpack, &unpack);
  stock_guard(L, "packsize", string_packsize, &packSize);
  formats_open(L);
  search_open(L);
  if (!(open & TIDE_OPEN_PATCHING)) protect_methods(L);
}
