// What the files of the shim share. Only they include Lua's API.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "TideBorder.h"
#include "TideHistory.h"
#include "heap.h"

/// Entries of the private table, which scripts cannot reach. References follow.
enum {
  PRIVATE_CACHE = 1,       // weak values: cached strings and data objects' userdata, by number
  PRIVATE_CLASSES,         // an anchor for each class: its metatable
  PRIVATE_METHODS,         // each class's table of methods
  PRIVATE_USERDATA,        // weak values: userdata by the Swift object's address
  PRIVATE_OWNERS,          // weak keys: the functions of owners' contexts, by the owners' userdata
  PRIVATE_FUNCTION_META,   // metatables of what wraps Swift objects
  PRIVATE_ERROR_META,
  PRIVATE_OPAQUE_META,
  PRIVATE_TIME_ERROR,      // made beforehand, so that stopping a turn needs no memory
  PRIVATE_INTERRUPT_ERROR,
  PRIVATE_MEMORY_ERROR,    // Lua's own
  PRIVATE_MAIN,            // what scripts get for the main coroutine
  PRIVATE_FIRST_REFERENCE,
};

/// Stack slots of the main coroutine that are never given up.
enum { BASE_PRIVATE = 1, BASE_HANDLER = 2, BASE_CACHE = 3, BASE_HEIGHT = 3 };
/// How many slots the main coroutine has at least, as long as it runs no function.
enum { BASE_ROOM = 80 };

// Userdata of ours begin with their state, and the two kinds differ in size: that tells them from
// each other and from any that a native module makes.

/// A data object as Lua holds it.
typedef struct TideBox {
  struct TideState *state;
  TideSlot *header;
  struct TideClass *class;
  uint32_t generation;
  uint32_t held;  // the object's number where Lua keeps it alive, and whether it owns functions
} TideBox;

/// A mark in a box's number: the object owns functions (owners.c).
#define BOX_OWNS_FUNCTIONS 0x80000000u

/// A Swift object as Lua holds it: a function, an error, or something opaque.
typedef struct TideForeign {
  struct TideState *state;
  void *object;
  TideBody body;        // of a function
  int32_t prefixCount;  // of an error: how much of its message is the place
  uint32_t held;        // the object's number
  void *unused;
} TideForeign;

_Static_assert(sizeof(TideBox) == 32 && sizeof(TideForeign) == 40, "told apart by size");

typedef struct TideKey {
  const void *string;  // the interned Lua string, kept alive by the class's anchor
  uint32_t property;   // from 1
} TideKey;

typedef struct TideLongKey {
  const char *bytes;
  size_t count;
  uint32_t property;
} TideLongKey;

typedef struct TideClass {
  struct TideClass *next;
  uint32_t number, parent;
  uint32_t mask;  // of the open-addressed table of keys
  uint32_t longCount;
  uint32_t boxes;  // userdata of the class that Lua will say are gone
  bool retired;    // no object of the class is left, but perhaps userdata
  TideKey *keys;
  TideLongKey *longKeys;  // Lua interns only short strings; these compare by bytes
  char name[];
} TideClass;

/// A script's function that observes a slot (listeners.c).
typedef struct TideListener {
  uint32_t function;   // a reference; of a free entry: the next one
  uint32_t arguments;  // the new value, or the new and the old
  void *context;       // what is open while it runs
} TideListener;

/// A coroutine of the stock (tasks.c), and the reference that keeps it.
typedef struct TideCoroutine {
  lua_State *thread;
  uint32_t reference;
} TideCoroutine;
/// How many coroutines wait to be used again.
enum { MOST_STOCK = 8 };

/// Memory that a callback's results need until Lua has copied them.
typedef struct TideBlock {
  struct TideBlock *next;
  char bytes[];
} TideBlock;

/// References that Swift dropped on whatever thread.
typedef struct TidePool {
  pthread_mutex_t lock;
  _Atomic(uint32_t) count;  // read without the lock to skip an empty pool
  uint32_t capacity;
  uint32_t *dropped;
  bool closed;
} TidePool;

