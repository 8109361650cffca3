#include "classes.h"
#include "frames.h"
#include "objects.h"
#include "properties.h"

// A class maps the keys of a data object's Lua value to slots. Keys are found by the address of the
// interned Lua string, which the class's anchor keeps alive. Lua does not intern strings over forty
// bytes, so those are compared by their bytes.

enum { LONGEST_INTERNED = 40 };

static TideKey noKeys[1];
TideClass class_gone = {.keys = noKeys, .name = "object"};

TideClass *class_find(const TideState *state, uint32_t number) {
  return likely(number < state->classes.capacity) ? state->classes.entries[number] : NULL;
}

uint32_t class_find_long(const TideClass *class, lua_State *L, int index) {
  size_t count;
  if (lua_type(L, index) != LUA_TSTRING) return 0;
  const char *bytes = lua_tolstring(L, index, &count);
  for (uint32_t i = 0; i < class->longCount; i++) {
    const TideLongKey *key = &class->longKeys[i];
    if (key->count == count && memcmp(key->bytes, bytes, count) == 0) return key->property;
  }
  return 0;
}

static void add_key(TideClass *class, const void *address, uint32_t property) {
  uint32_t at = address_hash(address) & class->mask;
  while (class->keys[at].string) at = (at + 1) & class->mask;
  class->keys[at] = (TideKey){address, property};
}

static void free_class(TideClass *class) {
  free(class->keys);
  free(class->longKeys);
  free(class);
}

void classes_free(TideState *state) {
  for (uint32_t i = 0; i < state->classes.capacity; i++)
    for (TideClass *class = state->classes.entries[i]; class;) {
      TideClass *next = class->next;
      free_class(class);
      class = next;
    }
  free(state->classes.entries);
  state->classes.entries = NULL;
  state->classes.capacity = 0;
}

typedef struct ClassRequest {
  TideClass *class;
  const char *const *properties;
  uint32_t count;
} ClassRequest;

static TideClass *make_class(uint32_t number, uint32_t parent, const char *name, uint32_t count) {
  size_t length = strlen(name) + 1;
  TideClass *class = calloc(1, sizeof *class + length);
  if (!class) return NULL;
  uint32_t size = 4;
  while (size < count * 2) size *= 2;
  class->number = number;
  class->parent = parent;
  class->mask = size - 1;
  class->keys = calloc(size, sizeof *class->keys);
  class->longKeys = calloc(count ? count : 1, sizeof *class->longKeys);
  memcpy(class->name, name, length);
  if (class->keys && class->longKeys) return class;
  free_class(class);
  return NULL;
}

static bool reserve_class(TideState *state, uint32_t number) {
  if (number < state->classes.capacity) return true;
  uint32_t capacity = state->classes.capacity ? state->classes.capacity : 32;
  while (capacity <= number) capacity *= 2;
  TideClass **grown = realloc(state->classes.entries, capacity * sizeof *grown);
  if (!grown) return false;
  memset(grown + state->classes.capacity, 0,
         (capacity - state->classes.capacity) * sizeof *grown);
  state->classes.entries = grown;
  state->classes.capacity = capacity;
  return true;
}

/// Pushes the class's keys as a table, which keeps the strings at their addresses.
static void anchor_keys(lua_State *L, ClassRequest *request) {
  TideClass *class = request->class;
  lua_createtable(L, (int)request->count, 0);
  for (uint32_t i = 0; i < request->count; i++) {
    const char *name = request->properties[i];
    // An index whose property no longer exists.
    if (!name) continue;
    lua_pushstring(L, name);
    size_t count;
    const char *bytes = lua_tolstring(L, -1, &count);
    if (count > LONGEST_INTERNED)
      class->longKeys[class->longCount++] = (TideLongKey){bytes, count, i + 1};
    else
      add_key(class, lua_topointer(L, -1), i + 1);
    lua_rawseti(L, -2, i + 1);
  }
}

static void make_methods(lua_State *L, TideState *state, const TideClass *class) {
  private_get(L, state, PRIVATE_METHODS);
  int all = lua_gettop(L);
  lua_createtable(L, 0, 4);
  if (class->parent && lua_rawgeti(L, all, class->parent) == LUA_TTABLE) {
    lua_createtable(L, 0, 1);
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
  } else if (class->parent) {
    lua_pop(L, 1);
  }
  lua_pushvalue(L, -1);
  lua_rawseti(L, all, class->number);
  lua_remove(L, all);
}

/// Pushes the name of the class's objects in Lua's own messages. Lua puts "a" before it even if the
/// name begins with a vowel: "attempt to call a data object (Item) value".
static void push_kind(lua_State *L, const char *name) {
  if (strcmp(name, "object") == 0)
    lua_pushliteral(L, "data object");
  else if (*name && strchr("aeiouAEIOU", *name))
    lua_pushfstring(L, "data object (%s)", name);
  else
    lua_pushstring(L, name);
}

