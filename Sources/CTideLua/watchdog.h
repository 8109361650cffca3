// The thread that enforces the time limit of turns.
#pragma once

#include "state.h"

/// The watchdog's data about a thread.
typedef struct ThreadClock {
  struct ThreadClock *next, **link;  // among those that are watched
  int thread;                        // the system's number of it; 0 until it is first watched
  volatile sig_atomic_t isWatched;
  volatile uint64_t look;       // nanoseconds between two looks
  volatile uint64_t answered;   // when the last signal had been dealt with; 0: it is on its way
  TideState *volatile running;  // the innermost turn's
} ThreadClock;

extern _Thread_local ThreadClock thread_clock;

/// Makes the watchdog watch the calling thread while it runs turns. If that fails, the state counts
/// steps.
void watchdog_arm(TideState *state);
