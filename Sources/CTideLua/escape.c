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
// of Swift's lies between it and the protected call that will catch the error. `lua_resume` and
// `lua_pcall` do some of their work, which takes milliseconds where a stack is deep, before that
// call has begun or after it has ended: an error there would land below Swift's frames, or nowhere,
// which ends the program. Nor may one be raised while a stack is being moved, since the error itself
// is put on it. Both only the coroutine knows, in fields that Lua's API does not show; so where they
// are is checked once, and without them no operation is left.

/// How long one operation may go on after the turn was stopped: an eighth of the turn's limit, within
/// these bounds.
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

/// How a coroutine begins.
typedef struct Beginning {
  uint64_t header[2];
  const char *top;
  const void *others[2];
  const char *stackLast;
  const char *stack;
} Beginning;

/// How far the fields of a coroutine are searched for another, in words; its hook comes after them.
enum { SEARCHED_WORDS = 16, VALUE = 16, EXTRA_VALUES = 5 };

size_t escape_word;
static pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(bool) isLearned;

static bool is_whole(const Beginning *fields) {
  return fields->stack <= fields->top &&
         fields->top <= fields->stackLast + EXTRA_VALUES * VALUE;
}

/// Whether the fields are what they are taken for: they follow what is pushed, and a larger stack.
static bool has_fields(lua_State *L) {
  enum { MORE = 100 };
  const Beginning *fields = (const Beginning *)L;
  const char *top = fields->top;
  lua_pushnil(L);
  bool isTop = fields->top == top + VALUE;
  lua_pop(L, 1);
  ptrdiff_t height = fields->top - fields->stack;
  luaL_checkstack(L, MORE, NULL);
  return isTop && height > 0 && fields->top - fields->stack == height &&
         fields->stackLast - fields->top >= MORE * VALUE &&
         fields->stackLast - fields->stack < (LUAI_MAXSTACK + 1000) * (ptrdiff_t)VALUE;
}

void escape_learn(lua_State *L, const void *start) {
  if (atomic_load_explicit(&isLearned, memory_order_acquire) || !has_fields(L)) return;
  const char *end = __builtin_frame_address(0);
  pthread_mutex_lock(&learning);
  // What points into the machine's stack while a protected call runs is that call.
  for (size_t word = 0; word < SEARCHED_WORDS && !isLearned; word++) {
    const char *held = ((const void *const *)L)[word];
    if (held <= end || held >= (const char *)start) continue;
    escape_word = word;
    atomic_store_explicit(&isLearned, true, memory_order_release);
  }
  pthread_mutex_unlock(&learning);
}

/// Whether an error would land in the protected call that the state has counted last, and so above
/// all of Swift's frames.
static bool has_landing(const TideState *state) {
  if (!isLearned || state->guarded != state->callbacks) return false;
  const void *landing = escape_landing(state->current);
  return landing && landing != state->landing && is_whole((const Beginning *)state->current);
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
  return spent - state->stuckSince >= grace && has_landing(state) && is_interpreter(context);
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
