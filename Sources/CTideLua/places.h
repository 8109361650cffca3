// Which line of a script writes, as a number.
//
// Asking the interpreter for the line that runs costs more than a write. An instruction stands in
// one line for ever, so its line is asked for once: a table, by the instruction's address, which
// the interpreter keeps in the record of a call. An address means the same as long as no chunk is
// compiled, because only compiling makes code, so compiling forgets the table.
#pragma once

#include "state.h"

enum { PLACE_SLOTS = 512 };

typedef struct PlaceSlot {
  const void *instruction;
  uint32_t number;
} PlaceSlot;

/// A line of a chunk.
typedef struct Place {
  const char *source;
  int32_t line;
  uint32_t next;  // in its chain
} Place;

struct TidePlaces {
  bool isInUse;  // any slot is
  uint32_t count, capacity;
  Place *places;  // from 1
  uint32_t chains[256];
  // Sources, which a few files share between many lines.
  char **sources;
  uint32_t sourceCount, sourceCapacity;
  PlaceSlot slots[PLACE_SLOTS];
};

/// Lua 5.4's record of a call, to which `lua_Debug` of a level points.
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

uint32_t place_find(lua_State *L, TideState *state, const void *instruction);

/// The record of the function that runs, at its place in Lua 5.4's record of a thread.
static inline const CallRecord *running_call(lua_State *L) {
  return *(const CallRecord **)((char *)L + 4 * sizeof(void *));
}

/// The number of the line that called the function that runs; 0 when there is none.
static inline uint32_t place_of_caller(lua_State *L, TideState *state) {
  struct TidePlaces *places = state->places;
  const CallRecord *call = running_call(L)->previous;
  if (unlikely(!places || !call)) return 0;
  if (unlikely(call->status & RECORD_IS_C)) return place_find(L, state, NULL);
  const void *instruction = call->instruction;
  const PlaceSlot *slot = &places->slots[((uintptr_t)instruction >> 2) % PLACE_SLOTS];
  if (likely(slot->instruction == instruction)) return slot->number;
  return place_find(L, state, instruction);
}

/// Notes that code has been made.
static inline void places_forget(TideState *state) {
  struct TidePlaces *places = state->places;
  if (!places || !places->isInUse) return;
  memset(places->slots, 0, sizeof places->slots);
  places->isInUse = false;
}

void places_close(TideState *state);
