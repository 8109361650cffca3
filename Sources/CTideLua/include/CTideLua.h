// The border between Swift and Lua. Swift sees only these declarations. Every function either calls
// Lua's raising API inside of a protected call or uses only functions that cannot raise, so no Lua
// error ever jumps across a Swift frame. Callbacks to Swift return a status; the error or yield
// that it requests happens after their frame has returned.
#pragma once

#include <errno.h>

#include "TideAccess.h"
#include "TideCalls.h"
#include "TideCoroutines.h"
#include "TideFault.h"
#include "TideFunctions.h"
#include "TideLines.h"
#include "TideMemory.h"
#include "TideObjects.h"
#include "TideReference.h"
#include "TideState.h"
#include "TideTables.h"
#include "TideTurn.h"
#include "TideValue.h"
