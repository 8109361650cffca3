// Calls from Swift (frames.c, calls.c, loading.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// A part of the Lua stack that holds the results of a call until the frame is ended.
typedef struct TideFrame {
  int32_t top;    // the stack's height before
  int32_t first;  // where the results begin
  uint32_t count;
  int32_t status;
} TideFrame;

/// Reads a result. Text is valid until the frame ends; a reference belongs to the caller.
int32_t tide_frame_value(TideState *state, TideFrame *frame, uint32_t index,
                         TideValue *value);
/// Reads the first result without creating a reference.
void tide_frame_peek(TideState *state, const TideFrame *frame, TideValue *value);
/// Stores the first result in a slot as a script's assignment would. Returns 1 if the value
/// changed, 0 if it did not, and -1 if the host must store it (because of the declared type, an
/// object or a table).
int32_t tide_frame_store(TideState *state, const TideFrame *frame,
                         TideSlot *slot);
/// Every call below opens the frame, whatever its status; each frame must be ended.
void tide_frame_end(TideState *state, const TideFrame *frame);

/// Compiles a chunk of text. `environment` is a table, or 0 for the globals. The number of its
/// first line is `linesBefore` + 1.
int32_t tide_load(TideState *state, const char *text, size_t count,
                  const char *chunkName, uint32_t environment,
                  uint32_t linesBefore, TideFrame *frame);
/// Compiles a chunk to bytes for `tide_load_compiled`. The caller frees them, whatever the status.
int32_t tide_chunk_compile(TideState *state, const char *text, size_t count, const char *chunkName,
                           char *_Nullable *_Nonnull bytes, size_t *byteCount, TideFrame *frame);
/// Loads the result of `tide_chunk_compile` in any interpreter of the process. Never load other
/// bytes: Lua does not check compiled code.
int32_t tide_load_compiled(TideState *state, const char *bytes, size_t count, uint32_t environment,
                           TideFrame *frame);

int32_t tide_call(TideState *state, uint32_t function,
                  const TideValue *_Nullable arguments, uint32_t count,
                  TideFrame *frame);
/// Calls a function and reads the first result if it is a number or a boolean; the frame is then
/// closed. Otherwise the result's tag is TIDE_LUA_NIL.
int32_t tide_call_reading(TideState *state, uint32_t function,
                          const TideValue *_Nullable arguments, uint32_t count, TideValue *result,
                          TideFrame *frame);
/// Calls a function with one argument and reads one result in a single step. For a table, function
/// or thread, only the tag is read and the value stays in the frame.
int32_t tide_call_once(TideState *state, uint32_t function,
                       const TideValue *argument, TideValue *result,
                       TideFrame *frame);
/// Calls a function and discards its results. The frame is closed if it returns TIDE_OK.
int32_t tide_call_discarding(TideState *state, uint32_t function,
                             const TideValue *_Nullable arguments, uint32_t count,
                             TideFrame *frame);
/// Calls a function and returns 1 if the result is true in Lua's sense, or 0 if it is false.
/// Returns -1 if the call failed; the frame is then left open.
int32_t tide_call_test(TideState *state, uint32_t function, const TideValue *arguments,
                       uint32_t count, TideFrame *frame);
/// Calls a function with the value of one slot and stores the result in another, with the return
/// values of `tide_frame_store`. Returns -2 if the call failed. The frame is left open after -1, -2
/// and TIDE_NO_RESULT. Nothing is stored in a slot that the function has freed.
enum { TIDE_NO_RESULT = -3, TIDE_WAITS = -4, TIDE_YIELDS = -5 };
int32_t tide_call_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          TideFrame *frame);
/// Calls a function with a number and reads a number. The frame is closed if it returns TIDE_OK.
/// Returns -1 if the result is not a number; the frame then holds the result.
int32_t tide_call_number(TideState *state, uint32_t function, double argument,
                         double *result, TideFrame *frame);

int32_t tide_globals(TideState *state, TideFrame *frame);
/// The result of `tostring` for any value.
int32_t tide_describe(TideState *state, const TideValue *value,
                      TideFrame *frame);

#pragma clang assume_nonnull end
