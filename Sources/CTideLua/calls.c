#define _GNU_SOURCE
#include <assert.h>

#include "batches.h"
#include "errors.h"
#include "frames.h"
#include "properties.h"
#include "values.h"

// Calls from Swift to Lua. Arguments that can be pushed without allocation are pushed directly, and
// the function is called under protection at once. Otherwise pushing them is protected as well.

typedef struct CallRequest {
  uint32_t function;
  uint32_t count;
  const TideValue *arguments;
} CallRequest;

static int push_and_call(lua_State *L) {
  CallRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  luaL_checkstack(L, (int)request->count + 8, "too many arguments");
  lua_settop(L, 0);
  reference_push(L, state, request->function);
  for (uint32_t i = 0; i < request->count; i++) value_push(L, state, &request->arguments[i]);
  lua_call(L, (int)request->count, LUA_MULTRET);
  return lua_gettop(L);
}

/// Opens the frame of a call. Returns the running coroutine with room for the arguments, or NULL.
static lua_State *begin_inside(TideState *state, uint32_t count, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (unlikely(!L)) return NULL;
  if (unlikely(state->budget.expired)) {
    frame->status = LUA_ERRRUN;
    return NULL;
  }
  if (likely(count < 1000000 && lua_checkstack(L, (int)count + 16))) return L;
  frame->status = LUA_ERRMEM;
  return NULL;
}

static inline __attribute__((always_inline)) lua_State *begin(TideState *state, uint32_t count,
                                                              TideFrame *frame) {
  // An expired turn and a closed state set the chores.
  if (unlikely(state->callbacks | (uint32_t)state->turn.chores))
    return begin_inside(state, count, frame);
  lua_State *L = state->main;
  // With no Lua function on the stack, the frame is at its bottom, where there is known to be room.
  int top = lua_gettop(L);
  if (unlikely(top + count > BASE_ROOM - 16)) return begin_inside(state, count, frame);
  frame->top = top;
  frame_count(state);
  return L;
}

/// Calls without a Lua function on the stack rely on the values at its base.
static inline void assert_base(lua_State *L) {
#ifdef DEBUG
  assert(lua_type(L, BASE_PRIVATE) == LUA_TTABLE && lua_type(L, BASE_CACHE) == LUA_TTABLE);
  assert(lua_tocfunction(L, BASE_HANDLER) == error_handler);
#else
  (void)L;
#endif
}

/// Pushes the message handler, whose index it returns, and the function. Never raises an error.
static inline int push_function(lua_State *L, TideState *state, uint32_t function) {
  // With no Lua function on the stack, both tables are at its bottom.
  if (likely(state->callbacks == 0)) {
    assert_base(L);
    lua_rawgeti(L, BASE_PRIVATE, function);
    return BASE_HANDLER;
  }
  int handler = lua_gettop(L) + 1;
  lua_pushcfunction(L, error_handler);
  private_push(L, state);
  lua_rawgeti(L, -1, function);
  return handler;
}

static inline int32_t finish(lua_State *L, int status, int base, TideFrame *frame) {
  if (unlikely(status != LUA_OK)) {
    frame->status = status;
    return TIDE_FAILED;
  }
  frame->first = base + 1;
  frame->count = (uint32_t)(lua_gettop(L) - base);
  return TIDE_OK;
}

/// Calls a function under protection. A callback has different permissions than its caller: it
/// cannot yield across a call from Swift.
static inline int call_protected(lua_State *L, TideState *state, int count, int results,
                                 int handler) {
  // A handler on a coroutine may have the same index.
  if (likely(state->callbacks == 0)) {
    // There is no Lua function on the stack, so nothing can be suspended anyway.
    uint32_t batches = *state->batches.open;
    state->guarded = 0;
    int status = lua_pcall(L, count, results, BASE_HANDLER);
    state->guarded = UINT32_MAX;
    if (unlikely(status != LUA_OK)) batch_return_failed(state, batches);
    return status;
  }
  return frame_call(L, state, count, results, handler);
}