/// What the watchdog knows of a thread (clock.c).
typedef struct ThreadClock {
  struct ThreadClock *next, **link;  // among those that are watched
  int thread;                        // the system's number of it; 0 until it is first watched
  volatile sig_atomic_t isWatched;
  volatile uint64_t look;            // nanoseconds between two looks
  volatile uint64_t answered;        // when the last signal had been dealt with; 0: it is on its way
  struct TideState *volatile running;  // the innermost turn's
} ThreadClock;

/// Swift objects that Lua keeps alive (held.c).
typedef struct TideHeld {
  void **objects;
  uint32_t *dropped;
  uint32_t capacity, firstFree, droppedCount;
} TideHeld;

struct TideState {
  TideBudget budget;            // first, where the library finds it
  lua_State *main;              // NULL once closed
  lua_State *volatile current;  // the running coroutine; the signal handler sets its hook
  lua_State *mainStandIn;       // what scripts get for the main one
  TideHost host;
  _Atomic(uint32_t) owners;
  int privateIndex;  // of the private table in the registry

  // Turns. Those above the line are written or read by the signal handler or the watchdog.
  volatile sig_atomic_t chores;   // the turn's end has more to do than usual
  volatile uint64_t turn;         // counts turns
  _Atomic(uint64_t) seenTurn;     // the last one that was looked at
  _Atomic(uint64_t) deadline;     // of that one
  uint64_t notedTurn;             // the last one whose stop has its place noted
  struct TideState *volatile outer;  // a state whose turn is suspended by this one's
  _Atomic(bool) interrupted;
  // ----
  uint32_t depth;       // open frames and turns
  uint32_t callbacks;   // Swift frames between Lua frames; every call of Swift is counted
  uint32_t guarded;     // that many when the innermost protected call began
  const void *landing;  // where an error would have landed before that call (escape.c)
  bool left;            // a coroutine that is stopped has just been left for good
  uint32_t closing;     // nested coroutine.close
  lua_State *deriving;  // the innermost coroutine that derives a value (derive.c)
  TideSlot *wanted;     // what it waits for, as it yields
  bool canSuspend;      // the host drives the running coroutine and all that lead to it
  bool suspended;       // the last yield was a callback's, and goes through to the host
  bool wantsClose;
  bool unsettled;       // a failed call has closed the last batch; its frame's end settles

  // Batches of the graph (methods.c).
  uint32_t *batch;      // how many are open
  uint32_t batchBase;   // how many were when the running coroutine was last resumed
  uint64_t stretch;     // the number of that resumption; 0 outside of coroutines
  uint64_t stretches;   // how many there have been
  uint32_t noBatch;     // where there is no graph
  bool isGivenUp;         // an operation was abandoned, so the state is closed with the turn
  uint64_t overdueSince;  // the thread's time when the turn was first found to go on after its end

  // Memory.
  TideHeap heap;
  uint64_t used, peak, allocations, refuseAt;
  uint64_t engine;  // what the engine holds for scripts, as last measured and charged since
  uint64_t debt;    // charged, but not yet added to that
  uint64_t leastIdle;  // free bytes of the system's allocator, the fewest since it gave some back
  uint64_t gathered;   // bytes of the texts that the host is gathering
  uint32_t gathering;  // nested gatherings
  bool refuseForever, refuseRetry;
  bool indulgent;  // requests are granted whatever the limit

  // The world outside.
  struct TideAllowance *allowances;
  bool namesFlags;  // refusals name the program's flag, and not the host
  uint32_t openFiles;
  struct TideFiles *files;  // files.c: what is open, by which a dropped state closes it

  // Coroutines that have returned.
  TideCoroutine stock[MOST_STOCK];
  uint32_t stockCount;

  // References.
  TidePool pool;
  uint32_t referenceTop;    // the highest index in use
  uint32_t referenceCount;
  uint32_t freeCount, freeCapacity;
  uint32_t *freeReferences;

  TideHeld held;

  // The error of the callback that just failed, until it is an error object.
  void *pendingError;
  char *pendingMessage;
  size_t pendingCount;
  bool pendingHasPlace;
  bool throws;  // the host resumes a wait to throw that error there
  bool raises;  // or to raise the value that it resumes with
  TideBlock *blocks;

