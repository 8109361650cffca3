// The Lua host's border. Swift sees only what is declared here: every function either runs Lua's
// raising API inside a protected call or uses only what cannot raise, so that no Lua error ever
// jumps across a Swift frame. Callbacks into Swift return a status; what they ask for is raised or
// yielded once their frame is gone.
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
