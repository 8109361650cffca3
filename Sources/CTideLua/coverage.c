#include "clock.h"
#include "coverage.h"
#include "memory.h"

// Counts how often each line of each chunk runs, by a line hook. Most of the cost is finding a
// line's chunk, so the chunk is cached for each function. A function's address may be reused after
// it is freed: the allocator then clears the cache entry.

enum { REMEMBERED = 1024, FIRST_LINES = 256, MOST_LINES = 1 << 24 };

typedef struct CoveredChunk {
  struct CoveredChunk *next;
  uint32_t *counts;  // by line
  uint32_t count;
  size_t nameCount;
  char name[];
} CoveredChunk;

typedef struct RememberedFunction {
  const void *function;
  CoveredChunk *chunk;  // NULL if the function belongs to no file
} RememberedFunction;

struct TideCoverage {
  CoveredChunk *chunks;
  bool isKnown;   // whether the next is known
  bool isDirect;  // whether a function can be read without asking Lua for it
  RememberedFunction functions[REMEMBERED];
};

static inline RememberedFunction *entry_of(struct TideCoverage *coverage, const void *function) {
  uintptr_t address = (uintptr_t)function;
  return &coverage->functions[(address >> 4 ^ address >> 14) % REMEMBERED];
}

static void *allocate(void *context, void *block, size_t old, size_t size) {
  TideState *state = context;
  if (block && size == 0) {
    RememberedFunction *entry = entry_of(state->coverage, block);
    if (entry->function == block) entry->function = NULL;
  }
  return memory_allocate(context, block, old, size);
}

static CoveredChunk *find_chunk(struct TideCoverage *coverage, const lua_Debug *record) {
  if (*record->source != '@') return NULL;
  const char *name = record->source + 1;
  size_t count = record->srclen - 1;
  for (CoveredChunk *chunk = coverage->chunks; chunk; chunk = chunk->next)
    if (chunk->nameCount == count && memcmp(chunk->name, name, count) == 0) return chunk;
  CoveredChunk *chunk = calloc(1, sizeof *chunk + count);
  if (!chunk) return NULL;
  memcpy(chunk->name, name, count);
  chunk->nameCount = count;
  chunk->next = coverage->chunks;
  return coverage->chunks = chunk;
}

/// The function of a running call, to which the call's record points first. That is an
/// implementation detail of Lua, so it is verified once.
static inline const void *function_of(const lua_Debug *record) {
  return **(const void *const *const *const *)record->i_ci;
}

static const void *ask_for_function(lua_State *L, lua_Debug *record) {
  lua_getinfo(L, "f", record);
  const void *function = lua_topointer(L, -1);
  lua_pop(L, 1);
  return function;
}

/// Finds a function's chunk and caches it.
static __attribute__((noinline)) CoveredChunk *look_up(lua_State *L, lua_Debug *record,
                                                       struct TideCoverage *coverage,
                                                       const void *function) {
  lua_getinfo(L, "S", record);
  CoveredChunk *chunk = find_chunk(coverage, record);
  *entry_of(coverage, function) = (RememberedFunction){function, chunk};
  return chunk;
}

static __attribute__((noinline)) void grow(CoveredChunk *chunk, uint32_t line) {
  if (line >= MOST_LINES) return;
  uint32_t count = chunk->count ? chunk->count : FIRST_LINES;
  while (count <= line) count *= 2;
  uint32_t *counts = realloc(chunk->counts, count * sizeof *counts);
  if (!counts) return;
  memset(counts + chunk->count, 0, (count - chunk->count) * sizeof *counts);
  chunk->counts = counts;
  chunk->count = count;
  counts[line] = 1;
}

void coverage_note(lua_State *L, TideState *state, lua_Debug *record) {
  struct TideCoverage *coverage = state->coverage;
  if (unlikely(!coverage->isKnown)) {
    coverage->isKnown = true;
    coverage->isDirect = function_of(record) == ask_for_function(L, record);
  }
  const void *function =
      likely(coverage->isDirect) ? function_of(record) : ask_for_function(L, record);
  RememberedFunction *entry = entry_of(coverage, function);
  CoveredChunk *chunk = likely(entry->function == function)
                            ? entry->chunk
                            : look_up(L, record, coverage, function);
  if (!chunk || record->currentline < 0) return;
  uint32_t line = (uint32_t)record->currentline;
  if (likely(line < chunk->count))
    chunk->counts[line] += chunk->counts[line] != UINT32_MAX;
  else
    grow(chunk, line);
}

bool tide_coverage_start(TideState *state) {
  if (!state->main) return false;
  if (state->coverage) return true;
  state->coverage = calloc(1, sizeof *state->coverage);
  if (!state->coverage) return false;
  lua_setallocf(state->main, allocate, state);
  clock_idle(state->main, state);
  for (uint32_t i = 0; i < state->coroutines.stockCount; i++)
    clock_idle(state->coroutines.stock[i].thread, state);
  return true;
}

void tide_coverage_each(const TideState *state, void *context, TideCoverageTake take) {
  if (!state->coverage) return;
  for (CoveredChunk *chunk = state->coverage->chunks; chunk; chunk = chunk->next)
    if (chunk->counts) take(context, chunk->name, chunk->nameCount, chunk->counts, chunk->count);
}

void coverage_free(TideState *state) {
  if (!state->coverage) return;
  CoveredChunk *next = state->coverage->chunks;
  while (next) {
    CoveredChunk *chunk = next;
    next = chunk->next;
    free(chunk->counts);
    free(chunk);
  }
  free(state->coverage);
}
