// Functions that live as long as a data object.
#pragma once

#include "objects.h"

/// Calls the function that it stands in for.
int owned_call(lua_State *L);
/// Replaces the stand-in on top of the stack by its function, or nil; leaves any other value.
void owned_resolve(lua_State *L);
/// Whether an object that Lua has let go of is in use, and what belongs to it with it.
bool owner_lives_on(lua_State *L, TideState *state, TideBox *box);