  // The last fault, noted while its stack was there.
  struct {
    int32_t line, column;
    int32_t prefixCount;
    size_t sourceCount, tracebackCount;
    char source[1024];
    char traceback[4096];
  } fault;

  TideListener *listeners;  // from 1
  uint32_t listenerCount, listenerCapacity, freeListener;

  struct TidePlaces *places;      // lines that write (places.h)
  struct TideCoverage *coverage;  // lines that run, where that is asked for

  // Data objects.
  TideObjectHooks hooks;
  TideArena *arena;
  uint32_t cacheBase;   // slots' cache numbers start after this
  uint32_t cacheCount;  // how many numbers have been given out
  uint32_t clearedDead; // entries of the arena's dead list whose strings are cleared
  TideClass **classes;
  uint32_t classCapacity;
};

static inline TideState *state_of(lua_State *L) { return *(TideState **)lua_getextraspace(L); }

// A coroutine that will not run again is marked in the word that leads to its state.
enum {
  COROUTINE_LEFT = 1,   // left where it stood when its turn was stopped; may be closed
  COROUTINE_ENDED = 2,  // ended by the stop itself, after which Lua runs its closers without hooks
  COROUTINE_WAITS = 4,  // waits for a value that it derives from (derive.c); not marked while it runs
};
static inline uintptr_t *coroutine_word(lua_State *co) {
  return (uintptr_t *)lua_getextraspace(co);
}
static inline uintptr_t coroutine_marks(lua_State *co) {
  return *coroutine_word(co) & (COROUTINE_LEFT | COROUTINE_ENDED);
}

static inline bool coroutine_waits(lua_State *co) {
  return *coroutine_word(co) & COROUTINE_WAITS;
}

/// Whether a slot is to be derived before the function that reads it can go on.
bool derive_wants(lua_State *L, TideState *state, TideSlot *slot);
/// Lets the function that runs on a coroutine wait for a slot.
int derive_yield(lua_State *L, TideState *state, TideSlot *slot);

/// The userdata at the index if it is a data object; never raises.
static inline TideBox *object_at(lua_State *L, TideState *state, int index) {
  TideBox *box = lua_touserdata(L, index);
  if (!box || lua_rawlen(L, index) != sizeof *box) return NULL;
  return box->state == state ? box : NULL;
}

/// The userdata at the index if it stands for a Swift object; never raises.
static inline TideForeign *foreign_at(lua_State *L, TideState *state, int index) {
  TideForeign *foreign = lua_touserdata(L, index);
  if (!foreign || lua_rawlen(L, index) != sizeof *foreign) return NULL;
  return foreign->state == state ? foreign : NULL;
}

// memory.c
void *memory_allocate(void *state, void *block, size_t old, size_t size);
/// Pushes text that is short enough not to raise; false when it is not.
bool text_push_quietly(lua_State *L, TideState *state, const char *text, size_t count);

/// Charges for a text that a slot is about to hold; raises where that is too much.
void memory_admit_text(lua_State *L, TideState *state, size_t count);
/// Whether there is memory for the host's copy of a text, with those that it gathers.
bool memory_admits_copy(TideState *state, size_t count);
/// Texts up to here are charged with their slots.
enum { SHORT_TEXT = 64 };

// clock.c
extern _Thread_local ThreadClock thread_clock;
/// What a turn's beginning takes when the timer stands still or steps are counted.
void clock_start(TideState *state);
/// Forgets that a turn was stopped.
void clock_reset(TideState *state);
/// Sets the hook that a coroutine has while nothing is to be stopped: mostly none.
void clock_idle(lua_State *L, TideState *state);
/// Sets the hook that stops a coroutine.
void clock_stop(lua_State *L);
/// Sets the hook that a coroutine needs which is about to run, if any.
void clock_prepare_hook(lua_State *L, TideState *state);
static inline void clock_prepare(lua_State *L, TideState *state) {
  if (unlikely(state->budget.expired || state->budget.limits.countsSteps)) clock_prepare_hook(L, state);
}
bool clock_is_late(TideState *state);

