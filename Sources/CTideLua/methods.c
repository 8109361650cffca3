#include "host.h"

// Methods of scripts: what one changes settles when it returns, so each call opens a batch of the
// graph. An error or a wait leaves methods without returning from them; whoever catches it goes
// back to the number of batches that were open when it began.

static int settle(lua_State *L, TideState *state) {
  if (!state->hooks.settle) return 0;
  state->callbacks++;
  state->hooks.settle(state->hooks.context);
  state->callbacks--;
  clock_return(L, state);
  return 0;
}

void batch_settle(lua_State *L, TideState *state, uint32_t depth) {
  *state->batch = depth;
  if (!depth && state->hooks.arena && state->hooks.arena->postponed) settle(L, state);
}

void batch_settle_later(TideState *state, uint32_t depth) {
  *state->batch = depth;
  state->unsettled = !depth;
}

void batch_settle_now(TideState *state) {
  state->unsettled = false;
  if (*state->batch || !state->hooks.settle) return;
  state->callbacks++;
  state->hooks.settle(state->hooks.context);
  state->callbacks--;
}

static int end_method(lua_State *L, TideState *state, int arguments) {
  uint32_t *batch = state->batch;
  if (--*batch == 0 && state->hooks.arena && state->hooks.arena->postponed) settle(L, state);
  return lua_gettop(L) - arguments;
}

// What a method in a coroutine must know when it goes on: its arguments, and the stretch between two
// waits in which it was called.
enum { COUNT_BITS = 20 };

static lua_KContext note_method(const TideState *state, int count) {
  return (lua_KContext)(state->stretch & (UINT64_MAX >> (COUNT_BITS + 1))) << COUNT_BITS | count;
}

// In a coroutine, after a wait, which has closed the batch already, or after an error that was caught
// below, which has not.
static int method_continued(lua_State *L, int status, lua_KContext context) {
  (void)status;
  TideState *state = state_of(L);
  int count = (int)(context & ((1 << COUNT_BITS) - 1));
  if (context == note_method(state, count)) return end_method(L, state, count);
  return lua_gettop(L) - count;
}

int method_call(lua_State *L) {
  TideState *state = state_of(L);
  uint32_t *batch = state->batch;
  int count = lua_gettop(L);
  if (unlikely(count > LUA_MINSTACK - 4)) luaL_checkstack(L, count, "too many arguments");
  lua_pushvalue(L, lua_upvalueindex(1));
  for (int i = 1; i <= count; i++) lua_pushvalue(L, i);
  ++*batch;
  lua_callk(L, count, LUA_MULTRET, note_method(state, count), method_continued);
  return end_method(L, state, count);
}

static int make_method(lua_State *L) {
  const uint32_t *function = lua_touserdata(L, 1);
  reference_push(L, state_of(L), *function);
  lua_pushcclosure(L, method_call, 1);
  return 1;
}

int32_t tide_method_make(TideState *state, uint32_t function, TideFrame *frame) {
  lua_State *L = state_enter(state, frame);
  return L ? state_protect(state, L, make_method, &function, frame) : TIDE_FAILED;
}
