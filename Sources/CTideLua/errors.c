#define _GNU_SOURCE
#include <stdio.h>

#include "concat.h"
#include "errors.h"
#include "frames.h"
#include "locations.h"
#include "outlines.h"
#include "values.h"

// The message handler records an error's location and traceback while the stack that raised the
// error still exists. It writes to memory of the state, because it runs with hooks off and must
// neither allocate in Lua nor take long.

TideHostObject *error_at(lua_State *L, TideState *state, int index) {
  if (lua_type(L, index) != LUA_TUSERDATA || !lua_getmetatable(L, index)) return NULL;
  private_get(L, state, PRIVATE_ERROR_META);
  bool isError = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return isError ? lua_touserdata(L, index) : NULL;
}

/// The message of an error: a string itself, or an error object's message.
static const char *error_text(lua_State *L, TideState *state, int index, size_t *count) {
  if (lua_type(L, index) == LUA_TSTRING) return lua_tolstring(L, index, count);
  if (!error_at(L, state, index)) return NULL;
  // The userdata keeps the string alive.
  lua_getiuservalue(L, index, 1);
  const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, count) : NULL;
  lua_pop(L, 1);
  return text;
}

static void note_source(TideState *state, const char *source, size_t count) {
  if (count && (*source == '@' || *source == '=')) source++, count--;
  if (count >= sizeof state->trace.source) count = sizeof state->trace.source - 1;
  memcpy(state->trace.source, source, count);
  state->trace.source[count] = 0;
  state->trace.sourceCount = count;
}

/// Parses the location from a message like "name:12: message" whose function no longer runs.
static void note_written_location(TideState *state, const char *text, size_t count) {
  for (size_t i = 1; i + 3 < count && i < LUA_IDSIZE + 2; i++) {
    if (text[i] == '\n') return;
    if (text[i] != ':' || text[i + 1] < '0' || text[i + 1] > '9') continue;
    size_t end = i + 1;
    int line = 0;
    while (end < count && end < i + 9 && text[end] >= '0' && text[end] <= '9')
      line = line * 10 + (text[end++] - '0');
    if (end + 1 >= count || text[end] != ':' || text[end + 1] != ' ') continue;
    note_source(state, text, i);
    state->trace.line = line;
    state->trace.prefixCount = (int32_t)end + 2;
    return;
  }
}

/// Finds the location at the beginning of the message among the running functions. If there is
/// none, uses the location in the message itself, and otherwise that of the innermost Lua function.
static void note_location(lua_State *L, TideState *state, const char *text, size_t count) {
  lua_Debug record;
  bool found = false;
  state->trace.line = 0;
  state->trace.prefixCount = 0;
  state->trace.sourceCount = 0;
  for (int level = 0; level < 200 && lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sl", &record);
    if (record.currentline <= 0) continue;
    bool isOwn = is_own_chunk(&record);
    if (!found && !isOwn) {
      note_source(state, record.source, record.srclen);
      state->trace.line = record.currentline;
      found = true;
    }
    if (!text) {
      if (found) return;
      continue;
    }
    char prefix[LUA_IDSIZE + 16];
    int length =
        snprintf(prefix, sizeof prefix, "%s:%d: ", record.short_src, record.currentline);
    if ((size_t)length <= count && memcmp(prefix, text, (size_t)length) == 0) {
      state->trace.prefixCount = length;
      if (!isOwn) {
        note_source(state, record.source, record.srclen);
        state->trace.line = record.currentline;
      }
      if (found) return;
      text = NULL;
    }
  }
  if (text) note_written_location(state, text, count);
}

static void add_line(TideState *state, const char *line, int length) {
  size_t used = state->trace.tracebackCount;
  if (length < 0 || used + (size_t)length >= sizeof state->trace.traceback) return;
  memcpy(state->trace.traceback + used, line, (size_t)length);
  state->trace.tracebackCount += (size_t)length;
}

