// Coroutines that Swift drives (coroutines.c, tasks.c, derive.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

int32_t tide_thread_make(TideState *state, uint32_t function,
                         TideFrame *frame);
/// Runs a coroutine until it returns (TIDE_OK), waits (TIDE_SUSPENDED), yields (TIDE_YIELDED) or
/// fails. `error`, a retained Swift object that is taken over, is thrown at the waiting call, with
/// a message as for `tide_set_error`. An interrupted coroutine keeps its open variables until
/// `tide_thread_close`.
int32_t tide_thread_resume(TideState *state, uint32_t thread,
                           const TideValue *_Nullable arguments, uint32_t count,
                           void *_Nullable error, const char *_Nullable message,
                           size_t messageCount, bool hasLocation, TideFrame *frame);
/// Resumes a coroutine by raising a Lua value at the waiting call. The coroutine must be waiting.
int32_t tide_thread_raise(TideState *state, uint32_t thread, const TideValue *value,
                          TideFrame *frame);
/// Closes a coroutine's open variables and ends it.
int32_t tide_thread_close(TideState *state, uint32_t thread, TideFrame *frame);
/// Whether the coroutine can be resumed.
bool tide_thread_is_alive(TideState *state, uint32_t thread);

// Functions that derive values from one another run on a stack of coroutines (derive.c).

/// Opens a stack of coroutines, which exists until its frame is ended.
int32_t tide_derive_open(TideState *state, TideFrame *stack);
/// Pushes a function and its argument to the coroutine with the given index, counted from 0.
int32_t tide_derive_fill(TideState *state, const TideFrame *stack, uint32_t index,
                         uint32_t function, const TideValue *argument, TideFrame *frame);
/// Runs a coroutine until it returns (TIDE_OK, with one result), fails, or reads a slot that must
/// be derived first (TIDE_SUSPENDED, with the frame ended).
int32_t tide_derive_run(TideState *state, const TideFrame *stack, uint32_t index, bool isFirst,
                        TideSlot *_Nullable *_Nonnull wanted, TideFrame *frame);
/// Abandons a coroutine at its current instruction.
void tide_derive_give_up(TideState *state, const TideFrame *stack, uint32_t index);

// Calls that may wait (tasks.c).

/// Calls a function as `tide_call` does, but on a coroutine, so that it may wait. After
/// TIDE_SUSPENDED and TIDE_YIELDED, `thread` is a reference to the coroutine, which the caller must
/// resume and drop.
int32_t tide_task_call(TideState *state, uint32_t function,
                       const TideValue *_Nullable arguments, uint32_t count, uint32_t *thread,
                       TideFrame *frame);
/// Calls a function as `tide_call_between` does, but allows it to wait. After TIDE_WAITS and
/// TIDE_YIELDS, `thread` is a reference to the coroutine, and the frame is closed.
int32_t tide_task_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          uint32_t *thread, TideFrame *frame);

#pragma clang assume_nonnull end
