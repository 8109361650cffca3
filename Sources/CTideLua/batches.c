#include "batches.h"
#include "frames.h"

// Methods of scripts. A method's changes settle when it returns, so each call opens a batch of the
// graph. An error or a suspension leaves methods without a return. The code that catches it
// restores the number of batches that were open when it began.

static int settle(lua_State *L, TideState *state) {
  if (!state->hooks.settle) return 0;
  state->callbacks++;
  state->hooks.settle(state->hooks.context);
  state->callbacks--;
  clock_return(L, &state->budget);
  return 0;
}

void batch_settle(lua_State *L, TideState *state, uint32_t depth) {
  *state->batches.open = depth;
  if (!depth && state->hooks.arena && state->hooks.arena->postponed) settle(L, state);
}

void batch_settle_later(TideState *state, uint32_t depth) {
  *state->batches.open = depth;
  state->batches.isUnsettled = !depth;
}

void batch_settle_now(TideState *state) {
  state->batches.isUnsettled = false;
  if (*state->batches.open || !state->hooks.settle) return;
  state->callbacks++;
  state->hooks.settle(state->hooks.context);
  state->callbacks--;
}

static int end_method(lua_State *L, TideState *state, int arguments) {
  uint32_t *batch = state->batches.open;
  if (--*batch == 0 && state->hooks.arena && state->hooks.arena->postponed) settle(L, state);
  return lua_gettop(L) - arguments;
}

// The context of a method in a coroutine: the number of its arguments, and the stretch between two
// suspensions in which it was called.
enum { COUNT_BITS = 20 };

static lua_KContext note_method(const TideState *state, int count) {
  uint64_t stretch = state->coroutines.stretch & (UINT64_MAX >> (COUNT_BITS + 1));
  return (lua_KContext)stretch << COUNT_BITS | count;
}

// Called in a coroutine, either after a suspension, which has already closed the batch, or after an
// error that was caught further down, which has not.
static int method_continued(lua_State *L, int status, lua_KContext context) {
  (void)status;
  TideState *state = state_of(L);
  int count = (int)(context & ((1 << COUNT_BITS) - 1));
  if (context == note_method(state, count)) return end_method(L, state, count);
  return lua_gettop(L) - count;
}

int method_call(lua_State *L) {
  TideState *state = state_of(L);
  uint32_t *batch = state->batches.open;
  int count = lua_gettop(L);
  if (unlikely(count > LUA_MINSTACK - 4)) luaL_checkstack(L, count, "too many arguments");
  lua_pushvalue(L, lua_upvalueindex(1));
  for (int i = 1; i <= count; i++) lua_pushvalue(L, i);
  ++*batch;
  lua_callk(L, count, LUA_MULTRET, note_method(state, count), method_continued);
  return end_method(L, state, count);
}

void method_resolve(lua_State *L) {
  if (lua_tocfunction(L, -1) != method_call) return;
  lua_getupvalue(L, -1, 1);
  lua_remove(L, -2);
}

static int make_method(lua_State *L) {
  const uint32_t *function = lua_touserdata(L, 1);
  reference_push(L, state_of(L), *function);
  lua_pushcclosure(L, method_call, 1);
  return 1;
}

int32_t tide_method_make(TideState *state, uint32_t function, TideFrame *frame) {
  return frame_run(state, make_method, &function, frame);
}

// MARK: Errors that are caught

static int finish_pcall(lua_State *L, int status, int extra) {
  TideState *state = state_of(L);
  if (unlikely(state->budget.expired)) return clock_raise(L);
  if (likely(status == LUA_OK || status == LUA_YIELD)) return lua_gettop(L) - extra;
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

// The context of a protected call in a coroutine: the number of results that are not its own, the
// number of open batches, and the stretch between two suspensions in which it was made.
enum { EXTRA_BITS = 2, BATCH_BITS = 20 };
static const lua_KContext STRETCH_MASK = INTPTR_MAX >> (EXTRA_BITS + BATCH_BITS);

static lua_KContext note_pcall(TideState *state, int extra, uint32_t batches) {
  lua_KContext open = batches < (1u << BATCH_BITS) ? batches : (1u << BATCH_BITS) - 1;
  lua_KContext stretch = (lua_KContext)state->coroutines.stretch & STRETCH_MASK;
  return (stretch << BATCH_BITS | open) << EXTRA_BITS | extra;
}

// Called in a coroutine after an error or a suspension. A suspension has left all methods.
static int pcall_continued(lua_State *L, int status, lua_KContext context) {
  TideState *state = state_of(L);
  int extra = (int)(context & ((1 << EXTRA_BITS) - 1));
  uint32_t open = (uint32_t)(context >> EXTRA_BITS) & ((1u << BATCH_BITS) - 1);
  lua_KContext stretch = (lua_KContext)state->coroutines.stretch & STRETCH_MASK;
  bool hasWaited = context >> (EXTRA_BITS + BATCH_BITS) != stretch;
  if (status != LUA_YIELD && !state->budget.expired)
    batch_return(L, state, hasWaited ? state->batches.base : open);
  return finish_pcall(L, status, extra);
}

int protected_call(lua_State *L, int arguments, int handler, int extra) {
  TideState *state = state_of(L);
  uint32_t batches = *state->batches.open;
  int status = lua_pcallk(L, arguments, LUA_MULTRET, handler, note_pcall(state, extra, batches),
                          pcall_continued);
  if (status != LUA_OK && !state->budget.expired) batch_return(L, state, batches);
  return finish_pcall(L, status, extra);
}

// MARK: Errors that are raised

void location_push(lua_State *L, lua_Integer level) {
  lua_Debug record;
  for (int depth = 1; lua_getstack(L, depth, &record); depth++) {
    lua_getinfo(L, "f", &record);
    bool isMethod = lua_tocfunction(L, -1) == method_call;
    lua_pop(L, 1);
    if (isMethod || --level > 0) continue;
    luaL_where(L, depth);
    return;
  }
  lua_pushliteral(L, "");
}
