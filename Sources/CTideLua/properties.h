// Reading and writing slots.
#pragma once

#include "state.h"

/// The methods of Lua's side of a data object; upvalue 1 is the cache, 2 the class's methods, or
/// for `__newindex` the private table.
int property_index(lua_State *L);
int property_newindex(lua_State *L);

/// Pushes the value that a slot holds; may raise. Here and below `cache` is the stack index of the
/// cache table.
void slot_push(lua_State *L, TideState *state, TideSlot *slot, int cache);
/// The same where it cannot raise; false where it could.
bool slot_push_quietly(lua_State *L, TideState *state, const TideSlot *slot, int cache);
/// Stores the value at the index: 1 changed, 0 the same, -1 the host must do it; may raise.
int slot_store(lua_State *L, TideState *state, TideSlot *slot, int index, int cache);
/// The same where it cannot raise; -2 where it could.
int slot_store_quietly(lua_State *L, TideState *state, TideSlot *slot, int index);
