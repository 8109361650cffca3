// The layout of the interpreter's own structures in memory. No field is used before a trial has
// compared it with the interpreter's behavior (escape.c, guards_trial.c).
#pragma once

#include "state.h"

enum {
  TABLE = 5,
  C_CLOSURE = 6 | 2 << 4,
  COLLECTED = 64,   // set in the tags of collectable values
  KIND = 15,
  WHITES = 8 | 16,  // the colors of objects not reached yet
  BLACK = 32,       // of visited objects; those to be visited have no color
  NO_MODE = 8,      // a metatable's flag: it is known to have no `__mode`
  VALUE_BYTES = 16,
  SPARE_VALUES = 5,  // at the end of each stack
  CALL_OF_C = 2,
};

/// The header of every collectable object.
typedef struct Object {
  struct Object *next;
  uint8_t kind, marks;
} Object;

typedef struct Value {
  const Object *object;
  uint8_t kind;
} Value;

typedef struct Entry {
  const Object *value;
  uint8_t kind, keyKind;
  int next;
  Object *key;
} Entry;

typedef struct Table {
  struct Object *next;
  uint8_t kind, marks, flags, entryBits;
  uint32_t arrayCount;
  const Value *array;
  const Entry *entries, *lastFree;
  struct Table *metatable;
  Object *listed;  // the next object in the list of those to be visited
} Table;

typedef struct Closure {
  Object object;
  const void *list;
  lua_CFunction function;
} Closure;

/// A running call.
typedef struct Call {
  const Value *function;
  const char *top;
  struct Call *previous, *next;
  const uint32_t *code;  // the next instruction, for a script's function
  const void *others[2];
  int extra;
  int16_t results;
  uint16_t status;
} Call;

/// The state that an interpreter's coroutines share.
typedef struct Shared {
  lua_Alloc allocate;
  void *context;
  int64_t total, debt;  // bytes allocated, and those since the collector's last step
  uint64_t counts[2], texts[2], registry[2], nothing[2];
  uint32_t seed;
  uint8_t white;  // the color of new objects, which alternates with each cycle
  uint8_t phase, kind, isCollecting;
  uint8_t parameters[8];
  Object *all, **swept, *finalized, *gray;
  Object *grayAgain;  // objects to be visited at the end of the cycle
} Shared;

/// The phases of a cycle in which objects are marked, and the final phase.
enum { REACHING = 0, REACHED = 1, PAUSE = 8 };

/// The beginning of a coroutine's structure.
typedef struct Beginning {
  uint64_t header[2];
  const char *top;
  Shared *shared;
  const Call *call;
  const char *stackEnd, *stack;
  const void *openUpvalues;  // variables on the stack that functions have captured
  const char *toBeClosed;    // the innermost slot of those, or the stack's base
} Beginning;

static inline const Beginning *beginning(lua_State *L) { return (const Beginning *)L; }
static inline Shared *shared_of(lua_State *L) { return beginning(L)->shared; }

static inline Table *table_at(lua_State *L, int index) {
  return (Table *)(uintptr_t)lua_topointer(L, index);
}

/// The next table that is a key; `number` is the position to continue from.
static inline Table *next_key(const Table *table, size_t *number) {
  for (size_t count = (size_t)1 << table->entryBits; *number < count;) {
    const Entry *entry = &table->entries[(*number)++];
    if (entry->keyKind == (TABLE | COLLECTED) && entry->kind & KIND) return (Table *)entry->key;
  }
  return NULL;
}

/// The function of a call if it is a C closure; otherwise NULL.
static inline lua_CFunction function_of(const Call *call) {
  const Value *function = call->function;
  if (function->kind != (C_CLOSURE | COLLECTED)) return NULL;
  return ((const Closure *)function->object)->function;
}
