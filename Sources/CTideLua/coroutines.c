#include "batches.h"
#include "coroutines.h"
#include "errors.h"
#include "escape.h"
#include "frames.h"
#include "values.h"

// Coroutines, which are resumed by scripts (CTideLuaLibrary/coroutines.c) or by Swift. The state
// always knows the running one, because stopping a turn sets that coroutine's hook. A host function
// that waits suspends every coroutine between it and the host: each passes the suspension on to its
// resumer.
//
// A coroutine whose turn is over is abandoned at its current instruction, by a yield that is never
// resumed. So no protected call in it gets the error, and no closer runs: stopping takes the same
// time at any depth of its stack. Its resumer is stopped in turn. Where a yield is impossible, as
// inside of a comparison, an error is raised.
//
// Scripts never get the main coroutine, on which Swift's own calls run. They get a coroutine
// without a function in its place.

/// Marks a coroutine in which the turn was stopped, and returns the status of a failed coroutine.
static int end_stopped(TideState *state, lua_State *co, int status, int *results) {
  if (status == LUA_YIELD && state->coroutines.hasLeft) {
    *coroutine_word(co) |= COROUTINE_LEFT;
    *results = 0;
    status = LUA_ERRRUN;
  } else if (status != LUA_OK && status != LUA_YIELD) {
    *coroutine_word(co) |= COROUTINE_ENDED;
  }
  state->coroutines.hasLeft = false;
  return status;
}

int coroutine_run(lua_State *L, lua_State *co, int arguments, int *results, bool fromHost) {
  TideState *state = state_of(L);
  bool couldSuspend = state->coroutines.canSuspend;
  lua_State *previous = state->current;
  uint32_t guarded = state->guarded;
  state->guarded = state->callbacks;
  state->coroutines.canSuspend = fromHost || (couldSuspend && lua_isyieldable(L));
  TideResumer resumer = {previous, state->coroutines.resumer};
  state->coroutines.resumer = &resumer;
  state->current = co;
  uint32_t base = state->batches.base, batches = *state->batches.open;
  state->batches.base = batches;
  uint64_t stretch = state->coroutines.stretch;
  state->coroutines.stretch = ++state->coroutines.stretches;
  clock_prepare(co, state);
  int status = lua_resume(co, L, arguments, results);
  if (unlikely(state->budget.expired)) status = end_stopped(state, co, status, results);
  state->coroutines.stretch = stretch;
  state->guarded = guarded;
  state->current = previous;
  state->coroutines.resumer = resumer.outer;
  state->coroutines.canSuspend = couldSuspend;
  state->batches.base = base;
  if (unlikely(*state->batches.open != batches)) batch_settle_later(state, batches);
  if (unlikely(state->batches.isUnsettled)) batch_settle_now(state);
  return status;
}

const char *coroutine_status(lua_State *L, lua_State *co) {
  lua_Debug record;
  if (L == co) return "running";
  if (co == state_of(L)->main) return "normal";
  if (coroutine_marks(co)) return "dead";
  if (coroutine_waits(co)) return "normal";
  switch (lua_status(co)) {
    case LUA_YIELD: return "suspended";
    case LUA_OK:
      if (lua_getstack(co, 0, &record)) return "normal";
      return lua_gettop(co) ? "suspended" : "dead";
    default: return "dead";
  }
}

lua_State *coroutine_at(lua_State *L, int index) {
  lua_State *co = lua_tothread(L, index);
  TideState *state = state_of(L);
  return co && co == state->coroutines.mainStandIn ? state->main : co;
}

void coroutines_make_main(lua_State *L) {
  state_of(L)->coroutines.mainStandIn = lua_newthread(L);
  lua_rawseti(L, 1, PRIVATE_MAIN);
}

void coroutine_push_main(lua_State *L) { private_get(L, state_of(L), PRIVATE_MAIN); }

/// Raises an error if closings of coroutines nest too deep. Their handlers run with a fresh count
/// of C calls, so Lua itself does not limit the nesting.
static void check_close(lua_State *L) {
  if (state_of(L)->coroutines.closing >= DEEPEST_CLOSE) luaL_error(L, "C stack overflow");
}

