// The Lua library that the program runs with.
#pragma once

/// The last number of its release: 4 for "5.4.4"; 0 where it is unknown.
int interpreter_release(void);
