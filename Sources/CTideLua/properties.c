#include "batches.h"
#include "classes.h"
#include "derive.h"
#include "errors.h"
#include "listeners.h"
#include "locations.h"
#include "memory.h"
#include "objects.h"
#include "properties.h"
#include "texts.h"

// Reads and writes properties without entering Swift. The key determines the slot, the slot's
// access bits tell whether Swift must be called, and its tag is the type of its value.

enum { TEXT_TAGS = 1 << TIDE_STRING | 1 << TIDE_BYTES };

static inline TideArena *recording(const TideSlot *slot) {
  TideArena *arena = tide_arena_of(slot);
  return arena->active ? arena : NULL;
}

// MARK: From slots to Lua

static void push_object(lua_State *L, TideState *state, TideSlot *slot, int cache) {
  if (slot->hi) {
    object_push(L, state, (TideSlot *)(uintptr_t)slot->hi, cache);
    return;
  }
  if (!state->hooks.object) {
    lua_pushnil(L);
    return;
  }
  TideCall call;
  call_begin(&call, state, L);
  int count = call_end(L, &call, state->hooks.object(state->hooks.context, slot, &call));
  if (count == 0) lua_pushnil(L);
  if (count > 1) lua_pop(L, count - 1);
}

static inline bool push_scalar(lua_State *L, const TideSlot *slot) {
  switch (slot->tag) {
    case TIDE_NUMBER: {
      double number;
      memcpy(&number, &slot->lo, sizeof number);
      lua_pushnumber(L, number);
      return true;
    }
    case TIDE_INTEGER: lua_pushinteger(L, (lua_Integer)slot->lo); return true;
    case TIDE_BOOLEAN: lua_pushboolean(L, slot->lo != 0); return true;
    case TIDE_NIL: lua_pushnil(L); return true;
    default: return false;
  }
}

void slot_push(lua_State *L, TideState *state, TideSlot *slot, int cache) {
  if (push_scalar(L, slot)) return;
  if (slot->tag == TIDE_OBJECT) {
    push_object(L, state, slot, cache);
    return;
  }
  uint32_t entry = cache_index(state, slot->cache);
  if (likely(entry))
    lua_rawgeti(L, cache, entry);
  else
    text_push(L, state, slot, cache);
}

bool slot_push_quietly(lua_State *L, TideState *state, const TideSlot *slot, int cache) {
  if (push_scalar(L, slot)) return true;
  if (slot->tag == TIDE_OBJECT)
    return slot->hi && object_push_known(L, state, (TideSlot *)(uintptr_t)slot->hi, cache);
  uint32_t entry = cache_index(state, slot->cache);
  if (!entry) return false;
  cache_get(L, state, cache, entry);
  return true;
}

// MARK: From Lua to slots

static inline bool accepts(uint8_t type, uint8_t tag) {
  if (tag == TIDE_NIL) return type & TIDE_NULLABLE;
  static const uint8_t accepted[] = {
      [TIDE_TYPE_ANY] = 1 << TIDE_BOOLEAN | 1 << TIDE_INTEGER | 1 << TIDE_NUMBER | TEXT_TAGS,
      [TIDE_TYPE_STRING] = TEXT_TAGS,
      [TIDE_TYPE_NUMBER] = 1 << TIDE_INTEGER | 1 << TIDE_NUMBER,
      [TIDE_TYPE_INTEGER] = 1 << TIDE_INTEGER,
      [TIDE_TYPE_BOOLEAN] = 1 << TIDE_BOOLEAN,
      [TIDE_TYPE_DICT] = 0,
  };
  type &= TIDE_TYPE_MASK;
  return type < sizeof accepted && accepted[type] >> tag & 1;
}

