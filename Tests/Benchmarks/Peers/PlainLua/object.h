// An object of nine properties for Lua, as a careful C programmer writes it by hand: a userdata, one
// `__index` that finds the slot by the interned key's pointer, every argument checked.
#pragma once

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <stddef.h>

typedef struct Text {
  char *bytes;
  size_t count;
} Text;

typedef struct Object {
  double numbers[7];
  Text texts[2];
  int listener;  // a reference, told of x; 0: none
} Object;

/// Makes the class; once a state.
void object_open(lua_State *L);
/// Pushes a new userdata for the object.
void object_push(lua_State *L, Object *object);
void object_set_text(Object *object, int index, const char *bytes, size_t count);
