#include "access.h"
#include "places.h"

// A state is one interpreter with everything around it. Every call from Swift opens a frame, which
// keeps the height of the Lua stack and counts the depth; the outermost frame is a turn.

static int panic(lua_State *L) {
  // Lua would abort the program anyway; nothing of ours runs unprotected.
  (void)L;
  return 0;
}

static void warn(void *context, const char *message, int continued) {
  TideState *state = context;
  state->callbacks++;
  state->host.warn(state->host.owner, message, strlen(message), continued != 0);
  state->callbacks--;
}

void host_print(lua_State *L, const char *text, size_t count) {
  TideState *state = state_of(L);
  state->callbacks++;
  state->host.print(state->host.owner, text, count);
  state->callbacks--;
  clock_return(L, &state->budget);
}

typedef struct Opening {
  TideState *state;
  const TideLibrary *library;
  const void *frame;  // the machine's, of who made the protected call
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
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 1);
  lua_pushliteral(L, "k");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_rawseti(L, 1, PRIVATE_OWNERS);
  lua_createtable(L, 16, 0);
  lua_rawseti(L, 1, PRIVATE_CLASSES);
  lua_createtable(L, 16, 0);
  lua_rawseti(L, 1, PRIVATE_METHODS);

  coroutines_make_main(L);
  errors_open(L, state);
  functions_open(L, state);
  sandbox_open(L, state, opening->library);
  return 0;
}

static bool open_interpreter(TideState *state, const TideLibrary *library) {
  lua_State *L = lua_newstate(memory_allocate, state);
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

// The watchdog may read a state while its own thread closes it (clock.c), so a state's memory is
// reused for other states but never freed. Its turn counter continues, so that an old turn is not
// taken for a new one.
static struct {
  pthread_mutex_t lock;
  TideState *unused;
} states = {.lock = PTHREAD_MUTEX_INITIALIZER};

static TideState *take_state(void) {
  pthread_mutex_lock(&states.lock);
  TideState *state = states.unused;
  if (state) states.unused = state->outer;
  pthread_mutex_unlock(&states.lock);
  if (!state) return calloc(1, sizeof *state);
  uint64_t turn = state->turn;
  memset(state, 0, sizeof *state);
  state->turn = turn + 1;
  return state;
}

static void give_state(TideState *state) {
  pthread_mutex_lock(&states.lock);
  state->outer = states.unused;
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
  state->referenceTop = PRIVATE_FIRST_REFERENCE - 1;
  state->batch = &state->noBatch;
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  // It delays signals until the next system call, which a loop never makes.
  state->budget.limits.countsSteps = true;
#endif
#endif
  pthread_mutex_init(&state->pool.lock, NULL);
  atomic_init(&state->owners, 1);
  if (open_interpreter(state, library)) return state;
  tide_state_close(state);
  tide_state_release(state);
  return NULL;
}

static void close_now(TideState *state) {
  lua_State *L = state->main;
  if (!L) return;
  pthread_mutex_lock(&state->pool.lock);
  state->pool.closed = true;
  pthread_mutex_unlock(&state->pool.lock);
  state->main = state->current = NULL;
  state->stockCount = 0;
  // No Swift code runs before the interpreter is gone. An interpreter that was abandoned in the
  // middle of an operation is never entered again.
  if (likely(!state->isGivenUp)) lua_close(L);
  files_close_all(state);
  heap_drop(&state->heap);
  state->used = 0;
  cache_attach(state, NULL);
  held_drop_all(state);
  if (state->pendingError) state->host.release(state->pendingError);
  state->pendingError = NULL;
  blocks_free(state, NULL);
  classes_free(state);
  places_close(state);
  // Calls look at nothing else before they begin.
  state->chores = 1;
}

void tide_state_close(TideState *state) {
  if (state->depth) {
    state->wantsClose = true;
    state->chores = 1;
    return;
  }
  close_now(state);
}

void tide_state_retain(TideState *state) {
  atomic_fetch_add_explicit(&state->owners, 1, memory_order_relaxed);
}

void tide_state_release(TideState *state) {
  if (atomic_fetch_sub_explicit(&state->owners, 1, memory_order_acq_rel) != 1) return;
  pthread_mutex_destroy(&state->pool.lock);
  free(state->pool.dropped);
  free(state->pendingMessage);
  free(state->freeReferences);
  held_free(state);
  free(state->listeners);
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

/// Does what a turn left to be done, and stops an outer one that ran out meanwhile.
void state_end_turn(TideState *state) {
  TideState *outer = state->outer;
  state->outer = NULL;
  if (outer && outer->budget.expired) clock_stop(outer->current);
  if (!state->chores) return;
  state->chores = 0;
  if (state->budget.expired) clock_reset(state);
  blocks_free(state, NULL);
  if (state->arena && state->arena->deadCount - state->clearedDead > 4096)
    cache_clear_dead(state);
  if (state->wantsClose) close_now(state);
  held_release_dropped(state);
}

lua_State *state_enter(TideState *state, TideFrame *frame) {
  frame->count = 0;
  lua_State *L = state->current;
  if (unlikely(!L || state->wantsClose)) {
    frame->top = frame->first = -1;
    frame->status = TIDE_FAULT_CLOSED;
    return NULL;
  }
  if (state->depth++ == 0) state_begin_turn(state);
  frame->top = lua_gettop(L);
  frame->first = frame->top + 1;
  frame->status = 0;
  return L;
}

void tide_frame_end(TideState *state, const TideFrame *frame) {
  if (frame->top < 0) return;
  lua_settop(state->current, frame->top);
  if (unlikely(state->unsettled)) batch_settle_now(state);
  state_leave(state);
}

void tide_turn_begin(TideState *state) {
  TideFrame frame;
  state_enter(state, &frame);
}

void tide_turn_end(TideState *state) {
  if (state->depth) state_leave(state);
}

int state_call(TideState *state, lua_State *L, int arguments, int results, int handler) {
  // A call from Swift cannot be yielded across.
  bool couldSuspend = state->canSuspend;
  uint32_t guarded = state->guarded;
  state->canSuspend = false;
  uint32_t batches = *state->batch;
  const void *landing = state->landing;
  state->landing = escape_landing(L);
  state->guarded = state->callbacks;
  int status = lua_pcall(L, arguments, results, handler);
  state->guarded = guarded;
  state->landing = landing;
  state->canSuspend = couldSuspend;
  if (unlikely(status != LUA_OK)) batch_return_failed(state, batches);
  return status;
}

int32_t state_protect(TideState *state, lua_State *L, lua_CFunction body, void *request,
                      TideFrame *frame) {
  if (unlikely(!lua_checkstack(L, 16))) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  lua_pushcfunction(L, error_handler);
  int handler = lua_gettop(L);
  frame->first = handler + 1;
  lua_pushcfunction(L, body);
  lua_pushlightuserdata(L, request);
  int status = state_call(state, L, 1, LUA_MULTRET, handler);
  if (likely(status == LUA_OK)) {
    frame->count = (uint32_t)(lua_gettop(L) - handler);
    return TIDE_OK;
  }
  frame->status = status;
  return TIDE_FAILED;
}
