// Loops over lists, each over the rows that the list had when the loop began.
#pragma once

#include "state.h"

void loops_open(lua_State *L);
/// Begins a loop over the list at index 1: returns the step, the loop, 0, and the loop again as the
/// value to be closed. Returns nothing for an object that is no list.
int loop_begin(lua_State *L);
