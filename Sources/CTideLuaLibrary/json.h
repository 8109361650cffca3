// What reading and writing JSON share (json.c).
#pragma once

#include "TideJSON.h"
#include "library.h"

/// Raises the message on top, as the error of a call so many levels above.
int json_raise(lua_State *L, int level);
/// Remembers that the empty table at the index was or is an object; it would be written as an array.
void json_mark_object(lua_State *L, int index);
/// Whether the empty table at the index was remembered as an object.
bool json_is_object(lua_State *L, int index);

int json_decode(lua_State *L);
int json_slices(lua_State *L);
int json_encode(lua_State *L);
