#include "coroutines.h"
#include "derive.h"
#include "errors.h"
#include "frames.h"
#include "properties.h"
#include "values.h"

// A script may nest functions that derive values from one another to any depth, but the C stack is
// limited. So from a certain depth on, each of them runs on a coroutine. If one reads a value that
// has not been derived yet, it yields to Swift, which derives that value first:
//
//   Swift ── run ──▶ coroutine 0 ── reads b ──▶ yields
//         ── run ──▶ coroutine 1, which derives b
//         ── run ──▶ coroutine 0 ── reads b again ──▶ goes on
//
// The coroutines are in a table on the stack and are reused. While one waits, scripts see it as
// having resumed another one.

/// Creates the table at the frame's first index.
static int make_table(lua_State *L) {
  lua_createtable(L, 8, 0);
  return 1;
}

int32_t tide_derive_open(TideState *state, TideFrame *stack) {
  lua_State *L = frame_enter(state, stack);
  return L ? frame_protect(L, state, make_table, NULL, stack) : TIDE_FAILED;
}

typedef struct DeriveRequest {
  uint32_t index, function;
  const TideValue *argument;
} DeriveRequest;

/// Pushes the function and its argument to a coroutine; arguments: the request, the table.
static int fill(lua_State *L) {
  DeriveRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  lua_rawgeti(L, 2, request->index);
  lua_State *co = lua_tothread(L, -1);
  if (!co || coroutine_marks(co) || lua_status(co) != LUA_OK || lua_gettop(co)) {
    co = lua_newthread(L);
    lua_rawseti(L, 2, request->index);
  }
  if (!lua_checkstack(co, 16)) return luaL_error(L, "not enough memory");
  reference_push(L, state, request->function);
  value_push(L, state, request->argument);
  lua_xmove(L, co, 2);
  return 0;
}

int32_t tide_derive_fill(TideState *state, const TideFrame *stack, uint32_t index,
                         uint32_t function, const TideValue *argument, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  if (!lua_checkstack(L, 16)) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  DeriveRequest request = {.index = index + 1, .function = function, .argument = argument};
  lua_pushcfunction(L, error_handler);
  int handler = lua_gettop(L);
  lua_pushcfunction(L, fill);
  lua_pushlightuserdata(L, &request);
  lua_pushvalue(L, stack->first);
  int status = frame_call(L, state, 2, 0, handler);
  if (likely(status == LUA_OK)) {
    tide_frame_end(state, frame);
    return TIDE_OK;
  }
  frame->first = handler + 1;
  frame->status = status;
  return TIDE_FAILED;
}

/// A script's own yield has no resumer, so it raises an error where the script yields.
static int refuse_yield(lua_State *L, TideState *state, lua_State *co, int results, int *more) {
  lua_settop(co, lua_gettop(co) - results);
  lua_pushliteral(co, "attempt to yield across a C-call boundary");
  state->pending.raises = true;
  int status = coroutine_run(L, co, 1, more, false);
  state->pending.raises = false;
  return status;
}

int32_t tide_derive_run(TideState *state, const TideFrame *stack, uint32_t index, bool isFirst,
                        TideSlot **wanted, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  if (!lua_checkstack(L, 16)) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  lua_rawgeti(L, stack->first, (lua_Integer)index + 1);
  lua_State *co = lua_tothread(L, -1);
  lua_State *outer = state->coroutines.deriving;
  uint32_t callbacks = state->callbacks;
  bool couldSuspend = state->coroutines.canSuspend;
  int results = 0;
  *coroutine_word(co) = (uintptr_t)state;
  state->coroutines.deriving = co;
  state->coroutines.wanted = NULL;
  state->coroutines.canSuspend = false;
  int status = coroutine_run(L, co, isFirst ? 1 : 0, &results, false);
  while (status == LUA_YIELD && !state->coroutines.wanted)
    status = refuse_yield(L, state, co, results, &results);
  state->coroutines.canSuspend = couldSuspend;
  state->callbacks = callbacks;
  state->coroutines.deriving = outer;
  if (status == LUA_YIELD) {
    *coroutine_word(co) |= COROUTINE_WAITS;
    *wanted = state->coroutines.wanted;
    state->coroutines.wanted = NULL;
    tide_frame_end(state, frame);
    return TIDE_SUSPENDED;
  }
  if (status != LUA_OK) {
    coroutine_fail(L, state, co, status, frame);
    return TIDE_FAILED;
  }
  // Only one result is used.
  if (results == 0) lua_pushnil(co);
  lua_settop(co, lua_gettop(co) - (results > 1 ? results - 1 : 0));
  frame->first = lua_gettop(L) + 1;
  frame->count = 1;
  lua_xmove(co, L, 1);
  lua_settop(co, 0);
  return TIDE_OK;
}

void tide_derive_give_up(TideState *state, const TideFrame *stack, uint32_t index) {
  lua_State *L = state->current;
  if (!L || stack->top < 0 || !lua_checkstack(L, 4)) return;
  lua_rawgeti(L, stack->first, (lua_Integer)index + 1);
  lua_State *co = lua_tothread(L, -1);
  if (co) *coroutine_word(co) = (uintptr_t)state | COROUTINE_LEFT;
  lua_pop(L, 1);
}

/// Repeats the read once the value has been derived.
static int read_again(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return property_index(L);
}

bool derive_wants(lua_State *L, TideState *state, TideSlot *slot) {
  if (state->current != L || !lua_isyieldable(L) || !state->hooks.wants) return false;
  state->callbacks++;
  bool wants = state->hooks.wants(state->hooks.context, slot);
  state->callbacks--;
  return wants;
}

int derive_yield(lua_State *L, TideState *state, TideSlot *slot) {
  state->coroutines.wanted = slot;
  return lua_yieldk(L, 0, 0, read_again);
}
