#include <pthread.h>

#include "concat.h"
#include "coroutines.h"
#include "errors.h"
#include "escape.h"

// Some builds of Lua 5.4.4, Debian 12's among them, have a fault in the operator `..`: they keep a pointer into
// the coroutine's stack while they call `__concat`. If the stack moves during the call, the interpreter
// continues in freed memory. It crashes, or loops where nothing can stop it. Lua 5.4.5 fixes that (commit
// 603b2c64). With a build that has the fault, and no other, the stack is kept where it is:
//
//   a function with `..` ── more room than it needs ──▶ the call itself needs no larger stack
//   __concat ── on a coroutine of its own, nothing collected ──▶ no larger or smaller one meanwhile
//
// Not covered are a `__concat` that is set after `setmetatable`, and functions that use nearly all registers:
// a hostile script can still reach the fault.

// MARK: The build at hand

static pthread_once_t probeOnce = PTHREAD_ONCE_INIT;
static bool hasFault, knowsFunctions;
/// Cannot be closed where it has the fault.
static lua_State *probedState;

/// Always moves what grows.
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

/// Whether the height of the stack is wrong after a `..` in which it has moved.
static bool loses_stack(lua_State *L) {
  probe_push(L, "__concat", move_stack);
  lua_pushvalue(L, -1);
  int height = lua_gettop(L);
  lua_concat(L, 2);
  return lua_gettop(L) != height - 1;
}

// MARK: Functions

/// How a function's code begins, as `lua_topointer` of its closure leads to it.
typedef struct Prototype {
  void *next;
  uint8_t kind, marks, parameters, isVariadic, registers;
  int upvalueCount, constantCount, codeCount, lineCount, innerCount, localCount, markedLineCount;
  int firstLine, lastLine;
  void *constants;
  uint32_t *code;
  struct Prototype **inner;
} Prototype;

typedef struct Closure {
  void *next;
  uint8_t kind, marks, upvalueCount;
  void *list;
  Prototype *prototype;
} Closure;

enum {
  OPERATION = 0x7f,  // the part of an instruction that says what it does
  CONCATENATE = 53,
  MOST_REGISTERS = 255,
  // What the call of a C function asks for, the function and its operands, and some to spare.
  ROOM = LUA_MINSTACK + 3 + 5,
};

static bool has_concatenation(const Prototype *prototype) {
  for (int i = 0; i < prototype->codeCount; i++)
    if ((prototype->code[i] & OPERATION) == CONCATENATE) return true;
  return false;
}

/// Whether code is where it is taken to be, in a chunk whose content is known.
static bool knows_functions(lua_State *L) {
  static const char text[] = "\n\nlocal function join(x, y)\nreturn x .. y end return join";
  if (luaL_loadbufferx(L, text, sizeof text - 1, "=look", "t") != LUA_OK) return false;
  const Closure *closure = lua_topointer(L, -1);
  const Prototype *chunk = closure->prototype;
  if (chunk->parameters || !chunk->isVariadic || chunk->innerCount != 1 || chunk->upvalueCount != 1 ||
      chunk->codeCount < 3 || chunk->codeCount > 12 || has_concatenation(chunk))
    return false;
  const Prototype *join = chunk->inner[0];
  return join->parameters == 2 && !join->isVariadic && join->registers >= 4 && join->registers <= 8 &&
         join->firstLine == 3 && join->lastLine == 4 && join->codeCount >= 4 && join->codeCount <= 8 &&
         join->innerCount == 0 && has_concatenation(join);
}

static void probe(void) {
  lua_State *L = lua_newstate(allocate_elsewhere, NULL);
  if (!L) return;
  lua_gc(L, LUA_GCSTOP);
  knowsFunctions = knows_functions(L);
  lua_settop(L, 0);
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

static void make_room(Prototype *prototype) {
  if (has_concatenation(prototype))
    prototype->registers =
        prototype->registers > MOST_REGISTERS - ROOM ? MOST_REGISTERS : prototype->registers + ROOM;
  for (int i = 0; i < prototype->innerCount; i++) make_room(prototype->inner[i]);
}

void concat_make_room(lua_State *L) {
  if (!has_fault() || !knowsFunctions || !lua_isfunction(L, -1) || lua_iscfunction(L, -1)) return;
  make_room(((const Closure *)lua_topointer(L, -1))->prototype);
}

// MARK: What `..` calls

static int concatenate_again(lua_State *L, int status, lua_KContext height);

/// Hands on what the function has yielded, with its coroutine below it on L. The interpreter takes up the
/// operator anew when it goes on after a yield, so that nothing is in danger from here on.
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

/// Closes what the function has left open. The error that holds then is on top of L, where there is one.
static void close_failed(lua_State *L, lua_State *co) {
  int status = lua_status(co);
  if (status == LUA_OK || coroutine_marks(co)) return;
  if (state_of(L)->coroutines.closing >= DEEPEST_CLOSE) return;
  if (status != LUA_YIELD) lua_xmove(L, co, 1);
  coroutine_reset(L, co);
  if (status != LUA_YIELD) lua_xmove(co, L, 1);
}

/// Calls what a metatable has as `__concat`.
static int concatenate(lua_State *L) {
  TideState *state = state_of(L);
  lua_settop(L, 2);
  bool wasCollecting = lua_gc(L, LUA_GCISRUNNING) == 1;
  if (wasCollecting) lua_gc(L, LUA_GCSTOP);
  // No error may leave the collector as it is now.
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
  // The error is taken first, because not every failure leaves it where closing looks for it.
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
