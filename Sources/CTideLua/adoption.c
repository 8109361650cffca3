#include "frames.h"

// Reloading a module creates a new table, while other code holds the old one. The old table takes
// over the new one's contents, so its holders see the new functions. The new functions themselves
// refer to their module by a local variable that holds the new table. For each function that can be
// reached from that table, the variable is set to the old table:
//
//   local M = {}                       old ◀── held by others       (takes the contents)
//   function M.add() M.n = M.n + 1 end new ◀── M ── upvalue of add  (is led to the old one)
//   return M
//
// Functions of other chunks, and everything that is only reachable through them, stay unchanged.

enum { OLD = 1, NEW = 2, SEEN = 3, WORK = 4, GLOBALS = 5 };
/// The number of tables and functions that are visited. In a module with more, some functions keep
/// referring to the new table.
enum { MOST_VISITED = 20000 };

typedef struct Adoption {
  uint32_t table, other;
  const char *chunk;
} Adoption;

/// Pops the value on top of the stack and queues it for a visit, unless it has been queued before.
static void plan(lua_State *L, lua_Integer *count) {
  int type = lua_type(L, -1);
  bool isWanted = (type == LUA_TTABLE || type == LUA_TFUNCTION) && *count < MOST_VISITED &&
                  !lua_rawequal(L, -1, OLD) && !lua_rawequal(L, -1, GLOBALS);
  if (!isWanted) {
    lua_pop(L, 1);
    return;
  }
  lua_pushvalue(L, -1);
  if (lua_rawget(L, SEEN) != LUA_TNIL) {
    lua_pop(L, 2);
    return;
  }
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  lua_pushboolean(L, 1);
  lua_rawset(L, SEEN);
  lua_rawseti(L, WORK, ++*count);
}

/// Updates the function on top of the stack.
static void lead_function(lua_State *L, const char *chunk, lua_Integer *count) {
  int function = lua_gettop(L);
  if (lua_iscfunction(L, function)) return;
  lua_Debug info;
  lua_pushvalue(L, function);
  if (!lua_getinfo(L, ">S", &info) || strcmp(info.source, chunk) != 0) return;
  for (int i = 1; lua_getupvalue(L, function, i); i++) {
    if (lua_rawequal(L, -1, NEW)) {
      lua_pop(L, 1);
      lua_pushvalue(L, OLD);
      lua_setupvalue(L, function, i);
    } else {
      plan(L, count);
    }
  }
}

/// Updates the table on top of the stack.
static void lead_table(lua_State *L, lua_Integer *count) {
  int table = lua_gettop(L);
  if (lua_getmetatable(L, table)) plan(L, count);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_rawequal(L, -1, NEW)) {
      lua_pop(L, 1);
      lua_pushvalue(L, -1);
      lua_pushvalue(L, OLD);
      lua_rawset(L, table);
    } else {
      plan(L, count);
    }
  }
}

static void take_contents(lua_State *L) {
  lua_pushnil(L);
  while (lua_next(L, OLD)) {
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, OLD);
  }
  lua_pushnil(L);
  while (lua_next(L, NEW)) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, OLD);
  }
  if (!lua_getmetatable(L, NEW)) lua_pushnil(L);
  metatable_set(L, OLD);
}

static int adopt(lua_State *L) {
  const Adoption *request = lua_touserdata(L, 1);
  lua_settop(L, 0);
  luaL_checkstack(L, 24, NULL);
  reference_push(L, state_of(L), request->table);
  reference_push(L, state_of(L), request->other);
  lua_newtable(L);
  lua_newtable(L);
  lua_pushglobaltable(L);
  lua_Integer count = 0;
  lua_pushvalue(L, NEW);
  plan(L, &count);
  for (lua_Integer next = 1; next <= count; next++) {
    lua_rawgeti(L, WORK, next);
    if (lua_istable(L, -1))
      lead_table(L, &count);
    else
      lead_function(L, request->chunk, &count);
    lua_settop(L, GLOBALS);
  }
  take_contents(L);
  return 0;
}

int32_t tide_table_adopt(TideState *state, uint32_t table, uint32_t other, const char *chunk,
                         TideFrame *frame) {
  Adoption request = {table, other, chunk};
  return frame_run(state, adopt, &request, frame);
}
