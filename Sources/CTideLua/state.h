// The parts of a state. The functions for each part are declared in the header of that name. Only
// files of the shim include these headers, and with them Lua's API.
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "CTideLua.h"
#include "TideBorder.h"
#include "TideHistory.h"
#include "heap.h"

/// The current or last turn. The signal handler and the watchdog access it as well (clock.c,
/// watchdog.c).
typedef struct TideTurn {
  volatile sig_atomic_t chores;  // the end of the turn has additional work
  volatile uint64_t number;      // counts turns
  _Atomic(uint64_t) seen;        // the last turn for which a deadline was set
  _Atomic(uint64_t) deadline;    // the deadline of that turn
  _Atomic(bool) isInterrupted;
  TideState *volatile outer;  // a state whose turn is suspended by this one's
  uint64_t noted;             // the last turn whose stop was recorded with its location
  uint64_t overdueSince;      // the thread's time when it was first found to be overdue
} TideTurn;

/// The memory that Lua has allocated, and the engine on behalf of scripts (memory.c).
typedef struct TideMemory {
  TideHeap heap;
  uint64_t used, peak;
  uint64_t granted;    // the bytes of all requests so far, for measurements
  uint64_t engine;     // the engine's bytes when last measured, plus charges since
  uint64_t debt;       // charged, but not yet added to `engine`
  uint64_t leastIdle;  // the fewest free bytes of malloc since it returned some
  const uint64_t *lent;  // another allocator's count of the state's bytes; or NULL
  uint64_t gathered;   // bytes that the host has gathered for texts
  uint32_t gathering;  // nested gatherings
  const int64_t *inFlight;  // bytes in transfer to scripts, counted by all threads; or NULL
  bool isIndulgent;    // requests are granted regardless of the limit
  // For tests.
  bool refusesForever, refusesRetry;
  uint64_t allocations, refuseAt;
} TideMemory;

/// The guards against the interpreter's bugs (guards.c).
typedef struct TideGuards {
  struct Shared *shared;           // the state that the interpreter's coroutines share
  const int64_t *collectorDebt;    // bytes allocated since the collector's last step
  const uint8_t *isCollecting;
  const struct Table *metatables;  // those that scripts can reach, as keys; NULL without guards
  const void *latest;              // the last recorded one, while it exists
  int64_t debt;                    // the expected `collectorDebt`, unless it made a step
  bool areStrong;                  // the collector treats them as strong
  bool hasHeldStack;               // the last refused request was for a new stack
} TideGuards;

/// A coroutine of the stock (tasks.c), and the reference that retains it.
typedef struct TideCoroutine {
  lua_State *thread;
  uint32_t reference;
} TideCoroutine;
/// The maximum number of coroutines kept for reuse.
enum { MOST_STOCK = 8 };

/// A coroutine that has resumed another one.
typedef struct TideResumer {
  lua_State *thread;
  const struct TideResumer *outer;
} TideResumer;

/// The coroutines of scripts (coroutines.c).
typedef struct TideCoroutines {
  lua_State *mainStandIn;  // stands for the main coroutine in scripts
  const TideResumer *resumer;  // the one that has resumed the running one
  lua_State *deriving;     // the innermost one that computes a derived value (derive.c)
  TideSlot *wanted;        // the slot that it waits for when it yields
  uint64_t stretch;        // the number of the current resumption; 0 outside of coroutines
  uint64_t stretches;      // the number of resumptions so far
  uint32_t closing;        // the nesting of coroutine.close
  bool hasLeft;            // a stopped coroutine has just been abandoned
  bool canSuspend;         // the host drives the running one and all its resumers
  uint32_t concatenating;  // the nesting of `__concat` calls (concat.c)
  bool isSuspended;        // the last yield came from a callback, for the host
  uint32_t stockCount;
  TideCoroutine stock[MOST_STOCK];  // coroutines that have returned
} TideCoroutines;

/// The graph's open batches (batches.c).
typedef struct TideBatches {
  uint32_t *open;    // the number of open batches
  uint32_t base;     // that number at the running coroutine's last resumption
  uint32_t none;     // stands in for `open` without a graph
  bool isUnsettled;  // a failed call closed the last one; its frame will settle
} TideBatches;

/// References that Swift has dropped on any thread.
typedef struct TidePool {
  pthread_mutex_t lock;
  _Atomic(uint32_t) count;  // read without the lock to skip an empty pool
  uint32_t capacity;
  uint32_t *dropped;
  bool isClosed;
} TidePool;

/// Lua values that Swift retains (references.c).
typedef struct TideReferences {
  TidePool pool;
  uint32_t top;  // the highest index in use
  uint32_t count;
  uint32_t freeCount, freeCapacity;
  uint32_t *free;
} TideReferences;

/// Swift objects that Lua keeps alive (held.c).
typedef struct TideHeld {
  void **objects;
  uint32_t *dropped;
  uint32_t capacity, firstFree, droppedCount;
} TideHeld;

/// The error of the callback that has just failed, until it becomes an error object (errors.c).
typedef struct TidePending {
  void *error;
  char *message;
  size_t count;
  bool hasLocation;
  bool throws;  // the host resumes a wait, which then throws the error
  bool raises;  // the host resumes a wait, which then raises its value
} TidePending;