// files.c
/// Closes every open file and ends every program of a state. Lua is not asked, and its userdata of
/// files must not be used any more.
void files_close_all(TideState *state);

// coverage.c
/// Counts a line that is about to run.
void coverage_note(lua_State *L, TideState *state, lua_Debug *record);
void coverage_free(TideState *state);

// escape.c, most of it for the signal handler
/// The word of a coroutine that holds its innermost protected call.
extern size_t escape_word;
void escape_install(void);
/// Lets the error that is about to be raised pass by all protected calls but the outermost one that
/// Swift's frames allow.
void escape_handlers(lua_State *L, const TideState *state);
/// Finds out how to tell where an error would land; to be called in a protected call that was made
/// from the machine's stack frame `start`.
void escape_learn(lua_State *L, const void *start);
/// Where an error would land, or NULL.
static inline const void *escape_landing(lua_State *L) {
  return ((const void *const *)L)[escape_word];
}
/// Whether a turn that is over goes on nevertheless, and can be left from here.
bool escape_is_due(TideState *state, const void *context);
/// Leaves whatever the interpreter is doing, for the innermost protected call.
_Noreturn void escape(TideState *state, const void *context);

// owners.c
/// Calls the function that it stands in for.
int owned_call(lua_State *L);
void owned_resolve(lua_State *L);
/// Whether an object that Lua has let go of is in use, and what belongs to it with it.
bool owner_lives_on(lua_State *L, TideState *state, TideBox *box);

// state.c
/// Opens a frame: the running coroutine, with the frame's top noted, or NULL when closed.
lua_State *state_enter(TideState *state, TideFrame *frame);
void state_end_turn(TideState *state);
static inline void state_begin_turn(TideState *state);
static inline void state_leave(TideState *state) {
  if (--state->depth) return;
  struct TideState *outer = state->outer;
  thread_clock.running = outer;
  if (unlikely(outer || state->chores)) state_end_turn(state);
}
/// Pushes the private table; never raises.
static inline void private_push(lua_State *L, TideState *state) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->privateIndex);
}
/// Pushes an entry of the private table; never raises.
static inline int private_get(lua_State *L, TideState *state, int entry) {
  private_push(L, state);
  int type = lua_rawgeti(L, -1, entry);
  lua_copy(L, -1, -2);
  lua_pop(L, 1);
  return type;
}
/// Calls the function that lies below its arguments, under protection, as the innermost call from
/// Swift.
int state_call(TideState *state, lua_State *L, int arguments, int results, int handler);
/// Runs a function of ours under protection, with `request` as its only argument; whatever it
/// leaves on the stack are the frame's results.
int32_t state_protect(TideState *state, lua_State *L, lua_CFunction body, void *request,
                      TideFrame *frame);

// held.c
/// Makes room for one more.
bool held_reserve(TideState *state);
/// Notes a retained object that Lua is to keep alive, for which there is room; gives its number.
uint32_t held_add(TideState *state, void *object);
/// Notes that Lua has let go of one.
void held_drop(TideState *state, uint32_t number);
void held_release_dropped(TideState *state);
/// Lets go of all, when the interpreter is gone.
void held_drop_all(TideState *state);
void held_free(TideState *state);

// references.c
/// Takes the value on top of the stack and keeps it; may raise.
uint32_t reference_take(lua_State *L, TideState *state);
void reference_push(lua_State *L, TideState *state, uint32_t reference);
void reference_free(TideState *state, lua_State *L, uint32_t reference);
void references_free_dropped(TideState *state, lua_State *L);
static inline void references_drain(TideState *state, lua_State *L) {
  if (unlikely(atomic_load_explicit(&state->pool.count, memory_order_relaxed)))
    references_free_dropped(state, L);
}
static inline void state_begin_turn(TideState *state) {
  state->turn++;
  state->outer = thread_clock.running;
  thread_clock.running = state;
  atomic_store_explicit(&state->interrupted, false, memory_order_relaxed);
  if (unlikely(!thread_clock.isWatched || state->budget.limits.countsSteps)) clock_start(state);
  references_drain(state, state->main);
}

