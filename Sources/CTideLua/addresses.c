#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "addresses.h"

// The addresses that scripts see. `tostring` of a table must return the same string during the
// table's life, and a different one for every other table, but a real address would help a script
// that can corrupt memory to find a target. So addresses are encrypted with a random key per
// process. The cipher is Speck64/128 (Beaulieu et al., 2013).

enum { ROUNDS = 27 };

static pthread_once_t key_made = PTHREAD_ONCE_INIT;
static uint32_t schedule[ROUNDS];

static inline uint32_t rotate_left(uint32_t word, int bits) {
  return word << bits | word >> (32 - bits);
}
static inline uint32_t rotate_right(uint32_t word, int bits) {
  return word >> bits | word << (32 - bits);
}

static void make_key(void) {
  enum { FRESH = 3 };
  uint32_t key[4];
  if (getrandom(key, sizeof key, 0) != sizeof key) {
    // A kernel from before 2014: this is weak, but better than a fixed key.
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    key[0] ^= (uint32_t)time.tv_nsec;
    key[1] ^= (uint32_t)(uintptr_t)&time;
  }
  uint32_t word = key[0], fresh[FRESH] = {key[1], key[2], key[3]};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    schedule[i] = word;
    uint32_t *next = &fresh[i % FRESH];
    *next = (word + rotate_right(*next, 8)) ^ i;
    word = rotate_left(word, 3) ^ *next;
  }
}

uint64_t address_disguise(const void *address) {
  pthread_once(&key_made, make_key);
  uint64_t bits = (uint64_t)(uintptr_t)address;
  uint32_t high = (uint32_t)(bits >> 32), low = (uint32_t)bits;
  for (int i = 0; i < ROUNDS; i++) {
    high = (rotate_right(high, 8) + low) ^ schedule[i];
    low = rotate_left(low, 3) ^ high;
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
