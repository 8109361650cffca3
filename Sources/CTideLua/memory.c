#include "host.h"

enum { SPARE = 256, LONGEST_INTERNED = 40 };

// A refused request makes Lua collect everything and ask again; a test that refuses one request
// means the second one too.
static bool is_refused(TideState *state) {
  if (state->refuseRetry) {
    state->refuseRetry = false;
    return true;
  }
  if (!state->refuseAt || ++state->allocations < state->refuseAt) return false;
  if (!state->refuseForever) {
    state->refuseAt = 0;
    state->refuseRetry = true;
  }
  return true;
}

void *memory_allocate(void *context, void *block, size_t old, size_t size) {
  TideState *state = context;
  if (!block) old = 0;
  if (size == 0) {
    state->used -= old;
    free(block);
    return NULL;
  }
  // Shrinking must succeed: Lua relies on it.
  if (size > old && !(state->indulgent && size <= SPARE)) {
    uint64_t limit = state->configuration.memory;
    if (unlikely(limit && state->used - old + size > limit)) return NULL;
    if (unlikely(state->refuseAt || state->refuseRetry) && is_refused(state)) return NULL;
  }
  void *moved = realloc(block, size);
  if (unlikely(!moved)) {
    if (size <= old) return block;
    if (block || !state->indulgent || size > SPARE) return NULL;
    moved = state->spare;
    state->spare = NULL;
    if (!moved) return NULL;
  }
  state->used += size - old;
  return moved;
}

// Interning short text takes one small allocation, which may overdraw the limit and even finds
// memory when the system has none: so it cannot raise and needs no protected call.
bool text_push_quietly(lua_State *L, TideState *state, const char *text, size_t count) {
  if (count > LONGEST_INTERNED) return false;
  if (unlikely(!state->spare) && !(state->spare = malloc(SPARE))) return false;
  state->indulgent = true;
  lua_pushlstring(L, text, count);
  state->indulgent = false;
  return true;
}

uint64_t tide_memory_used(const TideState *state) { return state->used; }

void tide_memory_set_limit(TideState *state, uint64_t bytes) {
  state->configuration.memory = bytes;
}

void tide_memory_refuse(TideState *state, uint64_t allocation, bool forever) {
  state->allocations = 0;
  state->refuseAt = allocation;
  state->refuseForever = forever;
  state->refuseRetry = false;
}

uint64_t tide_memory_allocations(const TideState *state) { return state->allocations; }

void tide_memory_collect(TideState *state) {
  TideFrame frame;
  lua_State *L = state_enter(state, &frame);
  if (L) lua_gc(L, LUA_GCCOLLECT, 0);
  tide_frame_end(state, &frame);
}