static void release_payload(TideState *state, TideSlot *slot) {
  if (slot->tag == TIDE_BYTES) {
    tide_payload_ends(slot);
    TideBytes *bytes = (TideBytes *)(uintptr_t)slot->lo;
    slot->tag = TIDE_NIL;
    slot->lo = 0;
    if (slot->cache) tide_arena_bury(tide_arena_of(slot), slot->cache);
    slot->cache = 0;
    tide_bytes_release(bytes);
  } else if (state->hooks.release) {
    state->callbacks++;
    state->hooks.release(state->hooks.context, slot);
    state->callbacks--;
  }
}

/// Whether an integer would replace a float of the same value, or the reverse; equal values change
/// nothing.
static bool equals_other_number(const TideSlot *slot, uint8_t tag, uint64_t bits) {
  double number;
  int64_t integer;
  if (slot->tag == TIDE_NUMBER && tag == TIDE_INTEGER) {
    memcpy(&number, &slot->lo, sizeof number);
    integer = (int64_t)bits;
  } else if (slot->tag == TIDE_INTEGER && tag == TIDE_NUMBER) {
    memcpy(&number, &bits, sizeof number);
    integer = (int64_t)slot->lo;
  } else {
    return false;
  }
  return number >= -0x1p63 && number < 0x1p63 && (double)(int64_t)number == number &&
         (int64_t)number == integer;
}

static inline int store_bits(TideState *state, TideSlot *slot, uint8_t tag, uint64_t bits) {
  if (slot->tag == tag && slot->lo == bits) return 0;
  if (unlikely(slot->tag != tag)) {
    if (slot->tag >= TIDE_STRING)
      release_payload(state, slot);
    else if (equals_other_number(slot, tag, bits))
      return 0;
  }
  slot->tag = tag;
  slot->lo = bits;
  return 1;
}

static inline int store_number(TideState *state, TideSlot *slot, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  // Zeros of both signs are equal, and any two NaNs count as equal.
  if (unlikely(number != number || number == 0) && slot->tag == TIDE_NUMBER) {
    double old;
    memcpy(&old, &slot->lo, sizeof old);
    if (number == old || (old != old && number != number)) return 0;
  }
  return store_bits(state, slot, TIDE_NUMBER, bits);
}

static bool holds_text(lua_State *L, TideState *state, const TideSlot *slot, int index, int cache,
                       const char *text, size_t count) {
  if (slot->tag == TIDE_BYTES) {
    const TideBytes *bytes = (const TideBytes *)(uintptr_t)slot->lo;
    return bytes->count == count && memcmp(bytes->bytes, text, count) == 0;
  }
  uint32_t entry = cache_index(state, slot->cache);
  if (slot->tag != TIDE_STRING || !entry) return false;
  lua_rawgeti(L, cache, entry);
  bool same = lua_rawequal(L, -1, index);
  lua_pop(L, 1);
  return same;
}

/// Stores a string in the slot's own buffer if it is not shared, and otherwise in a new one.
static TideBytes *replace_bytes(TideBytes *old, const char *text, uint32_t count) {
  if (old->references != 1) {
    TideBytes *made = tide_bytes_make(text, count);
    if (made) old->references--;
    return made;
  }
  if (old->count != count) {
    old = realloc(old, sizeof *old + count);
    if (!old) return NULL;
    old->count = count;
  }
  memcpy(old->bytes, text, count);
  return old;
}

/// Stores a string. Returns false if memory runs out.
static bool replace_text(TideState *state, TideSlot *slot, const char *text, size_t count) {
  TideBytes *bytes;
  if (count > UINT32_MAX) return false;
  if (slot->tag == TIDE_BYTES) {
    TideArena *arena = tide_arena_of(slot);
    TideHistory *history = arena->history;
    if (history) {
      tide_history_keep_first(history, slot, slot->tag, slot->lo);
      tide_change_keep_bytes(tide_history_entry(history, (uint32_t)(slot - arena->slots)),
                             (const TideBytes *)(uintptr_t)slot->lo);
    }
    bytes = replace_bytes((TideBytes *)(uintptr_t)slot->lo, text, (uint32_t)count);
  } else {
    bytes = tide_bytes_make(text, (uint32_t)count);
    if (bytes && slot->tag >= TIDE_STRING) release_payload(state, slot);
  }
  if (unlikely(!bytes)) return false;
  slot->tag = TIDE_BYTES;
  slot->lo = (uint64_t)(uintptr_t)bytes;
  return true;
}

