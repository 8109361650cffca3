// Batches of the graph, which scripts' methods open, and errors that are caught past them.
#pragma once

#include "state.h"

/// What a script's method is to Lua; its function is upvalue 1.
int method_call(lua_State *L);
/// Replaces a method on top of the stack by the function that it calls; leaves any other value.
void method_resolve(lua_State *L);
/// Sets how many batches are open, and settles where none is.
void batch_settle(lua_State *L, TideState *state, uint32_t depth);
/// The same where an error is still to be read: the frame's end settles.
void batch_settle_later(TideState *state, uint32_t depth);
void batch_settle_now(TideState *state);
/// Goes back to so many open batches, and settles where none is left.
static inline void batch_return(lua_State *L, TideState *state, uint32_t depth) {
  if (unlikely(*state->batches.open != depth)) batch_settle(L, state, depth);
}
static inline void batch_return_failed(TideState *state, uint32_t depth) {
  if (*state->batches.open != depth) batch_settle_later(state, depth);
}
