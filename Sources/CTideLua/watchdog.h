// The thread that enforces the time limit of turns.
#pragma once

#include "state.h"

/// The watchdog's data about a thread.
typedef struct ThreadClock {
  struct ThreadClock *next, **link;  // in the list of watched threads
  int thread;                        // the system's thread id; 0 until it is first watched
  volatile sig_atomic_t isWatched;
  volatile uint64_t look;       // nanoseconds between two checks
  volatile uint64_t answered;   // when the last signal was handled; 0: not yet
  TideState *volatile running;  // the state of the innermost turn
} ThreadClock;

extern _Thread_local ThreadClock thread_clock;

/// Makes the watchdog watch the calling thread while it runs turns. If that fails, the state counts
/// steps.
void watchdog_arm(TideState *state);
