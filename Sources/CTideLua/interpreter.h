// The Lua library that the program runs with.
#pragma once

/// The last number of the library's release: 4 for "5.4.4"; 0 if unknown.
int interpreter_release(void);
