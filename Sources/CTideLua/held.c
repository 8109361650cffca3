#include "held.h"

// Swift objects that Lua keeps alive, each by one userdata. They are listed here, so that they can
// be released when the interpreter is dropped as a whole. An object whose userdata is collected is
// only recorded, because no Swift code may run inside of the collector. It is released when no Lua
// code is on the stack.
//
//   held:     object, object, next free ─▶ …     by the number that the userdata has
//   dropped:  number, number                     room for all that are held

enum { FIRST_CAPACITY = 64 };

/// Free entries are linked by their numbers, which are stored as odd values, whereas addresses are
/// even.
static inline void *link_to(uint32_t number) { return (void *)((uintptr_t)number << 1 | 1); }
static inline uint32_t linked(const void *entry) { return (uint32_t)((uintptr_t)entry >> 1); }
static inline bool is_link(const void *entry) { return (uintptr_t)entry & 1; }

bool held_reserve(TideState *state) {
  TideHeld *held = &state->held;
  if (likely(held->firstFree)) return true;
  uint32_t capacity = held->capacity ? held->capacity * 2 : FIRST_CAPACITY;
  void **objects = realloc(held->objects, capacity * sizeof *objects);
  if (!objects) return false;
  held->objects = objects;
  uint32_t *dropped = realloc(held->dropped, capacity * sizeof *dropped);
  if (!dropped) return false;
  held->dropped = dropped;
  // Number 0 means none.
  for (uint32_t i = held->capacity ? held->capacity : 1; i < capacity; i++)
    objects[i] = link_to(i + 1 < capacity ? i + 1 : 0);
  if (!held->capacity) objects[0] = link_to(0);
  held->firstFree = held->capacity ? held->capacity : 1;
  held->capacity = capacity;
  return true;
}

uint32_t held_add(TideState *state, void *object) {
  TideHeld *held = &state->held;
  uint32_t number = held->firstFree;
  held->firstFree = linked(held->objects[number]);
  held->objects[number] = object;
  return number;
}

// Runs inside of the collector, so it neither allocates nor calls Swift. The entry stays in use
// until the object is released, so the list of dropped objects always has room.
void held_drop(TideState *state, uint32_t number) {
  state->held.dropped[state->held.droppedCount++] = number;
  state->turn.chores = 1;
}

void held_release(TideState *state, uint32_t number) {
  TideHeld *held = &state->held;
  void *object = held->objects[number];
  held->objects[number] = link_to(held->firstFree);
  held->firstFree = number;
  state->host.release(object);
}

void held_release_dropped(TideState *state) {
  TideHeld *held = &state->held;
  // A release may run Lua, which may drop more objects.
  while (held->droppedCount) held_release(state, held->dropped[--held->droppedCount]);
}

void held_drop_all(TideState *state) {
  TideHeld *held = &state->held;
  held_release_dropped(state);
  for (uint32_t i = 1; i < held->capacity; i++) {
    void *object = held->objects[i];
    if (is_link(object)) continue;
    held->objects[i] = link_to(0);
    state->host.release(object);
  }
  held_free(state);
}

void held_free(TideState *state) {
  free(state->held.objects);
  free(state->held.dropped);
  state->held = (TideHeld){0};
}
