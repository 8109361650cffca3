#include "escape.h"
#include "frames.h"
#include "functions.h"
#include "guards.h"
#include "held.h"
#include "memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

// The limit applies to Lua's allocations and to the memory that scripts make the engine hold, such
// as the strings of properties. The engine's memory is not tracked by each release. Instead,
// everything that may add to it is charged, and once the sum exceeds the limit, the engine measures
// the actual amount. So a write costs nothing extra, and releases need not be reported.

enum {
  FEW_PAGES = 64,    // free pages that do not count as held
  QUIET = 1024,      // bytes that `indulgent` grants
  SHORT = 64 << 10,  // bytes granted to code that stops a turn
  LONGEST_INTERNED = 40,
  CHARGES_AT_ONCE = 256 << 10,
  MOST_RESERVE = 4 << 20,
  MOST_IDLE = 512 << 10,  // free bytes that the system's allocator may keep near the limit
  OPEN_LIST = 4 << 10,
  OPEN_FILE = 16 << 10
};

// After a refused request, Lua collects all garbage and requests again. A test that refuses one
// request also refuses the second attempt.
static bool is_refused(TideState *state) {
  TideMemory *memory = &state->memory;
  if (memory->refusesRetry) {
    memory->refusesRetry = false;
    return true;
  }
  if (!memory->refuseAt || ++memory->allocations < memory->refuseAt) return false;
  if (!memory->refusesForever) {
    memory->refuseAt = 0;
    memory->refusesRetry = true;
  }
  return true;
}

/// Returns memory that the system's allocator caches: it counts as free and yet uses the machine's
/// memory. Short-lived strings may leave holes of several megabytes.
static void trim_allocator(TideState *state) {
#ifdef __GLIBC__
  uint64_t idle = mallinfo2().fordblks;
  if (idle < state->memory.leastIdle) state->memory.leastIdle = idle;
  // Returned memory counts as free until it is used again.
  if (idle < state->memory.leastIdle + MOST_IDLE) return;
  malloc_trim(0);
  state->memory.leastIdle = idle;
#endif
}

static void measure(TideState *state) {
  trim_allocator(state);
  if (state->memory.heap.idlePages > FEW_PAGES) heap_trim(&state->memory.heap);
  state->memory.debt = 0;
  state->memory.engine = 0;
  if (state->hooks.measure) state->memory.engine = state->hooks.measure(state->hooks.context);
}

/// The system's memory for open files and programs: buffers, and a record for each.
static uint64_t open_bytes(const TideState *state) {
  return state->outside.fileCount ? OPEN_LIST + (uint64_t)state->outside.fileCount * OPEN_FILE : 0;
}

/// The memory of free pages, except for a few that are likely to be reused soon.
static uint64_t idle_bytes(const TideState *state) {
  uint32_t idle = state->memory.heap.idlePages;
  return idle > FEW_PAGES ? (uint64_t)(idle - FEW_PAGES) * HEAP_PAGE : 0;
}

/// The memory that another allocator has allocated for the state, on any thread.
static uint64_t lent_bytes(const TideState *state) {
  return state->memory.lent ? __atomic_load_n(state->memory.lent, __ATOMIC_RELAXED) : 0;
}

/// Bytes that are reserved for data on its way to scripts.
static uint64_t bytes_in_flight(const TideState *state) {
  const int64_t *bytes = state->memory.inFlight;
  return bytes ? (uint64_t)__atomic_load_n(bytes, __ATOMIC_RELAXED) : 0;
}

/// The bytes that count towards the limit except those in flight, by the latest estimate.
static uint64_t settled_bytes(const TideState *state) {
  const TideMemory *memory = &state->memory;
  return memory->used + memory->engine + memory->gathered + idle_bytes(state) +
         open_bytes(state) + lent_bytes(state);
}

/// The bytes that count towards the limit, by the latest estimate.
static uint64_t counted_bytes(const TideState *state) {
  return settled_bytes(state) + bytes_in_flight(state);
}