/// Pushes a metatable of the class. The metatable of objects that Lua keeps alive has a finalizer.
static void make_metatable(lua_State *L, const TideClass *class, int cache, bool owned) {
  object_push_metatable(L, owned);
  push_kind(L, class->name);
  lua_setfield(L, -2, "__name");
  lua_pushvalue(L, cache);
  lua_pushvalue(L, cache + 1);
  lua_pushcclosure(L, property_index, 2);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, cache);
  private_push(L, state_of(L));
  lua_pushcclosure(L, property_newindex, 2);
  lua_setfield(L, -2, "__newindex");
}

static int define_class(lua_State *L) {
  ClassRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  lua_Integer first = class_entry(request->class);
  private_get(L, state, PRIVATE_CLASSES);
  private_get(L, state, PRIVATE_CACHE);
  make_methods(L, state, request->class);
  anchor_keys(L, request);
  lua_rawseti(L, 2, first);
  make_metatable(L, request->class, 3, false);
  lua_rawseti(L, 2, first + 1);
  make_metatable(L, request->class, 3, true);
  lua_rawseti(L, 2, first + 2);
  return 0;
}

int32_t tide_class_define(TideState *state, uint32_t number, const char *name,
                          const char *const *properties, uint32_t count, uint32_t parent,
                          TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  TideClass *class = reserve_class(state, number) ? make_class(number, parent, name, count) : NULL;
  if (!class) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  ClassRequest request = {.class = class, .properties = properties, .count = count};
  int32_t status = frame_protect(L, state, define_class, &request, frame);
  if (status == TIDE_OK) {
    // An earlier definition is kept for the userdata that point to it.
    class->next = state->classes.entries[number];
    state->classes.entries[number] = class;
  } else {
    free_class(class);
  }
  return status;
}

static int redefine_class(lua_State *L) {
  ClassRequest *request = lua_touserdata(L, 1);
  private_get(L, state_of(L), PRIVATE_CLASSES);
  anchor_keys(L, request);
  lua_rawseti(L, 2, class_entry(request->class));
  return 0;
}

int32_t tide_class_redefine(TideState *state, uint32_t number, const char *const *properties,
                            uint32_t count, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  TideClass *class = class_find(state, number);
  // The keys are created in a temporary class first, so that the class stays unchanged if memory
  // runs out.
  TideClass *made = class ? make_class(number, class->parent, class->name, count) : NULL;
  if (!made) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  ClassRequest request = {.class = made, .properties = properties, .count = count};
  int32_t status = frame_protect(L, state, redefine_class, &request, frame);
  if (status == TIDE_OK) {
    TideKey *keys = class->keys;
    TideLongKey *longKeys = class->longKeys;
    class->mask = made->mask;
    class->longCount = made->longCount;
    class->keys = made->keys;
    class->longKeys = made->longKeys;
    made->keys = keys;
    made->longKeys = longKeys;
  }
  free_class(made);
  return status;
}

static int retire_class(lua_State *L) {
  const TideClass *class = lua_touserdata(L, 1);
  private_get(L, state_of(L), PRIVATE_METHODS);
  private_get(L, state_of(L), PRIVATE_CLASSES);
  lua_pushnil(L);
  lua_rawseti(L, 2, class->number);
  for (lua_Integer entry = class_entry(class), end = entry + 3; entry < end; entry++) {
    lua_pushnil(L);
    lua_rawseti(L, 3, entry);
  }
  return 0;
}

bool tide_class_retire(TideState *state, uint32_t number) {
  TideClass *class = class_find(state, number);
  if (!class) return true;
  // If the class was defined twice, userdata may point to either definition.
  if (class->next || !state->main) return false;
  TideFrame frame;
  lua_State *L = frame_enter(state, &frame);
  if (!L) return false;
  bool isDone = frame_protect(L, state, retire_class, class, &frame) == TIDE_OK;
  if (isDone) {
    state->classes.entries[number] = NULL;
    class->isRetired = true;
    class_drop(class);
  }
  tide_frame_end(state, &frame);
  return isDone;
}

void class_drop(TideClass *class) {
  if (class->isRetired && class->boxes == 0) free_class(class);
}

void tide_class_forget(TideState *state, uint32_t number) {
  TideClass *class = class_find(state, number);
  if (!class) return;
  state->classes.entries[number] = class->next;
  free_class(class);
}

bool tide_class_is_defined(const TideState *state, uint32_t number) {
  return class_find(state, number) != NULL;
}

static int get_methods(lua_State *L) {
  const uint32_t *number = lua_touserdata(L, 1);
  private_get(L, state_of(L), PRIVATE_METHODS);
  lua_rawgeti(L, -1, *number);
  return 1;
}

int32_t tide_class_methods(TideState *state, uint32_t number, TideFrame *frame) {
  return frame_run(state, get_methods, &number, frame);
}