// addresses.c
enum { ADDRESS_TEXT = 20 };
/// Writes that number and gives the text.
const char *address_write(const void *address, char text[ADDRESS_TEXT]);

// values.c
/// Pushes a value; may raise.
void value_push(lua_State *L, TideState *state, const TideValue *value);
/// Pushes a value if that cannot raise. `cache` is the stack index of the cache table, or 0.
bool value_push_quietly(lua_State *L, TideState *state, const TideValue *value, int cache);
/// Reads what needs no reference; false for a table, function, thread or other userdata, whose tag
/// is set all the same.
bool value_peek(lua_State *L, TideState *state, int index, TideValue *value);
/// Whether the host may copy it.
static inline bool value_fits(TideState *state, const TideValue *value) {
  return value->tag != TIDE_LUA_TEXT || (value->count < 4096 && !state->gathering) ||
         memory_admits_copy(state, value->count);
}
/// Reads anything; may raise.
void value_read(lua_State *L, TideState *state, int index, TideValue *value);

// functions.c
void functions_open(lua_State *L, TideState *state);
TideForeign *foreign_new(lua_State *L, TideState *state, void *object, int metatable,
                         int userValues);
void call_begin(TideCall *call, TideState *state, lua_State *L);
/// Pushes results, raises or yields, as the status says.
int call_end(lua_State *L, TideCall *call, int32_t status);
void blocks_free(TideState *state, TideBlock *until);

// errors.c
/// Raises the state's pending error as an error object.
int error_raise_pending(lua_State *L, TideState *state);
/// Raises what the host throws at the wait that ends here.
int error_throw_in(lua_State *L, TideState *state);
/// A message handler: notes place and traceback, allocates nothing.
int error_handler(lua_State *L);
void error_note(TideState *state, lua_State *L, int index);
void errors_open(lua_State *L, TideState *state);
/// Adds the metamethods of error objects to the metatable on top.
void error_methods(lua_State *L);
void error_note_syntax(TideState *state, const char *message, size_t count);
TideForeign *error_at(lua_State *L, TideState *state, int index);

// threads.c
/// How many coroutines may be closed inside of each other's closing.
enum { DEEPEST_CLOSE = 8 };
/// Resumes with the arguments on top of `co`; `fromHost` says that the host goes on with a wait.
int coroutine_run(lua_State *L, lua_State *co, int arguments, int *results, bool fromHost);
/// Makes what stands in for the main coroutine where scripts may hold it.
void coroutines_make_main(lua_State *L);
/// Closes what a coroutine left open; never raises.
int coroutine_reset(lua_State *L, lua_State *co);
/// Leaves the error of a failed coroutine on L, and closes what it left open unless its turn was stopped.
void coroutine_fail(TideState *state, lua_State *L, lua_State *co, int status, TideFrame *frame);

// methods.c
/// What a script's method is to Lua; its function is upvalue 1.
int method_call(lua_State *L);
void batch_settle(lua_State *L, TideState *state, uint32_t depth);
void batch_settle_later(TideState *state, uint32_t depth);
void batch_settle_now(TideState *state);
/// Goes back to so many open batches, and settles where none is left.
static inline void batch_return(lua_State *L, TideState *state, uint32_t depth) {
  if (unlikely(*state->batch != depth)) batch_settle(L, state, depth);
}
/// The same where an error is still to be read.
static inline void batch_return_failed(TideState *state, uint32_t depth) {
  if (*state->batch != depth) batch_settle_later(state, depth);
}

// listeners.c
/// Calls the script's function that observes a slot, where that is all that is to be done; false:
/// the graph must be told. `functions` is the stack index of the private table. May raise.
bool listener_notify(lua_State *L, TideState *state, TideSlot *slot, int functions);

// loading.c
typedef struct Compiled {
  char *bytes;
  size_t count, capacity;
} Compiled;

/// Compiles text to bytes as `lua_dump` writes them, which the caller frees whatever the status.
int32_t chunk_compile(TideState *state, lua_State *L, const char *text, size_t count,
                      const char *name, Compiled *compiled, TideFrame *frame);

