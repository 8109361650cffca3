// The end of turns that last too long.
#pragma once

#include "state.h"

/// What the watchdog knows of a thread.
typedef struct ThreadClock {
  struct ThreadClock *next, **link;  // among those that are watched
  int thread;                        // the system's number of it; 0 until it is first watched
  volatile sig_atomic_t isWatched;
  volatile uint64_t look;            // nanoseconds between two looks
  volatile uint64_t answered;        // when the last signal had been dealt with; 0: it is on its way
  TideState *volatile running;       // the innermost turn's
} ThreadClock;

extern _Thread_local ThreadClock thread_clock;

/// What a turn's beginning takes when the timer stands still or steps are counted.
void clock_start(TideState *state);
/// Forgets that a turn was stopped.
void clock_reset(TideState *state);
/// Sets the hook that a coroutine has while nothing is to be stopped: mostly none.
void clock_idle(lua_State *L, TideState *state);
/// Sets the hook that stops a coroutine.
void clock_stop(lua_State *L);
/// Sets the hook that a coroutine needs which is about to run, if any.
void clock_prepare_hook(lua_State *L, TideState *state);
static inline void clock_prepare(lua_State *L, TideState *state) {
  if (unlikely(state->budget.expired || state->budget.limits.countsSteps))
    clock_prepare_hook(L, state);
}
/// Reads the clock; whether the turn is over.
bool clock_is_late(TideState *state);
