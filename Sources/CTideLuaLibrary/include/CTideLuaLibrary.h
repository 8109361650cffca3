// The functions of scripts that stand in for Lua's own, wherever those could run for ever, take any
// amount of memory, or get around the sandbox. What they ask of the state is in TideBorder.h.
#pragma once

#include "CTideLua.h"

/// The tables of the library, to open states with; `json` is for a host that adapts it.
const TideLibrary *_Nonnull tide_library(bool hasJSON);
