// The end of turns that exceed their time limit.
#pragma once

#include "state.h"

/// The time of a monotonic clock, in nanoseconds.
uint64_t clock_now(void);
/// Whether the turn seems to be over. Any thread may call it, so the answer is an estimate that is
/// verified where it matters.
bool clock_is_due(TideState *state, uint64_t time);
/// Decides, on the thread that runs the state, whether its turn is over.
void clock_decide(TideState *state, uint64_t time);
/// Prepares the beginning of a turn if the timer is stopped or steps are counted.
void clock_start(TideState *state);
/// Clears the mark that a turn was stopped.
void clock_reset(TideState *state);
/// Sets the hook that a coroutine has while nothing must be stopped, usually none.
void clock_idle(lua_State *L, TideState *state);
/// Sets the hook that stops a coroutine.
void clock_stop(lua_State *L);
/// Sets the hook that a coroutine needs before it runs, if any.
void clock_prepare_hook(lua_State *L, TideState *state);
static inline void clock_prepare(lua_State *L, TideState *state) {
  if (unlikely(state->budget.expired || state->budget.limits.countsSteps))
    clock_prepare_hook(L, state);
}
/// Reads the clock and returns whether the turn is over.
bool clock_is_late(TideState *state);
