#include "host.h"

// A reference is an index into the private table. Free indexes are kept in C memory, so that taking
// one allocates in Lua only when the table grows. Swift drops references on any thread: they wait
// in the pool until the state is entered again.

void tide_reference_drop(TideState *state, uint32_t reference) {
  if (!reference) return;
  TidePool *pool = &state->pool;
  pthread_mutex_lock(&pool->lock);
  uint32_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
  if (!pool->closed && count == pool->capacity) {
    uint32_t capacity = count ? count * 2 : 32;
    uint32_t *grown = realloc(pool->dropped, capacity * sizeof *grown);
    if (grown) {
      pool->dropped = grown;
      pool->capacity = capacity;
    }
  }
  // Without memory the value stays referenced, which is a leak but no harm.
  if (!pool->closed && count < pool->capacity) {
    pool->dropped[count] = reference;
    atomic_store_explicit(&pool->count, count + 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&pool->lock);
}

static bool reserve_free(TideState *state) {
  // Room for every reference that is held, so that freeing one needs no memory.
  if (state->freeCount + state->referenceCount < state->freeCapacity) return true;
  uint32_t capacity = state->freeCapacity ? state->freeCapacity * 2 : 32;
  uint32_t *grown = realloc(state->freeReferences, capacity * sizeof *grown);
  if (!grown) return false;
  state->freeReferences = grown;
  state->freeCapacity = capacity;
  return true;
}

uint32_t reference_take(lua_State *L, TideState *state) {
  // A callback may have given its caller a reference that it then dropped.
  if (state->callbacks == 0) references_drain(state, L);
  if (!reserve_free(state)) luaL_error(L, "not enough memory");
  bool isNew = state->freeCount == 0;
  uint32_t reference =
      isNew ? state->referenceTop + 1 : state->freeReferences[state->freeCount - 1];
  private_push(L, state);
  lua_insert(L, -2);
  lua_rawseti(L, -2, reference);
  lua_pop(L, 1);
  // Only now, because the line above may have raised.
  if (isNew)
    state->referenceTop++;
  else
    state->freeCount--;
  state->referenceCount++;
  return reference;
}

void reference_push(lua_State *L, TideState *state, uint32_t reference) {
  private_get(L, state, (int)reference);
}

void reference_free(TideState *state, lua_State *L, uint32_t reference) {
  private_push(L, state);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, reference);
  lua_pop(L, 1);
  state->freeReferences[state->freeCount++] = reference;
  state->referenceCount--;
}

void references_free_dropped(TideState *state, lua_State *L) {
  TidePool *pool = &state->pool;
  pthread_mutex_lock(&pool->lock);
  uint32_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
  if (lua_checkstack(L, 4)) {
    for (uint32_t i = 0; i < count; i++) reference_free(state, L, pool->dropped[i]);
    atomic_store_explicit(&pool->count, 0, memory_order_relaxed);
  }
  pthread_mutex_unlock(&pool->lock);
}

uint32_t tide_reference_count(TideState *state) {
  return state->referenceCount - state->stockCount -
         atomic_load_explicit(&state->pool.count, memory_order_relaxed);
}

bool tide_reference_equal(TideState *state, uint32_t left, uint32_t right) {
  return left == right ||
         tide_reference_identity(state, left) == tide_reference_identity(state, right);
}

uintptr_t tide_reference_identity(TideState *state, uint32_t reference) {
  lua_State *L = state->current;
  if (!L || !lua_checkstack(L, 4)) return 0;
  reference_push(L, state, reference);
  uintptr_t address = (uintptr_t)lua_topointer(L, -1);
  lua_pop(L, 1);
  return address;
}
