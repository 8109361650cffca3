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

/// Stops the program, because another thread is using the state.
__attribute__((noinline, noreturn)) void stop_second_user(void);

/// Counts a frame; the outermost begins a turn.
static inline void frame_count(TideState *state) {
  if (state->depth++ == 0) {
    state->user = pthread_self();
    turn_begin(state);
  } else if (unlikely(!pthread_equal(state->user, pthread_self()))) {
    stop_second_user();
  }
}

/// Does what a turn left to be done, and stops an outer one that ran out meanwhile.
void turn_end(TideState *state);

/// Opens a frame: the running coroutine, with the frame's top noted, or NULL when closed.
lua_State *frame_enter(TideState *state, TideFrame *frame);
/// Closes a frame whose part of the stack has been given back.
static inline void frame_leave(TideState *state) {
  if (--state->depth) return;
  TideState *outer = state->turn.outer;
  thread_clock.running = outer;
  if (unlikely(outer || state->turn.chores)) turn_end(state);
}
/// Calls the function that lies below its arguments, under protection, as the innermost call from
/// Swift.
int frame_call(lua_State *L, TideState *state, int arguments, int results, int handler);
/// Runs a function of ours under protection, with `request` as its only argument; whatever it
/// leaves on the stack are the frame's results.
int32_t frame_protect(lua_State *L, TideState *state, lua_CFunction body, void *request,
                      TideFrame *frame);
/// Opens a frame and runs a function of ours in it.
int32_t frame_run(TideState *state, lua_CFunction body, void *request, TideFrame *frame);