static int store_text(lua_State *L, TideState *state, TideSlot *slot, int index, int cache) {
  size_t count;
  const char *text = lua_tolstring(L, index, &count);
  if (holds_text(L, state, slot, index, cache, text, count)) return 0;
  if (unlikely(count > SHORT_TEXT)) memory_admit_text(L, state, count);
  if (unlikely(!replace_text(state, slot, text, count)))
    return luaL_error(L, "not enough memory");
  // An observer is about to read the value; otherwise Lua's string is created at the next read.
  if (slot->access & TIDE_OBSERVED)
    text_remember(L, state, slot, index, cache);
  else if (slot->cache)
    slot->cache |= CACHE_STALE;
  return 1;
}

static inline __attribute__((always_inline)) int store(lua_State *L, TideState *state,
                                                       TideSlot *slot, int index, int cache) {
  if (unlikely(slot->access & ~TIDE_OBSERVED)) return -1;
  uint8_t type = slot->type;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        if (!accepts(type, TIDE_INTEGER)) return -1;
        return store_bits(state, slot, TIDE_INTEGER, (uint64_t)lua_tointegerx(L, index, NULL));
      }
      if (!accepts(type, TIDE_NUMBER)) return -1;
      return store_number(state, slot, lua_tonumberx(L, index, NULL));
    case LUA_TSTRING:
      return accepts(type, TIDE_BYTES) ? store_text(L, state, slot, index, cache) : -1;
    case LUA_TBOOLEAN:
      if (!accepts(type, TIDE_BOOLEAN)) return -1;
      return store_bits(state, slot, TIDE_BOOLEAN, (uint64_t)lua_toboolean(L, index));
    case LUA_TNIL:
      return accepts(type, TIDE_NIL) ? store_bits(state, slot, TIDE_NIL, 0) : -1;
    default: return -1;
  }
}

int slot_store(lua_State *L, TideState *state, TideSlot *slot, int index, int cache) {
  return store(L, state, slot, index, cache);
}

int slot_store_quietly(lua_State *L, TideState *state, TideSlot *slot, int index) {
  if (lua_type(L, index) != LUA_TSTRING) return store(L, state, slot, index, 0);
  if (slot->access & ~TIDE_OBSERVED || !accepts(slot->type, TIDE_BYTES)) return -1;
  size_t count;
  const char *text = lua_tolstring(L, index, &count);
  if (slot->tag == TIDE_STRING || count > SHORT_TEXT) return -2;
  if (slot->tag == TIDE_BYTES && holds_text(L, state, slot, index, 0, text, count)) return 0;
  if (!replace_text(state, slot, text, count)) return -2;
  if (slot->cache) slot->cache |= CACHE_STALE;
  return 1;
}

// MARK: Metamethods

static int refuse_dead(lua_State *L, const TideBox *box) {
  if (!box) return luaL_typeerror(L, 1, "data object");
  return luaL_error(L, "%s has been disposed of", box->class->name);
}

/// While a batch is open, a script's method needs no batch of its own. The function itself is
/// returned, which is not called through C and so can recurse without limit.
static inline int found_method(lua_State *L) {
  if (*state_of(L)->batches.open && lua_tocfunction(L, -1) == method_call) lua_getupvalue(L, -1, 1);
  return 1;
}

