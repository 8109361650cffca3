// Chunks; the functions for scripts are in TideBorder.h.
#pragma once

#include "state.h"

typedef struct Compiled {
  char *bytes;
  size_t count, capacity;
} Compiled;

/// Compiles text to the bytes of `lua_dump`, which the caller frees whatever the status.
int32_t chunk_compile(lua_State *L, TideState *state, const char *text, size_t count,
                      const char *name, Compiled *compiled, TideFrame *frame);
