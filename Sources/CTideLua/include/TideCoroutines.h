// Coroutines that Swift drives (coroutines.c, tasks.c, derive.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

int32_t tide_thread_make(TideState *state, uint32_t function,
                         TideFrame *frame);
/// Runs a coroutine until it returns (TIDE_OK), waits (TIDE_SUSPENDED), yields (TIDE_YIELDED) or
/// fails. `error`, a retained Swift object that is taken over, is thrown at the waiting call, with
/// the message as `tide_set_error` takes it. A coroutine that was interrupted keeps what it left to
/// be closed until `tide_thread_close`.
int32_t tide_thread_resume(TideState *state, uint32_t thread,
                           const TideValue *_Nullable arguments, uint32_t count,
                           void *_Nullable error, const char *_Nullable message,
                           size_t messageCount, bool hasLocation, TideFrame *frame);
/// The same, raising a value of Lua's at the waiting call. The coroutine must wait.
int32_t tide_thread_raise(TideState *state, uint32_t thread, const TideValue *value,
                          TideFrame *frame);
/// Runs what a coroutine left to be closed and ends it.
int32_t tide_thread_close(TideState *state, uint32_t thread, TideFrame *frame);
/// Whether the coroutine can be resumed.
bool tide_thread_is_alive(TideState *state, uint32_t thread);

// Functions that derive values from one another run on a stack of coroutines (derive.c).

/// Opens a stack of coroutines, which lasts until its frame is ended.
int32_t tide_derive_open(TideState *state, TideFrame *stack);
/// Puts a function and its argument on the coroutine of that index, from 0.
int32_t tide_derive_fill(TideState *state, const TideFrame *stack, uint32_t index,
                         uint32_t function, const TideValue *argument, TideFrame *frame);
/// Runs it until it returns (TIDE_OK, with one result), fails, or reads a slot that is to be
/// derived first (TIDE_SUSPENDED, with the frame ended).
int32_t tide_derive_run(TideState *state, const TideFrame *stack, uint32_t index, bool isFirst,
                        TideSlot *_Nullable *_Nonnull wanted, TideFrame *frame);
/// Leaves it where it stands, not to be run again.
void tide_derive_give_up(TideState *state, const TideFrame *stack, uint32_t index);

// Calls that may wait (tasks.c).

/// Calls a function as `tide_call` does, but on a coroutine, where it may wait. With
/// TIDE_SUSPENDED, and with TIDE_YIELDED, `thread` is a reference to the coroutine, to be resumed
/// and dropped.
int32_t tide_task_call(TideState *state, uint32_t function,
                       const TideValue *_Nullable arguments, uint32_t count, uint32_t *thread,
                       TideFrame *frame);
/// Calls a function as `tide_call_between` does, but where it may wait: then TIDE_WAITS or
/// TIDE_YIELDS, `thread` is a reference to the coroutine, and no frame is left open.
int32_t tide_task_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          uint32_t *thread, TideFrame *frame);

#pragma clang assume_nonnull end