static int index_otherwise(lua_State *L, TideBox *box) {
  lua_pushvalue(L, 2);
  if (likely(lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL)) return found_method(L);
  lua_pop(L, 1);
  if (box->class->parent) {
    lua_pushvalue(L, 2);
    if (lua_gettable(L, lua_upvalueindex(2)) != LUA_TNIL) return found_method(L);
    lua_pop(L, 1);
  }
  TideState *state = state_of(L);
  if (!state->hooks.index)
    return luaL_error(L, "%s has no property '%s'", box->class->name, value_describe(L, 2, NULL));
  TideCall call;
  call_begin(&call, state, L);
  return call_end(L, &call, state->hooks.index(state->hooks.context, box->header, &call));
}

static void prepare(lua_State *L, TideState *state, TideSlot *slot) {
  if (!state->hooks.prepare) return;
  state->callbacks++;
  int32_t status = state->hooks.prepare(state->hooks.context, slot);
  state->callbacks--;
  clock_return(L, &state->budget);
  if (unlikely(status != TIDE_OK)) error_raise_pending(L, state);
}

int property_index(lua_State *L) {
  TideBox *box = lua_touserdata(L, 1);
  if (unlikely(!box || box->generation != box->header->generation)) return refuse_dead(L, box);
  uint32_t property = class_property(box->class, L, 2);
  if (unlikely(!property)) return index_otherwise(L, box);
  TideSlot *slot = box->header + property;
  if (unlikely(slot->access & TIDE_DERIVED || recording(slot))) {
    TideState *state = state_of(L);
    if (unlikely(state->coroutines.deriving == L) && derive_wants(L, state, slot))
      return derive_yield(L, state, slot);
    prepare(L, state, slot);
    // The evaluation may have disposed of the object.
    if (box->generation != box->header->generation) return refuse_dead(L, box);
  }
  if (likely(push_scalar(L, slot))) return 1;
  slot_push(L, state_of(L), slot, lua_upvalueindex(1));
  return 1;
}

static int newindex_otherwise(lua_State *L, TideBox *box, TideSlot *slot) {
  TideState *state = state_of(L);
  const TideObjectHooks *hooks = &state->hooks;
  TideCall call;
  if (slot ? !hooks->write : !hooks->newindex)
    return luaL_error(L, "%s.%s cannot be set", box->class->name, value_describe(L, 2, NULL));
  call_begin(&call, state, L);
  int32_t status = slot ? hooks->write(hooks->context, slot, &call)
                        : hooks->newindex(hooks->context, box->header, &call);
  return call_end(L, &call, status);
}

int property_newindex(lua_State *L) {
  TideBox *box = lua_touserdata(L, 1);
  if (unlikely(!box || box->generation != box->header->generation)) return refuse_dead(L, box);
  uint32_t property = class_property(box->class, L, 2);
  if (unlikely(!property)) return newindex_otherwise(L, box, NULL);
  TideSlot *slot = box->header + property;
  TideState *state = state_of(L);
  // A Swift string that no script has read is read first, to be compared.
  if (unlikely(slot->tag == TIDE_STRING && state->hooks.text) && lua_type(L, 3) == LUA_TSTRING &&
      !cache_index(state, slot->cache)) {
    text_push(L, state, slot, lua_upvalueindex(1));
    lua_pop(L, 1);
  }
  uint8_t oldTag = slot->tag;
  uint64_t oldBits = slot->lo;
  int stored = store(L, state, slot, 3, lua_upvalueindex(1));
  TideHistory *history = tide_arena_of(slot)->history;
  if (likely(stored > 0 && history))
    tide_history_note(history, tide_slot_index(slot), box->generation, oldTag, oldBits,
                      location_of_caller(L, state));
  if (likely(stored == 0 || (stored > 0 && !(slot->access & TIDE_OBSERVED)))) return 0;
  if (stored < 0) return newindex_otherwise(L, box, slot);
  if (listener_notify(L, state, slot, lua_upvalueindex(2)) || !state->hooks.changed) return 0;
  state->callbacks++;
  int32_t status = state->hooks.changed(state->hooks.context, slot);
  state->callbacks--;
  clock_return(L, &state->budget);
  if (unlikely(status != TIDE_OK)) return error_raise_pending(L, state);
  return 0;
}
