#include "frames.h"
#include "owners.h"
#include "texts.h"

// The functions of a context with an owner live as long as the owner and do not keep it alive,
// whatever they capture. The host holds a stand-in that refers to the function weakly. The
// functions are stored under the owner's userdata as a weak key:
//
//   host ── stand-in ─ ─ ─ ▶ function ──▶ owner's userdata
//                               ▲               ╎ (only while it is in use)
//                               └── owners ◀╶╶╶╶┘
//
// An owner may be in use by the host alone, such as in a view tree or a list. Then the collector
// finds its userdata dead, together with the functions; its finalizer resurrects them.

// The userdata's own reference counts as one. All other references of scripts and the runtime are
// retained and released on this thread, so a count of one means that nothing else uses the object.
// If the host has passed it to another thread, it lives until a later collection.
size_t swift_retainCount(void *object);

/// Replaces the stand-in on top of the stack by its function, or nil; leaves any other value.
void owned_resolve(lua_State *L) {
  if (lua_tocfunction(L, -1) != owned_call) return;
  lua_getupvalue(L, -1, 1);
  lua_pushnil(L);
  // The only key. A weak value would already be cleared when an owner is resurrected.
  if (lua_next(L, -2)) {
    lua_pop(L, 1);
    lua_copy(L, -1, -3);
    lua_pop(L, 2);
  } else {
    lua_pop(L, 2);
    lua_pushnil(L);
  }
}

static int owned_continued(lua_State *L, int status, lua_KContext context) {
  (void)status, (void)context;
  return lua_gettop(L);
}

int owned_call(lua_State *L) {
  lua_pushnil(L);
  // The owner has just been freed, together with everything that would call this function.
  if (!lua_next(L, lua_upvalueindex(1))) return 0;
  lua_pop(L, 1);
  lua_insert(L, 1);
  lua_callk(L, lua_gettop(L) - 1, LUA_MULTRET, 0, owned_continued);
  return lua_gettop(L);
}

typedef struct Owning {
  uint32_t function;
  TideSlot *owner;
} Owning;

static void push_weak_table(lua_State *L, TideState *state) {
  lua_createtable(L, 0, 1);
  private_get(L, state, PRIVATE_OWNERS);
  lua_getmetatable(L, -1);
  lua_setmetatable(L, -3);
  lua_pop(L, 1);
}

static int make_owned(lua_State *L) {
  enum { FUNCTION = 2, OWNER, KEYS, STAND_IN = KEYS, OWNERS, FUNCTIONS };
  TideState *state = state_of(L);
  const Owning *owning = lua_touserdata(L, 1);
  lua_settop(L, 1);
  reference_push(L, state, owning->function);
  object_push(L, state, owning->owner, 0);
  TideBox *box = lua_touserdata(L, OWNER);
  // The host owns the objects that it creates: Lua does not keep them alive, and neither do
  // functions that capture them.
  if (!box || !box->held) {
    lua_pushvalue(L, FUNCTION);
    return 1;
  }
  push_weak_table(L, state);
  lua_pushvalue(L, FUNCTION);
  lua_pushboolean(L, 1);
  lua_rawset(L, KEYS);
  lua_pushcclosure(L, owned_call, 1);
  private_get(L, state, PRIVATE_OWNERS);
  lua_pushvalue(L, OWNER);
  if (lua_rawget(L, OWNERS) != LUA_TTABLE) {
    lua_pop(L, 1);
    push_weak_table(L, state);
    lua_pushvalue(L, OWNER);
    lua_pushvalue(L, FUNCTIONS);
    lua_rawset(L, OWNERS);
  }
  lua_pushvalue(L, STAND_IN);
  lua_pushvalue(L, FUNCTION);
  lua_rawset(L, FUNCTIONS);
  box->held |= BOX_OWNS_FUNCTIONS;
  lua_settop(L, STAND_IN);
  return 1;
}

int32_t tide_function_own(TideState *state, uint32_t function, TideSlot *owner, TideFrame *frame) {
  Owning owning = {function, owner};
  return frame_run(state, make_owned, &owning, frame);
}

// Runs inside the collector.
bool owner_lives_on(lua_State *L, TideState *state, TideBox *box) {
  if (!(box->held & BOX_OWNS_FUNCTIONS) || !state->main) return false;
  TideSlot *header = box->header;
  if (swift_retainCount((void *)(uintptr_t)header->lo) < 2) return false;
  uint32_t index = cache_index(state, header->cache);
  if (!index || !lua_checkstack(L, 4)) return false;
  private_get(L, state, PRIVATE_CACHE);
  bool isFree = lua_rawgeti(L, -1, index) == LUA_TNIL;
  lua_pop(L, 1);
  if (isFree) {
    // Cached again, so that the object stays the same value in scripts.
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, index);
    // Finalized again by the next collection.
    lua_getmetatable(L, 1);
    lua_setmetatable(L, 1);
  }
  lua_pop(L, 1);
  return isFree;
}
