#include "classes.h"
#include "functions.h"
#include "locations.h"
#include "members.h"
#include "objects.h"
#include "values.h"

// The functions by which a Swift function reads its call. None of them raises an error. Values that
// Lua would convert, such as a string to a number, are refused instead.

static inline lua_State *lua_of(const TideCall *call) { return call->lua; }

static bool has(const TideCall *call, int32_t index) {
  return index >= 0 && index < call->count;
}

void tide_call_peek(const TideCall *call, int32_t index, TideValue *value) {
  *value = (TideValue){.tag = TIDE_LUA_NIL};
  if (has(call, index)) value_peek(lua_of(call), call->state, index + 1, value);
}

int32_t tide_call_tag(const TideCall *call, int32_t index) {
  if (!has(call, index)) return -1;
  TideValue value;
  tide_call_peek(call, index, &value);
  return (int32_t)value.tag;
}

bool tide_call_boolean(const TideCall *call, int32_t index) {
  return has(call, index) && lua_toboolean(lua_of(call), index + 1);
}

bool tide_call_read_number(const TideCall *call, int32_t index, double *number) {
  int isNumber = 0;
  if (has(call, index)) *number = lua_tonumberx(lua_of(call), index + 1, &isNumber);
  return isNumber;
}

bool tide_call_read_integer(const TideCall *call, int32_t index, int64_t *integer) {
  int isInteger = 0;
  if (has(call, index)) *integer = lua_tointegerx(lua_of(call), index + 1, &isInteger);
  return isInteger;
}

const char *tide_call_read_text(const TideCall *call, int32_t index, size_t *count) {
  *count = 0;
  if (!has(call, index) || lua_type(lua_of(call), index + 1) != LUA_TSTRING) return NULL;
  return lua_tolstring(lua_of(call), index + 1, count);
}

TideSlot *tide_call_read_object(const TideCall *call, int32_t index) {
  TideBox *box = has(call, index) ? object_at(lua_of(call), call->state, index + 1) : NULL;
  return box && box->generation == box->header->generation ? box->header : NULL;
}

void *tide_call_read_userdata(const TideCall *call, int32_t index) {
  if (!has(call, index)) return NULL;
  TideHostObject *hosted = host_object_at(lua_of(call), call->state, index + 1);
  return hosted ? hosted->object : NULL;
}

static int read_argument(lua_State *L) {
  value_read(L, state_of(L), 2, lua_touserdata(L, 1));
  return 0;
}

int32_t tide_call_read(TideCall *call, int32_t index, TideValue *value) {
  *value = (TideValue){.tag = TIDE_LUA_NIL};
  if (!has(call, index)) return TIDE_OK;
  lua_State *L = lua_of(call);
  if (value_peek(L, call->state, index + 1, value))
    return value_fits(call->state, value) ? TIDE_OK : TIDE_FAILED;
  if (!lua_checkstack(L, 16)) return TIDE_FAILED;
  lua_pushcfunction(L, read_argument);
  lua_pushlightuserdata(L, value);
  lua_pushvalue(L, index + 1);
  int status = lua_pcall(L, 2, 0, 0);
  if (status == LUA_OK) return TIDE_OK;
  lua_pop(L, 1);
  return status == LUA_ERRMEM ? TIDE_FAILED : TIDE_TOO_DEEP;
}

const char *tide_call_type_name(const TideCall *call, int32_t index) {
  lua_State *L = lua_of(call);
  if (!has(call, index)) return "no value";
  TideBox *box = object_at(L, call->state, index + 1);
  return box ? box->class->name : lua_typename(L, lua_type(L, index + 1));
}

bool tide_call_is_method(const TideCall *call) {
  lua_Debug record;
  if (!lua_getstack(lua_of(call), 0, &record)) return false;
  lua_getinfo(lua_of(call), "n", &record);
  return strcmp(record.namewhat, "method") == 0;
}

const char *tide_call_name(const TideCall *call) {
  lua_Debug record;
  if (!lua_getstack(lua_of(call), 0, &record)) return NULL;
  // Lua uses the metamethod's name for it.
  if (is_member_access(lua_of(call), &record)) return NULL;
  lua_getinfo(lua_of(call), "n", &record);
  return *record.namewhat ? record.name : NULL;
}

static const char *location(lua_State *L, int level, int32_t *line) {
  lua_Debug record;
  *line = 0;
  for (int skipped = 0; lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sl", &record);
    if (record.currentline > 0 && !is_own_chunk(&record)) {
      *line = record.currentline;
      return record.source;
    }
    if (++skipped > 200) break;
  }
  return NULL;
}

const char *tide_call_location(const TideCall *call, int32_t level, int32_t *line) {
  return location(lua_of(call), level, line);
}

const char *tide_state_location(TideState *state, int32_t *line) {
  *line = 0;
  return state->current ? location(state->current, 0, line) : NULL;
}

bool tide_call_can_suspend(const TideCall *call) {
  return call->state->coroutines.canSuspend && lua_isyieldable(lua_of(call));
}
