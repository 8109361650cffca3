#include "host.h"

// Methods of scripts: what one changes settles when it returns, so each call opens a batch of the
// graph. An error or a wait leaves methods without returning from them; whoever catches it goes
// back to the number of batches that were open when it began.

static int settle(lua_State *L, TideState *state) {
  if (!state->hooks.settle) return 0;
  state->callbacks++;
  state->hooks.settle(state->hooks.context);
  state->callbacks--;
  return unlikely(state->expired) ? clock_raise(L, state) : 0;
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

// After a wait, which has closed the batch already.
static int method_waited(lua_State *L, int status, lua_KContext arguments) {
  (void)status;
  return lua_gettop(L) - (int)arguments;
}

int method_call(lua_State *L) {
  TideState *state = state_of(L);
  uint32_t *batch = state->batch;
  int count = lua_gettop(L);
  if (unlikely(count > LUA_MINSTACK - 4)) luaL_checkstack(L, count, "too many arguments");
  lua_pushvalue(L, lua_upvalueindex(1));
  for (int i = 1; i <= count; i++) lua_pushvalue(L, i);
  ++*batch;
  lua_callk(L, count, LUA_MULTRET, count, method_waited);
  if (--*batch == 0 && state->hooks.arena && state->hooks.arena->postponed) settle(L, state);
  return lua_gettop(L) - count;
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
