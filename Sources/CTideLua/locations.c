#include "locations.h"

// The numbers of lines that write, for the graph's history.

/// Limits that keep scripts from filling memory by chunks with ever new names.
enum { MOST_LOCATIONS = 1 << 16, MOST_SOURCES = 1 << 12, LONGEST_SOURCE = 1024 };

// MARK: Verifying the interpreter's records

// Called twice by a chunk. If the records differ from what is expected, lines are not known.
static int probe(lua_State *L) {
  const void **found = lua_touserdata(L, lua_upvalueindex(1));
  lua_Debug here, caller;
  if (!lua_getstack(L, 0, &here) || !lua_getstack(L, 1, &caller)) return 0;
  const CallRecord *inner = (const CallRecord *)here.i_ci;
  const CallRecord *outer = (const CallRecord *)caller.i_ci;
  bool isKnown = inner == running_call(L) && inner->previous == outer &&
                 inner->status & RECORD_IS_C && !(outer->status & RECORD_IS_C);
  if (!isKnown) return 0;
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
  // Two instructions are between two calls of a local function: a move and the call.
  enum { BYTES_APART = 8 };
  const char *found[2] = {NULL, NULL};
  lua_pushcfunction(L, run_probe);
  lua_pushlightuserdata(L, found);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK) lua_pop(L, 1);
  return found[0] && found[1] && found[1] - found[0] == BYTES_APART;
}

// MARK: Finding

/// Whether a source is the stored one. Long sources are stored truncated.
static bool is_source(const char *kept, const char *source) {
  return strncmp(kept, source, LONGEST_SOURCE) == 0;
}

static char *intern_source(struct TideLocations *locations, const char *source) {
  for (uint32_t i = locations->sourceCount; i > 0; i--)
    if (is_source(locations->sources[i - 1], source)) return locations->sources[i - 1];
  if (locations->sourceCount == locations->sourceCapacity) {
    uint32_t capacity = locations->sourceCapacity ? locations->sourceCapacity * 2 : 16;
    char **grown = realloc(locations->sources, capacity * sizeof *grown);
    if (!grown) return NULL;
    locations->sources = grown;
    locations->sourceCapacity = capacity;
  }
  char *copy = strndup(source, LONGEST_SOURCE);
  if (copy) locations->sources[locations->sourceCount++] = copy;
  return copy;
}

static uint32_t number_of(struct TideLocations *locations, const char *source, int line) {
  uint32_t *chain = &locations->chains[(uint32_t)line % 256];
  for (uint32_t number = *chain; number; number = locations->entries[number].next) {
    const Location *location = &locations->entries[number];
    if (location->line == line && is_source(location->source, source)) return number;
  }
  if (locations->count + 1 >= MOST_LOCATIONS || locations->sourceCount >= MOST_SOURCES) return 0;
  if (locations->count + 1 >= locations->capacity) {
    uint32_t capacity = locations->capacity ? locations->capacity * 2 : 64;
    Location *grown = realloc(locations->entries, capacity * sizeof *grown);
    if (!grown) return 0;
    locations->entries = grown;
    locations->capacity = capacity;
  }
  char *kept = intern_source(locations, source);
  if (!kept) return 0;
  uint32_t number = ++locations->count;
  locations->entries[number] = (Location){kept, line, *chain};
  *chain = number;
  return number;
}

uint32_t location_find(lua_State *L, TideState *state, const void *instruction) {
  struct TideLocations *locations = state->locations;
  lua_Debug record;
  // Skip C functions, as in `pcall(rawset, …)`, up to the script that called them.
  for (int level = 1; level < 50 && lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sl", &record);
    if (record.currentline <= 0 || is_own_chunk(&record)) continue;
    uint32_t number = number_of(locations, record.source, record.currentline);
    if (instruction && level == 1) {
      *known_instruction(locations, instruction) = (KnownInstruction){instruction, number};
      locations->isInUse = true;
    }
    return number;
  }
  return 0;
}

// MARK: For the host

static uint32_t locate(void *host) {
  TideState *state = host;
  lua_State *L = state->current;
  return L ? location_of_caller(L, state) : 0;
}

bool tide_locations_keep(TideState *state) {
  TideHistory *history = state->hooks.arena ? state->hooks.arena->history : NULL;
  if (!history || !state->current) return false;
  if (!state->locations) {
    if (!lua_checkstack(state->current, 8) || !records_are_known(state->current)) return false;
    state->locations = calloc(1, sizeof *state->locations);
    if (!state->locations) return false;
  }
  history->host = state;
  history->locate = locate;
  return true;
}

const char *tide_location(const TideState *state, uint32_t number, int32_t *line) {
  const struct TideLocations *locations = state->locations;
  *line = 0;
  if (!locations || number == 0 || number > locations->count) return NULL;
  *line = locations->entries[number].line;
  return locations->entries[number].source;
}

void locations_close(TideState *state) {
  struct TideLocations *locations = state->locations;
  TideHistory *history = state->hooks.arena ? state->hooks.arena->history : NULL;
  if (history && history->host == state) history->host = history->locate = NULL;
  state->locations = NULL;
  if (!locations) return;
  for (uint32_t i = 0; i < locations->sourceCount; i++) free(locations->sources[i]);
  free(locations->sources);
  free(locations->entries);
  free(locations);
}
