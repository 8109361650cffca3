#define _GNU_SOURCE
#include <time.h>
#include <ucontext.h>

#include "host.h"

// The last resort against what no hook can stop. Some operations of the interpreter take for ever
// when a script has prepared them: a table whose keys all collide is made larger, weak keys lead to
// each other in an unlucky order, a table is called through itself. There the timer's handler
// raises an error itself, in the middle of the operation, which may leave half of it done. So the
// interpreter is not used again: nothing of the script runs, no garbage is collected, and when the
// outermost call has ended, the state is closed.
//
// An error may be raised only where nothing but the interpreter's own code is running, and nothing
// of Swift's lies between it and the protected call that will catch the error.

/// How long one operation may go on after the turn was stopped: an eighth of the turn's limit, within
/// these bounds. It must be long enough for moving the largest stack, which takes some 15 ms and
/// must not be left halfway.
enum { SHORTEST_GRACE = 50000000, LONGEST_GRACE = 250000000 };

// The interpreter's parts lie together, in a library of its own or, linked statically, in ours: all
// that is between functions of several parts is the interpreter's code and nobody else's.
static uintptr_t interpreterStart = UINTPTR_MAX, interpreterEnd;

void escape_install(void) {
  const uintptr_t parts[] = {
      (uintptr_t)lua_absindex, (uintptr_t)lua_sethook,   (uintptr_t)lua_resume,
      (uintptr_t)lua_newstate, (uintptr_t)luaL_newstate, (uintptr_t)luaopen_base,
      (uintptr_t)luaopen_math, (uintptr_t)luaopen_string, (uintptr_t)luaopen_utf8,
  };
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (parts[i] < interpreterStart) interpreterStart = parts[i];
    if (parts[i] > interpreterEnd) interpreterEnd = parts[i];
  }
}

/// Whether the interrupted code is the interpreter's: never the allocator's or the system's, which
/// might hold a lock.
static bool is_interpreter(const ucontext_t *context) {
#if defined(__x86_64__)
  uintptr_t place = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  uintptr_t place = (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  uintptr_t place = 0;
#endif
  return place >= interpreterStart && place < interpreterEnd;
}

/// Time that the thread has run, since on a busy machine it may just not have had its turn.
static uint64_t time_spent(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

bool escape_is_due(TideState *state, const void *context) {
  uint64_t spent = time_spent();
  // Where errors are raised, hooks do their work; where memory is asked for, it goes on.
  if (!state->stuckSince || state->seenActivity != state->activity) {
    state->seenActivity = state->activity;
    state->stuckSince = spent;
    return false;
  }
  uint64_t grace = state->configuration.turn / 8;
  if (grace < SHORTEST_GRACE) grace = SHORTEST_GRACE;
  if (grace > LONGEST_GRACE) grace = LONGEST_GRACE;
  if (state->isGivenUp) grace = 0;
  return spent - state->stuckSince >= grace && state->guarded == state->callbacks &&
         is_interpreter(context);
}

_Noreturn void escape(TideState *state, const void *context) {
  lua_State *L = state->current;
  state->stuckSince = 0;
  state->isGivenUp = state->wantsClose = true;
  state->chores = 1;
  // From here on no allocation may make Lua collect garbage.
  lua_gc(L, LUA_GCSTOP);
  state->configuration.memory = 0;
  state->refuseAt = 0;
  private_get(L, state, PRIVATE_MEMORY_ERROR);
  error_note(state, L, -1);
  // The handler is left by a jump, so what it blocks must be unblocked here.
  pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
  // A memory error, because for that Lua calls no message handler.
  lua_error(L);
  __builtin_unreachable();
}
