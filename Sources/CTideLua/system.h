// The library `os`.
#pragma once

#include "state.h"

/// Replaces the standard table on top of the stack by one that scripts may use.
void system_open(lua_State *L);
