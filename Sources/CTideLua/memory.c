#include "host.h"

// The limit holds for what Lua allocates and for what scripts make the engine hold, such as the
// texts of properties. The latter is not followed release by release: what may add to it is charged, and
// once the sum passes the limit the engine measures what it really holds. So a write costs nothing
// more, and whatever lets go of memory need not say so.

enum { SPARE = 256, LONGEST_INTERNED = 40, CHARGES_AT_ONCE = 256 << 10, MOST_RESERVE = 4 << 20 };

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

static void measure(TideState *state) {
  state->debt = 0;
  state->engine = 0;
  if (state->hooks.measure) state->engine = state->hooks.measure(state->hooks.context);
}

/// Whether so many bytes more would pass the limit.
static bool passes_limit(const TideState *state, uint64_t more) {
  uint64_t limit = state->configuration.memory;
  return limit && state->used + state->engine + more > limit;
}

/// The same for what the engine is about to hold, which leaves some room for Lua: a script that has
/// filled the engine can still catch the error and make up for it.
static bool passes_charge(const TideState *state, uint64_t more) {
  uint64_t reserve = state->configuration.memory / 16;
  return passes_limit(state, more + (reserve < MOST_RESERVE ? reserve : MOST_RESERVE));
}

static bool has_room(TideState *state, uint64_t more) {
  // Only a stale estimate can be mended.
  if (!state->engine || !state->main) return false;
  measure(state);
  return !passes_limit(state, more);
}

// MARK: Large blocks

// An interpreter that was given up amid an operation has lost what that was about to free, which is
// large where it took long. So large blocks are linked with each other, to be found in the end.

enum { LARGE = 64 << 10 };

typedef struct TideLargeBlock {
  struct TideLargeBlock *next, **link;
} TideLargeBlock;

_Static_assert(sizeof(TideLargeBlock) == 16, "what follows is aligned as malloc aligns");

static void unlink_large(TideLargeBlock *large) {
  *large->link = large->next;
  if (large->next) large->next->link = large->link;
}

static void link_large(TideState *state, TideLargeBlock *large) {
  large->next = state->largeBlocks;
  large->link = &state->largeBlocks;
  if (large->next) large->next->link = &large->next;
  state->largeBlocks = large;
}

static void *grow_to_large(TideState *state, void *block, size_t old, size_t size) {
  TideLargeBlock *large = block && old >= LARGE ? (TideLargeBlock *)block - 1 : NULL;
  TideLargeBlock *moved = realloc(large, sizeof *moved + size);
  if (!moved) return NULL;
  if (large) {
    *moved->link = moved;
    if (moved->next) moved->next->link = &moved->next;
    return moved + 1;
  }
  link_large(state, moved);
  if (block) memcpy(moved + 1, block, old);
  free(block);
  return moved + 1;
}

/// Never fails.
static void *shrink_from_large(void *block, size_t size) {
  TideLargeBlock *large = (TideLargeBlock *)block - 1;
  unlink_large(large);
  memmove(large, block, size);
  void *moved = realloc(large, size);
  return moved ? moved : large;
}

static inline void *resize(TideState *state, void *block, size_t old, size_t size) {
  if (unlikely(size >= LARGE)) return grow_to_large(state, block, old, size);
  if (unlikely(old >= LARGE)) return shrink_from_large(block, size);
  return realloc(block, size);
}

static inline void release(void *block, size_t old) {
  if (unlikely(old >= LARGE)) {
    block = (TideLargeBlock *)block - 1;
    unlink_large(block);
  }
  free(block);
}

void memory_free_lost(TideState *state) {
  while (state->largeBlocks) release(state->largeBlocks + 1, LARGE);
  state->used = 0;
}

// MARK: What Lua allocates

void *memory_allocate(void *context, void *block, size_t old, size_t size) {
  TideState *state = context;
  state->activity++;
  if (!block) old = 0;
  if (size == 0) {
    state->used -= old;
    release(block, old);
    return NULL;
  }
  // Shrinking must succeed: Lua relies on it.
  if (size > old && !(state->indulgent && size <= SPARE)) {
    if (unlikely(passes_limit(state, size - old)) && !has_room(state, size - old)) return NULL;
    if (unlikely(state->refuseAt || state->refuseRetry) && is_refused(state)) return NULL;
  }
  void *moved = resize(state, block, old, size);
  if (unlikely(!moved)) {
    if (size <= old) return block;
    if (block || !state->indulgent || size > SPARE) return NULL;
    moved = state->spare;
    state->spare = NULL;
    if (!moved) return NULL;
  }
  state->used += size - old;
  if (state->used > state->peak) state->peak = state->used;
  return moved;
}

// A buffer of the auxiliary library that finds no memory raises at once, without letting Lua collect
// its garbage first.
void memory_make_room(lua_State *L, TideState *state, size_t bytes) {
  uint64_t limit = state->configuration.memory;
  // A buffer and the text that is made of it.
  if (unlikely(limit && bytes > limit / 64 && state->used + 2 * (uint64_t)bytes > limit))
    lua_gc(L, LUA_GCCOLLECT);
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

/// Lets go of what the collector has found, where no outer callback may need it.
static void collect(lua_State *L, TideState *state, uint64_t charged) {
  if (charged)
    lua_gc(L, LUA_GCSTEP, (int)(charged >> 12));
  else
    lua_gc(L, LUA_GCCOLLECT, 0);
  if (state->callbacks > 1) return;
  references_drain(state, L);
  state_release_queued(state);
}

static bool settle_charges(TideState *state) {
  lua_State *L = state->current;
  uint64_t charged = state->debt < INT32_MAX ? state->debt : INT32_MAX;
  state->engine += state->debt;
  state->debt = 0;
  if (!L) return true;
  // What scripts drop keeps the engine's memory until it is collected, which is due as if Lua
  // itself had allocated a good part of that.
  collect(L, state, charged);
  if (!passes_charge(state, 0)) return true;
  measure(state);
  if (!passes_charge(state, 0)) return true;
  collect(L, state, 0);
  measure(state);
  return !passes_charge(state, 0);
}

bool tide_memory_charge(TideState *state, uint64_t bytes) {
  if (unlikely(!state->hooks.measure)) return true;
  state->debt += bytes;
  if (likely(state->debt < CHARGES_AT_ONCE)) return true;
  uint64_t limit = state->configuration.memory;
  if (limit && bytes > limit) {
    state->debt -= bytes;
    return false;
  }
  return settle_charges(state);
}

bool tide_memory_note(TideState *state, uint64_t bytes) {
  if (unlikely(!state->hooks.measure)) return true;
  state->debt += bytes;
  if (likely(!passes_charge(state, state->debt))) return true;
  measure(state);
  if (passes_charge(state, bytes)) return false;
  state->debt = bytes;
  return true;
}

void memory_admit_text(lua_State *L, TideState *state, size_t count) {
  uint64_t most = state->configuration.valueBytes;
  if (unlikely(most && count > most))
    luaL_error(L, "a text of %I bytes is longer than a property may hold, which is %I; raise the "
               "limit \"value\" if that is intended", (LUAI_UACINT)count, (LUAI_UACINT)most);
  // Nothing is let go of here, which might be the very object whose property this is. The next call
  // of the engine's sees to that.
  if (unlikely(!tide_memory_note(state, count))) luaL_error(L, "not enough memory");
}

uint64_t tide_memory_held(TideState *state) {
  if (state->main) measure(state);
  return state->used + state->engine;
}

uint64_t tide_memory_used(const TideState *state) { return state->used; }
uint64_t tide_memory_peak(const TideState *state) { return state->peak; }

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