// sandbox.c
bool sandbox_is_sealed(lua_State *L, int index);
void sandbox_open(lua_State *L, TideState *state, const TideLibrary *library);
/// Replaces the table on top by an empty one that reads through and refuses writes.
void sandbox_seal(lua_State *L, const char *name);

// objects.c, classes.c, properties.c, texts.c
void object_push(lua_State *L, TideState *state, TideSlot *header, int cache);
void object_push_given(lua_State *L, TideState *state, TideSlot *header);
bool object_push_known(lua_State *L, TideState *state, TideSlot *header, int cache);
TideClass *class_find(const TideState *state, uint32_t number);
/// The property that a key over forty bytes names, or 0.
uint32_t class_find_long(const TideClass *class, lua_State *L, int index);
static inline uint32_t address_hash(const void *address) {
  uintptr_t bits = (uintptr_t)address;
  return (uint32_t)((bits >> 4) ^ (bits >> 11));
}
/// The property that the key at the index names, from 1, or 0.
static inline uint32_t class_property(const TideClass *class, lua_State *L, int index) {
  const void *address = lua_topointer(L, index);
  const TideKey *keys = class->keys;
  for (uint32_t at = address_hash(address) & class->mask; likely(keys[at].string != NULL);
       at = (at + 1) & class->mask)
    if (likely(keys[at].string == address)) return keys[at].property;
  return unlikely(class->longCount) ? class_find_long(class, L, index) : 0;
}
/// Where the class's keys are anchored; its two metatables follow.
static inline lua_Integer class_entry(const TideClass *class) {
  return (lua_Integer)class->number * 3 + 1;
}
/// The class of an object's userdata after it was finalized.
extern TideClass class_gone;
/// Frees a class that is retired when no userdata is left.
void class_drop(TideClass *class);
/// Pushes a new metatable of data objects, without what belongs to the class.
void object_push_metatable(lua_State *L, bool owned);
void classes_free(TideState *state);
/// The methods of Lua's side of a data object; upvalue 1 is the cache, 2 the class's methods, or for
/// `__newindex` the private table.
int property_index(lua_State *L);
int property_newindex(lua_State *L);
/// Pushes the value that a slot holds; may raise. Here and below `cache` is the stack index of the
/// cache table.
void slot_push(lua_State *L, TideState *state, TideSlot *slot, int cache);
bool slot_push_quietly(lua_State *L, TideState *state, const TideSlot *slot, int cache);
/// Stores the value at the index: 1 changed, 0 the same, -1 the host must do it; may raise.
int slot_store(lua_State *L, TideState *state, TideSlot *slot, int index, int cache);
/// The same where it cannot raise; -2 where it could.
int slot_store_quietly(lua_State *L, TideState *state, TideSlot *slot, int index);
/// Marks a slot's cache number whose entry no longer equals the slot's text.
enum { CACHE_STALE = 1u << 31 };
/// The table index that a slot's cache number stands for; 0: none of this state's, or a stale one.
static inline uint32_t cache_index(const TideState *state, uint32_t number) {
  uint32_t index = number - state->cacheBase;
  return index - 1 < state->cacheCount ? index : 0;
}
/// Pushes an entry of the cache table, which lies at the stack index `cache` if that is not 0;
/// never raises.
static inline void cache_get(lua_State *L, TideState *state, int cache, uint32_t index) {
  if (likely(cache != 0)) {
    lua_rawgeti(L, cache, index);
    return;
  }
  private_get(L, state, PRIVATE_CACHE);
  lua_rawgeti(L, -1, index);
  lua_copy(L, -1, -2);
  lua_pop(L, 1);
}
/// Finds a free cache index; 0 when there is none.
uint32_t cache_take(TideState *state);
void cache_attach(TideState *state, TideArena *arena);
void cache_clear_dead(TideState *state);
/// Pushes the text of a slot and caches it; may raise.
void text_push(lua_State *L, TideState *state, TideSlot *slot, int cache);
/// Keeps the string at the index as the slot's cached text; pops it if it is on top. May raise.
void text_remember(lua_State *L, TideState *state, TideSlot *slot, int index, int cache);
