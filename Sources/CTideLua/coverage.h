// The number of runs of each line.
#pragma once

#include "state.h"

/// Counts a line that is about to run.
void coverage_note(lua_State *L, TideState *state, lua_Debug *record);
void coverage_free(TideState *state);
