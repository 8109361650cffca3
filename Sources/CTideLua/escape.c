#define _GNU_SOURCE
#include <setjmp.h>
#include <time.h>
#include <ucontext.h>

#include "errors.h"
#include "escape.h"
#include "layout.h"

// The last resort against code that no hook can stop. Some operations of the interpreter take
// almost forever on data that a script has prepared: a table whose keys all collide is resized,
// weak keys refer to each other in an unfavorable order, a table is called through itself. In these
// cases the signal handler raises an error in the middle of the operation, which may leave it half
// done. So the interpreter is not used again: no code of the script runs, no garbage is collected,
// and when the outermost call has ended, the state's memory is freed as it is.
//
// An error may be raised only if the interpreter's own code is running, with no Swift frame between
// it and the protected call that catches the error. `lua_resume` and `lua_pcall` do some of their
// work before that call has begun or after it has ended, and this takes milliseconds for a deep
// stack. An error at that time would unwind Swift's frames, or would not be caught, which ends the
// program. Nor may one be raised while a stack is being moved, since the error itself is pushed to
// it. Only the coroutine contains this state, in fields that Lua's API does not expose. So the
// positions of the fields are verified once, and if that fails, no operation is interrupted.
//
// By the same fields an ordinary stop bypasses a script's protected calls and closers, each of
// which would only be stopped in turn:
//
//   coroutine ── handler ──▶ pcall ── previous ──▶ pcall ── previous ──▶ Swift's call ──▶ landing
//       └─ to be closed ──▶ slot ╶╶▶ slot ╶╶▶ the stack's base

/// The time that the thread may continue after the turn was stopped, in nanoseconds of CPU time.
/// Instrumented code is slower.
#if defined(__has_feature) && __has_feature(address_sanitizer)
enum { GRACE = 250000000 };
#else
enum { GRACE = 14000000 };
#endif

// The interpreter's code is contiguous, in a library of its own or, if linked statically, in this
// program. So all code between functions of its different parts belongs to it.
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

// MARK: The fields of a coroutine

/// The beginning of a protected call's record.
typedef struct Handler {
  struct Handler *previous;
} Handler;

/// The number of words in which a coroutine's fields are searched; its hook comes after them.
enum { SEARCHED_WORDS = 16 };

size_t escape_word;
/// The word of a coroutine that holds the position of its message handler; 0 if it was not found.
static size_t handlerWord;
static pthread_mutex_t learning = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(bool) isLearned, knowsClosers;

static bool is_whole(const Beginning *fields) {
  return fields->stack <= fields->top &&
         fields->top <= fields->stackEnd + SPARE_VALUES * VALUE_BYTES;
}

/// Whether the fields are at the expected positions: they change when a value is pushed and when
/// the stack grows.
static bool has_fields(lua_State *L) {
  enum { MORE = 100 };
  const Beginning *fields = (const Beginning *)L;
  const char *top = fields->top;
  lua_pushnil(L);
  bool isTop = fields->top == top + VALUE_BYTES;
  lua_pop(L, 1);
  ptrdiff_t height = fields->top - fields->stack;
  luaL_checkstack(L, MORE, NULL);
  return isTop && height > 0 && fields->top - fields->stack == height &&
         fields->stackEnd - fields->top >= MORE * VALUE_BYTES &&
         fields->stackEnd - fields->stack < (LUAI_MAXSTACK + 1000) * (ptrdiff_t)VALUE_BYTES;
}

void probe_push(lua_State *L, const char *event, lua_CFunction function) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, function);
  lua_setfield(L, -2, event);
  lua_setmetatable(L, -2);
}

static int close_nothing(lua_State *L) {
  (void)L;
  return 0;
}

/// Whether the innermost variable to be closed is at the expected position.
static bool has_closers(lua_State *L) {
  const Beginning *fields = (const Beginning *)L;
  if (fields->toBeClosed != fields->stack) return false;
  probe_push(L, "__close", close_nothing);
  lua_toclose(L, -1);
  bool isThere = fields->toBeClosed == fields->top - VALUE_BYTES;
  lua_pop(L, 1);
  return isThere && fields->toBeClosed == fields->stack;
}

static int look_at_upvalues(lua_State *L) {
  bool *areThere = lua_touserdata(L, lua_upvalueindex(1));
  *areThere = ((const Beginning *)L)->openUpvalues != NULL;
  return 0;
}

/// Whether the variables on the stack that functions have captured are at the expected position.
static bool has_upvalues(lua_State *L) {
  static const char text[] = "local look, x = ... local function f() return x end look() return f";
  const Beginning *fields = (const Beginning *)L;
  bool areThere = false;
  if (fields->openUpvalues || luaL_loadbufferx(L, text, sizeof text - 1, "=look", "t") != LUA_OK)
    return false;
  lua_pushlightuserdata(L, &areThere);
  lua_pushcclosure(L, look_at_upvalues, 1);
  lua_call(L, 1, 0);
  return areThere && !fields->openUpvalues;
}

static void hook_nothing(lua_State *L, lua_Debug *record) { (void)L, (void)record; }

static int look_at_handler(lua_State *L) {
  const ptrdiff_t *word = lua_touserdata(L, lua_upvalueindex(1));
  lua_pushinteger(L, *word);
  return 1;
}

