// The end of turns that last too long.
#pragma once

#include "state.h"

/// Nanoseconds of a clock that only moves forward.
uint64_t clock_now(void);
/// What a look at the turn finds; by any thread, so the answer is a guess that is checked where it
/// matters.
bool clock_is_due(TideState *state, uint64_t time);
/// Decides, on the thread that runs the state, whether its turn is over.
void clock_decide(TideState *state, uint64_t time);
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