static void note_level(TideState *state, lua_Debug *record) {
  char location[LUA_IDSIZE + 16], line[LUA_IDSIZE * 4];
  if (record->currentline > 0)
    snprintf(location, sizeof location, "%s:%d:", record->short_src, record->currentline);
  else
    snprintf(location, sizeof location, "%s:", record->short_src);
  int length;
  if (*record->namewhat)
    length = snprintf(line, sizeof line, "\n\t%s in %s '%.80s'", location, record->namewhat,
                      record->name);
  else if (*record->what == 'm')
    length = snprintf(line, sizeof line, "\n\t%s in main chunk", location);
  else if (*record->what == 'C')
    length = snprintf(line, sizeof line, "\n\t%s in a host function", location);
  else
    length = snprintf(line, sizeof line, "\n\t%s in function <%s:%d>", location, record->short_src,
                      record->linedefined);
  if (length >= (int)sizeof line) length = (int)sizeof line - 1;
  add_line(state, line, length);
}

static void note_traceback(lua_State *L, TideState *state) {
  enum { LEVELS = 22 };
  static const char title[] = "stack traceback:", gap[] = "\n\t...";
  lua_Debug record;
  state->trace.tracebackCount = 0;
  add_line(state, title, sizeof title - 1);
  int level = 0;
  for (; level < LEVELS && lua_getstack(L, level, &record); level++) {
    lua_getinfo(L, "Sln", &record);
    // Skip the handler itself, our functions that start a protected call, and our functions in Lua.
    if ((*record.what == 'C' && !*record.namewhat) || is_own_chunk(&record)) continue;
    note_level(state, &record);
  }
  if (level == LEVELS && lua_getstack(L, level, &record)) add_line(state, gap, sizeof gap - 1);
}

void error_note(lua_State *L, TideState *state, int index) {
  // For a stopped turn, only the first location is recorded, where the turn was stopped.
  if (state->budget.expired) {
    if (state->turn.noted == state->turn.number) return;
    state->turn.noted = state->turn.number;
  }
  size_t count = 0;
  const char *text = error_text(L, state, index, &count);
  note_location(L, state, text, count);
  note_traceback(L, state);
}

int error_handler(lua_State *L) {
  error_note(L, state_of(L), 1);
  return 1;
}

// MARK: Errors of callbacks

void tide_set_error(TideState *state, void *error, const char *message, size_t count,
                    bool hasLocation) {
  if (state->pending.error) state->host.release(state->pending.error);
  state->pending.error = error;
  state->pending.hasLocation = hasLocation;
  state->pending.count = 0;
  char *copy = realloc(state->pending.message, count + 1);
  if (!copy) return;
  memcpy(copy, message, count);
  state->pending.message = copy;
  state->pending.count = count;
}

int error_raise_pending(lua_State *L, TideState *state) {
  luaL_checkstack(L, 8, NULL);
  if (!state->pending.error) return luaL_error(L, "a host function failed");
  if (state->pending.hasLocation)
    lua_pushliteral(L, "");
  else
    luaL_where(L, 1);
  size_t prefix = lua_rawlen(L, -1);
  lua_pushlstring(L, state->pending.message ? state->pending.message : "", state->pending.count);
  lua_concat(L, 2);
  void *object = state->pending.error;
  TideHostObject *error = host_object_new(L, state, object, PRIVATE_ERROR_META, 1);
  state->pending.error = NULL;
  error->prefixCount = (int32_t)prefix;
  lua_insert(L, -2);
  lua_setiuservalue(L, -2, 1);
  return lua_error(L);
}

int error_throw_in(lua_State *L, TideState *state) {
  if (state->pending.raises) {
    // The value is the one that the suspended call was resumed with.
    state->pending.raises = false;
    return lua_error(L);
  }
  state->pending.throws = false;
  return error_raise_pending(L, state);
}

