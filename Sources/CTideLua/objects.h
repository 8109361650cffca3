// Data objects in Lua.
#pragma once

#include "state.h"

/// A data object in Lua.
typedef struct TideBox {
  TideState *state;
  TideSlot *header;
  struct TideClass *class;
  uint32_t generation;
  uint32_t held;  // its number if Lua retains it, and whether it owns functions
} TideBox;

_Static_assert(sizeof(TideBox) == 32, "told apart from TideHostObject by size");

/// A flag in a box's number: the object owns functions (owners.c).
#define BOX_OWNS_FUNCTIONS 0x80000000u

/// The userdata at the index if it is a data object; never raises an error.
static inline TideBox *object_at(lua_State *L, TideState *state, int index) {
  TideBox *box = lua_touserdata(L, index);
  if (!box || lua_rawlen(L, index) != sizeof *box) return NULL;
  return box->state == state ? box : NULL;
}

/// Pushes an object; may raise an error. Here and below, `cache` is the stack index of the cache
/// table, or 0.
void object_push(lua_State *L, TideState *state, TideSlot *header, int cache);
/// Pushes an object that Lua keeps alive from now on, even if the host created it.
void object_push_given(lua_State *L, TideState *state, TideSlot *header);
/// Pushes an object that has a userdata. Returns false if it has none. Never raises an error.
bool object_push_known(lua_State *L, TideState *state, TideSlot *header, int cache);
/// Pushes a new metatable of data objects, without the fields that depend on the class.
void object_push_metatable(lua_State *L, bool isOwned);
