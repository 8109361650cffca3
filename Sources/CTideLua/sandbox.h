// The environment of scripts.
#pragma once

#include "state.h"

void sandbox_open(lua_State *L, TideState *state, const TideLibrary *library);
/// Replaces the table on top of the stack by an empty one that reads through to it and refuses
/// writes.
void sandbox_seal(lua_State *L, const char *name);
bool sandbox_is_sealed(lua_State *L, int index);
