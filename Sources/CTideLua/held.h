// Swift objects that Lua keeps alive.
#pragma once

#include "state.h"

/// Reserves room for one more object.
bool held_reserve(TideState *state);
/// Adds a retained object that Lua keeps alive, for which room is reserved. Returns its number.
uint32_t held_add(TideState *state, void *object);
/// Records that Lua has dropped an object.
void held_drop(TideState *state, uint32_t number);
/// Releases an object at once. Not for finalizers: no Swift code may run inside of the collector.
void held_release(TideState *state, uint32_t number);
void held_release_dropped(TideState *state);
/// Releases all objects, once the interpreter no longer exists.
void held_drop_all(TideState *state);
void held_free(TideState *state);
