// The reason why a call failed (errors.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

/// The kinds of failures of a protected call.
enum {
  TIDE_FAULT_RUNTIME = 0,
  TIDE_FAULT_SYNTAX = 1,
  TIDE_FAULT_MEMORY = 2,
  TIDE_FAULT_TIME = 3,
  TIDE_FAULT_DEPTH = 4,
  TIDE_FAULT_INTERRUPTED = 5,
  TIDE_FAULT_HOST = 6,  // a Swift callback threw
  TIDE_FAULT_CLOSED = 7,
};

typedef struct TideFault {
  int32_t kind;
  int32_t line;    // 0: unknown
  int32_t column;  // 0: unknown
  const char *_Nullable message;
  size_t messageCount;
  const char *_Nullable source;  // the chunk's name without its mark
  size_t sourceCount;
  const char *_Nullable traceback;
  size_t tracebackCount;
  void *_Nullable cause;  // the Swift object that was thrown, not retained
  TideValue value;        // nil if the error is a text or comes from the host
} TideFault;

/// Describes why the frame's call failed; all pointers are valid until the frame ends.
void tide_frame_fault(TideState *state, TideFrame *frame,
                      TideFault *fault);
/// Sets the error that a callback or hook is about to fail with. Takes over the retained object and
/// copies the message, which is prefixed by the calling line unless it has a location of its own.
void tide_set_error(TideState *state, void *error, const char *message, size_t messageCount,
                    bool hasLocation);

#pragma clang assume_nonnull end
