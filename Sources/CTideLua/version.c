#include "host.h"

// Of the library that is linked, not of the headers: "$LuaVersion: Lua 5.4.4  Copyright …".
extern const char lua_ident[];

const char *tide_lua_ident(void) { return lua_ident; }
