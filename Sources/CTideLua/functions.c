#include "concat.h"
#include "errors.h"
#include "frames.h"
#include "guards.h"
#include "held.h"
#include "values.h"

// Swift functions that Lua calls. The trampoline passes Swift a view of the arguments. Swift writes
// its results to C memory and returns a status. Then, with no Swift frame on the stack, the results
// are pushed, the error is raised, or the coroutine is suspended.

static int host_object_collect(lua_State *L) {
  TideHostObject *hosted = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  if (hosted->object) held_drop(state, hosted->held);
  hosted->object = NULL;
  return 0;
}

TideHostObject *host_object_new(lua_State *L, TideState *state, void *object, int metatable,
                                int userValues) {
  TideHostObject *hosted = lua_newuserdatauv(L, sizeof *hosted, userValues);
  *hosted = (TideHostObject){.state = state};
  private_get(L, state, metatable);
  if (!held_reserve(state)) luaL_error(L, "not enough memory");
  lua_setmetatable(L, -2);
  // From here on, the userdata owns the object.
  hosted->object = object;
  hosted->held = held_add(state, object);
  return hosted;
}

/// Turns the table on top of the stack into a metatable of wrapped Swift objects.
static void mark_metatable(lua_State *L) {
  lua_pushcfunction(L, host_object_collect);
  lua_setfield(L, -2, "__gc");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
}

void functions_open(lua_State *L) {
  static const int entries[] = {PRIVATE_FUNCTION_META, PRIVATE_OPAQUE_META, PRIVATE_ERROR_META};
  for (int i = 0; i < 3; i++) {
    lua_createtable(L, 0, 8);
    mark_metatable(L);
    if (entries[i] == PRIVATE_ERROR_META) error_add_methods(L);
    lua_rawseti(L, 1, entries[i]);
  }
}

void functions_close(lua_State *L) {
  int table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_CFunction function = lua_tocfunction(L, -1);
    bool isClosure = function && lua_getupvalue(L, -1, 1);
    if (function && !isClosure) {
      lua_pushvalue(L, -2);
      lua_pushnil(L);
      lua_pushcclosure(L, function, 1);
      lua_rawset(L, table);
    }
    lua_settop(L, table + 1);
  }
}

// MARK: Calls

void call_begin(TideCall *call, TideState *state, lua_State *L) {
  call->state = state;
  call->lua = L;
  call->count = lua_gettop(L);
  call->results = 0;
  call->capacity = sizeof call->local / sizeof *call->local;
  call->textUsed = 0;
  call->values = call->local;
  call->suspends = false;
  call->calls = false;
  call->exhausted = false;
  call->mark = state->blocks;
  if (state->callbacks++ == 0) state->outermost = call;
}

/// Pushes the referenced values, because creating an object's userdata can run Swift, which may
/// release the references.
static void hold_references(lua_State *L, TideCall *call) {
  for (int32_t i = 0; i < call->results; i++) {
    TideValue *value = &call->values[i];
    if (value->tag < TIDE_LUA_TABLE || value->tag > TIDE_LUA_USERDATA) continue;
    reference_push(L, call->state, value->reference);
    value->integer = lua_gettop(L) - 1;
    value->tag = TIDE_LUA_ARGUMENT;
  }
}

static void push_results(lua_State *L, TideCall *call) {
  if (unlikely(call->results > 1)) {
    luaL_checkstack(L, call->results * 2 + 8, "too many results");
    hold_references(L, call);
  }
  for (int32_t i = 0; i < call->results; i++) {
    const TideValue *value = &call->values[i];
    if (value->tag == TIDE_LUA_ARGUMENT)
      lua_pushvalue(L, (int)value->integer + 1);
    else
      value_push(L, call->state, value);
  }
}

// Called after a suspension: returns the values that the host resumed with, or raises the error
// that it threw.
static int finish_wait(lua_State *L, int status, lua_KContext height) {
  (void)status;
  TideState *state = state_of(L);
  if (unlikely(state->pending.throws | state->pending.raises)) return error_throw_in(L, state);
  return lua_gettop(L) - (int)height;
}

static int finish_calling(lua_State *L, int status, lua_KContext guard) {
  (void)status;
  return lua_gettop(L) - (int)guard;
}

/// Calls the values that a callback has left on the stack: a guard that is closed however the call
/// ends, the function, and its arguments. No Swift frame is on the stack, so the function may
/// suspend.
static int call_instead(lua_State *L, int count) {
  int guard = lua_gettop(L) - count + 1;
  lua_toclose(L, guard);
  lua_callk(L, count - 2, LUA_MULTRET, guard, finish_calling);
  return finish_calling(L, LUA_OK, guard);
}

int call_end(lua_State *L, TideCall *call, int32_t status) {
  TideState *state = call->state;
  if (--state->callbacks == 0) state->outermost = NULL;
  clock_return(L, &state->budget);
  if (unlikely(call->exhausted)) return luaL_error(L, "not enough memory");
  if (likely(status == TIDE_OK || status == TIDE_SUSPENDED || status == TIDE_CALLS)) {
    int32_t results = call->results;
    const TideValue *value = call->values;
    if (likely(results == 1 && value->tag == TIDE_LUA_NUMBER))
      lua_pushnumber(L, value->number);
    else if (results == 1 && value->tag == TIDE_LUA_INTEGER)
      lua_pushinteger(L, value->integer);
    else if (results)
      push_results(L, call);
    if (unlikely(state->blocks != call->mark)) blocks_free(state, call->mark);
    if (likely(status == TIDE_OK)) return results;
    if (status == TIDE_CALLS) return call_instead(L, results);
    if (!state->coroutines.canSuspend || !lua_isyieldable(L))
      return luaL_error(L, "cannot wait here");
    state->coroutines.isSuspended = true;
    return lua_yieldk(L, results, lua_gettop(L) - results, finish_wait);
  }
  if (unlikely(state->blocks != call->mark)) blocks_free(state, call->mark);
  return error_raise_pending(L, state);
}