/// Whether additional bytes would exceed the limit.
static bool passes_limit(const TideState *state, uint64_t more) {
  uint64_t limit = state->budget.limits.memory;
  return limit && counted_bytes(state) + more > limit;
}

/// The reserve that the engine leaves for Lua.
static uint64_t charge_reserve(const TideState *state) {
  uint64_t reserve = state->budget.limits.memory / 16;
  return reserve < MOST_RESERVE ? reserve : MOST_RESERVE;
}

/// Whether additional bytes of the engine would exceed the limit minus the reserve for Lua. With
/// the reserve, a script that has used up the engine's memory can still catch the error and
/// recover.
static bool passes_charge(const TideState *state, uint64_t more) {
  return passes_limit(state, more + charge_reserve(state));
}

static bool has_room(TideState *state, uint64_t more) {
  // Only an outdated estimate can be corrected.
  if (!state->memory.engine || !state->main) return false;
  measure(state);
  return !passes_limit(state, more);
}

// MARK: Lua's allocations

/// Whether a refusal would be pointless. An expired turn has no time for a collection. A coroutine
/// that is being closed reallocates its stack outside of any protected call, so nothing would catch
/// the error.
static bool is_ending(const TideState *state) {
  return state->budget.expired || (state->coroutines.closing && !escape_landing(state->current));
}

/// Whether a request that seems to exceed the limit is granted after all. A refusal makes Lua
/// collect all garbage and request again, which takes longer than a turn may overrun. So the few
/// bytes that are needed to end are granted.
static bool may_pass(TideState *state, size_t more) {
  if (state->memory.heap.idlePages > FEW_PAGES) {
    heap_trim(&state->memory.heap);
    if (!passes_limit(state, more)) return true;
  }
  return (more <= SHORT && is_ending(state)) || has_room(state, more);
}

static inline __attribute__((always_inline)) void *allocate(TideState *state, void *block, size_t old, size_t size) {
  if (!block) old = 0;
  if (size == 0) {
    state->memory.used -= old;
    if (likely(old - 1 < LONGEST_SMALL))
      heap_give_small(&state->memory.heap, block);
    else if (block)
      heap_resize(&state->memory.heap, block, old, 0);
    return NULL;
  }
  if (size > old && !(state->memory.isIndulgent && size <= QUIET)) {
    if (unlikely(passes_limit(state, size - old)) && !may_pass(state, size - old)) return NULL;
    bool mayRefuse = state->memory.refuseAt || state->memory.refusesRetry;
    if (unlikely(mayRefuse) && is_refused(state)) return NULL;
  }
  void *moved;
  if (!block && size <= LONGEST_SMALL)
    moved = heap_take_small(&state->memory.heap, size);
  else
    moved = heap_resize(&state->memory.heap, block, old, size);
  if (unlikely(!moved)) return NULL;
  state->memory.used += size - old;
  if (size > old) state->memory.granted += size - old;
  if (state->memory.used > state->memory.peak) state->memory.peak = state->memory.used;
  return moved;
}

void *memory_allocate(void *state, void *block, size_t old, size_t size) {
  return allocate(state, block, old, size);
}

void *memory_allocate_guarded(void *context, void *block, size_t old, size_t size) {
  TideState *state = context;
  if (size == 0) {
    guards_note_freed(state, block, old);
    return allocate(state, block, old, 0);
  }
  bool isAdmitted = guards_admit(state, block, old, size);
  void *moved = likely(isAdmitted) ? allocate(state, block, old, size) : NULL;
  if (likely(moved != NULL)) {
    state->guards.debt += (int64_t)size - (block ? (int64_t)old : 0);
    return moved;
  }
  state->guards.hasHeldStack = !isAdmitted;
  // Lua now collects garbage and repeats the request.
  guards_make_metatables_strong(state);
  return NULL;
}

