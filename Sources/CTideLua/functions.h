// Swift's functions and objects as Lua holds them.
#pragma once

#include "state.h"

/// A Swift object as Lua holds it: a function, an error, or something opaque.
///
/// Userdata of ours begin with their state, and the two kinds differ in size: that tells them from
/// each other (the other one is TideBox) and from any that a native module makes.
typedef struct TideHostObject {
  TideState *state;
  void *object;
  TideBody body;        // of a function
  int32_t prefixCount;  // of an error: how much of its message is the location
  uint32_t held;        // the object's number
  void *unused;
} TideHostObject;

_Static_assert(sizeof(TideHostObject) == 40, "told apart by size");

/// The userdata at the index if it stands for a Swift object; never raises.
static inline TideHostObject *host_object_at(lua_State *L, TideState *state, int index) {
  TideHostObject *hosted = lua_touserdata(L, index);
  if (!hosted || lua_rawlen(L, index) != sizeof *hosted) return NULL;
  return hosted->state == state ? hosted : NULL;
}

void functions_open(lua_State *L);
/// Pushes the userdata of a retained object, which it then owns; may raise before that.
TideHostObject *host_object_new(lua_State *L, TideState *state, void *object, int metatable,
                                int userValues);
/// Calls a Swift function with the lowest `count` values of the stack; gives how many results it
/// has pushed, raises, or yields. The stack keeps its userdata.
int function_call(lua_State *L, const TideHostObject *function, int count);
void call_begin(TideCall *call, TideState *state, lua_State *L);
/// Pushes results, raises or yields, as the status says.
int call_end(lua_State *L, TideCall *call, int32_t status);
/// Frees the memory of results that was taken after `until`.
void blocks_free(TideState *state, TideBlock *until);