/// Finds the word of the message handler, which follows that of the hook. Returns 0 unless the word
/// holds the handler's distance from the stack's base during a protected call, and 0 at other
/// times.
static size_t find_handler(lua_State *L) {
  enum { SEARCHED = 24 };
  const Beginning *fields = (const Beginning *)L;
  lua_sethook(L, hook_nothing, LUA_MASKCOUNT, INT32_MAX);
  size_t hook = 1;
  while (hook < SEARCHED && ((const lua_Hook *)L)[hook] != hook_nothing) hook++;
  lua_sethook(L, NULL, 0, 0);
  if (hook == SEARCHED) return 0;
  ptrdiff_t *word = &((ptrdiff_t *)L)[hook + 1], before = *word;
  lua_pushcfunction(L, close_nothing);
  ptrdiff_t expected = fields->top - VALUE_BYTES - fields->stack;
  lua_pushlightuserdata(L, word);
  lua_pushcclosure(L, look_at_handler, 1);
  bool isCalled = lua_pcall(L, 0, 1, -2) == LUA_OK;
  bool isThere = isCalled && lua_tointeger(L, -1) == expected && *word == before;
  lua_pop(L, 2);
  return isThere ? hook + 1 : 0;
}

void escape_learn(lua_State *L, const void *start) {
  if (atomic_load_explicit(&isLearned, memory_order_acquire) || !has_fields(L)) return;
  const char *end = __builtin_frame_address(0);
  bool closers = has_closers(L) && has_upvalues(L);
  size_t handler = find_handler(L);
  pthread_mutex_lock(&learning);
  if (closers) knowsClosers = true;
  handlerWord = handler;
  // During a protected call, the field that points into the C stack refers to that call.
  for (size_t word = 0; word < SEARCHED_WORDS && !isLearned; word++) {
    const char *held = ((const void *const *)L)[word];
    if (held <= end || held >= (const char *)start) continue;
    escape_word = word;
    atomic_store_explicit(&isLearned, true, memory_order_release);
  }
  pthread_mutex_unlock(&learning);
}

bool tide_interpreter_is_known(void) { return isLearned && knowsClosers && handlerWord; }

// Before 5.4.8, a coroutine that is closed while it is suspended in a protected call keeps that
// call's message handler. Its stack is cut and shrunk, and an error in a closer then calls the
// value at the handler's index, which a script can choose.
void escape_drop_handler(lua_State *co) {
  if (likely(handlerWord)) ((ptrdiff_t *)co)[handlerWord] = 0;
}

// MARK: Bypassing a script's handlers

/// Whether Swift has not been entered since the innermost protected call that it made.
static bool is_in_reach(const TideState *state) {
  return isLearned && state->guarded == state->callbacks;
}

static void pass_handlers(lua_State *L, const TideState *state) {
  Handler **innermost = &((Handler **)L)[escape_word], *handler = *innermost;
  while (handler && handler->previous && handler->previous != state->landing)
    handler = handler->previous;
  *innermost = handler;
  // The whole turn ends, so every variable to be closed on this stack belongs to it.
  Beginning *fields = (Beginning *)L;
  if (knowsClosers) fields->toBeClosed = fields->stack;
}

void escape_handlers(lua_State *L, const TideState *state) {
  // In a finalizer, the collector's own protected call must not be bypassed; the collector is off
  // there. In `__concat` the collector may be off as well (concat.c), but then no finalizer runs.
  bool isFinalizing = !state->coroutines.concatenating && lua_gc(L, LUA_GCISRUNNING) != 1;
  if (is_in_reach(state) && !isFinalizing) pass_handlers(L, state);
}

// MARK: Leaving an operation

/// Whether an error would be caught by the protected call that the state has counted last, and so
/// above all of Swift's frames.
static bool has_landing(const TideState *state) {
  if (!is_in_reach(state) || !knowsClosers) return false;
  const void *landing = escape_landing(state->current);
  return landing && landing != state->landing && is_whole((const Beginning *)state->current);
}

/// Whether the interrupted code belongs to the interpreter, not to the allocator or the system,
/// which might hold a lock.
static bool is_interpreter(const ucontext_t *context) {
#if defined(__x86_64__)
  uintptr_t address = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  uintptr_t address = (uintptr_t)context->uc_mcontext.pc;
#else
  (void)context;
  uintptr_t address = 0;
#endif
  return address >= interpreterStart && address < interpreterEnd;
}

/// The CPU time of the thread, because on a busy machine the thread may not have been scheduled.
static uint64_t time_spent(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

bool escape_is_due(TideState *state, const void *context) {
  uint64_t spent = time_spent();
  if (!state->turn.overdueSince) state->turn.overdueSince = spent;
  bool isDue = state->isGivenUp || spent - state->turn.overdueSince >= GRACE;
  return isDue && has_landing(state) && is_interpreter(context);
}

_Noreturn void escape(TideState *state, const void *context) {
  lua_State *L = state->current;
  state->isGivenUp = state->wantsClose = true;
  state->turn.chores = 1;
  pass_handlers(L, state);
  // Closing the captured variables would use the collector, which may be in the middle of a step.
  ((Beginning *)L)->openUpvalues = NULL;
  // From here on no allocation may make Lua collect garbage.
  lua_gc(L, LUA_GCSTOP);
  state->budget.limits.memory = 0;
  state->memory.refuseAt = 0;
  private_get(L, state, PRIVATE_MEMORY_ERROR);
  error_note(L, state, -1);
  // The handler is left by a jump, so the signals that it blocks must be unblocked here.
  pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
  // A memory error, because Lua calls no message handler for it.
  lua_error(L);
  __builtin_unreachable();
}

// MARK: The thread sanitizer

// Lua leaves frames by functions that the thread sanitizer does not intercept. It would treat those
// frames as still open, until its record of them overflows.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

void _longjmp(jmp_buf environment, int value) { longjmp(environment, value); }

/// The same function's name in a library that was built with checks, such as Debian's.
void __longjmp_chk(jmp_buf environment, int value) { longjmp(environment, value); }

#endif
#endif
