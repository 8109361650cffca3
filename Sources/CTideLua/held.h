// Swift objects that Lua keeps alive.
#pragma once

#include "state.h"

/// Makes room for one more.
bool held_reserve(TideState *state);
/// Notes a retained object that Lua is to keep alive, for which there is room; gives its number.
uint32_t held_add(TideState *state, void *object);
/// Notes that Lua has let go of one.
void held_drop(TideState *state, uint32_t number);
/// Releases one at once. Not for finalizers: no Swift code may run inside the collector.
void held_release(TideState *state, uint32_t number);
void held_release_dropped(TideState *state);
/// Lets go of all, when the interpreter is gone.
void held_drop_all(TideState *state);
void held_free(TideState *state);
