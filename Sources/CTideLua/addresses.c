#define _GNU_SOURCE
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "host.h"

// What scripts see of addresses. `tostring` of a table must give the same as long as the table lives, and
// another for every other one, but an address would tell a script that has found a way to corrupt memory
// where to aim. So they are enciphered, with a key that the process draws when it first needs it. The
// cipher is Speck with blocks of 64 and a key of 128 bits (Beaulieu and others, 2013).

enum { ROUNDS = 27 };

static pthread_once_t drawn = PTHREAD_ONCE_INIT;
static uint32_t schedule[ROUNDS];

static inline uint32_t turn_left(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }
static inline uint32_t turn_right(uint32_t word, int bits) {
  return word >> bits | word << (32 - bits);
}

static void draw(void) {
  enum { FRESH = 3 };
  uint32_t key[4];
  if (getrandom(key, sizeof key, 0) != sizeof key) {
    // A kernel from before 2014; better than nothing.
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    key[0] ^= (uint32_t)time.tv_nsec;
    key[1] ^= (uint32_t)(uintptr_t)&time;
  }
  uint32_t word = key[0], fresh[FRESH] = {key[1], key[2], key[3]};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    schedule[i] = word;
    uint32_t *next = &fresh[i % FRESH];
    *next = (word + turn_right(*next, 8)) ^ i;
    word = turn_left(word, 3) ^ *next;
  }
}

uint64_t address_disguise(const void *address) {
  pthread_once(&drawn, draw);
  uint32_t high = (uint32_t)((uint64_t)(uintptr_t)address >> 32), low = (uint32_t)(uintptr_t)address;
  for (int i = 0; i < ROUNDS; i++) {
    high = (turn_right(high, 8) + low) ^ schedule[i];
    low = turn_left(low, 3) ^ high;
  }
  return (uint64_t)high << 32 | low;
}

const char *address_write(const void *address, char text[ADDRESS_TEXT]) {
  snprintf(text, ADDRESS_TEXT, "0x%llx", (unsigned long long)address_disguise(address));
  return text;
}

const char *value_describe(lua_State *L, int index, size_t *count) {
  index = lua_absindex(L, index);
  bool hasMethod = luaL_getmetafield(L, index, "__tostring") != LUA_TNIL;
  if (hasMethod) lua_pop(L, 1);
  int type = lua_type(L, index);
  if (hasMethod || type < LUA_TLIGHTUSERDATA || type == LUA_TNUMBER || type == LUA_TSTRING ||
      type == LUA_TBOOLEAN)
    return luaL_tolstring(L, index, count);
  char text[ADDRESS_TEXT];
  int kind = luaL_getmetafield(L, index, "__name");
  bool hasName = kind == LUA_TSTRING;
  if (kind != LUA_TNIL && !hasName) lua_pop(L, 1);
  const char *name = hasName ? lua_tostring(L, -1) : lua_typename(L, type);
  address_write(lua_topointer(L, index), text);
  lua_pushfstring(L, "%s: %s", name, text);
  if (hasName) lua_remove(L, -2);
  return lua_tolstring(L, -1, count);
}