static int error_tostring(lua_State *L) {
  if (!error_at(L, state_of(L), 1)) return luaL_typeerror(L, 1, "error");
  lua_getiuservalue(L, 1, 1);
  return 1;
}

static int error_concat(lua_State *L) {
  value_describe(L, 1, NULL);
  value_describe(L, 2, NULL);
  lua_concat(L, 2);
  return 1;
}

static int error_index(lua_State *L) {
  TideHostObject *error = error_at(L, state_of(L), 1);
  const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  if (!error || strcmp(key, "message") != 0) return 0;
  size_t count;
  lua_getiuservalue(L, 1, 1);
  const char *text = lua_tolstring(L, -1, &count);
  size_t prefix = (size_t)error->prefixCount;
  lua_pushlstring(L, text + prefix, count - prefix);
  return 1;
}

void error_add_methods(lua_State *L) {
  lua_pushcfunction(L, error_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pushcfunction(L, error_concat);
  lua_setfield(L, -2, "__concat");
  lua_pushcfunction(L, error_index);
  lua_setfield(L, -2, "__index");
  lua_pushliteral(L, "error");
  lua_setfield(L, -2, "__name");
  concat_guard(L, -1);
}

static int stop_tostring(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  return 1;
}

static void make_stop_error(lua_State *L, int entry, const char *message) {
  lua_newuserdatauv(L, 0, 0);
  lua_createtable(L, 0, 2);
  lua_pushstring(L, message);
  lua_pushcclosure(L, stop_tostring, 1);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, 0);
  lua_setfield(L, -2, "__metatable");
  lua_setmetatable(L, -2);
  lua_rawseti(L, 1, entry);
}

void errors_open(lua_State *L) {
  make_stop_error(L, PRIVATE_TIME_ERROR, "the turn took too long");
  make_stop_error(L, PRIVATE_INTERRUPT_ERROR, "interrupted");
  lua_pushliteral(L, "not enough memory");
  lua_rawseti(L, 1, PRIVATE_MEMORY_ERROR);
}

// MARK: Describing a failed call

void error_note_syntax(TideState *state, const char *message, size_t count) {
  state->trace.line = 0;
  state->trace.prefixCount = 0;
  state->trace.sourceCount = 0;
  state->trace.tracebackCount = 0;
  note_written_location(state, message, count);
}

static int note_error_value(lua_State *L) {
  TideFault *fault = lua_touserdata(L, 1);
  if (!lua_isnil(L, 2)) value_read(L, state_of(L), 2, &fault->value);
  return 0;
}

/// The message of an error for which a script has raised `nil`, a function or another such value.
#define NO_MESSAGE "an error without a message"

/// The message in the value itself.
static int describe_error(lua_State *L) {
  int type = lua_type(L, 1);
  if (type == LUA_TNIL || type == LUA_TBOOLEAN) {
    const char *text = luaL_tolstring(L, 1, NULL);
    lua_pushfstring(L, NO_MESSAGE " (%s)", text);
    return 1;
  }
  if (type == LUA_TNUMBER || luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
    luaL_tolstring(L, 1, NULL);
    return 1;
  }
  return 0;
}

/// The description of a value without a message. It runs no code of the script.
static int outline_error(lua_State *L) {
  char text[OUTLINE_TEXT];
  if (lua_type(L, 1) != LUA_TTABLE) {
    const char *name = lua_type(L, 1) == LUA_TTHREAD ? "coroutine" : luaL_typename(L, 1);
    lua_pushfstring(L, NO_MESSAGE " (a %s)", name);
    return 1;
  }
  size_t count = table_outline(L, state_of(L), 1, text);
  if (count == 2 && memcmp(text, "{}", 2) == 0)
    lua_pushliteral(L, NO_MESSAGE " ({})");
  else
    lua_pushlstring(L, text, count);
  return 1;
}

