#include "frames.h"
#include "values.h"

// The tables by which scripts see a Swift value in a property, a list or a dictionary: each
// contains the value's fields at the time of the read. Assigning to a field, at any depth, changes
// the stored value: the value is read again, changed at the same path and assigned as a whole, so
// validators and observers of the property are called as usual. If the value has changed since the
// first read, the assignment raises an error.
//
//   copy (empty) ── metatable ── contents            the fields, a plain table
//                                owner, key          where the value is held
//                                path                the keys that lead to the contents from there
//
// A table within the contents becomes a copy of its own when it is read, with a longer path.

static const char copyMark = 0;

enum { OWNER = 1, KEY, PATH };

bool copy_contents(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  bool isCopy = lua_rawgetp(L, -1, &copyMark) != LUA_TNIL;
  if (isCopy)
    lua_remove(L, -2);
  else
    lua_pop(L, 2);
  return isCopy;
}

static int copy_index(lua_State *L);
static int copy_newindex(lua_State *L);
static int copy_length(lua_State *L);

/// Pops the contents and pushes the copy.
static void make_copy(lua_State *L, int owner, int key, int path) {
  int contents = lua_gettop(L);
  lua_createtable(L, 0, 0);
  lua_createtable(L, PATH, 5);
  lua_pushvalue(L, contents);
  lua_rawsetp(L, -2, &copyMark);
  lua_pushvalue(L, owner);
  lua_rawseti(L, -2, OWNER);
  lua_pushvalue(L, key);
  lua_rawseti(L, -2, KEY);
  lua_pushvalue(L, path);
  lua_rawseti(L, -2, PATH);
  lua_pushcfunction(L, copy_index);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, copy_newindex);
  lua_setfield(L, -2, "__newindex");
  lua_pushcfunction(L, copy_length);
  lua_setfield(L, -2, "__len");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_replace(L, contents);
}

/// Turns the table on top of the stack, which a copy holds under a key, into a copy as well; leaves
/// other values unchanged.
static void wrap_child(lua_State *L, int copy, int key) {
  if (!lua_istable(L, -1)) return;
  luaL_checkstack(L, 12, NULL);
  int contents = lua_gettop(L);
  lua_getmetatable(L, copy);
  int metatable = contents + 1;
  lua_rawgeti(L, metatable, OWNER);
  lua_rawgeti(L, metatable, KEY);
  lua_rawgeti(L, metatable, PATH);
  int depth = (int)lua_rawlen(L, -1);
  lua_createtable(L, depth + 1, 0);
  for (int i = 1; i <= depth; i++) {
    lua_rawgeti(L, metatable + 3, i);
    lua_rawseti(L, -2, i);
  }
  lua_pushvalue(L, key);
  lua_rawseti(L, -2, depth + 1);
  lua_pushvalue(L, contents);
  make_copy(L, metatable + 1, metatable + 2, metatable + 4);
  lua_replace(L, contents);
  lua_settop(L, contents);
}

// MARK: Metamethods

static int copy_index(lua_State *L) {
  lua_settop(L, 2);
  if (!copy_contents(L, 1)) return 0;
  lua_pushvalue(L, 2);
  lua_rawget(L, 3);
  wrap_child(L, 1, 2);
  return 1;
}

static int copy_length(lua_State *L) {
  if (!copy_contents(L, 1)) return 0;
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
  return 1;
}

int copy_next(lua_State *L) {
  lua_settop(L, 2);
  if (!copy_contents(L, 1)) return luaL_typeerror(L, 1, "table");
  lua_insert(L, 2);
  if (!lua_next(L, 2)) {
    lua_pushnil(L);
    return 1;
  }
  wrap_child(L, 1, 3);
  return 2;
}

enum { HELD = 4 };