/// Pushes the arguments and calls the function on top of the stack.
static inline int push_and_call_protected(lua_State *L, TideState *state, uint32_t function,
                                          const TideValue *arguments, uint32_t count,
                                          int results, int base, int handler) {
  int cache = state->callbacks == 0 ? BASE_CACHE : 0;
  uint32_t pushed = 0;
  while (pushed < count && value_push_quietly(L, state, &arguments[pushed], cache)) pushed++;
  if (likely(pushed == count)) return call_protected(L, state, (int)count, results, handler);
  lua_settop(L, base);
  CallRequest request = {.function = function, .count = count, .arguments = arguments};
  lua_pushcfunction(L, push_and_call);
  lua_pushlightuserdata(L, &request);
  return call_protected(L, state, 1, results, handler);
}

int32_t tide_call(TideState *state, uint32_t function, const TideValue *arguments, uint32_t count,
                  TideFrame *frame) {
  lua_State *L = begin(state, count, frame);
  if (unlikely(!L)) return TIDE_FAILED;
  int handler = push_function(L, state, function);
  int base = lua_gettop(L) - 1;
  int status = push_and_call_protected(L, state, function, arguments, count, LUA_MULTRET, base,
                                       handler);
  return finish(L, status, base, frame);
}

int32_t tide_call_reading(TideState *state, uint32_t function, const TideValue *arguments,
                          uint32_t count, TideValue *result, TideFrame *frame) {
  result->tag = TIDE_LUA_NIL;
  int32_t status = tide_call(state, function, arguments, count, frame);
  if (unlikely(status != TIDE_OK || frame->count == 0)) return status;
  lua_State *L = state->current;
  switch (lua_type(L, frame->first)) {
    case LUA_TNUMBER:
      if (lua_isinteger(L, frame->first)) {
        result->tag = TIDE_LUA_INTEGER;
        result->integer = lua_tointeger(L, frame->first);
      } else {
        result->tag = TIDE_LUA_NUMBER;
        result->number = lua_tonumber(L, frame->first);
      }
      break;
    case LUA_TBOOLEAN:
      result->tag = TIDE_LUA_BOOLEAN;
      result->integer = lua_toboolean(L, frame->first);
      break;
    default: return TIDE_OK;
  }
  tide_frame_end(state, frame);
  return TIDE_OK;
}

int32_t tide_call_once(TideState *state, uint32_t function, const TideValue *argument,
                       TideValue *result, TideFrame *frame) {
  lua_State *L = begin(state, 1, frame);
  if (unlikely(!L)) return TIDE_FAILED;
  int handler = push_function(L, state, function);
  int base = lua_gettop(L) - 1;
  int status = push_and_call_protected(L, state, function, argument, 1, 1, base, handler);
  if (likely(status == LUA_OK)) value_peek(L, state, base + 1, result);
  return finish(L, status, base, frame);
}

int32_t tide_call_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          TideFrame *frame) {
  lua_State *L = begin(state, 1, frame);
  if (unlikely(!L)) return -2;
  TideValue argument = {.slot = from, .tag = TIDE_LUA_SLOT};
  int handler = push_function(L, state, function);
  int base = lua_gettop(L) - 1;
  int status =
      push_and_call_protected(L, state, function, &argument, 1, LUA_MULTRET, base, handler);
  if (unlikely(finish(L, status, base, frame) != TIDE_OK)) return -2;
  int stored;
  if (unlikely(frame->count == 0))
    stored = TIDE_NO_RESULT;
  else if (unlikely(to->kind == TIDE_FREE))
    stored = 0;
  else
    stored = slot_store_quietly(L, state, to, base + 1);
  if (unlikely(stored == -2)) stored = tide_frame_store(state, frame, to);
  if (likely(stored >= 0)) {
    lua_settop(L, frame->top);
    frame_leave(state);
  }
  return stored;
}

int32_t tide_call_number(TideState *state, uint32_t function, double argument, double *result,
                         TideFrame *frame) {
  lua_State *L = begin(state, 1, frame);
  if (unlikely(!L)) return TIDE_FAILED;
  int handler = push_function(L, state, function);
  lua_pushnumber(L, argument);
  int status = call_protected(L, state, 1, 1, handler);
  if (likely(status == LUA_OK)) {
    int isNumber;
    *result = lua_tonumberx(L, -1, &isNumber);
    if (likely(isNumber)) {
      // Cheaper than computing the height.
      lua_settop(L, handler == BASE_HANDLER ? -2 : frame->top);
      frame_leave(state);
      return TIDE_OK;
    }
  }
  return finish(L, status, lua_gettop(L) - 1, frame) == TIDE_OK ? -1 : TIDE_FAILED;
}