// A buffer of the auxiliary library raises an error at once if memory runs out, without a garbage
// collection by Lua.
void memory_make_room(lua_State *L, size_t bytes) {
  TideState *state = state_of(L);
  uint64_t limit = state->budget.limits.memory;
  // The buffer, and the string that is created from it.
  if (unlikely(limit && bytes > limit / 64 && state->memory.used + 2 * (uint64_t)bytes > limit))
    if (guards_admit_collection(state)) lua_gc(L, LUA_GCCOLLECT);
}

// Interning a short string takes one small allocation, which may exceed the limit and for which a
// page is reserved. So it cannot raise an error and needs no protected call.
bool memory_push_text(lua_State *L, TideState *state, const char *text, size_t count) {
  if (count > LONGEST_INTERNED) return false;
  if (unlikely(!heap_reserve(&state->memory.heap))) return false;
  state->memory.isIndulgent = true;
  lua_pushlstring(L, text, count);
  state->memory.isIndulgent = false;
  return true;
}

/// Collects garbage and releases what Swift and the collector have dropped, unless a running
/// callback has set results, which may be among it.
static void collect(lua_State *L, TideState *state, uint64_t charged) {
  if (!guards_admit_collection(state)) return;
  if (charged)
    lua_gc(L, LUA_GCSTEP, (int)(charged >> 12));
  else
    lua_gc(L, LUA_GCCOLLECT, 0);
  if (state->callbacks > 1 || (state->outermost && state->outermost->results)) return;
  references_drain(L, state);
  held_release_dropped(state);
}

/// Measures, and returns whether there is room for bytes that have not been allocated yet.
static bool has_measured_room(TideState *state, uint64_t bytes) {
  measure(state);
  if (passes_charge(state, bytes)) return false;
  state->memory.debt = bytes;
  return true;
}

static bool settle_charges(TideState *state, uint64_t bytes) {
  lua_State *L = state->current;
  uint64_t charged = state->memory.debt < INT32_MAX ? state->memory.debt : INT32_MAX;
  state->memory.engine += state->memory.debt;
  state->memory.debt = 0;
  if (!L) return true;
  // The engine's memory for objects that scripts have dropped is only freed by a collection. The
  // collection is due as if Lua itself had allocated much of that memory.
  collect(L, state, charged);
  // The estimate includes the requested bytes; the measured amount does not.
  if (!passes_charge(state, 0) || has_measured_room(state, bytes)) return true;
  collect(L, state, 0);
  return has_measured_room(state, bytes);
}

bool tide_memory_charge(TideState *state, uint64_t bytes) {
  if (unlikely(!state->hooks.measure)) return true;
  state->memory.debt += bytes;
  if (likely(state->memory.debt < CHARGES_AT_ONCE)) return true;
  uint64_t limit = state->budget.limits.memory;
  if (limit && bytes > limit) {
    state->memory.debt -= bytes;
    return false;
  }
  return settle_charges(state, bytes);
}

bool tide_memory_note(TideState *state, uint64_t bytes) {
  if (unlikely(!state->hooks.measure)) return true;
  state->memory.debt += bytes;
  if (likely(!passes_charge(state, state->memory.debt))) return true;
  return has_measured_room(state, bytes);
}

void tide_memory_owe(TideState *state, uint64_t bytes) {
  if (state->hooks.measure) state->memory.debt += bytes;
}

void memory_admit_text(lua_State *L, TideState *state, size_t count) {
  uint64_t most = state->budget.limits.valueBytes;
  if (unlikely(most && count > most))
    luaL_error(L, "a text of %I bytes is longer than a property may hold, which is %I; raise the "
               "limit \"value\" if that is intended", (LUAI_UACINT)count, (LUAI_UACINT)most);
  // Nothing is released here, because that might be the very object whose property this is. The
  // engine's next call does it.
  if (unlikely(!tide_memory_note(state, count))) luaL_error(L, "not enough memory");
}

// A table can reference one string a hundred times, and Swift copies the string for each reference.
// The copies of one conversion are therefore added up, and long copies always count.
bool memory_admits_copy(TideState *state, size_t count) {
  enum { LONG = 64 << 10 };
  if (state->memory.gathered + count < LONG && state->memory.gathering) {
    state->memory.gathered += count;
    return true;
  }
  if (passes_charge(state, state->memory.debt + count)) {
    measure(state);
    if (passes_charge(state, count)) return false;
  }
  if (state->memory.gathering) state->memory.gathered += count;
  return true;
}

