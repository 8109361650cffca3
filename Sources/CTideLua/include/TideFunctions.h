// Swift's functions and objects in Lua, and Lua's functions that are methods, observers or owned by
// an object (functions.c, members.c, arguments.c, batches.c, owners.c, listeners.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

/// A Swift function that Lua calls. It receives its object and the call, and returns a status.
typedef int32_t (*TideBody)(void *object, TideCall *call);

/// A call of a Swift function. Its arguments are on the Lua stack; its results stay in C memory
/// until the Swift frame has returned.
struct TideCall {
  TideState *state;
  void *lua;
  int32_t count;    // of arguments
  int32_t results;  // the number of results so far
  int32_t capacity;
  uint32_t textUsed;
  TideValue *values;
  void *_Nullable mark;
  bool suspends;   // set by the callback: its wrapper returns TIDE_SUSPENDED
  bool calls;      // set by the callback: its wrapper returns TIDE_CALLS
  bool exhausted;  // there was no memory for a result, so that error is raised
  TideValue local[4];
  char text[192];
};

/// Wraps a Swift function. Takes over the retained `object`, whatever the status.
int32_t tide_function_make(TideState *state, void *object, TideBody body, TideFrame *frame);
/// Creates the functions by which scripts read and write members of objects, a metatable's
/// `__index` and `__newindex` in this order. `name` is the type's name. `tables` are references to
/// four tables in which they look up names: methods, which scripts get unchanged; getters; setters;
/// and the fallbacks for other keys, `get` and `set`. The last three tables are filled by
/// `tide_member_set`.
int32_t tide_members_make(TideState *state, const char *name, const uint32_t *tables,
                          TideFrame *frame);
/// Stores a function created by `tide_function_make` in a table of members, under a name.
int32_t tide_member_set(TideState *state, uint32_t table, const char *name, size_t count,
                        uint32_t function, TideFrame *frame);
/// Creates a Lua userdata that wraps a Swift object and keeps it alive. The same object gets the
/// same userdata while Lua holds it. `metatable` is a reference to a table, or 0 for an opaque
/// object.
int32_t tide_userdata_make(TideState *state, void *object, uint32_t metatable,
                           TideFrame *frame);
/// The Swift object of a userdata, not retained, or NULL.
void *_Nullable tide_userdata_object(TideState *state, uint32_t reference);

// Arguments are counted from 0. A missing argument reads as nil, but its tag is -1.
int32_t tide_call_tag(const TideCall *call, int32_t index);
/// Reads an argument without creating a reference. For a table, function, thread or userdata, only
/// the tag is read.
void tide_call_peek(const TideCall *call, int32_t index, TideValue *value);
bool tide_call_boolean(const TideCall *call, int32_t index);
/// Reads an argument that is a number, or a string that can be parsed as one.
bool tide_call_read_number(const TideCall *call, int32_t index, double *number);
bool tide_call_read_integer(const TideCall *call, int32_t index,
                            int64_t *integer);
/// The bytes of a string argument, valid until the call ends.
const char *_Nullable tide_call_read_text(const TideCall *call, int32_t index,
                                          size_t *count);
/// The header of an argument that is an existing data object.
TideSlot *_Nullable tide_call_read_object(const TideCall *call, int32_t index);
/// The Swift object of an argument that is its userdata.
void *_Nullable tide_call_read_userdata(const TideCall *call, int32_t index);
/// Reads any argument. A table, function, thread or userdata becomes a reference, which can fail.
int32_t tide_call_read(TideCall *call, int32_t index, TideValue *value);
/// The caller's name for this function, or NULL.
const char *_Nullable tide_call_name(const TideCall *call);
/// Whether the caller wrote `object:name(…)`, so that it counts the arguments from the second one.
bool tide_call_is_method(const TideCall *call);
/// The calling Lua line: its chunk's name (with the mark) and its number; NULL if no Lua code is
/// calling.
const char *_Nullable tide_call_location(const TideCall *call, int32_t level,
                                         int32_t *line);
const char *tide_call_type_name(const TideCall *call, int32_t index);
/// Whether the running coroutine can wait here.
bool tide_call_can_suspend(const TideCall *call);

/// Makes room for more results; NULL if memory runs out.
TideValue *_Nullable tide_call_grow(TideCall *call);

/// The next result's value, set to nil; NULL if memory runs out.
static inline TideValue *_Nullable tide_call_add_result(TideCall *call) {
  if (__builtin_expect(call->results == call->capacity, 0) && !tide_call_grow(call)) return NULL;
  TideValue *value = &call->values[call->results++];
  value->integer = 0;
  value->tag = TIDE_LUA_NIL;
  value->count = 0;
  return value;
}

/// Memory for a result's text, valid until Lua has copied it; NULL if memory runs out.
char *_Nullable tide_call_add_text(TideCall *call, size_t count);

/// Creates a method from a script's function: its changes settle when it returns. Inside another
/// method the function itself is called, so methods can recurse as deeply as functions.
int32_t tide_method_make(TideState *state, uint32_t function, TideFrame *frame);
/// Creates a wrapper that calls a function while a data object exists. It keeps neither of them
/// alive.
int32_t tide_function_own(TideState *state, uint32_t function, TideSlot *owner, TideFrame *frame);
/// The number of a function's named parameters; INT32_MAX for a variadic function, and -1 if the
/// value is not a function.
int32_t tide_function_parameters(TideState *state, uint32_t function);
/// The chunk and first line of a Lua function; NULL for other functions.
const char *_Nullable tide_function_location(TideState *state, uint32_t function, int32_t *line);

#pragma clang assume_nonnull end
