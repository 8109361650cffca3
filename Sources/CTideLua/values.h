// The values that cross the border.
#pragma once

#include "memory.h"

/// Pushes a value; may raise an error.
void value_push(lua_State *L, TideState *state, const TideValue *value);
/// Pushes a value if that cannot raise an error. `cache` is the stack index of the cache table, or
/// 0.
bool value_push_quietly(lua_State *L, TideState *state, const TideValue *value, int cache);
/// Reads a value without creating a reference. Returns false for a table, function, thread or other
/// userdata; the tag is set even then.
bool value_peek(lua_State *L, TideState *state, int index, TideValue *value);
/// Reads any value; may raise an error.
void value_read(lua_State *L, TideState *state, int index, TideValue *value);
/// Whether there is memory for the host's copy of the value.
static inline bool value_fits(TideState *state, const TideValue *value) {
  return value->tag != TIDE_LUA_TEXT || (value->count < 4096 && !state->memory.gathering) ||
         memory_admits_copy(state, value->count);
}
