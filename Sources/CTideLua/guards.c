#include <pthread.h>

#include "code.h"
#include "concat.h"
#include "guards.h"
#include "interpreter.h"
#include "memory.h"

// Releases before 5.4.9 have faults that no function of the library can keep scripts from, because
// what leads to them are fields of metatables, which may be set at any time. But on the way to each
// of them the interpreter asks for memory, or gives some back:
//
//   before 5.4.5  `..` goes on with the old address of a stack that its metamethod has made move.
//                 What has a guard (concat.c) does not move it. Below what has none, because
//                 `__concat` was set after `setmetatable`, the interpreter gets no other stack:
//                 where it needs a larger one, its memory is at an end.
//   before 5.4.8  a key is put into a table that nothing but a weak metatable's `__newindex` holds,
//                 for want of memory all garbage is collected, and that table with it. So in such
//                 a collection no metatable is weak.
//   before 5.4.9  what is assigned to the `__newindex` of a metatable through that very field is
//                 not shown to the collector, which may have passed by the metatable in this cycle.
//                 So the collector visits every metatable again at the cycle's end. It never takes
//                 two steps without a request in between, which is when it is told.
//
// All of that is done in the interpreter's own structures, since it must not be called meanwhile.
// Whether they are what they are taken to be is tried once. If not, there are no guards, and the
// faults count as open.

// MARK: What is known of the interpreter

enum {
  TABLE = 5,
  TEXT = 4,
  C_CLOSURE = 6 | 2 << 4,
  COLLECTED = 64,   // the mark of values that are
  KIND = 15,
  WHITES = 8 | 16,  // the colors of what the collector has not reached
  BLACK = 32,       // that of what it has passed by; what it has yet to visit has none
  NO_MODE = 8,      // a metatable's flag that it has no `__mode`, which saves a look
  VALUE_BYTES = 16,
  SPARE_VALUES = 5,  // at the end of each stack
  CALL_OF_C = 2,
};

/// What everything begins with that is collected.
typedef struct Object {
  struct Object *next;
  uint8_t kind, marks;
} Object;

typedef struct Value {
  const Object *object;
  uint8_t kind;
} Value;

typedef struct Entry {
  const Object *value;
  uint8_t kind, keyKind;
  int next;
  Object *key;
} Entry;

typedef struct Table {
  struct Object *next;
  uint8_t kind, marks, flags, entryBits;
  uint32_t arrayCount;
  const Value *array;
  const Entry *entries, *lastFree;
  struct Table *metatable;
  Object *listed;  // what follows in the list of those to be visited
} Table;

typedef struct Closure {
  Object object;
  const void *list;
  lua_CFunction function;
} Closure;

/// A call that runs.
typedef struct Call {
  const Value *function;
  const char *top;
  struct Call *previous, *next;
  const uint32_t *code;  // the next instruction, of a script's function
  const void *others[2];
  int extra;
  int16_t results;
  uint16_t status;
} Call;

/// What an interpreter's coroutines share.
typedef struct Shared {
  lua_Alloc allocate;
  void *context;
  int64_t total, debt;  // bytes that were allocated, and those since the collector's last step
  uint64_t counts[2], texts[2], registry[2], nothing[2];
  uint32_t seed;
  uint8_t white;  // the color of new objects: another one after each cycle
  uint8_t phase, kind, isCollecting;
  uint8_t parameters[8];
  Object *all, **swept, *finalized, *gray;
  Object *grayAgain;  // what is visited at the cycle's end
} Shared;

/// The phases of a cycle in which objects are reached; the last one is the end.
enum { REACHING = 0, REACHED = 1, PAUSE = 8 };

/// How a coroutine begins.
typedef struct Beginning {
  uint64_t header[2];
  const char *top;
  Shared *shared;
  const Call *call;
  const char *stackEnd, *stack;
} Beginning;

static const Beginning *beginning(lua_State *L) { return (const Beginning *)L; }
static Shared *shared_of(lua_State *L) { return beginning(L)->shared; }

static Table *table_at(lua_State *L, int index) {
  return (Table *)(uintptr_t)lua_topointer(L, index);
}

/// The next table that is a key; the number says where to go on.
static Table *next_key(const Table *table, size_t *number) {
  for (size_t count = (size_t)1 << table->entryBits; *number < count;) {
    const Entry *entry = &table->entries[(*number)++];
    if (entry->keyKind == (TABLE | COLLECTED) && entry->kind & KIND) return (Table *)entry->key;
  }
  return NULL;
}

// MARK: Stacks below `..`

static bool is_joining(const Call *call) {
  return !(call->status & CALL_OF_C) && (call->code[-1] & OPERATION) == CONCATENATE;
}

static lua_CFunction function_of(const Call *call) {
  const Value *function = call->function;
  if (function->kind != (C_CLOSURE | COLLECTED)) return NULL;
  return ((const Closure *)function->object)->function;
}

/// Whether a `..` is under way that calls what has no guard, with how much of the stack is in use.
static bool joins_unguarded(lua_State *L, ptrdiff_t *used) {
  const char *top = beginning(L)->top;
  bool isGuarded = false, joins = false;
  for (const Call *call = beginning(L)->call; call; call = call->previous) {
    if (top < call->top) top = call->top;
    // What is about to be called is no call yet.
    if (!isGuarded && is_joining(call)) joins = true;
    isGuarded = concat_is_guard(function_of(call));
  }
  *used = (top - beginning(L)->stack) / VALUE_BYTES + 1;
  return joins;
}

/// Whether the collector would make a stack smaller that `..` relies upon: of the coroutine that
/// runs, or of one that waits for it.
static bool relies_on_stacks(const TideState *state) {
  ptrdiff_t used;
  if (joins_unguarded(state->current, &used)) return true;
  for (const TideResumer *resumer = state->coroutines.resumer; resumer; resumer = resumer->outer)
    if (joins_unguarded(resumer->thread, &used)) return true;
  return false;
}

