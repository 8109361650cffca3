#include "references.h"

// A reference is an index into the private table. Free indexes are kept in C memory, so that
// creating a reference allocates in Lua only when the table grows. Swift may drop references on any
// thread: they are collected in the pool until the state is entered again.

void tide_reference_drop(TideState *state, uint32_t reference) {
  if (!reference) return;
  TidePool *pool = &state->references.pool;
  pthread_mutex_lock(&pool->lock);
  uint32_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
  if (!pool->isClosed && count == pool->capacity) {
    uint32_t capacity = count ? count * 2 : 32;
    uint32_t *grown = realloc(pool->dropped, capacity * sizeof *grown);
    if (grown) {
      pool->dropped = grown;
      pool->capacity = capacity;
    }
  }
  // If memory runs out, the value stays referenced: a leak, but otherwise harmless.
  if (!pool->isClosed && count < pool->capacity) {
    pool->dropped[count] = reference;
    atomic_store_explicit(&pool->count, count + 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&pool->lock);
}

static bool reserve_free(TideState *state) {
  // Reserves room for every existing reference, so that freeing one needs no memory.
  TideReferences *references = &state->references;
  if (references->freeCount + references->count < references->freeCapacity) return true;
  uint32_t capacity = references->freeCapacity ? references->freeCapacity * 2 : 32;
  uint32_t *grown = realloc(references->free, capacity * sizeof *grown);
  if (!grown) return false;
  references->free = grown;
  references->freeCapacity = capacity;
  return true;
}

uint32_t reference_take(lua_State *L, TideState *state) {
  TideReferences *references = &state->references;
  // A callback may have passed its caller a reference and then dropped it.
  if (state->callbacks == 0) references_drain(L, state);
  if (!reserve_free(state)) luaL_error(L, "not enough memory");
  bool isNew = references->freeCount == 0;
  uint32_t reference =
      isNew ? references->top + 1 : references->free[references->freeCount - 1];
  private_push(L, state);
  lua_insert(L, -2);
  lua_rawseti(L, -2, reference);
  lua_pop(L, 1);
  // Only now, because the code above may have raised an error.
  if (isNew)
    references->top++;
  else
    references->freeCount--;
  references->count++;
  return reference;
}

void reference_push(lua_State *L, TideState *state, uint32_t reference) {
  private_get(L, state, (int)reference);
}

void reference_free(lua_State *L, TideState *state, uint32_t reference) {
  private_push(L, state);
  lua_pushboolean(L, 0);
  lua_rawseti(L, -2, reference);
  lua_pop(L, 1);
  state->references.free[state->references.freeCount++] = reference;
  state->references.count--;
}

enum { TAKEN_AT_ONCE = 64 };

/// Removes some dropped references from the pool. The lock is not held during calls to Lua, because
/// such a call may be abandoned midway.
static uint32_t take_dropped(TidePool *pool, uint32_t taken[TAKEN_AT_ONCE]) {
  pthread_mutex_lock(&pool->lock);
  uint32_t count = atomic_load_explicit(&pool->count, memory_order_relaxed);
  uint32_t part = count < TAKEN_AT_ONCE ? count : TAKEN_AT_ONCE;
  if (part) memcpy(taken, pool->dropped + (count - part), part * sizeof *taken);
  atomic_store_explicit(&pool->count, count - part, memory_order_relaxed);
  pthread_mutex_unlock(&pool->lock);
  return part;
}

void references_free_dropped(lua_State *L, TideState *state) {
  if (!lua_checkstack(L, 4)) return;
  uint32_t taken[TAKEN_AT_ONCE], count;
  while ((count = take_dropped(&state->references.pool, taken)))
    for (uint32_t i = 0; i < count; i++) reference_free(L, state, taken[i]);
}

uint32_t tide_reference_count(TideState *state) {
  return state->references.count - state->coroutines.stockCount -
         atomic_load_explicit(&state->references.pool.count, memory_order_relaxed);
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
