// Chunks; what scripts' functions need is in TideBorder.h.
#pragma once

#include "state.h"

typedef struct Compiled {
  char *bytes;
  size_t count, capacity;
} Compiled;

/// Compiles text to bytes as `lua_dump` writes them, which the caller frees whatever the status.
int32_t chunk_compile(lua_State *L, TideState *state, const char *text, size_t count,
                      const char *name, Compiled *compiled, TideFrame *frame);
