#include "loops.h"
#include "clock.h"
#include "functions.h"
#include "held.h"
#include "objects.h"

// The host shares the list's rows with the loop: beginning a loop takes constant time, and only an
// edit of the list meanwhile copies the rows. The rows are released when the loop is left, by its
// end, `break` or an error. If a script calls an iterator by hand, the rows are released when the
// iterator is collected.

typedef struct TideLoop {
  TideState *state;
  void *rows;     // the host's snapshot; NULL once it is released
  uint64_t held;  // the snapshot's number among held objects
} TideLoop;

_Static_assert(sizeof(TideLoop) == 24, "told apart from TideHostObject and TideBox by size");

enum { STEP_ENTRY = 1 };

/// The loop at the index, or NULL for any other value. Never raises an error.
static TideLoop *loop_at(lua_State *L, TideState *state, int index) {
  TideLoop *loop = lua_touserdata(L, index);
  if (!loop || lua_rawlen(L, index) != sizeof *loop) return NULL;
  return loop->state == state ? loop : NULL;
}

/// Takes the loop and an index; returns the next index and its element, or nothing at the end.
static int loop_step(lua_State *L) {
  TideState *state = state_of(L);
  const TideLoop *loop = loop_at(L, state, 1);
  if (!loop) return luaL_typeerror(L, 1, "loop");
  lua_Integer index = luaL_checkinteger(L, 2);
  if (!loop->rows) return 0;
  TideCall call;
  call_begin(&call, state, L);
  return call_end(L, &call, state->hooks.step(state->hooks.context, loop->rows, index, &call));
}

static int loop_close(lua_State *L) {
  TideState *state = state_of(L);
  TideLoop *loop = loop_at(L, state, 1);
  if (!loop || !loop->rows) return 0;
  loop->rows = NULL;
  state->callbacks++;
  held_release(state, (uint32_t)loop->held);
  state->callbacks--;
  return 0;
}

static int loop_collect(lua_State *L) {
  TideLoop *loop = lua_touserdata(L, 1);
  if (!loop->rows) return 0;
  loop->rows = NULL;
  held_drop(state_of(L), (uint32_t)loop->held);
  return 0;
}

/// Stores the rows of a list in a loop. Returns false if the object is not a list.
static bool take_rows(lua_State *L, TideState *state, TideLoop *loop, TideSlot *list) {
  state->callbacks++;
  void *rows = state->hooks.loop(state->hooks.context, list);
  state->callbacks--;
  if (rows && !held_reserve(state)) {
    state->host.release(rows);
    luaL_error(L, "not enough memory");
  }
  if (rows) {
    loop->held = held_add(state, rows);
    loop->rows = rows;
  }
  clock_return(L, &state->budget);
  return rows != NULL;
}

int loop_begin(lua_State *L) {
  TideState *state = state_of(L);
  const TideBox *box = object_at(L, state, 1);
  if (!box || box->generation != box->header->generation || !state->hooks.loop) return 0;
  lua_settop(L, 1);
  private_get(L, state, PRIVATE_LOOP_META);
  lua_rawgeti(L, 2, STEP_ENTRY);
  TideLoop *loop = lua_newuserdatauv(L, sizeof *loop, 0);
  *loop = (TideLoop){.state = state};
  lua_pushvalue(L, 2);
  lua_setmetatable(L, -2);
  if (!take_rows(L, state, loop, box->header)) return 0;
  lua_pushinteger(L, 0);
  lua_pushvalue(L, -2);
  return 4;
}

/// Expects the private table at index 1.
void loops_open(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"__gc", loop_collect}, {"__close", loop_close}, {NULL, NULL}};
  lua_createtable(L, 1, 4);
  luaL_setfuncs(L, methods, 0);
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_pushliteral(L, "loop");
  lua_setfield(L, -2, "__name");
  lua_pushcfunction(L, loop_step);
  lua_rawseti(L, -2, STEP_ENTRY);
  lua_rawseti(L, 1, PRIVATE_LOOP_META);
}