int32_t tide_call_test(TideState *state, uint32_t function, const TideValue *arguments,
                       uint32_t count, TideFrame *frame) {
  lua_State *L = begin(state, count, frame);
  if (unlikely(!L)) return -1;
  int handler = push_function(L, state, function);
  int base = lua_gettop(L) - 1;
  int status = push_and_call_protected(L, state, function, arguments, count, 1, base, handler);
  if (unlikely(finish(L, status, base, frame) != TIDE_OK)) return -1;
  int32_t isTrue = lua_toboolean(L, -1);
  tide_frame_end(state, frame);
  return isTrue;
}

int32_t tide_call_discarding(TideState *state, uint32_t function, const TideValue *arguments,
                             uint32_t count, TideFrame *frame) {
  lua_State *L = begin(state, count, frame);
  if (unlikely(!L)) return TIDE_FAILED;
  int handler = push_function(L, state, function);
  int base = lua_gettop(L) - 1;
  int status = push_and_call_protected(L, state, function, arguments, count, 0, base, handler);
  if (unlikely(status != LUA_OK)) return finish(L, status, base, frame);
  lua_settop(L, frame->top);
  frame_leave(state);
  return TIDE_OK;
}

// MARK: Results

typedef struct ReadRequest {
  int index;
  TideValue *value;
} ReadRequest;

static int read_result(lua_State *L) {
  value_read(L, state_of(L), 2, lua_touserdata(L, 1));
  return 0;
}

int32_t tide_frame_value(TideState *state, TideFrame *frame, uint32_t index, TideValue *value) {
  *value = (TideValue){.tag = TIDE_LUA_NIL};
  if (index >= frame->count) return TIDE_OK;
  lua_State *L = state->current;
  int at = frame->first + (int)index;
  if (value_peek(L, state, at, value)) {
    if (value_fits(state, value)) return TIDE_OK;
    frame->status = LUA_ERRMEM;
  } else if (lua_checkstack(L, 8)) {
    lua_pushcfunction(L, read_result);
    lua_pushlightuserdata(L, value);
    lua_pushvalue(L, at);
    int status = frame_call(L, state, 2, 0, 0);
    if (status == LUA_OK) return TIDE_OK;
    frame->status = status;
  } else {
    frame->status = LUA_ERRMEM;
  }
  value->tag = TIDE_LUA_NIL;
  return TIDE_FAILED;
}

void tide_frame_peek(TideState *state, const TideFrame *frame, TideValue *value) {
  *value = (TideValue){.tag = TIDE_LUA_NIL};
  if (frame->count) value_peek(state->current, state, frame->first, value);
}

typedef struct StoreRequest {
  TideSlot *slot;
  int result;
} StoreRequest;

static int store_result(lua_State *L) {
  StoreRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  private_get(L, state, PRIVATE_CACHE);
  request->result = slot_store(L, state, request->slot, 2, 3);
  return 0;
}

int32_t tide_frame_store(TideState *state, const TideFrame *frame, TideSlot *slot) {
  lua_State *L = state->current;
  if (!frame->count || !lua_checkstack(L, 8)) return -1;
  StoreRequest request = {.slot = slot, .result = -1};
  lua_pushcfunction(L, store_result);
  lua_pushlightuserdata(L, &request);
  lua_pushvalue(L, frame->first);
  if (frame_call(L, state, 2, 0, 0) != LUA_OK) {
    lua_pop(L, 1);
    return -1;
  }
  return request.result;
}

// MARK: Globals and descriptions

int32_t tide_globals(TideState *state, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  frame->count = 1;
  return TIDE_OK;
}

static int describe_value(lua_State *L) {
  value_push(L, state_of(L), lua_touserdata(L, 1));
  value_describe(L, -1, NULL);
  return 1;
}

int32_t tide_describe(TideState *state, const TideValue *value, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  return frame_protect(L, state, describe_value, (void *)value, frame);
}
