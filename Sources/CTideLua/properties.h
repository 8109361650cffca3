// Reading and writing of slots.
#pragma once

#include "state.h"

/// The metamethods of a data object in Lua. Upvalue 1 is the cache; upvalue 2 contains the class's
/// methods or, for `__newindex`, is the private table.
int property_index(lua_State *L);
int property_newindex(lua_State *L);

/// Pushes a slot's value; may raise an error. Here and below, `cache` is the stack index of the
/// cache table.
void slot_push(lua_State *L, TideState *state, TideSlot *slot, int cache);
/// Pushes a slot's value if that cannot raise an error; otherwise returns false.
bool slot_push_quietly(lua_State *L, TideState *state, const TideSlot *slot, int cache);
/// Stores the value at the index. Returns 1 if the slot changed, 0 if it did not, and -1 if the
/// host must store it. May raise an error.
int slot_store(lua_State *L, TideState *state, TideSlot *slot, int index, int cache);
/// Stores the value at the index if that cannot raise an error; otherwise returns -2.
int slot_store_quietly(lua_State *L, TideState *state, TideSlot *slot, int index);
