#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "files.h"

// Reading by Lua's formats: bytes, lines, numbers, or the rest of the file. No string becomes
// longer than a library function may build.

enum { LONGEST_NUMERAL = 200 };

/// Reads some bytes. Returns their number, 0 at the end, or a negative error number.
static ssize_t read_some(lua_State *L, TideFile *file, char *to, size_t most) {
  for (;;) {
    clock_look(L, &file->state->budget);
    ssize_t count = read(file->descriptor, to, most);
    if (count >= 0) return count;
    if (errno == EAGAIN && file->isProgram)
      file_wait(L, file, POLLIN);
    else if (errno != EINTR)
      return -errno;
  }
}

/// Reads ahead. Returns false at the end or on an error, with the error number.
static bool fill(lua_State *L, TideFile *file, int *failure) {
  if (file->start < file->end) return true;
  ssize_t count = read_some(L, file, file->ahead, FILE_ROOM);
  file->start = 0;
  file->end = count > 0 ? (uint32_t)count : 0;
  if (count < 0) *failure = (int)-count;
  return count > 0;
}

static int peek(lua_State *L, TideFile *file, int *failure) {
  return fill(L, file, failure) ? (unsigned char)file->ahead[file->start] : -1;
}

// MARK: Formats

static void check_size(lua_State *L, const TideFile *file, size_t total) {
  uint64_t most = file->state->budget.limits.textBytes;
  if (most && total > most)
    luaL_error(L, "more than %I bytes at once; read the file in parts", (LUAI_UACINT)most);
}

static bool read_bytes(lua_State *L, TideFile *file, size_t wanted, int *failure) {
  luaL_Buffer buffer;
  size_t total = 0;
  luaL_buffinit(L, &buffer);
  while (total < wanted && fill(L, file, failure)) {
    size_t part = file->end - file->start;
    if (part > wanted - total) part = wanted - total;
    check_size(L, file, total + part);
    luaL_addlstring(&buffer, file->ahead + file->start, part);
    file->start += (uint32_t)part;
    total += part;
  }
  luaL_pushresult(&buffer);
  return total > 0;
}

static bool read_line(lua_State *L, TideFile *file, bool keepsEnd, int *failure) {
  luaL_Buffer buffer;
  size_t total = 0;
  bool found = false;
  luaL_buffinit(L, &buffer);
  while (!found && fill(L, file, failure)) {
    const char *from = file->ahead + file->start;
    const char *end = memchr(from, '\n', file->end - file->start);
    size_t part = end ? (size_t)(end - from) : file->end - file->start;
    found = end != NULL;
    total += part;
    check_size(L, file, total);
    luaL_addlstring(&buffer, from, part + (found && keepsEnd));
    file->start += (uint32_t)(part + found);
  }
  luaL_pushresult(&buffer);
  return found || total > 0;
}

typedef struct Numeral {
  TideFile *file;
  int next, count, failure;
  char text[LONGEST_NUMERAL + 1];
} Numeral;

static bool take(lua_State *L, Numeral *numeral) {
  if (numeral->count >= LONGEST_NUMERAL) {
    numeral->text[0] = 0;
    return false;
  }
  numeral->text[numeral->count++] = (char)numeral->next;
  numeral->file->start++;
  numeral->next = peek(L, numeral->file, &numeral->failure);
  return true;
}

static bool take_one_of(lua_State *L, Numeral *numeral, const char *set) {
  return numeral->next > 0 && strchr(set, numeral->next) && take(L, numeral);
}

static int take_digits(lua_State *L, Numeral *numeral, bool isHex) {
  const char *digits = isHex ? "0123456789abcdefABCDEF" : "0123456789";
  int count = 0;
  while (take_one_of(L, numeral, digits)) count++;
  return count;
}

/// As in Lua's own function, reads the longest prefix that could be a numeral, whether it is one or
/// not.
static bool read_number(lua_State *L, TideFile *file, int *failure) {
  Numeral numeral = {.file = file};
  while ((numeral.next = peek(L, file, &numeral.failure)) > 0 &&
         strchr(" \t\n\v\f\r", numeral.next))
    file->start++;
  take_one_of(L, &numeral, "+-");
  bool isHex = false;
  int count = 0;
  if (take_one_of(L, &numeral, "0")) {
    isHex = take_one_of(L, &numeral, "xX");
    if (!isHex) count = 1;
  }
  count += take_digits(L, &numeral, isHex);
  if (take_one_of(L, &numeral, ".")) count += take_digits(L, &numeral, isHex);
  if (count > 0 && take_one_of(L, &numeral, isHex ? "pP" : "eE")) {
    take_one_of(L, &numeral, "+-");
    take_digits(L, &numeral, false);
  }
  numeral.text[numeral.count] = 0;
  *failure = numeral.failure;
  if (lua_stringtonumber(L, numeral.text)) return true;
  lua_pushnil(L);
  return false;
}

/// Reads one value by a format, and pushes it. Returns false if there was none.
static bool read_format(lua_State *L, TideFile *file, int index, int *failure) {
  if (lua_type(L, index) == LUA_TNUMBER) {
    lua_Integer count = luaL_checkinteger(L, index);
    luaL_argcheck(L, count >= 0, index, "a number of bytes expected");
    if (count > 0) return read_bytes(L, file, (size_t)count, failure);
    lua_pushliteral(L, "");
    return fill(L, file, failure);
  }
  const char *format = luaL_checkstring(L, index);
  if (*format == '*') format++;
  switch (*format) {
    case 'n': return read_number(L, file, failure);
    case 'l': return read_line(L, file, false, failure);
    case 'L': return read_line(L, file, true, failure);
    case 'a': read_bytes(L, file, SIZE_MAX, failure); return true;
    default: return luaL_argerror(L, index, "invalid format");
  }
}

int file_read_formats(lua_State *L, TideFile *file, int first, int last) {
  if (!file->reads) return file_result(L, EBADF, NULL);
  int failure = 0, count = 0;
  bool found = true;
  luaL_checkstack(L, last - first + LUA_MINSTACK, "too many arguments");
  if (first > last) {
    found = read_line(L, file, false, &failure);
    count = 1;
  }
  for (int index = first; index <= last && found; index++, count++)
    found = read_format(L, file, index, &failure);
  if (failure) return file_result(L, failure, NULL);
  if (!found) {
    lua_pop(L, 1);
    luaL_pushfail(L);
  }
  return count;
}
