// Functions that live as long as a data object.
#pragma once

#include "objects.h"

/// Calls the function behind a stand-in.
int owned_call(lua_State *L);
/// Replaces the stand-in on top of the stack by its function, or nil; leaves any other value.
void owned_resolve(lua_State *L);
/// Whether an object that Lua has dropped is still in use, and so its functions are as well.
bool owner_lives_on(lua_State *L, TideState *state, TideBox *box);
