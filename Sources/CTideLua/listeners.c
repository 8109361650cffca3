#include "batches.h"
#include "errors.h"
#include "escape.h"
#include "listeners.h"
#include "owners.h"
#include "properties.h"
#include "references.h"

// Calls a script's observer of a property without entering the graph, when a script writes the
// property. This takes no ordering: the observer is the slot's only dependent, and no other change is
// propagating. The graph handles all other cases.
//
//   slot ── firstOut ──▶ edge ── target ──▶ observer slot ── height ──▶ entry of `listeners`

enum { MOST_ARGUMENTS = 2 };

static inline bool is_idle(const TideArena *arena) {
  return !(arena->batch | arena->active) && !arena->evaluating && !arena->isRunning &&
         !arena->isFlushing;
}

/// The observer to call for a slot if it is the only dependent; otherwise NULL.
static inline TideSlot *only_listener(const TideState *state, const TideSlot *slot) {
  TideArena *arena = state->hooks.arena;
  if (unlikely(!arena || arena != tide_arena_of(slot) || !is_idle(arena))) return NULL;
  const TideEdge *edge = &arena->edges[slot->firstOut];
  if (edge->nextOut || edge->flags || slot->state & TIDE_WATCHED) return NULL;
  TideSlot *observer = &arena->slots[edge->target];
  // Strings and objects are reference counted, which is left to the graph.
  if (observer->kind != TIDE_OBSERVER || !observer->height || observer->state ||
      observer->tag >= TIDE_STRING || slot->tag >= TIDE_STRING)
    return NULL;
  return observer;
}

/// Makes Swift list the error on top of the stack.
static void report(lua_State *L, TideState *state, TideSlot *observer, int top, int status) {
  TideFrame frame = {.top = top, .first = top + 1, .status = status};
  state->depth++;
  state->callbacks++;
  state->hooks.failed(state->hooks.context, observer, &frame);
  state->callbacks--;
  lua_settop(L, top);
}

// The stack has the room that every C function has, and need not be restored, because `__newindex`
// returns next.
bool listener_notify(lua_State *L, TideState *state, TideSlot *slot, int functions) {
  TideSlot *observer = only_listener(state, slot);
  if (!observer) return false;
  TideArena *arena = state->hooks.arena;
  const TideListener *listener = &state->listeners.entries[observer->height];
  int top = lua_gettop(L);
  lua_pushcfunction(L, error_handler);
  lua_rawgeti(L, functions, listener->function);
  slot_push_quietly(L, state, slot, 0);
  if (listener->arguments == MOST_ARGUMENTS) slot_push_quietly(L, state, observer, 0);
  observer->lo = slot->lo;
  observer->tag = slot->tag;

  void *context = arena->context;
  uint32_t begun = arena->begun, begunBase = arena->begunBase;
  bool couldSuspend = state->coroutines.canSuspend;
  arena->context = listener->context;
  arena->begunBase = begun;
  arena->isFlushing = true;
  arena->wave++;
  arena->steps = 0;
  state->coroutines.canSuspend = false;
  TideHistory *history = arena->history;
  TideCauser causer = tide_history_begin(history, TIDE_BY_BODY, tide_slot_index(observer));
  const void *landing = state->landing;
  state->landing = escape_landing(L);
  int status = lua_pcall(L, (int)listener->arguments, 0, top + 1);
  state->landing = landing;
  tide_history_end(history, causer);
  state->coroutines.canSuspend = couldSuspend;
  arena->context = context;
  arena->batch = 0;
  arena->isFlushing = false;

  // Reported first, because the report ends the contexts that the function began.
  if (unlikely(status != LUA_OK)) report(L, state, observer, top, status);
  arena->begun = begun;
  arena->begunBase = begunBase;
  if (unlikely(arena->hasLeftovers)) {
    state->callbacks++;
    state->hooks.settle(state->hooks.context);
    state->callbacks--;
  }
  clock_return(L, &state->budget);
  return true;
}

// MARK: Registration

static int count_parameters(lua_State *L, TideState *state, uint32_t function) {
  lua_Debug record;
  reference_push(L, state, function);
  owned_resolve(L);
  if (!lua_isfunction(L, -1)) {
    lua_pop(L, 1);
    return -1;
  }
  lua_getinfo(L, ">u", &record);
  return record.isvararg ? INT32_MAX : record.nparams;
}

int32_t tide_function_parameters(TideState *state, uint32_t function) {
  lua_State *L = state->current;
  return L && lua_checkstack(L, 8) ? count_parameters(L, state, function) : -1;
}

const char *tide_function_location(TideState *state, uint32_t function, int32_t *line) {
  lua_State *L = state->current;
  lua_Debug record;
  *line = 0;
  if (!L || !lua_checkstack(L, 8)) return NULL;
  reference_push(L, state, function);
  owned_resolve(L);
  method_resolve(L);
  if (!lua_isfunction(L, -1)) {
    lua_pop(L, 1);
    return NULL;
  }
  lua_getinfo(L, ">S", &record);
  if (record.linedefined <= 0) return NULL;
  *line = record.linedefined;
  return record.source;
}

uint32_t tide_listener_add(TideState *state, uint32_t function, void *context) {
  int32_t parameters = tide_function_parameters(state, function);
  if (parameters < 0 || parameters > MOST_ARGUMENTS) return 0;
  uint32_t index = state->listeners.free;
  if (index) {
    state->listeners.free = state->listeners.entries[index].function;
  } else {
    if (state->listeners.count + 1 >= state->listeners.capacity) {
      uint32_t capacity = state->listeners.capacity ? state->listeners.capacity * 2 : 16;
      TideListener *grown = realloc(state->listeners.entries, capacity * sizeof *grown);
      if (!grown) return 0;
      state->listeners.entries = grown;
      state->listeners.capacity = capacity;
    }
    index = ++state->listeners.count;
  }
  state->listeners.entries[index] = (TideListener){function, parameters > 1 ? 2 : 1, context};
  return index;
}

void tide_listener_remove(TideState *state, uint32_t listener) {
  if (!listener) return;
  state->listeners.entries[listener].function = state->listeners.free;
  state->listeners.free = listener;
}
