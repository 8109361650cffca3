#include "access.h"
#include "classes.h"
#include "clock.h"
#include "coroutines.h"
#include "coverage.h"
#include "errors.h"
#include "escape.h"
#include "files.h"
#include "guards.h"
#include "held.h"
#include "locations.h"
#include "loops.h"
#include "memory.h"
#include "sandbox.h"
#include "texts.h"

// A state is one interpreter with all its data.

static int panic(lua_State *L) {
  // Lua aborts the program anyway; none of our code runs unprotected.
  (void)L;
  return 0;
}

static void warn(void *context, const char *message, int continued) {
  TideState *state = context;
  state->callbacks++;
  state->host.warn(state->host.owner, message, strlen(message), continued != 0);
  state->callbacks--;
}

/// Counts the bytes printed within a second, because a host may keep all of them in a file or on a
/// screen.
static void charge_print(lua_State *L, TideState *state, size_t count) {
  uint64_t most = state->budget.limits.printedBytes, second = clock_now() / 1000000000u;
  if (!most) return;
  if (second != state->printedIn) {
    state->printedIn = second;
    state->printed = 0;
  }
  // Includes the end of the line.
  uint64_t total = state->printed + count + 1;
  if (unlikely(total > most))
    luaL_error(L, "more than %I bytes printed within a second; print less, or raise the limit "
                  "'printed'", (LUAI_UACINT)most);
  state->printed = total;
}

void host_print(lua_State *L, const char *text, size_t count) {
  TideState *state = state_of(L);
  charge_print(L, state, count);
  state->callbacks++;
  state->host.print(state->host.owner, text, count);
  state->callbacks--;
  clock_return(L, &state->budget);
}

typedef struct Opening {
  TideState *state;
  const TideLibrary *library;
  const void *frame;  // the machine's frame of the protected call's caller
} Opening;

static int open_everything(lua_State *L) {
  Opening *opening = lua_touserdata(L, 1);
  TideState *state = opening->state;
  escape_learn(L, opening->frame);
  lua_settop(L, 0);
  lua_createtable(L, 64, 0);
  lua_pushvalue(L, -1);
  state->privateIndex = luaL_ref(L, LUA_REGISTRYINDEX);

  lua_createtable(L, 64, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_pushvalue(L, -1);
  lua_setmetatable(L, -3);
  lua_createtable(L, 0, 0);
  lua_insert(L, -2);
  lua_setmetatable(L, -2);
  lua_rawseti(L, 1, PRIVATE_USERDATA);
  lua_rawseti(L, 1, PRIVATE_CACHE);
  for (int i = 0; i < 2; i++) {
    static const int entries[] = {PRIVATE_OWNERS, PRIVATE_REPLACED};
    lua_createtable(L, 0, 0);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, 1, entries[i]);
  }
  lua_createtable(L, 16, 0);
  lua_rawseti(L, 1, PRIVATE_CLASSES);
  lua_createtable(L, 16, 0);
  lua_rawseti(L, 1, PRIVATE_METHODS);

  guards_open(L);
  coroutines_make_main(L);
  errors_open(L);
  functions_open(L);
  loops_open(L);
  sandbox_open(L, state, opening->library);
  return 0;
}

static bool open_interpreter(TideState *state, const TideLibrary *library) {
  guards_leave(state);
  lua_State *L = lua_newstate(guards_allocator(), state);
  if (!L) return false;
  *(TideState **)lua_getextraspace(L) = state;
  state->main = state->current = L;
  lua_atpanic(L, panic);
  lua_setwarnf(L, warn, state);
  lua_gc(L, LUA_GCSTOP);
  if (!lua_checkstack(L, BASE_ROOM)) return false;
  Opening opening = {state, library, __builtin_frame_address(0)};
  lua_pushcfunction(L, open_everything);
  lua_pushlightuserdata(L, &opening);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) return false;
  private_push(L, state);
  lua_pushcfunction(L, error_handler);
  lua_rawgeti(L, BASE_PRIVATE, PRIVATE_CACHE);
  lua_gc(L, LUA_GCRESTART);
  return true;
}

