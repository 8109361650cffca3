// Loops over lists, which go over what a list held when the loop began.
#pragma once

#include "state.h"

void loops_open(lua_State *L);
/// Begins a loop over the list at index 1: gives the step, the loop, 0, and the loop again as what
/// is closed at its end. Gives nothing for what is no list.
int loop_begin(lua_State *L);
