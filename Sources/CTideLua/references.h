// References, by which Swift retains Lua values.
#pragma once

#include "state.h"

/// Pops the value on top of the stack and creates a reference to it; may raise an error.
uint32_t reference_take(lua_State *L, TideState *state);
/// Pushes the value of a reference; never raises an error.
void reference_push(lua_State *L, TideState *state, uint32_t reference);
void reference_free(lua_State *L, TideState *state, uint32_t reference);
/// Frees the references that Swift has dropped meanwhile.
void references_free_dropped(lua_State *L, TideState *state);
static inline void references_drain(lua_State *L, TideState *state) {
  if (unlikely(atomic_load_explicit(&state->references.pool.count, memory_order_relaxed)))
    references_free_dropped(L, state);
}
