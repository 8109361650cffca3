// Programs that scripts run.
#pragma once

#include <sys/types.h>

#include "state.h"

typedef struct ChildProcess {
  pid_t id;     // also the id of its group; 0: none
  int channel;  // to its input or from its output; -1: none
  int control;  // replaces the id if the broker started it; 0: none
} ChildProcess;

/// Starts a shell command; `direction` is 'r', 'w', or 0 for no channel. Returns 0 or an error
/// number.
int process_start(const TideState *state, const char *command, char direction,
                  ChildProcess *child);
/// Waits for the end of the program, and pushes the three results of `os.execute`. When the turn is
/// over, kills the program and raises an error.
int process_finish(lua_State *L, ChildProcess *child);
/// Kills the program at once.
void process_kill(ChildProcess *child);
