#include "coroutines.h"
#include "frames.h"
#include "properties.h"
#include "values.h"

// Calls from Swift that may wait. Each runs on a coroutine from a small stock and returns it at the
// end, so a call that does not wait costs little more than any other. A call that waits keeps its
// coroutine: Swift gets the reference, and the stock creates another coroutine when needed.

/// The number of arguments for which an empty coroutine always has room, in addition to the
/// function.
enum { SURE_ROOM = LUA_MINSTACK - 2 };

typedef struct StartRequest {
  uint32_t function;
  uint32_t count;
  const TideValue *arguments;
} StartRequest;

static int make_coroutine(lua_State *L) {
  TideCoroutine *made = lua_touserdata(L, 1);
  made->thread = lua_newthread(L);
  made->reference = reference_take(L, state_of(L));
  return 0;
}

static bool take(lua_State *L, TideState *state, TideCoroutine *taken, TideFrame *frame) {
  if (likely(state->coroutines.stockCount)) {
    *taken = state->coroutines.stock[--state->coroutines.stockCount];
    return true;
  }
  if (frame_protect(L, state, make_coroutine, taken, frame) != TIDE_OK) return false;
  lua_settop(L, frame->top);
  return true;
}

/// Returns an empty coroutine to the stock.
static void give_back(lua_State *L, TideState *state, TideCoroutine used) {
  if (likely(state->coroutines.stockCount < MOST_STOCK))
    state->coroutines.stock[state->coroutines.stockCount++] = used;
  else
    reference_free(L, state, used.reference);
}

static int push_start(lua_State *L) {
  StartRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  luaL_checkstack(L, (int)request->count + 8, "too many arguments");
  lua_settop(L, 0);
  reference_push(L, state, request->function);
  for (uint32_t i = 0; i < request->count; i++) value_push(L, state, &request->arguments[i]);
  return lua_gettop(L);
}

/// Pushes the function and its arguments to L.
static bool push_all(lua_State *L, TideState *state, StartRequest *request, TideFrame *frame) {
  bool isOutermost = state->callbacks == 0;
  if (likely(isOutermost)) {
    lua_rawgeti(L, BASE_PRIVATE, request->function);
  } else {
    // The private table is below the function, where it does not matter.
    private_push(L, state);
    lua_rawgeti(L, -1, request->function);
  }
  int cache = isOutermost ? BASE_CACHE : 0;
  uint32_t pushed = 0;
  while (pushed < request->count &&
         value_push_quietly(L, state, &request->arguments[pushed], cache))
    pushed++;
  if (likely(pushed == request->count)) return true;
  lua_settop(L, frame->top);
  return frame_protect(L, state, push_start, request, frame) == TIDE_OK;
}

/// Runs the function on a coroutine from the stock until it returns, fails or waits. The caller
/// must return the coroutine, unless it has failed.
static int32_t start(TideState *state, StartRequest request, TideCoroutine *used,
                     TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (unlikely(!L)) return TIDE_FAILED;
  if (unlikely(state->budget.expired)) {
    frame->status = LUA_ERRRUN;
    return TIDE_FAILED;
  }
  int room = (int)request.count + 16;
  if (unlikely(request.count >= 1000000 || !lua_checkstack(L, room))) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  if (unlikely(!take(L, state, used, frame))) return TIDE_FAILED;
  lua_State *co = used->thread;
  if (unlikely(!push_all(L, state, &request, frame))) {
    give_back(L, state, *used);
    return TIDE_FAILED;
  }
  if (unlikely(request.count > SURE_ROOM && !lua_checkstack(co, room))) {
    give_back(L, state, *used);
    frame->status = LUA_ERRMEM;
    lua_settop(L, frame->top);
    return TIDE_FAILED;
  }
  lua_xmove(L, co, (int)request.count + 1);
  lua_settop(L, frame->top);
  frame->count = 0;
  uint32_t callbacks = state->callbacks;
  int results = 0;
  int status = coroutine_run(L, co, (int)request.count, &results, true);
  state->callbacks = callbacks;
  if (likely(status == LUA_OK)) return TIDE_OK;
  if (status == LUA_YIELD) {
    bool suspended = state->coroutines.isSuspended;
    state->coroutines.isSuspended = false;
    lua_pop(co, results);
    return suspended ? TIDE_SUSPENDED : TIDE_YIELDED;
  }
  state->coroutines.isSuspended = false;
  coroutine_fail(L, state, co, status, frame);
  // A coroutine that failed inside of a hook never runs hooks again, so nothing could stop it.
  reference_free(L, state, used->reference);
  return TIDE_FAILED;
}

/// Moves the function's results to the frame.
static int32_t take_results(TideState *state, TideCoroutine used, TideFrame *frame) {
  lua_State *L = state->current;
  int count = lua_gettop(used.thread);
  // Room for a few was reserved before the call.
  bool hasRoom = count <= 8 || lua_checkstack(L, count + 8);
  if (hasRoom) {
    frame->first = lua_gettop(L) + 1;
    frame->count = (uint32_t)count;
    lua_xmove(used.thread, L, count);
  } else {
    lua_settop(used.thread, 0);
    frame->status = LUA_ERRMEM;
  }
  give_back(L, state, used);
  return hasRoom ? TIDE_OK : TIDE_FAILED;
}

int32_t tide_task_call(TideState *state, uint32_t function, const TideValue *arguments,
                       uint32_t count, uint32_t *thread, TideFrame *frame) {
  TideCoroutine used = {0};
  StartRequest request = {.function = function, .count = count, .arguments = arguments};
  int32_t status = start(state, request, &used, frame);
  if (likely(status == TIDE_OK)) return take_results(state, used, frame);
  *thread = used.reference;
  return status;
}

int32_t tide_task_between(TideState *state, uint32_t function, TideSlot *from, TideSlot *to,
                          uint32_t *thread, TideFrame *frame) {
  TideCoroutine used = {0};
  TideValue argument = {.slot = from, .tag = TIDE_LUA_SLOT};
  StartRequest request = {.function = function, .count = 1, .arguments = &argument};
  int32_t status = start(state, request, &used, frame);
  if (unlikely(status == TIDE_FAILED)) return -2;
  if (unlikely(status != TIDE_OK)) {
    *thread = used.reference;
    tide_frame_end(state, frame);
    return status == TIDE_SUSPENDED ? TIDE_WAITS : TIDE_YIELDS;
  }
  lua_State *co = used.thread;
  int stored;
  if (unlikely(lua_gettop(co) == 0))
    stored = TIDE_NO_RESULT;
  else if (unlikely(to->kind == TIDE_FREE))
    stored = 0;
  else
    stored = slot_store_quietly(co, state, to, 1);
  if (likely(stored >= 0)) {
    lua_settop(co, 0);
    give_back(state->current, state, used);
    lua_settop(state->current, frame->top);
    frame_leave(state);
    return stored;
  }
  if (unlikely(take_results(state, used, frame) != TIDE_OK)) return -2;
  if (stored != -2) return stored;
  stored = tide_frame_store(state, frame, to);
  if (stored >= 0) tide_frame_end(state, frame);
  return stored;
}
