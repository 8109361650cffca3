// Functions that derive values from one another.
#pragma once

#include "state.h"

/// Whether a slot must be derived before the function that reads it can continue.
bool derive_wants(lua_State *L, TideState *state, TideSlot *slot);
/// Suspends the function on a coroutine until a slot has been derived.
int derive_yield(lua_State *L, TideState *state, TideSlot *slot);
