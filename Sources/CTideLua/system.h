// The library `os`.
#pragma once

#include "state.h"

/// Replaces the stock table, which is on top of the stack, by one of what scripts may use.
void system_open(lua_State *L);
