#include "places.h"

/// Scripts that make chunks with ever new names must not fill memory with them.
enum { MOST_PLACES = 1 << 16, LONGEST_SOURCE = 1024 };

// MARK: Whether the interpreter's records are as we think

// Asked by a function that a chunk calls twice: where they differ, lines are not known.
static int probe(lua_State *L) {
  const void **found = lua_touserdata(L, lua_upvalueindex(1));
  lua_Debug here, caller;
  if (!lua_getstack(L, 0, &here) || !lua_getstack(L, 1, &caller)) return 0;
  const CallRecord *inner = (const CallRecord *)here.i_ci;
  const CallRecord *outer = (const CallRecord *)caller.i_ci;
  if (inner != running_call(L) || inner->previous != outer || !(inner->status & RECORD_IS_C) || outer->status & RECORD_IS_C)
    return 0;
  found[found[0] ? 1 : 0] = outer->instruction;
  return 0;
}

static int run_probe(lua_State *L) {
  lua_settop(L, 1);
  if (luaL_loadbufferx(L, "local f = ... f() f()", 21, "=probe", "t") != LUA_OK) return 0;
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, probe, 1);
  lua_call(L, 1, 0);
  return 0;
}

static bool records_are_known(lua_State *L) {
  // Two instructions lie between two calls of a local function: a move and the call.
  enum { BYTES_APART = 8 };
  const char *found[2] = {NULL, NULL};
  lua_pushcfunction(L, run_probe);
  lua_pushlightuserdata(L, found);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1);
  return found[0] && found[1] && found[1] - found[0] == BYTES_APART;
}

// MARK: Finding

/// Whether a source is one that is kept, of which long ones are cut.
static bool is_source(const char *kept, const char *source) {
  return strncmp(kept, source, LONGEST_SOURCE) == 0;
}

static char *intern_source(struct TidePlaces *places, const char *source) {
  for (uint32_t i = places->sourceCount; i > 0; i--)
    if (is_source(places->sources[i - 1], source)) return places->sources[i - 1];
  if (places->sourceCount == places->sourceCapacity) {
    uint32_t capacity = places->sourceCapacity ? places->sourceCapacity * 2 : 16;
    char **grown = realloc(places->sources, capacity * sizeof *grown);
    if (!grown) return NULL;
    places->sources = grown;
    places->sourceCapacity = capacity;
  }
  char *copy = strndup(source, LONGEST_SOURCE);
  if (copy) places->sources[places->sourceCount++] = copy;
  return copy;
}

static uint32_t number_of(struct TidePlaces *places, const char *source, int line) {
  uint32_t *chain = &places->chains[(uint32_t)line % 256];
  for (uint32_t number = *chain; number; number = places->places[number].next) {
    const Place *place = &places->places[number];
    if (place->line == line && is_source(place->source, source)) return number;
  }
  if (places->count + 1 >= MOST_PLACES || places->sourceCount >= MOST_PLACES / 16) return 0;
  if (places->count + 1 >= places->capacity) {
    uint32_t capacity = places->capacity ? places->capacity * 2 : 64;
    Place *grown = realloc(places->places, capacity * sizeof *grown);
    if (!grown) return 0;
    places->places = grown;
    places->capacity = capacity;
  }
  char *kept = intern_source(places, source);
  if (!kept) return 0;
  uint32_t number = ++places->count;
  places->places[number] = (Place){kept, line, *chain};
  *chain = number;
  return number;
}

uint32_t place_find(lua_State *L, TideState *state, const void *instruction) {
  struct TidePlaces *places = state->places;
  lua_Debug record;
  // Beyond functions of C, such as `pcall(rawset, …)`, to the script that called them.
  for (int level = 1; level < 50 && lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sl", &record);
    if (record.currentline <= 0) continue;
    uint32_t number = number_of(places, record.source, record.currentline);
    if (instruction && level == 1) {
      places->slots[((uintptr_t)instruction >> 2) % PLACE_SLOTS] =
          (PlaceSlot){instruction, number};
      places->isInUse = true;
    }
    return number;
  }
  return 0;
}

// MARK: For the host

static uint32_t locate(void *host) {
  TideState *state = host;
  lua_State *L = state->current;
  return L ? place_of_caller(L, state) : 0;
}

bool tide_places_keep(TideState *state) {
  TideHistory *history = state->hooks.arena ? state->hooks.arena->history : NULL;
  if (!history || !state->current) return false;
  if (!state->places) {
    if (!lua_checkstack(state->current, 8) || !records_are_known(state->current)) return false;
    state->places = calloc(1, sizeof *state->places);
    if (!state->places) return false;
  }
  history->host = state;
  history->locate = locate;
  return true;
}

const char *tide_place(const TideState *state, uint32_t number, int32_t *line) {
  const struct TidePlaces *places = state->places;
  *line = 0;
  if (!places || number == 0 || number > places->count) return NULL;
  *line = places->places[number].line;
  return places->places[number].source;
}

void places_close(TideState *state) {
  struct TidePlaces *places = state->places;
  TideHistory *history = state->hooks.arena ? state->hooks.arena->history : NULL;
  if (history && history->host == state) history->host = history->locate = NULL;
  state->places = NULL;
  if (!places) return;
  for (uint32_t i = 0; i < places->sourceCount; i++) free(places->sources[i]);
  free(places->sources);
  free(places->places);
  free(places);
}
