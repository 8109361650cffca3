#include "errors.h"
#include "frames.h"
#include "functions.h"
#include "members.h"

// Scripts' access to the members of a described type's objects. Metamethods that are C closures
// find a member and call its body directly, in the same call:
//
//   object.key ──▶ member_index ──▶ getters[key] ──▶ the Swift function that reads it
//                                   methods[key] ──▶ the method itself
//                                   fallbacks.get ─▶ the Swift function that reads any key

enum { METHODS = 1, GETTERS, SETTERS, FALLBACKS, NAME };
enum { OBJECT = 1, KEY, CONTENT };

/// Pushes a table's value for the key; never raises an error.
static inline int look_up(lua_State *L, int table) {
  lua_pushvalue(L, KEY);
  return lua_rawget(L, lua_upvalueindex(table));
}

static bool find_fallback(lua_State *L, const char *name) {
  lua_pushstring(L, name);
  return lua_rawget(L, lua_upvalueindex(FALLBACKS)) == LUA_TUSERDATA;
}

/// Calls the Swift function on top of the stack with the lowest values. The stack keeps the
/// function alive if its type gets another one meanwhile.
static inline int call_body(lua_State *L, int count) {
  return function_call(L, lua_touserdata(L, -1), count);
}

/// Adjusts the number of arguments. Lua always passes this number to metamethods, but a script that
/// calls one itself may not.
static inline void take_arguments(lua_State *L, int count) {
  if (unlikely(lua_gettop(L) != count)) lua_settop(L, count);
}

/// Raises an error at the line that accessed the member.
__attribute__((noinline, noreturn)) static void refuse(lua_State *L, const char *form) {
  location_push(L, 1);
  const char *key = value_describe(L, KEY, NULL);
  lua_pushfstring(L, form, lua_tostring(L, lua_upvalueindex(NAME)), key);
  lua_remove(L, -2);
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable();
}

static int member_index(lua_State *L) {
  take_arguments(L, KEY);
  if (likely(look_up(L, GETTERS) == LUA_TUSERDATA)) return call_body(L, OBJECT);
  lua_settop(L, KEY);
  if (likely(look_up(L, METHODS) == LUA_TFUNCTION)) return 1;
  lua_settop(L, KEY);
  if (find_fallback(L, "get")) return call_body(L, KEY);
  refuse(L, "%s has no property or method '%s'");
}

/// Whether the key is the name of a property or method.
static bool is_known(lua_State *L) {
  bool isKnown = look_up(L, GETTERS) != LUA_TNIL || look_up(L, METHODS) != LUA_TNIL;
  lua_settop(L, CONTENT);
  return isKnown;
}

static int member_assign(lua_State *L) {
  take_arguments(L, CONTENT);
  if (likely(look_up(L, SETTERS) == LUA_TUSERDATA)) {
    // The setter's arguments are the object and the value.
    lua_copy(L, CONTENT, KEY);
    return call_body(L, KEY);
  }
  lua_settop(L, CONTENT);
  bool isKnown = is_known(L);
  if (!isKnown && find_fallback(L, "set")) return call_body(L, CONTENT);
  bool isReadOnly = isKnown || find_fallback(L, "get");
  refuse(L, isReadOnly ? "%s.%s is read only" : "%s has no property '%s'");
}

bool is_member_access(lua_State *L, lua_Debug *record) {
  if (!lua_checkstack(L, 1)) return false;
  lua_getinfo(L, "f", record);
  lua_CFunction function = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  return function == member_index || function == member_assign;
}

typedef struct MemberRequest {
  uint32_t table, function;
  const char *name;
  size_t count;
} MemberRequest;

typedef struct MembersRequest {
  const char *name;
  const uint32_t *tables;
} MembersRequest;

static int make_members(lua_State *L) {
  const MembersRequest *request = lua_touserdata(L, 1);
  static const lua_CFunction functions[] = {member_index, member_assign};
  luaL_checkstack(L, NAME + 4, NULL);
  for (int i = 0; i < 2; i++) {
    for (int table = METHODS; table <= FALLBACKS; table++)
      reference_push(L, state_of(L), request->tables[table - METHODS]);
    lua_pushstring(L, request->name);
    lua_pushcclosure(L, functions[i], NAME);
  }
  return 2;
}

int32_t tide_members_make(TideState *state, const char *name, const uint32_t *tables,
                          TideFrame *frame) {
  MembersRequest request = {.name = name, .tables = tables};
  return frame_run(state, make_members, &request, frame);
}

static int set_member(lua_State *L) {
  const MemberRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  luaL_checkstack(L, 8, NULL);
  reference_push(L, state, request->table);
  lua_pushlstring(L, request->name, request->count);
  reference_push(L, state, request->function);
  if (!lua_getupvalue(L, -1, 1)) return luaL_error(L, "not a host function");
  lua_remove(L, -2);
  lua_rawset(L, -3);
  return 0;
}

int32_t tide_member_set(TideState *state, uint32_t table, const char *name, size_t count,
                        uint32_t function, TideFrame *frame) {
  MemberRequest request = {.table = table, .name = name, .count = count, .function = function};
  return frame_run(state, set_member, &request, frame);
}
