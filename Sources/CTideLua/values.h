// Values as they cross the border.
#pragma once

#include "memory.h"

/// Pushes a value; may raise.
void value_push(lua_State *L, TideState *state, const TideValue *value);
/// Pushes a value if that cannot raise. `cache` is the stack index of the cache table, or 0.
bool value_push_quietly(lua_State *L, TideState *state, const TideValue *value, int cache);
/// Reads what needs no reference; false for a table, function, thread or other userdata, whose tag
/// is set all the same.
bool value_peek(lua_State *L, TideState *state, int index, TideValue *value);
/// Reads anything; may raise.
void value_read(lua_State *L, TideState *state, int index, TideValue *value);
/// Whether the host may copy it.
static inline bool value_fits(TideState *state, const TideValue *value) {
  return value->tag != TIDE_LUA_TEXT || (value->count < 4096 && !state->memory.gathering) ||
         memory_admits_copy(state, value->count);
}
