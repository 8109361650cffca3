#include <pthread.h>

#include "concat.h"
#include "coroutines.h"
#include "errors.h"
#include "escape.h"

// Some builds of Lua 5.4.4, Debian 12's among them, have a bug in the operator `..`: they keep a
// pointer to the coroutine's stack during the call of `__concat`. If the stack moves during the
// call, the interpreter continues in freed memory. It crashes, or loops where nothing can stop it.
// Lua 5.4.5 fixes the bug (commit 603b2c64). Only for a build with the bug, the stack is kept in
// place:
//
//   a function with `..` ── more room than it needs ──▶ the call itself needs no larger stack
//   __concat ── on a coroutine of its own, nothing collected ──▶ no larger or smaller one meanwhile
//
// A function that leaves no such room is refused (code.c). A `__concat` that is set after
// `setmetatable` is called on the stack itself, which stays in place because the allocator does not
// move it (guards.c).

// MARK: Detection

static pthread_once_t probeOnce = PTHREAD_ONCE_INIT;
static bool hasFault;
/// Cannot be closed if it has the bug.
static lua_State *probedState;

/// Moves every block that grows.
static void *allocate_elsewhere(void *context, void *block, size_t old, size_t size) {
  (void)context;
  void *moved = size ? malloc(size) : NULL;
  if (moved && block) memcpy(moved, block, old < size ? old : size);
  if (!size || moved) free(block);
  return moved;
}

static int move_stack(lua_State *L) {
  luaL_checkstack(L, 500, NULL);
  lua_settop(L, 1);
  return 1;
}

/// Whether the height of the stack is wrong after a `..` during which it has moved.
static bool loses_stack(lua_State *L) {
  probe_push(L, "__concat", move_stack);
  lua_pushvalue(L, -1);
  int height = lua_gettop(L);
  lua_concat(L, 2);
  return lua_gettop(L) != height - 1;
}

/// The slots that the call of a C function requires, the function and its operands, and a reserve.
enum { ROOM = LUA_MINSTACK + 3 + 5 };

static void probe(void) {
  lua_State *L = lua_newstate(allocate_elsewhere, NULL);
  if (!L) return;
  lua_gc(L, LUA_GCSTOP);
  hasFault = loses_stack(L);
  if (hasFault)
    probedState = L;
  else
    lua_close(L);
}

static bool has_fault(void) {
  pthread_once(&probeOnce, probe);
  return hasFault;
}

bool tide_interpreter_has_concatenation_fault(void) { return has_fault(); }

// MARK: Functions

bool concat_can_make_room(const Prototype *prototype) {
  return !has_fault() || prototype->registers <= MOST_REGISTERS - ROOM ||
         !code_has_concatenation(prototype);
}

static void make_room(Prototype *prototype) {
  if (code_has_concatenation(prototype)) prototype->registers += ROOM;
  for (int i = 0; i < prototype->innerCount; i++) make_room(prototype->inner[i]);
}

void concat_make_room(lua_State *L) {
  Prototype *prototype = has_fault() ? code_of(L) : NULL;
  if (prototype) make_room(prototype);
}

// MARK: The metamethod

static int concatenate_again(lua_State *L, int status, lua_KContext height);

/// Passes on the function's yielded values; its coroutine is below them on L. After a yield the
/// interpreter restarts the operator, so from here on the bug cannot occur.
static int yield_on(lua_State *L, int count) {
  return lua_yieldk(L, count, lua_gettop(L) - count, concatenate_again);
}

static int concatenate_again(lua_State *L, int status, lua_KContext height) {
  (void)status;
  lua_State *co = lua_tothread(L, 1);
  int count = coroutine_resume(L, co, lua_gettop(L) - (int)height, concatenate_again);
  if (count < 0) {
    coroutine_close_failed(L, co);
    return lua_error(L);
  }
  if (lua_status(co) == LUA_YIELD) return yield_on(L, count);
  if (count == 0)
    lua_pushnil(L);
  else
    lua_settop(L, lua_gettop(L) - count + 1);
  return 1;
}

/// Closes the variables that the function has left open. Leaves the resulting error, if any, on top
/// of L.
static void close_failed(lua_State *L, lua_State *co) {
  int status = lua_status(co);
  if (status == LUA_OK || coroutine_marks(co)) return;
  if (state_of(L)->coroutines.closing >= DEEPEST_CLOSE) return;
  if (status != LUA_YIELD) lua_xmove(L, co, 1);
  coroutine_reset(L, co);
  if (status != LUA_YIELD) lua_xmove(co, L, 1);
}

/// Calls a metatable's `__concat`.
static int concatenate(lua_State *L) {
  TideState *state = state_of(L);
  lua_settop(L, 2);
  bool wasCollecting = lua_gc(L, LUA_GCISRUNNING) == 1;
  if (wasCollecting) lua_gc(L, LUA_GCSTOP);
  // No error may leave the collector stopped.
  state->memory.isIndulgent = true;
  lua_State *co = lua_newthread(L);
  state->memory.isIndulgent = false;
  lua_insert(L, 1);
  *coroutine_word(co) = (uintptr_t)state;
  lua_sethook(co, lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L));
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 2);
  lua_xmove(L, co, 3);
  state->coroutines.concatenating++;
  int count = 0;
  int status = coroutine_run(L, co, 2, &count, false);
  bool isOver = state->budget.expired;
  bool isYielded = status == LUA_YIELD && lua_isyieldable(L);
  bool hasFailed = status != LUA_OK && !isYielded;
  // The error is moved first, because not every failure leaves it where closing expects it.
  if (hasFailed && !isOver && status != LUA_YIELD) lua_xmove(co, L, 1);
  if (hasFailed && !isOver) close_failed(L, co);
  state->coroutines.concatenating--;
  if (wasCollecting) lua_gc(L, LUA_GCRESTART);
  if (isOver) return clock_raise(L);
  if (hasFailed && status == LUA_YIELD)
    return luaL_error(L, "attempt to yield across a C-call boundary");
  if (hasFailed) return lua_error(L);
  if (isYielded) {
    luaL_checkstack(L, count + 1, "too many results");
    lua_xmove(co, L, count);
    return yield_on(L, count);
  }
  if (count == 0) {
    lua_pushnil(L);
  } else {
    lua_settop(co, lua_gettop(co) - count + 1);
    lua_xmove(co, L, 1);
  }
  return 1;
}

bool concat_is_guard(lua_CFunction function) { return function == concatenate; }

void concat_guard(lua_State *L, int index) {
  if (!has_fault()) return;
  int metatable = lua_absindex(L, index);
  lua_pushliteral(L, "__concat");
  int type = lua_rawget(L, metatable);
  // A table or userdata may be callable.
  bool isCallable = type == LUA_TFUNCTION || type == LUA_TTABLE || type == LUA_TUSERDATA;
  if (isCallable && lua_tocfunction(L, -1) != concatenate) {
    lua_pushliteral(L, "__concat");
    lua_insert(L, -2);
    lua_pushcclosure(L, concatenate, 1);
    lua_rawset(L, metatable);
  } else {
    lua_pop(L, 1);
  }
}
