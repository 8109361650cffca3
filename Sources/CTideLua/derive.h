// Functions that derive values from one another.
#pragma once

#include "state.h"

/// Whether a slot is to be derived before the function that reads it can go on.
bool derive_wants(lua_State *L, TideState *state, TideSlot *slot);
/// Lets the function that runs on a coroutine wait for a slot.
int derive_yield(lua_State *L, TideState *state, TideSlot *slot);
