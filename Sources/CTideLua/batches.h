// The graph's batches that scripts' methods open, and the errors that leave them.
#pragma once

#include "state.h"

/// The C function of a script's method; the script's function is upvalue 1.
int method_call(lua_State *L);
/// Replaces a method on top of the stack by the function that it calls; leaves any other value.
void method_resolve(lua_State *L);
/// Sets the number of open batches, and settles if none is open.
void batch_settle(lua_State *L, TideState *state, uint32_t depth);
/// Sets the number of open batches if an error is still to be read. The end of the frame settles.
void batch_settle_later(TideState *state, uint32_t depth);
void batch_settle_now(TideState *state);
/// Restores a number of open batches, and settles if none is left.
static inline void batch_return(lua_State *L, TideState *state, uint32_t depth) {
  if (unlikely(*state->batches.open != depth)) batch_settle(L, state, depth);
}
static inline void batch_return_failed(TideState *state, uint32_t depth) {
  if (*state->batches.open != depth) batch_settle_later(state, depth);
}