/// Puts the currently stored value at HELD, and on top the table in it that a copy represents.
/// Returns false if that table no longer exists.
static bool push_held(lua_State *L, int copy) {
  lua_settop(L, HELD - 1);
  lua_getmetatable(L, copy);
  lua_rawgeti(L, HELD, OWNER);
  lua_rawgeti(L, HELD, KEY);
  lua_rawgeti(L, HELD, PATH);
  lua_pushvalue(L, HELD + 2);
  lua_gettable(L, HELD + 1);
  if (!copy_contents(L, -1)) return false;
  lua_replace(L, HELD);
  lua_settop(L, HELD + 3);
  int depth = (int)lua_rawlen(L, HELD + 3);
  lua_pushvalue(L, HELD);
  for (int i = 1; i <= depth; i++) {
    if (!lua_istable(L, -1)) return false;
    lua_rawgeti(L, HELD + 3, i);
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  return lua_istable(L, -1);
}

static bool is_nan(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER && !lua_rawequal(L, index, index);
}

/// Whether both values on top are created anew at each read: tables, and objects that represent
/// values.
static bool are_made(lua_State *L) {
  int type = lua_type(L, -1);
  return (type == LUA_TTABLE || type == LUA_TUSERDATA) && type == lua_type(L, -2);
}

/// Whether the table on top has the copy's contents: after an edit, an index of a list may hold
/// another element. Nested tables are checked when they are assigned to.
static bool is_current(lua_State *L, int copy) {
  TideBudget *budget = budget_of(L);
  int now = lua_gettop(L);
  lua_Integer fields = 0;
  lua_pushnil(L);
  for (; lua_next(L, now); fields++) lua_pop(L, 1);
  copy_contents(L, copy);
  bool isSame = true;
  lua_pushnil(L);
  while (isSame && lua_next(L, now + 1)) {
    clock_check(L, budget);
    fields--;
    lua_pushvalue(L, -2);
    lua_rawget(L, now);
    isSame = lua_rawequal(L, -1, -2) || are_made(L) || (is_nan(L, -1) && is_nan(L, -2));
    lua_pop(L, 2);
  }
  lua_settop(L, now);
  return isSame && fields == 0;
}

/// Updates the contents in place, because the copies around them share them.
static void refresh(lua_State *L) {
  TideBudget *budget = budget_of(L);
  if (!push_held(L, 1) || !copy_contents(L, 1)) return;
  int contents = lua_gettop(L), now = contents - 1;
  lua_pushnil(L);
  while (lua_next(L, contents)) {
    clock_check(L, budget);
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, contents);
  }
  lua_pushnil(L);
  while (lua_next(L, now)) {
    clock_check(L, budget);
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, contents);
  }
}

static int copy_newindex(lua_State *L) {
  luaL_checkstack(L, 16, NULL);
  lua_settop(L, 3);
  if (copy_contents(L, 3)) lua_replace(L, 3);
  if (!push_held(L, 1) || !is_current(L, 1))
    return luaL_error(L, "'%s' holds another value by now; read it once more",
                      value_describe(L, HELD + 2, NULL));
  lua_pushvalue(L, 2);
  lua_pushvalue(L, 3);
  lua_rawset(L, -3);
  lua_pushvalue(L, HELD + 2);
  lua_pushvalue(L, HELD);
  lua_settable(L, HELD + 1);
  refresh(L);
  return 0;
}

// MARK: For Swift

typedef struct CopyRequest {
  uint32_t table;
  const TideValue *owner, *key;
} CopyRequest;

static int make(lua_State *L) {
  CopyRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  value_push(L, state, request->owner);
  value_push(L, state, request->key);
  lua_createtable(L, 0, 0);
  reference_push(L, state, request->table);
  make_copy(L, 2, 3, 4);
  return 1;
}

int32_t tide_copy_make(TideState *state, uint32_t table, const TideValue *owner,
                       const TideValue *key, TideFrame *frame) {
  CopyRequest request = {.table = table, .owner = owner, .key = key};
  return frame_run(state, make, &request, frame);
}

bool tide_table_is_copy(TideState *state, uint32_t table) {
  lua_State *L = state->current;
  if (!L || !lua_checkstack(L, 8)) return false;
  int top = lua_gettop(L);
  reference_push(L, state, table);
  bool isCopy = copy_contents(L, -1);
  lua_settop(L, top);
  return isCopy;
}