/// Sets the message to a function's result for the value at the index. Returns false if the
/// function fails.
static bool describe_by(lua_State *L, TideState *state, lua_CFunction describe, int index,
                        TideFault *fault) {
  lua_pushcfunction(L, describe);
  lua_pushvalue(L, index);
  if (frame_call(L, state, 1, 1, 0) != LUA_OK || lua_type(L, -1) != LUA_TSTRING) return false;
  fault->message = lua_tolstring(L, -1, &fault->messageCount);
  return true;
}

static void set_message(TideFault *fault, const char *text) {
  fault->message = text;
  fault->messageCount = strlen(text);
}

static int32_t fault_kind(const TideState *state, const TideFrame *frame, const char *text,
                          size_t count) {
  if (state->budget.expired) return (int32_t)state->budget.expired;
  if (frame->status == LUA_ERRMEM) return TIDE_FAULT_MEMORY;
  if (frame->status == LUA_ERRERR) return TIDE_FAULT_DEPTH;
  if (frame->status == LUA_ERRSYNTAX) return TIDE_FAULT_SYNTAX;
  if (text && memmem(text, count, "stack overflow", 14)) return TIDE_FAULT_DEPTH;
  // The message that the shim raises when the engine's share of memory is used up.
  static const char memory[] = "not enough memory";
  enum { LENGTH = sizeof memory - 1 };
  if (text && count >= LENGTH && memcmp(text + count - LENGTH, memory, LENGTH) == 0)
    return TIDE_FAULT_MEMORY;
  return TIDE_FAULT_RUNTIME;
}

void tide_frame_fault(TideState *state, TideFrame *frame, TideFault *fault) {
  *fault = (TideFault){.kind = TIDE_FAULT_CLOSED};
  set_message(fault, "the Lua state is closed");
  if (frame->top < 0) return;
  lua_State *L = state->current;
  int index = lua_gettop(L);
  size_t count = 0;
  // A frame that failed before it called a function has left no error.
  const char *text = index > frame->top ? error_text(L, state, index, &count) : NULL;
  fault->kind = fault_kind(state, frame, text, count);
  if (frame->status == LUA_ERRMEM && !state->budget.expired) {
    // No handler has run, so the recorded location is older.
    set_message(fault, state->guards.hasHeldStack
                           ? "not enough memory for '..': with this build of Lua a '__concat' that was "
                             "set after 'setmetatable' gets no larger stack; set it before"
                           : "not enough memory");
    return;
  }
  fault->line = state->trace.line;
  fault->column = state->trace.column;
  fault->source = state->trace.source;
  fault->sourceCount = state->trace.sourceCount;
  fault->traceback = state->trace.traceback;
  fault->tracebackCount = state->trace.tracebackCount;
  state->trace.column = 0;
  if (state->budget.expired) {
    bool isTime = state->budget.expired == TIDE_FAULT_TIME;
    set_message(fault, state->isGivenUp ? "the turn took too long in one operation that nothing "
                                          "could stop, so the interpreter is closed"
                       : isTime         ? "the turn took too long"
                                        : "interrupted");
    return;
  }
  if (text) {
    TideHostObject *error = error_at(L, state, index);
    size_t prefix = (size_t)(error ? error->prefixCount : state->trace.prefixCount);
    fault->message = text + prefix;
    fault->messageCount = count - prefix;
    if (fault->messageCount == 0 && !error) set_message(fault, NO_MESSAGE " (\"\")");
    if (!error) return;
    fault->kind = TIDE_FAULT_HOST;
    fault->cause = error->object;
    return;
  }
  set_message(fault, "(the error could not be described)");
  if (index <= frame->top || !lua_checkstack(L, 12)) return;
  lua_pushcfunction(L, note_error_value);
  lua_pushlightuserdata(L, fault);
  lua_pushvalue(L, index);
  if (frame_call(L, state, 2, 0, 0) != LUA_OK) return;
  if (!describe_by(L, state, describe_error, index, fault))
    describe_by(L, state, outline_error, index, fault);
}
