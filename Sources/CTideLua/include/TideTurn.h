// The time that a turn may take (clock.c, watchdog.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// Several calls between these two count as one turn. False where the interpreter is closed, or waits
/// for calls around this one to be closed: then there is nothing to end.
bool tide_turn_begin(TideState *state);
void tide_turn_end(TideState *state);
void tide_turn_set_limit(TideState *state, uint64_t nanoseconds);
/// Stops the script that runs now, within some milliseconds; any thread may call it.
void tide_turn_interrupt(TideState *state);
/// Whether the running turn has been stopped, so that nothing more will run in it. Costs a few
/// instructions, for loops of the host's; only the thread that runs the turn may ask.
bool tide_turn_is_over(TideState *state);
/// The same where steps are counted as well, which reads the clock: to be asked every thousand
/// steps.
bool tide_turn_look(TideState *state);
/// Lets long work outside of Lua ask about the turn that runs on its thread (TideWork.h).
void tide_turn_bounds_work(void);
/// Whether steps are counted, asked for or not, in place of the watchdog's signal.
bool tide_turn_counts_steps(const TideState *state);

#pragma clang assume_nonnull end
