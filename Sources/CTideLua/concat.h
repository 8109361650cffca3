// The operator `..` of scripts and hosts, for interpreters that lose their stack in it.
#pragma once

#include "code.h"

/// Whether the function has enough registers for the room, or does not need it.
bool concat_can_make_room(const Prototype *prototype);
/// Reserves registers in the function on top of the stack, and in its inner functions, for calls by
/// `..`.
void concat_make_room(lua_State *L);
/// Whether the function is the wrapper that calls a metatable's `__concat`.
bool concat_is_guard(lua_CFunction function);
/// Whether the collector may run; false during `__concat`, because collecting may move a stack in
/// use.
static inline bool concat_allows_collecting(const TideState *state) {
  return likely(state->coroutines.concatenating == 0);
}