uint64_t tide_gather_begin(TideState *state) {
  state->memory.gathering++;
  return state->memory.gathered;
}

void tide_gather_end(TideState *state, uint64_t before) {
  state->memory.gathering--;
  state->memory.gathered = before;
}

void tide_gather_note(TideState *state, uint64_t bytes) { state->memory.gathered += bytes; }

bool tide_memory_fits(TideState *state, uint64_t bytes) {
  return memory_admits_copy(state, bytes);
}

uint64_t tide_memory_held(TideState *state) {
  if (state->main) measure(state);
  return state->memory.used + state->memory.engine + open_bytes(state) + bytes_in_flight(state) +
         lent_bytes(state);
}

void tide_memory_follow(TideState *state, const void *inFlight) {
  state->memory.inFlight = inFlight;
}

uint64_t tide_memory_settled(const TideState *state) {
  return settled_bytes(state) + state->memory.debt + charge_reserve(state);
}

void tide_memory_count(TideState *state, const uint64_t *bytes) { state->memory.lent = bytes; }

static uint64_t room(const TideState *state) {
  uint64_t limit = state->budget.limits.memory;
  uint64_t taken = counted_bytes(state) + state->memory.debt + charge_reserve(state);
  return taken < limit ? limit - taken : 0;
}

uint64_t tide_memory_room(TideState *state) {
  uint64_t limit = state->budget.limits.memory;
  if (!limit) return UINT64_MAX / 2;
  uint64_t found = room(state);
  // Only an outdated estimate can be corrected.
  if (found >= limit / 4 || !state->main || !(state->memory.engine + state->memory.debt))
    return found;
  measure(state);
  return room(state);
}

uint64_t tide_memory_used(const TideState *state) { return state->memory.used; }
uint64_t tide_memory_peak(const TideState *state) { return state->memory.peak; }

void tide_memory_set_limit(TideState *state, uint64_t bytes) {
  state->budget.limits.memory = bytes;
}

uint64_t tide_memory_shortage(const TideState *state, uint64_t bytes) {
  if (!passes_charge(state, bytes)) return 0;
  return counted_bytes(state) + bytes + charge_reserve(state) - state->budget.limits.memory;
}

void tide_memory_refuse(TideState *state, uint64_t allocation, bool forever) {
  state->memory.allocations = 0;
  state->memory.refuseAt = allocation;
  state->memory.refusesForever = forever;
  state->memory.refusesRetry = false;
}

const uint64_t *tide_memory_granted(const TideState *state) { return &state->memory.granted; }
uint64_t tide_memory_allocations(const TideState *state) { return state->memory.allocations; }

void tide_memory_collect(TideState *state) {
  TideFrame frame;
  lua_State *L = frame_enter(state, &frame);
  if (L && guards_admit_collection(state)) lua_gc(L, LUA_GCCOLLECT, 0);
  tide_frame_end(state, &frame);
}

/// The size, in KiB, up to which a full collection takes at most a few milliseconds.
enum { SMALL_HEAP = 4096 };

bool memory_step(lua_State *L) {
  return guards_admit_collection(state_of(L)) && lua_gc(L, LUA_GCSTEP, 0);
}

void memory_collect(lua_State *L) {
  TideState *state = state_of(L);
  clock_look(L, &state->budget);
  if (!guards_admit_collection(state)) return;
  if (lua_gc(L, LUA_GCCOUNT) <= SMALL_HEAP)
    lua_gc(L, LUA_GCCOLLECT);
  else
    lua_gc(L, LUA_GCSTEP, 0);
  TideCall call;
  call_begin(&call, state, L);
  if (state->callbacks == 1) {
    references_drain(L, state);
    held_release_dropped(state);
  }
  call_end(L, &call, TIDE_OK);
}