int coroutine_reset(lua_State *L, lua_State *co) {
  TideState *state = state_of(L);
  *coroutine_word(co) = (uintptr_t)state;
  bool couldSuspend = state->coroutines.canSuspend;
  lua_State *previous = state->current;
  uint32_t guarded = state->guarded;
  state->guarded = state->callbacks;
  state->coroutines.canSuspend = false;
  TideResumer resumer = {previous, state->coroutines.resumer};
  state->coroutines.resumer = &resumer;
  state->current = co;
  state->coroutines.closing++;
  uint32_t batches = *state->batches.open;
  clock_prepare(co, state);
  escape_drop_handler(co);
  int status = lua_resetthread(co);
  batch_return_failed(state, batches);
  state->coroutines.closing--;
  state->guarded = guarded;
  state->current = previous;
  state->coroutines.resumer = resumer.outer;
  state->coroutines.canSuspend = couldSuspend;
  if (unlikely(state->batches.isUnsettled)) batch_settle_now(state);
  return status;
}

/// Drops an error that the host wanted to throw at a suspension that no longer exists, so that it
/// does not hit another one.
static void drop_throw(TideState *state) {
  if (likely(!state->pending.throws)) return;
  void *error = state->pending.error;
  state->pending.throws = false;
  state->pending.error = NULL;
  if (!error) return;
  state->callbacks++;
  state->host.release(error);
  state->callbacks--;
}

int coroutine_resume(lua_State *L, lua_State *co, int arguments, lua_KFunction again) {
  TideState *state = state_of(L);
  const char *status = coroutine_status(L, co);
  if (*status != 's') {
    drop_throw(state);
    lua_pushfstring(L, "cannot resume %s coroutine", *status == 'd' ? "dead" : "non-suspended");
    return -1;
  }
  if (!lua_checkstack(co, arguments + 1)) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, arguments);
  int results = 0;
  int ended = coroutine_run(L, co, arguments, &results, false);
  if (unlikely(state->budget.expired)) return clock_raise(L);
  if (ended != LUA_OK && ended != LUA_YIELD) {
    lua_xmove(co, L, 1);
    return -1;
  }
  if (!lua_checkstack(L, results + 1)) {
    lua_settop(co, -results - 1);
    lua_pushliteral(L, "too many results to resume");
    return -1;
  }
  int height = lua_gettop(L);
  lua_xmove(co, L, results);
  if (unlikely(ended == LUA_YIELD && state->coroutines.isSuspended))
    return lua_yieldk(L, results, height, again);
  return results;
}

int coroutine_yielded(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  TideState *state = state_of(L);
  if (unlikely(state->pending.throws | state->pending.raises)) return error_throw_in(L, state);
  return lua_gettop(L);
}

int coroutine_close_failed(lua_State *L, lua_State *co) {
  int status = lua_status(co);
  if (status == LUA_OK || status == LUA_YIELD || coroutine_marks(co)) return status;
  // Resetting expects the error at its original place.
  check_close(L);
  lua_xmove(L, co, 1);
  status = coroutine_reset(L, co);
  if (state_of(L)->budget.expired) return clock_raise(L);
  lua_xmove(co, L, 1);
  return status;
}

bool coroutine_close(lua_State *L, lua_State *co) {
  TideState *state = state_of(L);
  if (coroutine_marks(co) & COROUTINE_ENDED) {
    private_get(L, state, PRIVATE_TIME_ERROR);
    return false;
  }
  check_close(L);
  int status = coroutine_reset(L, co);
  if (state->budget.expired) clock_raise(L);
  if (status == LUA_OK) return true;
  lua_xmove(co, L, 1);
  return false;
}

// MARK: Coroutines that Swift drives

typedef struct ThreadRequest {
  uint32_t reference;
  uint32_t count;
  const TideValue *arguments;
  bool throws;
  bool raises;
} ThreadRequest;

static int make_thread(lua_State *L) {
  ThreadRequest *request = lua_touserdata(L, 1);
  lua_State *co = lua_newthread(L);
  reference_push(L, state_of(L), request->reference);
  if (!lua_isfunction(L, -1)) return luaL_error(L, "a coroutine needs a function");
  lua_xmove(L, co, 1);
  return 1;
}

int32_t tide_thread_make(TideState *state, uint32_t function, TideFrame *frame) {
  ThreadRequest request = {.reference = function};
  return frame_run(state, make_thread, &request, frame);
}

static int fill_thread(lua_State *L) {
  ThreadRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  reference_push(L, state, request->reference);
  lua_State *co = lua_tothread(L, -1);
  if (!co || *coroutine_status(L, co) != 's')
    return luaL_error(L, "cannot resume a dead coroutine");
  if (unlikely(request->throws && lua_status(co) != LUA_YIELD)) {
    // The coroutine has not started: it has no call that could throw, and no variable to close.
    coroutine_reset(L, co);
    lua_settop(co, 0);
    return error_throw_in(L, state);
  }
  if (unlikely(request->raises && lua_status(co) != LUA_YIELD))
    return luaL_error(L, "a coroutine that has not begun waits for nothing");
  int count = (int)request->count;
  luaL_checkstack(L, count + 4, "too many arguments");
  if (!lua_checkstack(co, count + 4)) return luaL_error(L, "too many arguments");
  for (int i = 0; i < count; i++) value_push(L, state, &request->arguments[i]);
  lua_xmove(L, co, count);
  return 1;
}

