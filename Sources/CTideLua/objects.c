#include "addresses.h"
#include "classes.h"
#include "errors.h"
#include "frames.h"
#include "held.h"
#include "loops.h"
#include "owners.h"
#include "texts.h"

// A data object in Lua is a userdata that points to the header slot of the object's block and
// stores the block's generation, so that it detects when the object no longer exists. The same
// object always has the same userdata: the header contains the number of its entry in the weak
// cache. The number outlives the userdata and even the object, so code that looks up an entry
// verifies that it is the right one.
//
//   Lua                            the graph's memory
//   userdata ── header ──────────▶ header slot ── cache ──▶ entry of the cache table ──▶ userdata
//               class, generation  slot of property 1 …

static inline TideBox *box_of(const TideSlot *header, void *userdata) {
  TideBox *box = userdata;
  if (!box || box->header != header || box->generation != header->generation) return NULL;
  return box;
}

bool object_push_known(lua_State *L, TideState *state, TideSlot *header, int cache) {
  uint32_t index = cache_index(state, header->cache);
  if (!index) return false;
  cache_get(L, state, cache, index);
  // The number of a freed object may have been reused for a string.
  if (lua_type(L, -1) == LUA_TUSERDATA && box_of(header, lua_touserdata(L, -1))) return true;
  lua_pop(L, 1);
  return false;
}

static TideClass *class_for(lua_State *L, TideState *state, uint32_t number) {
  TideClass *class = class_find(state, number);
  if (likely(class != NULL)) return class;
  if (!state->hooks.define) luaL_error(L, "class %d has no definition", (int)number);
  state->callbacks++;
  int32_t status = state->hooks.define(state->hooks.context, number);
  state->callbacks--;
  if (status != TIDE_OK) error_raise_pending(L, state);
  class = class_find(state, number);
  if (!class) luaL_error(L, "class %d has no definition", (int)number);
  return class;
}

static void make_box(lua_State *L, TideState *state, TideSlot *header) {
  TideClass *class = class_for(L, state, header->body);
  TideBox *box = lua_newuserdatauv(L, sizeof *box, 0);
  *box = (TideBox){state, header, class, header->generation, 0};
  private_get(L, state, PRIVATE_CLASSES);
  bool owned = false;
  if (state->hooks.adopt) {
    if (!held_reserve(state)) luaL_error(L, "not enough memory");
    state->callbacks++;
    owned = state->hooks.adopt(state->hooks.context, header);
    state->callbacks--;
  }
  // Nothing raises an error from here until the userdata has its metatable, and thereby the
  // finalizer.
  lua_rawgeti(L, -1, class_entry(class) + (owned ? 2 : 1));
  if (owned) {
    box->held = held_add(state, (void *)(uintptr_t)header->lo);
    class->boxes++;
  }
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
}

void object_push(lua_State *L, TideState *state, TideSlot *header, int cache) {
  luaL_checkstack(L, 10, NULL);
  if (object_push_known(L, state, header, cache)) return;
  cache_attach(state, tide_arena_of(header));
  make_box(L, state, header);
  uint32_t index = cache_index(state, header->cache);
  if (!index && state->cache.arena == tide_arena_of(header)) index = cache_take(state);
  if (!index) return;
  private_get(L, state, PRIVATE_CACHE);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, index);
  lua_pop(L, 1);
  header->cache = state->cache.base + index;
}

// A function of Swift's runtime, for objects of the host that Lua must keep alive.
void *swift_retain(void *object);

void object_push_given(lua_State *L, TideState *state, TideSlot *header) {
  object_push(L, state, header, 0);
  TideBox *box = lua_touserdata(L, -1);
  if (box->held) return;
  luaL_checkstack(L, 2, NULL);
  if (!held_reserve(state)) luaL_error(L, "not enough memory");
  private_get(L, state, PRIVATE_CLASSES);
  lua_rawgeti(L, -1, class_entry(box->class) + 2);
  // The metatable first, because its finalizer releases the retained object.
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
  box->held = held_add(state, swift_retain((void *)(uintptr_t)header->lo));
  box->class->boxes++;
}