int function_call(lua_State *L, const TideHostObject *function, int count) {
  TideState *state = state_of(L);
  TideCall call;
  call_begin(&call, state, L);
  call.count = count;
  // Drains references in long turns, but not while an outer callback is still collecting its
  // results.
  if (state->callbacks == 1) {
    references_drain(L, state);
    if (unlikely(state->held.droppedCount > 256)) held_release_dropped(state);
  }
  return call_end(L, &call, function->body(function->object, &call));
}

static int call_swift(lua_State *L) {
  return function_call(L, lua_touserdata(L, lua_upvalueindex(1)), lua_gettop(L));
}

void blocks_free(TideState *state, TideBlock *until) {
  while (state->blocks && state->blocks != until) {
    TideBlock *block = state->blocks;
    state->blocks = block->next;
    free(block);
  }
}

static void *add_block(TideState *state, size_t size) {
  TideBlock *block = malloc(sizeof *block + size);
  if (!block) return NULL;
  block->next = state->blocks;
  state->blocks = block;
  state->turn.chores = 1;
  return block->bytes;
}

TideValue *tide_call_grow(TideCall *call) {
  int32_t capacity = call->capacity * 4;
  TideValue *grown = add_block(call->state, (size_t)capacity * sizeof *grown);
  if (!grown) {
    call->exhausted = true;
    return NULL;
  }
  memcpy(grown, call->values, (size_t)call->results * sizeof *grown);
  call->capacity = capacity;
  return call->values = grown;
}

char *tide_call_add_text(TideCall *call, size_t count) {
  if (call->textUsed + count > sizeof call->text) {
    char *block = count <= UINT32_MAX ? add_block(call->state, count) : NULL;
    if (!block) call->exhausted = true;
    return block;
  }
  char *text = call->text + call->textUsed;
  call->textUsed += (uint32_t)count;
  return text;
}

char *tide_text_reserve(TideText *text, size_t count) {
  if (count > UINT32_MAX) return NULL;
  char *room = count <= sizeof text->local ? text->local : add_block(text->state, count);
  text->bytes = room;
  text->count = count;
  return room;
}

// MARK: Creation

typedef struct MakeRequest {
  void *object;
  TideBody body;
  uint32_t metatable;
} MakeRequest;

static int make_function(lua_State *L) {
  MakeRequest *request = lua_touserdata(L, 1);
  TideHostObject *hosted =
      host_object_new(L, state_of(L), request->object, PRIVATE_FUNCTION_META, 0);
  request->object = NULL;
  hosted->body = request->body;
  lua_pushcclosure(L, call_swift, 1);
  return 1;
}

static int32_t make(TideState *state, MakeRequest *request, lua_CFunction maker,
                    TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  int32_t status = L ? frame_protect(L, state, maker, request, frame) : TIDE_FAILED;
  if (request->object) state->host.release(request->object);
  return status;
}

int32_t tide_function_make(TideState *state, void *object, TideBody body, TideFrame *frame) {
  MakeRequest request = {.object = object, .body = body};
  return make(state, &request, make_function, frame);
}

// Sets the requested metatable on the userdata on top of the stack.
static void give_metatable(lua_State *L, TideState *state, const MakeRequest *request) {
  if (!request->metatable) return;
  reference_push(L, state, request->metatable);
  bool isGiven = !lua_istable(L, -1);
  if (!isGiven && lua_getmetatable(L, -2)) {
    isGiven = lua_rawequal(L, -1, -2);
    lua_pop(L, 1);
  }
  if (isGiven) {
    lua_pop(L, 1);
  } else {
    mark_metatable(L);
    concat_guard(L, -1);
    guards_note(L, -1);
    lua_setmetatable(L, -2);
  }
}

static int make_userdata(lua_State *L) {
  TideState *state = state_of(L);
  MakeRequest *request = lua_touserdata(L, 1);
  private_get(L, state, PRIVATE_USERDATA);
  if (lua_rawgetp(L, -1, request->object) == LUA_TUSERDATA) {
    give_metatable(L, state, request);
    return 1;
  }
  lua_pop(L, 1);
  host_object_new(L, state, request->object, PRIVATE_OPAQUE_META, 0);
  void *object = request->object;
  request->object = NULL;
  give_metatable(L, state, request);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, -3, object);
  return 1;
}

int32_t tide_userdata_make(TideState *state, void *object, uint32_t metatable,
                           TideFrame *frame) {
  MakeRequest request = {.object = object, .metatable = metatable};
  return make(state, &request, make_userdata, frame);
}

void *tide_userdata_object(TideState *state, uint32_t reference) {
  lua_State *L = state->current;
  if (!L || !lua_checkstack(L, 8)) return NULL;
  reference_push(L, state, reference);
  TideHostObject *hosted = host_object_at(L, state, -1);
  lua_pop(L, 1);
  return hosted ? hosted->object : NULL;
}
