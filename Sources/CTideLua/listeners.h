// Scripts' functions that observe a slot.
#pragma once

#include "state.h"

typedef struct TideListener {
  uint32_t function;   // a reference; of a free entry: the next one
  uint32_t arguments;  // the new value, or the new and the old
  void *context;       // the context that is open while it runs
} TideListener;

/// Calls the script's function that observes a slot, if nothing else is to be done. Returns false
/// if the graph must be notified. `functions` is the stack index of the private table. May raise an
/// error.
bool listener_notify(lua_State *L, TideState *state, TideSlot *slot, int functions);