// MARK: Metamethods that call the host

typedef int32_t (*HeaderHook)(void *, TideSlot *, TideCall *);

static int ask_host(lua_State *L, HeaderHook hook, const char *what) {
  TideState *state = state_of(L);
  TideBox *box = object_at(L, state, 1);
  if (!box) return luaL_typeerror(L, 1, "data object");
  if (box->generation != box->header->generation)
    return luaL_error(L, "%s has been disposed of", box->class->name);
  if (!hook) return luaL_error(L, "%s cannot be %s", box->class->name, what);
  TideCall call;
  call_begin(&call, state, L);
  return call_end(L, &call, hook(state->hooks.context, box->header, &call));
}

static int object_length(lua_State *L) {
  return ask_host(L, state_of(L)->hooks.length, "measured");
}

static int object_pairs(lua_State *L) {
  int results = loop_begin(L);
  if (results) return results;
  lua_settop(L, 1);
  return ask_host(L, state_of(L)->hooks.pairs, "iterated");
}

static int object_call(lua_State *L) { return ask_host(L, state_of(L)->hooks.call, "called"); }

static int object_tostring(lua_State *L) {
  TideState *state = state_of(L);
  TideBox *box = object_at(L, state, 1);
  if (!box) return luaL_typeerror(L, 1, "data object");
  if (box->generation == box->header->generation && state->hooks.describe)
    return ask_host(L, state->hooks.describe, "described");
  bool isGone = box->generation != box->header->generation;
  char address[ADDRESS_TEXT];
  address_write(box->header, address);
  lua_pushfstring(L, isGone ? "%s (disposed of)" : "%s: %s", box->class->name, address);
  return 1;
}

static int object_collect(lua_State *L) {
  TideBox *box = lua_touserdata(L, 1);
  if (!box->held || owner_lives_on(L, box->state, box)) return 0;
  held_drop(state_of(L), box->held & ~BOX_OWNS_FUNCTIONS);
  box->held = 0;
  TideClass *class = box->class;
  // Weak keys expose it to scripts until the next cycle.
  box->class = &class_gone;
  class->boxes--;
  class_drop(class);
  return 0;
}

typedef struct Relocation {
  TideSlot *from, *to;
} Relocation;

static int follow_object(lua_State *L) {
  const Relocation *moved = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  uint32_t index = cache_index(state, moved->to->cache);
  if (!index) return 0;
  private_get(L, state, PRIVATE_CACHE);
  lua_rawgeti(L, -1, index);
  TideBox *box = object_at(L, state, -1);
  if (!box || box->header != moved->from) return 0;
  box->header = moved->to;
  box->generation = moved->to->generation;
  return 0;
}

void tide_object_moved(TideState *state, TideSlot *from, TideSlot *to) {
  Relocation moved = {from, to};
  TideFrame frame;
  lua_State *L = frame_enter(state, &frame);
  if (!L) return;
  frame_protect(L, state, follow_object, &moved, &frame);
  tide_frame_end(state, &frame);
}

void object_push_metatable(lua_State *L, bool owned) {
  static const luaL_Reg methods[] = {
      {"__len", object_length},        {"__pairs", object_pairs}, {"__call", object_call},
      {"__tostring", object_tostring}, {"__ipairs", loop_begin},   {NULL, NULL},
  };
  lua_createtable(L, 1, 13);
  luaL_setfuncs(L, methods, 0);
  if (owned) {
    lua_pushcfunction(L, object_collect);
    lua_setfield(L, -2, "__gc");
  }
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
}

void tide_objects_set_hooks(TideState *state, const TideObjectHooks *hooks) {
  state->hooks = *hooks;
  state->batches.open = hooks->arena ? &hooks->arena->batch : &state->batches.none;
}
