#include "errors.h"
#include "texts.h"

// The strings in slots, and the Lua strings equal to them. A slot's cache number identifies an
// entry of the state's cache table. Entries whose string was overwritten are returned through the
// arena's dead list. Two states of one arena never use the same numbers, so a number that an
// earlier state left behind is recognized and ignored.

typedef struct CacheOwner {
  struct CacheOwner *next;
  const TideArena *arena;
  TideState *state;  // NULL when free
  uint32_t last;     // the highest number that any state has assigned
} CacheOwner;

static pthread_mutex_t owning = PTHREAD_MUTEX_INITIALIZER;
static CacheOwner *owners = NULL;

static void give_up(TideState *state) {
  for (CacheOwner *owner = owners; owner; owner = owner->next) {
    if (owner->state != state) continue;
    owner->state = NULL;
    owner->last = state->cache.base + state->cache.count;
  }
}

static void take_over(TideState *state, TideArena *arena) {
  CacheOwner *owner = owners;
  while (owner && owner->arena != arena) owner = owner->next;
  if (!owner) {
    owner = calloc(1, sizeof *owner);
    if (!owner) return;
    owner->arena = arena;
    owner->next = owners;
    owners = owner;
  }
  // Only one state at a time can store its numbers in an arena's slots; others work without a
  // cache.
  if (owner->state) return;
  owner->state = state;
  state->cache.arena = arena;
  state->cache.base = owner->last;
  state->cache.count = 0;
  state->cache.clearedDead = 0;
}

void cache_attach(TideState *state, TideArena *arena) {
  if (arena && state->cache.arena) return;
  pthread_mutex_lock(&owning);
  if (arena)
    take_over(state, arena);
  else
    give_up(state);
  pthread_mutex_unlock(&owning);
}

uint32_t cache_take(TideState *state) {
  TideArena *arena = state->cache.arena;
  while (arena->deadCount) {
    uint32_t index = cache_index(state, arena->dead[--arena->deadCount] & ~CACHE_STALE);
    if (state->cache.clearedDead > arena->deadCount) state->cache.clearedDead = arena->deadCount;
    if (index) return index;
  }
  if (unlikely(state->cache.base + state->cache.count >= CACHE_STALE - 1)) return 0;
  return ++state->cache.count;
}

void cache_clear_dead(TideState *state) {
  lua_State *L = state->main;
  TideArena *arena = state->cache.arena;
  if (!lua_checkstack(L, 4)) return;
  for (uint32_t i = state->cache.clearedDead; i < arena->deadCount; i++) {
    uint32_t index = cache_index(state, arena->dead[i] & ~CACHE_STALE);
    // Only if the entry exists, because creating one could raise an error.
    if (index && lua_rawgeti(L, BASE_CACHE, index) != LUA_TNIL) {
      lua_pushboolean(L, 0);
      lua_rawseti(L, BASE_CACHE, index);
    }
    lua_settop(L, BASE_HEIGHT);
  }
  state->cache.clearedDead = arena->deadCount;
}

void text_remember(lua_State *L, TideState *state, TideSlot *slot, int index, int cache) {
  uint32_t entry = cache_index(state, slot->cache & ~CACHE_STALE);
  if (!entry) {
    if (unlikely(!state->cache.arena)) cache_attach(state, tide_arena_of(slot));
    // If the slot has another state's cache number, that string may no longer equal its value.
    if (unlikely(slot->cache)) tide_arena_bury(tide_arena_of(slot), slot->cache);
    slot->cache = 0;
    if (unlikely(state->cache.arena != tide_arena_of(slot))) return;
    entry = cache_take(state);
    if (!entry) return;
  }
  if (lua_gettop(L) != index) lua_pushvalue(L, index);
  lua_rawseti(L, cache, entry);
  slot->cache = state->cache.base + entry;
}

void text_push(lua_State *L, TideState *state, TideSlot *slot, int cache) {
  if (slot->tag == TIDE_BYTES) {
    TideBytes *bytes = (TideBytes *)(uintptr_t)slot->lo;
    lua_pushlstring(L, bytes->bytes, bytes->count);
  } else {
    TideText text = {.state = state};
    TideBlock *mark = state->blocks;
    int32_t status = TIDE_FAILED;
    if (state->hooks.text) {
      state->callbacks++;
      status = state->hooks.text(state->hooks.context, slot, &text);
      state->callbacks--;
    }
    if (status != TIDE_OK) error_raise_pending(L, state);
    lua_pushlstring(L, text.bytes ? text.bytes : "", text.bytes ? text.count : 0);
    blocks_free(state, mark);
  }
  int at = lua_gettop(L);
  lua_pushvalue(L, at);
  text_remember(L, state, slot, at + 1, cache);
  lua_settop(L, at);
}
