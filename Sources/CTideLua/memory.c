#include "host.h"

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
  if (size > old) {
    uint64_t limit = state->configuration.memory;
    if (unlikely(limit && state->used - old + size > limit)) return NULL;
    if (unlikely(state->refuseAt || state->refuseRetry) && is_refused(state)) return NULL;
  }
  void *moved = realloc(block, size);
  if (likely(moved != NULL)) state->used += size - old;
  return moved ? moved : size <= old ? block : NULL;
}

uint64_t tide_memory_used(const TideState *state) { return state->used; }

void tide_memory_set_limit(TideState *state, uint64_t bytes) { state->configuration.memory = bytes; }

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
