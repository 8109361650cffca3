// Swift's functions and objects in Lua.
#pragma once

#include "state.h"

/// A Swift object in Lua: a function, an error, or an opaque object.
///
/// Our userdata begin with their state, and the two kinds differ in size. That distinguishes them
/// from each other (the other one is TideBox) and from a native module's userdata.
typedef struct TideHostObject {
  TideState *state;
  void *object;
  TideBody body;        // for a function
  int32_t prefixCount;  // for an error: the length of the location in its message
  uint32_t held;        // the object's number
  void *unused;
} TideHostObject;

_Static_assert(sizeof(TideHostObject) == 40, "told apart by size");

/// The userdata at the index if it wraps a Swift object; never raises an error.
static inline TideHostObject *host_object_at(lua_State *L, TideState *state, int index) {
  TideHostObject *hosted = lua_touserdata(L, index);
  if (!hosted || lua_rawlen(L, index) != sizeof *hosted) return NULL;
  return hosted->state == state ? hosted : NULL;
}

void functions_open(lua_State *L);
/// Pushes the userdata of a retained object, which it then owns. May raise an error before that.
TideHostObject *host_object_new(lua_State *L, TideState *state, void *object, int metatable,
                                int userValues);
/// Calls a Swift function with the lowest `count` values of the stack. Returns the number of pushed
/// results, raises an error, or yields. The stack keeps the function's userdata alive.
int function_call(lua_State *L, const TideHostObject *function, int count);
void call_begin(TideCall *call, TideState *state, lua_State *L);
/// Pushes results, raises an error or yields, according to the status.
int call_end(lua_State *L, TideCall *call, int32_t status);
/// Frees the memory of results that was allocated after `until`.
void blocks_free(TideState *state, TideBlock *until);
