// Text of slots, and the cache of Lua strings that equal it.
#pragma once

#include "state.h"

/// Pushes the text of a slot and caches it; may raise.
void text_push(lua_State *L, TideState *state, TideSlot *slot, int cache);
/// Keeps the string at the index as the slot's cached text; pops it if it is on top. May raise.
void text_remember(lua_State *L, TideState *state, TideSlot *slot, int index, int cache);

/// Marks a slot's cache number whose entry no longer equals the slot's text.
enum { CACHE_STALE = 1u << 31 };

/// Lets the state keep its numbers in an arena's slots, or with NULL in none.
void cache_attach(TideState *state, TideArena *arena);
/// Finds a free cache index; 0 when there is none.
uint32_t cache_take(TideState *state);
/// Lets go of strings whose slots hold another text by now.
void cache_clear_dead(TideState *state);
/// The table index that a slot's cache number stands for; 0: none of this state's, or a stale one.
static inline uint32_t cache_index(const TideState *state, uint32_t number) {
  uint32_t index = number - state->cache.base;
  return index - 1 < state->cache.count ? index : 0;
}
/// Pushes an entry of the cache table, which lies at the stack index `cache` if that is not 0;
/// never raises.
static inline void cache_get(lua_State *L, TideState *state, int cache, uint32_t index) {
  if (likely(cache != 0)) {
    lua_rawgeti(L, cache, index);
    return;
  }
  private_get(L, state, PRIVATE_CACHE);
  lua_rawgeti(L, -1, index);
  lua_copy(L, -1, -2);
  lua_pop(L, 1);
}
