#include "concat.h"
#include "frames.h"
#include "sandbox.h"
#include "values.h"

// Swift's access to tables. With `raw`, no metamethod runs; but the fields of a copy are read even
// then, and assigning to one changes the original value.

typedef struct TableRequest {
  uint32_t table;
  uint32_t other;
  uint32_t array, fields;
  const TideValue *key, *value;
  const char *name;
  bool raw;
} TableRequest;

static TableRequest *open_request(lua_State *L) {
  TableRequest *request = lua_touserdata(L, 1);
  reference_push(L, state_of(L), request->table);
  return request;
}

static int32_t run(TideState *state, lua_CFunction body, TableRequest *request,
                   TideFrame *frame) {
  return frame_run(state, body, request, frame);
}

static int make_table(lua_State *L) {
  TableRequest *request = lua_touserdata(L, 1);
  lua_createtable(L, (int)request->array, (int)request->fields);
  return 1;
}

int32_t tide_table_make(TideState *state, uint32_t array, uint32_t fields, TideFrame *frame) {
  TableRequest request = {.array = array & 0xffffff, .fields = fields & 0xffffff};
  return run(state, make_table, &request, frame);
}

static int get_value(lua_State *L) {
  TableRequest *request = open_request(L);
  if (request->raw && copy_contents(L, -1)) lua_replace(L, -2);
  value_push(L, state_of(L), request->key);
  if (request->raw)
    lua_rawget(L, -2);
  else
    lua_gettable(L, -2);
  return 1;
}

int32_t tide_table_get(TideState *state, uint32_t table, const TideValue *key, bool raw,
                       TideFrame *frame) {
  TableRequest request = {.table = table, .key = key, .raw = raw};
  return run(state, get_value, &request, frame);
}

static int set_value(lua_State *L) {
  TableRequest *request = open_request(L);
  bool isCopy = copy_contents(L, -1);
  if (isCopy) lua_pop(L, 1);
  value_push(L, state_of(L), request->key);
  value_push(L, state_of(L), request->value);
  if (!request->raw || isCopy) {
    lua_settable(L, -3);
    return 0;
  }
  if (lua_isnil(L, -2)) return luaL_error(L, "table index is nil");
  if (lua_type(L, -2) == LUA_TNUMBER && !lua_rawequal(L, -2, -2))
    return luaL_error(L, "table index is NaN");
  lua_rawset(L, -3);
  return 0;
}

int32_t tide_table_set(TideState *state, uint32_t table, const TideValue *key,
                       const TideValue *value, bool raw, TideFrame *frame) {
  TableRequest request = {.table = table, .key = key, .value = value, .raw = raw};
  return run(state, set_value, &request, frame);
}

static int get_length(lua_State *L) {
  bool raw = open_request(L)->raw;
  if (raw && copy_contents(L, -1)) lua_replace(L, -2);
  if (raw)
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, -1));
  else
    lua_len(L, -1);
  return 1;
}

int32_t tide_table_length(TideState *state, uint32_t table, bool raw, TideFrame *frame) {
  TableRequest request = {.table = table, .raw = raw};
  return run(state, get_length, &request, frame);
}

// The frame of an iteration holds the table, then the key and the value of the last step.

int32_t tide_table_begin(TideState *state, uint32_t table, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  if (!lua_checkstack(L, 16)) {
    frame->status = LUA_ERRMEM;
    return TIDE_FAILED;
  }
  reference_push(L, state, table);
  if (copy_contents(L, -1)) lua_replace(L, -2);
  lua_pushnil(L);
  lua_pushnil(L);
  frame->first = frame->top + 2;
  return TIDE_OK;
}

static int next_entry(lua_State *L) {
  if (!lua_next(L, 1)) return 0;
  return 2;
}

int32_t tide_table_next(TideState *state, TideFrame *frame) {
  lua_State *L = state->current;
  int table = frame->top + 1;
  lua_settop(L, frame->first);
  frame->count = 0;
  lua_pushcfunction(L, next_entry);
  lua_pushvalue(L, table);
  lua_pushvalue(L, frame->first);
  frame->status = lua_pcall(L, 2, LUA_MULTRET, 0);
  if (frame->status != LUA_OK) return TIDE_FAILED;
  if (lua_gettop(L) == frame->first) return TIDE_OK;
  lua_remove(L, frame->first);
  frame->count = 2;
  return TIDE_OK;
}

static int set_metatable(lua_State *L) {
  TableRequest *request = open_request(L);
  if (request->other)
    reference_push(L, state_of(L), request->other);
  else
    lua_pushnil(L);
  metatable_set(L, -2);
  return 0;
}

int32_t tide_table_set_metatable(TideState *state, uint32_t table, uint32_t metatable,
                                 TideFrame *frame) {
  TableRequest request = {.table = table, .other = metatable};
  return run(state, set_metatable, &request, frame);
}

static int seal_table(lua_State *L) {
  sandbox_seal(L, open_request(L)->name);
  return 1;
}

int32_t tide_table_seal(TideState *state, uint32_t table, const char *name, TideFrame *frame) {
  TableRequest request = {.table = table, .name = name};
  return run(state, seal_table, &request, frame);
}
