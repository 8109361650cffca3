// The time limit of turns (clock.c, watchdog.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// Begins a turn that spans all calls until `tide_turn_end`. Returns false, and begins none, if the
/// interpreter is closed or closes when the enclosing calls return.
bool tide_turn_begin(TideState *state);
void tide_turn_end(TideState *state);
void tide_turn_set_limit(TideState *state, uint64_t nanoseconds);
/// Stops the running script within a few milliseconds. Any thread may call it.
void tide_turn_interrupt(TideState *state);
/// Whether the running turn has been stopped, so that no more code will run in it. Costs a few
/// instructions, for loops of the host. Only the thread that runs the turn may call it.
bool tide_turn_is_over(TideState *state);
/// Whether the running turn is over, including by its count of steps. Reads the clock, so call it
/// about once per thousand steps.
bool tide_turn_look(TideState *state);
/// Moves the deadlines of the turns on this thread by the time of work that the host did for itself.
void tide_turn_extend(uint64_t nanoseconds);
/// Lets long work outside of Lua check the turn on its thread (TideWork.h).
void tide_turn_bounds_work(void);
/// Whether steps are counted, on request or not, instead of using the watchdog's signal.
bool tide_turn_counts_steps(const TideState *state);

#pragma clang assume_nonnull end
