// The scripts' functions that replace Lua's own if those could run forever, use unlimited memory,
// or bypass the sandbox. The functions of the state that they call are in TideBorder.h.
#pragma once

#include "CTideLua.h"

/// The tables of the library, for opening states. With `hasJSON` they include `json`, for a host
/// that adapts it.
const TideLibrary *_Nonnull tide_library(bool hasJSON);
