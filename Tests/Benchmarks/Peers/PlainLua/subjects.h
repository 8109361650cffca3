// The three things that a Lua program can hold instead of an object of ours.
#pragma once

#include <lua5.4/lua.h>
#include <stdbool.h>

/// Pushes an object of the subject: "plain" (C API), "proxy" (pure Lua) or "table".
bool subject_push(lua_State *L, const char *subject);
/// Calls the function on top of the stack at each write of x from now on; false: it cannot.
bool subject_listen(lua_State *L, const char *subject, int object);