/// The last error, recorded while its stack existed (errors.c).
typedef struct TideTrace {
  int32_t line, column;
  int32_t prefixCount;
  size_t sourceCount, tracebackCount;
  char source[1024];
  char traceback[4096];
} TideTrace;

/// Memory for a callback's results until Lua has copied them (functions.c).
typedef struct TideBlock {
  struct TideBlock *next;
  char bytes[];
} TideBlock;

/// Scripts' functions that observe a slot (listeners.c), counted from 1.
typedef struct TideListeners {
  struct TideListener *entries;
  uint32_t count, capacity, free;
} TideListeners;

/// Classes of data objects by their numbers (classes.c).
typedef struct TideClasses {
  struct TideClass **entries;
  uint32_t capacity;
} TideClasses;

/// The numbers of cached strings and data objects (texts.c).
typedef struct TideCache {
  TideArena *arena;
  uint32_t base;         // slots' cache numbers start after this
  uint32_t count;        // the numbers assigned so far
  uint32_t clearedDead;  // entries of the arena's dead list whose strings are cleared
} TideCache;

/// The permissions of scripts outside of the interpreter, and their open files (access.c, files.c).
typedef struct TideOutside {
  struct TideAllowance *allowances;
  struct TideFiles *files;
  uint32_t fileCount;
  bool namesFlags;  // refusals name the program's flag instead of the host
} TideOutside;

struct TideState {
  TideBudget budget;  // first, where the library finds it
  TideTurn turn;
  lua_State *main;              // NULL once closed
  lua_State *volatile current;  // the running coroutine; the signal handler sets its hook
  // Calls.
  pthread_t user;       // the thread of the open frames
  uint32_t depth;       // open frames and turns
  uint32_t callbacks;   // Swift frames between Lua frames; every call of Swift is counted
  TideCall *outermost;    // the outermost of them, if a script called it
  uint32_t guarded;     // `callbacks` when the innermost protected call began
  const void *landing;  // the innermost error handler before that call (escape.c)
  // The number of bytes printed, and the second in which they were printed.
  uint64_t printed;
  uint64_t printedIn;
  // The host's identity and hooks, and the end of the state.
  TideHost host;
  TideObjectHooks hooks;
  _Atomic(uint32_t) owners;
  bool wantsClose;
  bool isGivenUp;    // an operation was abandoned; the state closes with the turn
  int privateIndex;  // the private table's index in the registry
  bool hasReplacedMetatables;  // a table that had a metatable got another, or none (metatables.c)

  TideBatches batches;
  TideCoroutines coroutines;
  TideMemory memory;
  TideGuards guards;
  TideReferences references;
  TideHeld held;
  TidePending pending;
  TideBlock *blocks;
  TideCache cache;
  TideClasses classes;
  TideListeners listeners;
  TideOutside outside;
  struct TideLocations *locations;      // lines that write
  struct TideCoverage *coverage;  // lines that have run; NULL unless requested
  TideTrace trace;
};

_Static_assert(offsetof(TideState, budget) == 0, "where budget_of looks");

static inline TideState *state_of(lua_State *L) { return *(TideState **)lua_getextraspace(L); }

/// Closes an interpreter that is not running.
void state_close_now(TideState *state);

// MARK: The private table

/// Entries of the private table, which scripts cannot reach. References follow them.
enum {
  PRIVATE_CACHE = 1,       // weak values: cached strings and data objects' userdata, by number
  PRIVATE_CLASSES,         // an anchor for each class: its metatable
  PRIVATE_METHODS,         // each class's table of methods
  PRIVATE_USERDATA,        // weak values: userdata by the Swift object's address
  PRIVATE_OWNERS,          // weak keys: the functions of owners' contexts, by the owners' userdata
  PRIVATE_REPLACED,        // weak keys: the metatables of tables that had another one
  PRIVATE_METATABLES,      // weak keys: metatables that scripts can reach (guards.c)
  PRIVATE_FUNCTION_META,   // metatables of userdata that wrap Swift objects
  PRIVATE_ERROR_META,
  PRIVATE_OPAQUE_META,
  PRIVATE_LOOP_META,       // the metatable of loops, which holds their step
  PRIVATE_TIME_ERROR,      // made beforehand, so that stopping a turn needs no memory
  PRIVATE_INTERRUPT_ERROR,
  PRIVATE_MEMORY_ERROR,    // Lua's own error
  PRIVATE_MAIN,            // stands for the main coroutine in scripts
  PRIVATE_FIRST_REFERENCE,
};

/// Permanently used stack slots of the main coroutine.
enum { BASE_PRIVATE = 1, BASE_HANDLER = 2, BASE_CACHE = 3, BASE_HEIGHT = 3 };
/// The minimum number of the main coroutine's slots while it runs no function.
enum { BASE_ROOM = 80 };

/// Pushes the private table; never raises an error.
static inline void private_push(lua_State *L, TideState *state) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, state->privateIndex);
}
/// Pushes an entry of the private table; never raises an error.
static inline int private_get(lua_State *L, TideState *state, int entry) {
  private_push(L, state);
  int type = lua_rawgeti(L, -1, entry);
  lua_copy(L, -1, -2);
  lua_pop(L, 1);
  return type;
}

