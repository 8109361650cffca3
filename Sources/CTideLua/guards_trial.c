#include <pthread.h>
#include <stdlib.h>

#include "concat.h"
#include "guards.h"
#include "interpreter.h"
#include "layout.h"

// Tests once per process, with a separate interpreter, whether the structures match layout.h: each
// field that the guards read or write is compared with the interpreter's behavior.

typedef struct Trial {
  const Shared *shared;
  uint8_t white;  // the color before the observed collection
  bool sawCollecting;
  bool sawJoining;
} Trial;

static void *allocate_watched(void *context, void *block, size_t old, size_t size) {
  (void)old;
  Trial *trial = context;
  if (trial->white && trial->white != trial->shared->white)
    trial->sawCollecting |= trial->shared->isCollecting == 1;
  if (size) return realloc(block, size);
  free(block);
  return NULL;
}

static bool knows_shared(lua_State *L, Trial *trial) {
  const Shared *shared = trial->shared = shared_of(L);
  if (shared->allocate != allocate_watched || shared->context != trial) return false;
  for (int i = 0; i < 3; i++) {
    trial->white = shared->white;
    if ((trial->white != 8 && trial->white != 16) || shared->isCollecting) return false;
    // Creates some garbage to free.
    lua_createtable(L, 1, 1);
    lua_pop(L, 1);
    lua_gc(L, LUA_GCCOLLECT);
    if (shared->white != (trial->white ^ WHITES) || shared->phase != PAUSE) return false;
  }
  trial->white = 0;
  int64_t debt = shared->debt, total = shared->total;
  void *block = lua_newuserdatauv(L, 1000, 0);
  bool isCounted = block && shared->total == total && shared->debt - debt >= 1000 &&
                   shared->debt - debt < 1100;
  lua_pop(L, 1);
  return isCounted && trial->sawCollecting;
}

static bool knows_tables(lua_State *L) {
  lua_createtable(L, 0, 4);
  Table *table = table_at(L, -1);
  lua_createtable(L, 0, 1);
  Table *key = table_at(L, -1);
  lua_pushvalue(L, -1);
  lua_setmetatable(L, -3);
  lua_pushboolean(L, true);
  lua_rawset(L, -3);
  lua_pushliteral(L, "name");
  lua_pushboolean(L, true);
  lua_rawset(L, -3);
  size_t number = 0;
  bool isKnown = table->kind == TABLE && table->metatable == key && table->entryBits == 2 &&
                 next_key(table, &number) == key && !next_key(table, &number);
  lua_pop(L, 1);
  return isKnown;
}

/// Whether the flag keeps a value that only a weak table refers to, and whether the value is freed
/// without the flag.
static bool knows_flag(lua_State *L) {
  bool isKept[2];
  lua_createtable(L, 1, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  Table *metatable = table_at(L, -1);
  lua_setmetatable(L, -2);
  lua_createtable(L, 0, 0);
  lua_rawseti(L, -2, 1);
  for (int i = 0; i < 2; i++) {
    if (i == 0)
      metatable->flags |= NO_MODE;
    else
      metatable->flags &= (uint8_t)~NO_MODE;
    lua_gc(L, LUA_GCCOLLECT);
    isKept[i] = lua_rawgeti(L, -1, 1) == LUA_TTABLE;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return isKept[0] && !isKept[1];
}

/// Whether an assignment to a table that the collector has already visited has the same effect as
/// `visit_again`.
static bool knows_visits(lua_State *L) {
  enum { MOST_STEPS = 10000 };
  const Shared *shared = shared_of(L);
  lua_createtable(L, 1, 0);
  const Table *table = table_at(L, -1);
  lua_gc(L, LUA_GCINC, 0, 1, 1);
  for (int i = 0; i < MOST_STEPS && !(table->marks & BLACK && shared->phase == REACHING); i++)
    lua_gc(L, LUA_GCSTEP, 0);
  if (!(table->marks & BLACK) || shared->phase != REACHING) return false;
  const Object *first = shared->grayAgain;
  lua_createtable(L, 0, 0);
  bool isNew = (table_at(L, -1)->marks & WHITES) == shared->white;
  lua_rawseti(L, -2, 1);
  bool isListed = shared->grayAgain == (const Object *)table && table->listed == first &&
                  !(table->marks & (WHITES | BLACK));
  lua_pop(L, 1);
  return isNew && isListed;
}

static int join(lua_State *L) {
  Trial *trial = lua_touserdata(L, lua_upvalueindex(1));
  ptrdiff_t used;
  trial->sawJoining = guards_joins_unguarded(L, &used) && function_of(beginning(L)->call) == join &&
                      used > lua_gettop(L);
  lua_settop(L, 1);
  return 1;
}

static int look_later(lua_State *L) {
  Trial *trial = lua_touserdata(L, lua_upvalueindex(1));
  ptrdiff_t used;
  if (guards_joins_unguarded(L, &used)) trial->sawJoining = false;
  return 0;
}

/// Whether a running `..` can be distinguished from a finished one.
static bool knows_calls(lua_State *L, Trial *trial) {
  static const char text[] = "local a, look = ... local b = a .. 'x' look() return b";
  if (luaL_loadbufferx(L, text, sizeof text - 1, "=look", "t") != LUA_OK) return false;
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushlightuserdata(L, trial);
  lua_pushcclosure(L, join, 1);
  lua_setfield(L, -2, "__concat");
  lua_setmetatable(L, -2);
  lua_pushlightuserdata(L, trial);
  lua_pushcclosure(L, look_later, 1);
  lua_call(L, 2, 0);
  return trial->sawJoining;
}

static int try_out(lua_State *L) {
  Trial *trial = lua_touserdata(L, 1);
  bool isKnown = knows_shared(L, trial) && knows_tables(L) && knows_flag(L) && knows_visits(L) &&
                 (!tide_interpreter_has_concatenation_fault() || knows_calls(L, trial));
  lua_pushboolean(L, isKnown);
  return 1;
}

/// The first release without these bugs.
enum { SOUND = 9 };

static pthread_once_t learnOnce = PTHREAD_ONCE_INIT;
static bool isGuarding;
bool guardsStacks;

static void learn(void) {
  int release = interpreter_release();
  if (!release || release >= SOUND) return;
  Trial trial = {0};
  lua_State *L = lua_newstate(allocate_watched, &trial);
  if (!L) return;
  lua_gc(L, LUA_GCSTOP);
  lua_pushcfunction(L, try_out);
  lua_pushlightuserdata(L, &trial);
  isGuarding = lua_pcall(L, 1, 1, 0) == LUA_OK && lua_toboolean(L, -1);
  guardsStacks = isGuarding && tide_interpreter_has_concatenation_fault();
  lua_close(L);
}

bool tide_interpreter_is_guarded(void) {
  pthread_once(&learnOnce, learn);
  return isGuarding;
}
