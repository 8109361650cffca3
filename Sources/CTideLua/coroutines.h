// Running coroutines; the part for scripts' functions is in TideBorder.h.
#pragma once

#include "state.h"

// A coroutine that will not run again is marked in the word that points to its state.
enum {
  COROUTINE_LEFT = 1,   // abandoned when its turn was stopped; may be closed
  COROUTINE_ENDED = 2,  // ended by the stop; Lua then ran its closers without hooks
  COROUTINE_WAITS = 4,  // waits for a dependency (derive.c); unset while it runs
};
static inline uintptr_t *coroutine_word(lua_State *co) {
  return (uintptr_t *)lua_getextraspace(co);
}
static inline uintptr_t coroutine_marks(lua_State *co) {
  return *coroutine_word(co) & (COROUTINE_LEFT | COROUTINE_ENDED);
}

static inline bool coroutine_waits(lua_State *co) {
  return *coroutine_word(co) & COROUTINE_WAITS;
}

/// The limit of nested closings of coroutines.
enum { DEEPEST_CLOSE = 8 };

/// Creates the stand-in for the main coroutine that scripts get.
void coroutines_make_main(lua_State *L);
/// Resumes a coroutine with the arguments on top of `co`. `fromHost` is true if the host resumes a
/// suspended host function.
int coroutine_run(lua_State *L, lua_State *co, int arguments, int *results, bool fromHost);
/// Closes the variables that a coroutine has left open; never raises an error.
int coroutine_reset(lua_State *L, lua_State *co);
/// Leaves the error of a failed coroutine on L, and closes its open variables unless its turn was
/// stopped.
void coroutine_fail(lua_State *L, TideState *state, lua_State *co, int status, TideFrame *frame);