// The watchdog may read a state while the state's own thread closes it (clock.c), so a state's
// memory is reused for other states but never freed. Its turn counter continues, so that an old
// turn is not mistaken for a new one.
static struct {
  pthread_mutex_t lock;
  TideState *unused;
} states = {.lock = PTHREAD_MUTEX_INITIALIZER};

static TideState *take_state(void) {
  pthread_mutex_lock(&states.lock);
  TideState *state = states.unused;
  if (state) states.unused = state->turn.outer;
  pthread_mutex_unlock(&states.lock);
  if (!state) return calloc(1, sizeof *state);
  uint64_t turn = state->turn.number;
  memset(state, 0, sizeof *state);
  state->turn.number = turn + 1;
  return state;
}

static void give_state(TideState *state) {
  pthread_mutex_lock(&states.lock);
  state->turn.outer = states.unused;
  states.unused = state;
  pthread_mutex_unlock(&states.lock);
}

TideState *tide_state_open(const TideConfiguration *configuration, const TideHost *host,
                           const TideLibrary *library) {
  TideState *state = take_state();
  if (!state) return NULL;
  state->budget.limits = *configuration;
  state->host = *host;
  state->guarded = UINT32_MAX;
  state->references.top = PRIVATE_FIRST_REFERENCE - 1;
  state->batches.open = &state->batches.none;
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  // The thread sanitizer delays signals until the next system call, which a loop may never make.
  state->budget.limits.countsSteps = true;
#endif
#endif
  pthread_mutex_init(&state->references.pool.lock, NULL);
  atomic_init(&state->owners, 1);
  if (open_interpreter(state, library)) return state;
  tide_state_close(state);
  tide_state_release(state);
  return NULL;
}

void state_close_now(TideState *state) {
  lua_State *L = state->main;
  if (!L) return;
  pthread_mutex_lock(&state->references.pool.lock);
  state->references.pool.isClosed = true;
  pthread_mutex_unlock(&state->references.pool.lock);
  state->main = state->current = NULL;
  state->coroutines.stockCount = 0;
  // No Swift code runs before the interpreter is closed. An interpreter that was abandoned in the
  // middle of an operation is never entered again.
  guards_leave(state);
  if (likely(!state->isGivenUp)) lua_close(L);
  files_close_all(state);
  heap_drop(&state->memory.heap);
  state->memory.used = 0;
  cache_attach(state, NULL);
  held_drop_all(state);
  if (state->pending.error) state->host.release(state->pending.error);
  state->pending.error = NULL;
  blocks_free(state, NULL);
  classes_free(state);
  locations_close(state);
  // The only field that calls check before they begin.
  state->turn.chores = 1;
}

void tide_state_close(TideState *state) {
  if (state->depth) {
    state->wantsClose = true;
    state->turn.chores = 1;
    return;
  }
  state_close_now(state);
}

void tide_state_retain(TideState *state) {
  atomic_fetch_add_explicit(&state->owners, 1, memory_order_relaxed);
}

void tide_state_release(TideState *state) {
  if (atomic_fetch_sub_explicit(&state->owners, 1, memory_order_acq_rel) != 1) return;
  pthread_mutex_destroy(&state->references.pool.lock);
  free(state->references.pool.dropped);
  free(state->pending.message);
  free(state->references.free);
  held_free(state);
  free(state->listeners.entries);
  access_close(state);
  coverage_free(state);
  give_state(state);
}

bool tide_state_is_open(const TideState *state) { return state->main && !state->wantsClose; }
bool tide_state_is_given_up(const TideState *state) { return state->isGivenUp; }
bool tide_state_is_running(const TideState *state) { return state->depth != 0; }
void *tide_state_owner(const TideState *state) { return state->host.owner; }

int32_t tide_state_height(TideState *state) {
  return state->current ? lua_gettop(state->current) : 0;
}
