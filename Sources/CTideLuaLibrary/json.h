// Declarations that reading and writing JSON share (json.c).
#pragma once

#include "TideJSON.h"
#include "library.h"

enum {
  DECODE_NULL = 1,
  DECODE_LONG,
  DECODE_SLICE,
  DECODE_REFUSE,
  DECODE_UPVALUES = DECODE_REFUSE,
};
enum { ENCODE_LOWER = 1, ENCODE_OPTIONS, ENCODE_UPVALUES = ENCODE_OPTIONS };

/// Marks the empty table at the index as an object, because it would otherwise be written as an
/// array.
void json_mark_object(lua_State *L, int index);
/// Whether the empty table at the index is marked as an object.
bool json_is_object(lua_State *L, int index);

int json_decode(lua_State *L);
int json_slices(lua_State *L);
int json_encode(lua_State *L);
