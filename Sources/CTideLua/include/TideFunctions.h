// Swift's functions and objects as Lua has them, and functions of Lua's that are methods, observers
// or an object's own (functions.c, members.c, arguments.c, batches.c, owners.c,
// listeners.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

/// A Swift function as Lua calls it: gets its object and the call, returns a status.
typedef int32_t (*TideBody)(void *object, TideCall *call);

/// A call of a Swift function: its arguments on the Lua stack, its results in C memory until the
/// Swift frame is gone.
struct TideCall {
  TideState *state;
  void *lua;
  int32_t count;    // of arguments
  int32_t results;  // how many have been given
  int32_t capacity;
  uint32_t textUsed;
  TideValue *values;
  void *_Nullable mark;
  bool suspends;   // asked for by the callback, for its wrapper to return TIDE_SUSPENDED
  bool calls;      // likewise TIDE_CALLS
  bool exhausted;  // a result found no memory, which is raised in its place
  TideValue local[4];
  char text[192];
};

/// Wraps a Swift function. Takes over the retained `object`, whatever the status.
int32_t tide_function_make(TideState *state, void *object, TideBody body, TideFrame *frame);
/// Makes the functions by which scripts read and write members of objects, a metatable's `__index`
/// and `__newindex` in this order. `name` is the type's. `tables` are references to four tables in
/// which they look up names: methods, which scripts get as they are; getters and setters; and what is
/// called for other keys, `get` and `set`. The last three are filled by `tide_member_set`.
int32_t tide_members_make(TideState *state, const char *name, const uint32_t *tables,
                          TideFrame *frame);
/// Stores a function made by `tide_function_make` in a table of members, under a name.
int32_t tide_member_set(TideState *state, uint32_t table, const char *name, size_t count,
                        uint32_t function, TideFrame *frame);
/// A Lua userdata that stands for a Swift object and keeps it alive: the same one for the same
/// object while Lua holds it. `metatable` is a reference to a table; 0: opaque.
int32_t tide_userdata_make(TideState *state, void *object, uint32_t metatable,
                           TideFrame *frame);
/// The Swift object behind a userdata, not retained, or NULL.
void *_Nullable tide_userdata_object(TideState *state, uint32_t reference);

// Arguments count from 0. A missing one is nil, but for its tag, -1.
int32_t tide_call_tag(const TideCall *call, int32_t index);
/// An argument without a reference to it: of a table, function, thread or userdata the tag alone.
void tide_call_peek(const TideCall *call, int32_t index, TideValue *value);
bool tide_call_boolean(const TideCall *call, int32_t index);
/// Gives the number of an argument that is one, or text that reads as one.
bool tide_call_read_number(const TideCall *call, int32_t index, double *number);
bool tide_call_read_integer(const TideCall *call, int32_t index,
                            int64_t *integer);
/// The bytes of an argument that is text, as long as the call lasts.
const char *_Nullable tide_call_read_text(const TideCall *call, int32_t index,
                                          size_t *count);
/// The header of an argument that is a data object that still exists.
TideSlot *_Nullable tide_call_read_object(const TideCall *call, int32_t index);
/// The Swift object of an argument that is a userdata made for one.
void *_Nullable tide_call_read_userdata(const TideCall *call, int32_t index);
/// Any argument; a table, function, thread or userdata becomes a reference, which can fail.
int32_t tide_call_read(TideCall *call, int32_t index, TideValue *value);
/// What the caller calls this function, or NULL.
const char *_Nullable tide_call_name(const TideCall *call);
/// Whether the caller wrote `object:name(…)`, and so counts the arguments from the second.
bool tide_call_is_method(const TideCall *call);
/// The calling Lua line: its chunk's name (with the mark) and line; NULL outside of any.
const char *_Nullable tide_call_location(const TideCall *call, int32_t level,
                                         int32_t *line);
const char *tide_call_type_name(const TideCall *call, int32_t index);
/// Whether the running coroutine can wait here.
bool tide_call_can_suspend(const TideCall *call);

/// Makes room for more results; NULL without memory.
TideValue *_Nullable tide_call_grow(TideCall *call);

/// The next result's value, set to nil; NULL without memory.
static inline TideValue *_Nullable tide_call_add_result(TideCall *call) {
  if (__builtin_expect(call->results == call->capacity, 0) && !tide_call_grow(call)) return NULL;
  TideValue *value = &call->values[call->results++];
  value->integer = 0;
  value->tag = TIDE_LUA_NIL;
  value->count = 0;
  return value;
}

/// Memory for a result's text, kept until Lua has copied it; NULL without memory.
char *_Nullable tide_call_add_text(TideCall *call, size_t count);

/// Makes a method of a script's function: what it changes settles when it returns. Inside another
/// method the function itself is called, so that methods may recurse as deep as functions.
int32_t tide_method_make(TideState *state, uint32_t function, TideFrame *frame);
/// Makes what calls a function as long as a data object lives, which neither of them keeps alive.
int32_t tide_function_own(TideState *state, uint32_t function, TideSlot *owner, TideFrame *frame);
/// How many parameters a function names; INT32_MAX when it takes any number, -1 when it is none.
int32_t tide_function_parameters(TideState *state, uint32_t function);
/// The chunk and the line where a function of Lua begins; NULL for others.
const char *_Nullable tide_function_location(TideState *state, uint32_t function, int32_t *line);

#pragma clang assume_nonnull end
