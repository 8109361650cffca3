// References, by which Swift holds Lua's values.
#pragma once

#include "state.h"

/// Takes the value on top of the stack and keeps it; may raise.
uint32_t reference_take(lua_State *L, TideState *state);
/// Pushes the value; never raises.
void reference_push(lua_State *L, TideState *state, uint32_t reference);
void reference_free(lua_State *L, TideState *state, uint32_t reference);
/// Frees those that Swift has dropped meanwhile.
void references_free_dropped(lua_State *L, TideState *state);
static inline void references_drain(lua_State *L, TideState *state) {
  if (unlikely(atomic_load_explicit(&state->references.pool.count, memory_order_relaxed)))
    references_free_dropped(L, state);
}
