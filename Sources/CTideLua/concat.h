// The operator `..` of scripts and hosts, with interpreters that lose their stack in it.
#pragma once

#include "code.h"

/// Whether there are registers for that, or no need of them.
bool concat_can_make_room(const Prototype *prototype);
/// Gives the function on top of the stack, and those in it, room for what `..` calls.
void concat_make_room(lua_State *L);
/// Whether it is the function that calls what a metatable has as `__concat`.
bool concat_is_guard(lua_CFunction function);
/// Lets nothing be collected where that may move a stack that is in use: false while `__concat` runs.
static inline bool concat_allows_collecting(const TideState *state) {
  return likely(state->coroutines.concatenating == 0);
}
