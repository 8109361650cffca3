// Calls from Swift: each opens a frame, and the outermost one is a turn.
#pragma once

#include "clock.h"
#include "references.h"
#include "watchdog.h"

static inline void turn_begin(TideState *state) {
  state->turn.number++;
  state->turn.outer = thread_clock.running;
  thread_clock.running = state;
  atomic_store_explicit(&state->turn.isInterrupted, false, memory_order_relaxed);
  if (unlikely(!thread_clock.isWatched || state->budget.limits.countsSteps)) clock_start(state);
  references_drain(state->main, state);
}

/// Ends the program, because another thread is using the state.
__attribute__((noinline, noreturn)) void stop_second_user(void);

/// Counts a frame; the outermost one begins a turn.
static inline void frame_count(TideState *state) {
  if (state->depth++ == 0) {
    state->user = pthread_self();
    turn_begin(state);
  } else if (unlikely(!pthread_equal(state->user, pthread_self()))) {
    stop_second_user();
  }
}

/// Does the chores of a turn, and stops an outer turn that has expired meanwhile.
void turn_end(TideState *state);

/// Opens a frame and records the top of the stack. Returns the running coroutine, or NULL if the
/// state is closed.
lua_State *frame_enter(TideState *state, TideFrame *frame);
/// Closes a frame whose part of the stack has been popped.
static inline void frame_leave(TideState *state) {
  if (--state->depth) return;
  TideState *outer = state->turn.outer;
  thread_clock.running = outer;
  if (unlikely(outer || state->turn.chores)) turn_end(state);
}
/// Calls the function below its arguments under protection, as the innermost call from Swift.
int frame_call(lua_State *L, TideState *state, int arguments, int results, int handler);
/// Runs one of our functions under protection, with `request` as its only argument. The values that
/// it leaves on the stack are the frame's results.
int32_t frame_protect(lua_State *L, TideState *state, lua_CFunction body, void *request,
                      TideFrame *frame);
/// Opens a frame and runs one of our functions in it.
int32_t frame_run(TideState *state, lua_CFunction body, void *request, TideFrame *frame);
