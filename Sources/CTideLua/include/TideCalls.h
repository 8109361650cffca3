// Calls from Swift (frames.c, calls.c, loading.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// A stretch of the Lua stack that holds the results of a call until it is ended.
typedef struct TideFrame {
  int32_t top;    // the stack's height before
  int32_t first;  // where the results begin
  uint32_t count;
  int32_t status;
} TideFrame;

/// Reads a result. Text stays good until the frame ends; a reference belongs to the caller.
int32_t tide_frame_value(TideState *state, TideFrame *frame, uint32_t index,
                         TideValue *value);
/// Reads the first result without making a reference.
void tide_frame_peek(TideState *state, const TideFrame *frame, TideValue *value);
/// Stores the first result in a slot as a script's assignment would: 1 changed, 0 the same, -1 not
/// here (the declared type, an object or a table needs the host).
int32_t tide_frame_store(TideState *state, const TideFrame *frame,
                         TideSlot *slot);
/// Every call below opens the frame, whatever its status; each needs its end.
void tide_frame_end(TideState *state, const TideFrame *frame);

/// Compiles a chunk of text, whose environment is a table or, with 0, the globals. Its first line
/// has the number that follows `linesBefore`.
int32_t tide_load(TideState *state, const char *text, size_t count,
                  const char *chunkName, uint32_t environment,
                  uint32_t linesBefore, TideFrame *frame);
/// Compiles a chunk to bytes for `tide_load_compiled`, which the caller frees whatever the status.
int32_t tide_chunk_compile(TideState *state, const char *text, size_t count, const char *chunkName,
                           char *_Nullable *_Nonnull bytes, size_t *byteCount, TideFrame *frame);
/// Loads what `tide_chunk_compile` gave, in any interpreter of the process, and nothing else: Lua
/// does not check compiled code.
int32_t tide_load_compiled(TideState *state, const char *bytes, size_t count, uint32_t environment,
                           TideFrame *frame);

int32_t tide_call(TideState *state, uint32_t function,
                  const TideValue *_Nullable arguments, uint32_t count,
                  TideFrame *frame);
/// Calls a function, and reads the first result if it is a number or a boolean: then no frame is left
/// open. Otherwise the result's tag is TIDE_LUA_NIL.
int32_t tide_call_reading(TideState *state, uint32_t function,
                          const TideValue *_Nullable arguments, uint32_t count, TideValue *result,
                          TideFrame *frame);
/// Calls with one argument and reads one result in a single step; a table, function or thread is
/// left in the frame and told by its tag alone.
int32_t tide_call_once(TideState *state, uint32_t function,
                       const TideValue *argument, TideValue *result,
                       TideFrame *frame);
/// Calls for what it does; no frame is left open when it returns TIDE_OK.
int32_t tide_call_discarding(TideState *state, uint32_t function,
                             const TideValue *_Nullable arguments, uint32_t count,
                             TideFrame *frame);
/// Calls and says whether the result counts as true, 1 or 0; a frame is left open where the call
/// failed, which is -1.
int32_t tide_call_test(TideState *state, uint32_t function, const TideValue *arguments,
                       uint32_t count, TideFrame *frame);
/// Calls with the value of one slot and stores the result in another, as `tide_frame_store` does
/// and says; the frame is left open when that is -1, when the call failed, which is -2, and when it
/// returned nothing at all. Nothing is stored in a slot that the function has freed.
enum { TIDE_NO_RESULT = -3, TIDE_WAITS = -4, TIDE_YIELDS = -5 };
int32_t tide_call_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          TideFrame *frame);
/// For numbers only. Leaves no frame open when it returns TIDE_OK. Returns -1 where the result is not a
/// number; the frame then holds it.
int32_t tide_call_number(TideState *state, uint32_t function, double argument,
                         double *result, TideFrame *frame);

int32_t tide_globals(TideState *state, TideFrame *frame);
/// The text of any value as `tostring` gives it.
int32_t tide_describe(TideState *state, const TideValue *value,
                      TideFrame *frame);

#pragma clang assume_nonnull end