/// Whether a block is another stack of so many values for a coroutine whose `..` relies on its own.
static bool moves_stack(const TideState *state, ptrdiff_t size) {
  lua_State *L = state->current;
  const Beginning *fields = beginning(L);
  // Nothing but smaller stacks is asked for then.
  if (fields->shared->isCollecting) return relies_on_stacks(state);
  ptrdiff_t used = (fields->top - fields->stack) / VALUE_BYTES;
  ptrdiff_t now = (fields->stackEnd - fields->stack) / VALUE_BYTES;
  // A stack grows to twice its size at least, and an error that is caught leaves twice of what is
  // used. Other blocks seldom look like that, which spares them the way through all calls.
  bool isLarger = size >= 2 * now || size >= LUAI_MAXSTACK;
  bool isSmaller = size < now && (size >= 2 * used || size == LUAI_MAXSTACK);
  if (!isLarger && !isSmaller) return false;
  return joins_unguarded(L, &used) && (isLarger || size == 2 * used || size == LUAI_MAXSTACK);
}

static bool guardsStacks;

bool guards_admit_array(const TideState *state, size_t size) {
  return !guardsStacks || !state->main || size % VALUE_BYTES ||
         !moves_stack(state, (ptrdiff_t)(size / VALUE_BYTES) - SPARE_VALUES);
}

// MARK: Metatables

/// Has the collector visit a table again that it has passed by, as after an assignment to it.
static void visit_again(Shared *shared, Table *table) {
  if (!(table->marks & BLACK)) return;
  table->marks &= (uint8_t)~BLACK;
  table->listed = shared->grayAgain;
  shared->grayAgain = (Object *)table;
}

static void visit_metatables_again(TideState *state) {
  Shared *shared = state->guards.shared;
  if (shared->phase > REACHED) return;
  size_t number = 0;
  for (Table *metatable; (metatable = next_key(state->guards.metatables, &number));)
    visit_again(shared, metatable);
}

bool guards_admit_collection(TideState *state) {
  if (!concat_allows_collecting(state)) return false;
  if (!state->guards.metatables) return true;
  visit_metatables_again(state);
  state->guards.debt = guardsNoDebt;
  return true;
}

void guards_notice_step(TideState *state) {
  if (!state->guards.metatables || *state->guards.isCollecting) return;
  visit_metatables_again(state);
  state->guards.debt = *state->guards.collectorDebt;
}

void guards_make_metatables_strong(TideState *state) {
  if (!state->guards.metatables) return;
  state->guards.areStrong = true;
  size_t number = 0;
  for (Table *metatable; (metatable = next_key(state->guards.metatables, &number));)
    if (metatable->metatable) metatable->metatable->flags |= NO_MODE;
}

/// Without the flag the collector looks for itself.
void guards_let_metatables_be_weak(TideState *state) {
  state->guards.areStrong = false;
  size_t number = 0;
  for (Table *metatable; (metatable = next_key(state->guards.metatables, &number));)
    metatable->flags &= (uint8_t)~NO_MODE;
}

// MARK: Trying it out

typedef struct Trial {
  const Shared *shared;
  uint8_t white;  // before a collection that is being watched
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
    // For it to free something.
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

/// Whether the flag keeps what only a weak table holds, and whether that goes without it.
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

/// Whether an assignment to a table that the collector has passed by does what `visit_again` does.
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
  trial->sawJoining = joins_unguarded(L, &used) && function_of(beginning(L)->call) == join &&
                      used > lua_gettop(L);
  lua_settop(L, 1);
  return 1;
}

static int look_later(lua_State *L) {
  Trial *trial = lua_touserdata(L, lua_upvalueindex(1));
  ptrdiff_t used;
  if (joins_unguarded(L, &used)) trial->sawJoining = false;
  return 0;
}

/// Whether a `..` that is under way can be told from one that has been.
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

/// The release that has none of the faults.
enum { SOUND = 9 };

static pthread_once_t learnOnce = PTHREAD_ONCE_INIT;
static bool isGuarding;

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

// MARK: States

lua_Alloc guards_allocator(void) {
  return tide_interpreter_is_guarded() ? memory_allocate_guarded : memory_allocate;
}

void guards_leave(TideState *state) {
  static const int64_t noDebt;
  static const uint8_t never;
  state->guards = (TideGuards){.collectorDebt = &noDebt, .isCollecting = &never};
}

void guards_open(lua_State *L) {
  if (!tide_interpreter_is_guarded()) return;
  TideState *state = state_of(L);
  lua_createtable(L, 0, 16);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  Table *metatables = table_at(L, -1);
  lua_rawseti(L, -2, PRIVATE_METATABLES);
  Shared *shared = shared_of(L);
  state->guards = (TideGuards){
      .shared = shared,
      .collectorDebt = &shared->debt,
      .isCollecting = &shared->isCollecting,
      .metatables = metatables,
      .debt = guardsNoDebt,
  };
}

void guards_note(lua_State *L, int index) {
  TideState *state = state_of(L);
  Table *metatable = table_at(L, index);
  if (likely(metatable == state->guards.latest) || !state->guards.metatables) return;
  int at = lua_absindex(L, index);
  private_get(L, state, PRIVATE_METATABLES);
  lua_pushvalue(L, at);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pushvalue(L, at);
    lua_pushboolean(L, true);
    lua_rawset(L, -4);
    if (state->guards.shared->phase <= REACHED) visit_again(state->guards.shared, metatable);
  }
  lua_pop(L, 2);
  state->guards.latest = metatable;
}
