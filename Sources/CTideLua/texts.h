// The strings of slots, and the cache of Lua strings equal to them.
#pragma once

#include "state.h"

/// Pushes a slot's string and caches it; may raise an error.
void text_push(lua_State *L, TideState *state, TideSlot *slot, int cache);
/// Caches the string at the index as the slot's string; pops it if it is on top. May raise an
/// error.
void text_remember(lua_State *L, TideState *state, TideSlot *slot, int index, int cache);

/// Marks a slot's cache number if the entry no longer equals the slot's string.
enum { CACHE_STALE = 1u << 31 };

/// Lets the state store its numbers in an arena's slots; NULL stops that.
void cache_attach(TideState *state, TideArena *arena);
/// Finds a free cache index; 0 when there is none.
uint32_t cache_take(TideState *state);
/// Releases strings whose slots have changed.
void cache_clear_dead(TideState *state);
/// The table index of a slot's cache number; 0 if the number is stale or belongs to another state.
static inline uint32_t cache_index(const TideState *state, uint32_t number) {
  uint32_t index = number - state->cache.base;
  return index - 1 < state->cache.count ? index : 0;
}
/// Pushes an entry of the cache table, which is at the stack index `cache` if that is not 0. Never
/// raises an error.
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
