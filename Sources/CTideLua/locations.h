// The number of the script line that is writing.
//
// Asking the interpreter for the current line costs more than a write. The line of an instruction
// never changes, so it is looked up once and cached. The key is the instruction's address, which
// the interpreter stores in the record of each call. Addresses are reused only for new code, so
// compiling a chunk clears the cache.
#pragma once

#include "state.h"

enum { KNOWN_INSTRUCTIONS = 512 };

typedef struct KnownInstruction {
  const void *instruction;
  uint32_t number;
} KnownInstruction;

/// A line of a chunk.
typedef struct Location {
  const char *source;
  int32_t line;
  uint32_t next;  // in its chain
} Location;

struct TideLocations {
  bool isInUse;  // an instruction was recorded
  uint32_t count, capacity;
  Location *entries;  // from 1
  uint32_t chains[256];
  // Source names; few files share them between many lines.
  char **sources;
  uint32_t sourceCount, sourceCapacity;
  KnownInstruction known[KNOWN_INSTRUCTIONS];
};

/// Whether a chunk is one of our own, written in Lua for speed. Its lines would not help the reader
/// of a message (`LuaState.ownChunk`).
static inline bool is_own_chunk(const lua_Debug *record) {
  return record->source[0] == '=' && record->source[1] == '\1';
}

/// Lua 5.4's record of a call, to which a level's `lua_Debug` points.
typedef struct CallRecord {
  void *function, *top;
  struct CallRecord *previous, *next;
  const void *instruction;
  void *rest[2];
  int extra;
  short results;
  unsigned short status;
} CallRecord;

enum { RECORD_IS_C = 2 };

/// Finds the number of the line that called the running function, and caches it for the instruction
/// unless that is NULL.
uint32_t location_find(lua_State *L, TideState *state, const void *instruction);

/// The record of the running function, to which Lua 5.4's record of a thread points.
static inline const CallRecord *running_call(lua_State *L) {
  return *(const CallRecord **)((char *)L + 4 * sizeof(void *));
}

/// The cache entry of an instruction.
static inline KnownInstruction *known_instruction(struct TideLocations *locations,
                                                  const void *instruction) {
  return &locations->known[((uintptr_t)instruction >> 2) % KNOWN_INSTRUCTIONS];
}

/// The number of the line that called the running function; 0 if there is none.
static inline uint32_t location_of_caller(lua_State *L, TideState *state) {
  struct TideLocations *locations = state->locations;
  const CallRecord *call = running_call(L)->previous;
  if (unlikely(!locations || !call)) return 0;
  if (unlikely(call->status & RECORD_IS_C)) return location_find(L, state, NULL);
  const void *instruction = call->instruction;
  const KnownInstruction *known = known_instruction(locations, instruction);
  if (likely(known->instruction == instruction)) return known->number;
  return location_find(L, state, instruction);
}

/// Clears the cache after code was compiled.
static inline void locations_forget(TideState *state) {
  struct TideLocations *locations = state->locations;
  if (!locations || !locations->isInUse) return;
  memset(locations->known, 0, sizeof locations->known);
  locations->isInUse = false;
}

void locations_close(TideState *state);
