// Classes of data objects: the map from keys to slots.
#pragma once

#include "state.h"

typedef struct TideKey {
  const void *string;  // the interned Lua string, kept alive by the class's anchor
  uint32_t property;   // from 1
} TideKey;

typedef struct TideLongKey {
  const char *bytes;
  size_t count;
  uint32_t property;
} TideLongKey;

typedef struct TideClass {
  struct TideClass *next;
  uint32_t number, parent;
  uint32_t mask;  // for indexes of the open-addressed table of keys
  uint32_t longCount;
  uint32_t boxes;  // userdata whose release Lua will report
  bool isRetired;  // no object of the class is left, but perhaps userdata
  TideKey *keys;
  TideLongKey *longKeys;  // Lua interns only short strings; these compare by bytes
  char name[];
} TideClass;

/// The class of an object's userdata after its finalization.
extern TideClass class_gone;

TideClass *class_find(const TideState *state, uint32_t number);
/// The property of a key over forty bytes, or 0.
uint32_t class_find_long(const TideClass *class, lua_State *L, int index);
/// Frees a retired class once no userdata is left.
void class_drop(TideClass *class);
void classes_free(TideState *state);

static inline uint32_t address_hash(const void *address) {
  uintptr_t bits = (uintptr_t)address;
  return (uint32_t)((bits >> 4) ^ (bits >> 11));
}
/// The property of the key at the index, counted from 1, or 0.
static inline uint32_t class_property(const TideClass *class, lua_State *L, int index) {
  const void *address = lua_topointer(L, index);
  const TideKey *keys = class->keys;
  for (uint32_t at = address_hash(address) & class->mask; likely(keys[at].string != NULL);
       at = (at + 1) & class->mask)
    if (likely(keys[at].string == address)) return keys[at].property;
  return unlikely(class->longCount) ? class_find_long(class, L, index) : 0;
}
/// The index of the class's anchor of keys; its two metatables follow.
static inline lua_Integer class_entry(const TideClass *class) {
  return (lua_Integer)class->number * 3 + 1;
}