void coroutine_fail(lua_State *L, TideState *state, lua_State *co, int status, TideFrame *frame) {
  frame->status = status;
  if (unlikely(coroutine_marks(co))) {
    // In an expired turn, no handler would get far. The host can close the coroutine in a turn of
    // its own.
    private_get(L, state, PRIVATE_TIME_ERROR);
    return;
  }
  if (status != LUA_ERRMEM) error_note(co, state, lua_gettop(co));
  lua_pushvalue(co, -1);
  lua_xmove(co, L, 1);
  if (state->coroutines.closing < DEEPEST_CLOSE) coroutine_reset(L, co);
  lua_settop(co, 0);
}

static int32_t finish_thread(lua_State *L, TideState *state, lua_State *co, int status,
                             int results, TideFrame *frame) {
  bool suspended = state->coroutines.isSuspended;
  state->coroutines.isSuspended = false;
  if (status != LUA_OK && status != LUA_YIELD) {
    coroutine_fail(L, state, co, status, frame);
    return TIDE_FAILED;
  }
  if (!lua_checkstack(L, results + 8)) {
    lua_settop(co, -results - 1);
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  frame->first = lua_gettop(L) + 1;
  frame->count = (uint32_t)results;
  lua_xmove(co, L, results);
  if (status == LUA_OK) return TIDE_OK;
  return suspended ? TIDE_SUSPENDED : TIDE_YIELDED;
}

static int32_t resume_filled(lua_State *L, TideState *state, uint32_t count, TideFrame *frame) {
  frame->count = 0;
  lua_State *co = lua_tothread(L, -1);
  uint32_t callbacks = state->callbacks;
  int results = 0;
  int status = coroutine_run(L, co, (int)count, &results, true);
  state->callbacks = callbacks;
  state->pending.raises = false;
  drop_throw(state);
  return finish_thread(L, state, co, status, results, frame);
}

int32_t tide_thread_resume(TideState *state, uint32_t thread, const TideValue *arguments,
                           uint32_t count, void *error, const char *message, size_t messageCount,
                           bool hasLocation, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  ThreadRequest request = {
      .reference = thread, .count = count, .arguments = arguments, .throws = error != NULL};
  if (error) {
    tide_set_error(state, error, message ? message : "", messageCount, hasLocation);
    state->pending.throws = true;
  }
  if (!L || frame_protect(L, state, fill_thread, &request, frame) != TIDE_OK) {
    drop_throw(state);
    return TIDE_FAILED;
  }
  return resume_filled(L, state, count, frame);
}

int32_t tide_thread_raise(TideState *state, uint32_t thread, const TideValue *value,
                          TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  ThreadRequest request = {.reference = thread, .count = 1, .arguments = value, .raises = true};
  if (!L || frame_protect(L, state, fill_thread, &request, frame) != TIDE_OK) return TIDE_FAILED;
  state->pending.raises = true;
  return resume_filled(L, state, 1, frame);
}

static int close_thread(lua_State *L) {
  ThreadRequest *request = lua_touserdata(L, 1);
  reference_push(L, state_of(L), request->reference);
  lua_State *co = lua_tothread(L, -1);
  const char *status = co ? coroutine_status(L, co) : "dead";
  if (*status == 'r' || *status == 'n')
    return luaL_error(L, "cannot close a %s coroutine", status);
  if (!co || coroutine_marks(co) & COROUTINE_ENDED) return 0;
  check_close(L);
  if (coroutine_reset(L, co) != LUA_OK) {
    lua_xmove(co, L, 1);
    return lua_error(L);
  }
  return 0;
}

int32_t tide_thread_close(TideState *state, uint32_t thread, TideFrame *frame) {
  ThreadRequest request = {.reference = thread};
  return frame_run(state, close_thread, &request, frame);
}

bool tide_thread_is_alive(TideState *state, uint32_t thread) {
  lua_State *L = state->current;
  if (!L || !lua_checkstack(L, 4)) return false;
  reference_push(L, state, thread);
  lua_State *co = lua_tothread(L, -1);
  bool alive = co && *coroutine_status(L, co) == 's';
  lua_pop(L, 1);
  return alive;
}
