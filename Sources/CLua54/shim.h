// Distributions keep the headers of Lua 5.4 in folders of their own.
#if __has_include(<lua5.4/lua.h>)
#include <lua5.4/lua.h>
#include <lua5.4/lauxlib.h>
#include <lua5.4/lualib.h>
#elif __has_include(<lua54/lua.h>)
#include <lua54/lua.h>
#include <lua54/lauxlib.h>
#include <lua54/lualib.h>
#else
#include <lua.h>
#include <lauxlib.h>
#include <lualib.h>
#endif

#if LUA_VERSION_NUM != 504
#error "Tidelock needs Lua 5.4, whose headers are in liblua5.4-dev on Debian and Ubuntu"
#endif
