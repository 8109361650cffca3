#define _GNU_SOURCE

#include <ctype.h>

#include "advice.h"
#include "code.h"
#include "concat.h"
#include "errors.h"
#include "escape.h"
#include "frames.h"
#include "loading.h"
#include "locations.h"

// Chunks: text that a script or Swift loads, and compiled chunks of the program itself.

typedef struct Text {
  TideBudget *budget;
  size_t linesBefore;  // empty ones that are read first, so that lines have the numbers of their file
  const char *next;
  size_t left;
} Text;

/// Reads in pieces, because compiling is slow if a jump has many labels to check, and no hook runs
/// meanwhile.
static const char *read_text(lua_State *L, void *context, size_t *count) {
  enum { PIECE = 512 };
  static const char lineEnds[] =
      "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
      "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
  Text *text = context;
  clock_look(L, text->budget);
  if (text->linesBefore) {
    size_t most = sizeof lineEnds - 1;
    *count = text->linesBefore < most ? text->linesBefore : most;
    text->linesBefore -= *count;
    return lineEnds;
  }
  const char *piece = text->next;
  *count = text->left < PIECE ? text->left : PIECE;
  text->next += *count;
  text->left -= *count;
  return *count ? piece : NULL;
}

// A stop must not bypass the protected call in `lua_load`, which frees the compiler's buffers.
int load_pieces(lua_State *L, lua_Reader reader, void *pieces, const char *name,
                const char *mode) {
  TideState *state = state_of(L);
  const void *landing = state->landing;
  state->landing = escape_landing(L);
  int status = lua_load(L, reader, pieces, name, mode);
  state->landing = landing;
  locations_forget(state);
  // The turn ended in a script's reader, so the text has no error.
  if (unlikely(status != LUA_OK && state->budget.expired)) return clock_raise(L);
  if (status != LUA_OK) return status;
  // Compiled code belongs to the program itself, and was checked when it was compiled.
  if (*mode == 't' && code_is_refused(L)) return LUA_ERRSYNTAX;
  concat_make_room(L);
  return LUA_OK;
}

static int load_text_below(lua_State *L, size_t linesBefore, const char *text, size_t count,
                           const char *name, const char *mode) {
  Text whole = {
      .budget = budget_of(L), .linesBefore = linesBefore, .next = text, .left = count};
  return load_pieces(L, read_text, &whole, name, mode);
}

int load_text(lua_State *L, const char *text, size_t count, const char *name, const char *mode) {
  return load_text_below(L, 0, text, count, name, mode);
}

// MARK: For Swift

typedef struct LoadRequest {
  const char *text;
  size_t count;
  const char *chunkName, *mode;
  uint32_t environment;
  uint32_t linesBefore;
  size_t messageCount;  // of Lua's own message, if it does not parse
  Advice advice;
} LoadRequest;

/// Lets advice follow the message of a syntax error, `chunk:line: message`.
static void add_advice(lua_State *L, LoadRequest *request) {
  size_t count;
  const char *message = lua_tolstring(L, -1, &count);
  request->messageCount = count;
  const char *end = message + count, *colon = message;
  // The prompt detects an unfinished chunk by the message's final <eof>.
  if (*request->chunkName != '@' && memmem(message, count, "<eof>", 5)) return;
  while ((colon = memchr(colon, ':', (size_t)(end - colon)))) {
    char *rest;
    if (!isdigit((unsigned char)*++colon)) continue;
    long line = strtol(colon, &rest, 10);
    if (rest + 1 >= end || rest[0] != ':' || rest[1] != ' ') continue;
    rest += 2;
    line -= (long)request->linesBefore;
    advice_find(request->text, request->count, line < INT32_MAX ? (int32_t)line : 0, rest,
                (size_t)(end - rest), &request->advice);
    break;
  }
  if (!*request->advice.text) return;
  lua_pushstring(L, request->advice.text);
  lua_concat(L, 2);
}

static int load_chunk(lua_State *L) {
  LoadRequest *request = lua_touserdata(L, 1);
  TideState *state = state_of(L);
  int status = load_text_below(
      L, request->linesBefore, request->text, request->count, request->chunkName, request->mode);
  if (status == LUA_ERRSYNTAX) {
    if (*request->mode == 't' && lua_isstring(L, -1)) add_advice(L, request);
    lua_pushboolean(L, 0);
    return 2;
  }
  if (status != LUA_OK) return lua_error(L);
  if (request->environment) {
    reference_push(L, state, request->environment);
    if (!lua_setupvalue(L, -2, 1)) lua_pop(L, 1);
  }
  return 1;
}

/// The column of a syntax error: that of the token that it names, if the token occurs only once in
/// the line.
static int32_t find_column(const char *text, size_t count, int32_t line, const char *message,
                           size_t messageCount) {
  const char *near = memmem(message, messageCount, " near '", 7);
  if (!near || messageCount == 0 || message[messageCount - 1] != '\'') return 0;
  const char *token = near + 7;
  size_t tokenCount = (size_t)(message + messageCount - 1 - token);
  const char *start = text, *end = text + count;
  for (int32_t i = 1; i < line; i++) {
    start = memchr(start, '\n', (size_t)(end - start));
    if (!start) return 0;
    start++;
  }
  const char *stop = memchr(start, '\n', (size_t)(end - start));
  if (!stop) stop = end;
  const char *found = memmem(start, (size_t)(stop - start), token, tokenCount);
  if (!tokenCount || !found) return 0;
  if (memmem(found + 1, (size_t)(stop - found - 1), token, tokenCount)) return 0;
  return (int32_t)(found - start) + 1;
}

int32_t tide_load(TideState *state, const char *text, size_t count, const char *chunkName,
                  uint32_t environment, uint32_t linesBefore, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  LoadRequest request = {.text = text,
                         .count = count,
                         .chunkName = chunkName,
                         .mode = "t",
                         .environment = environment,
                         .linesBefore = linesBefore};
  int32_t status = frame_protect(L, state, load_chunk, &request, frame);
  if (status != TIDE_OK || frame->count == 1) return status;
  lua_pop(L, 1);
  frame->count = 0;
  frame->status = LUA_ERRSYNTAX;
  size_t messageCount;
  const char *message = lua_tolstring(L, -1, &messageCount);
  error_note_syntax(state, message, messageCount);
  int32_t line = state->trace.line - (int32_t)linesBefore;
  state->trace.column =
      request.advice.column ? request.advice.column
                            : find_column(text, count, line, message, request.messageCount);
  return TIDE_FAILED;
}

int32_t tide_load_compiled(TideState *state, const char *bytes, size_t count,
                           uint32_t environment, TideFrame *frame) {
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  LoadRequest request = {.text = bytes,
                         .count = count,
                         .chunkName = "=compiled",
                         .mode = "b",
                         .environment = environment};
  return frame_protect(L, state, load_chunk, &request, frame);
}

// MARK: Compiled chunks

// Text that many interpreters load is compiled once. Lua does not check compiled code, so this is
// only for the program's own texts, never for a script's.

static int write_bytes(lua_State *L, const void *bytes, size_t count, void *context) {
  (void)L;
  Compiled *compiled = context;
  if (compiled->count + count > compiled->capacity) {
    size_t capacity = (compiled->count + count) * 2;
    char *grown = realloc(compiled->bytes, capacity);
    if (!grown) return 1;
    compiled->bytes = grown;
    compiled->capacity = capacity;
  }
  memcpy(compiled->bytes + compiled->count, bytes, count);
  compiled->count += count;
  return 0;
}

typedef struct CompileRequest {
  const char *text;
  size_t count;
  const char *name;
  Compiled compiled;
} CompileRequest;

static int compile(lua_State *L) {
  CompileRequest *request = lua_touserdata(L, 1);
  int status = load_text(L, request->text, request->count, request->name, "t");
  if (status != LUA_OK) return lua_error(L);
  if (lua_dump(L, write_bytes, &request->compiled, 0)) return luaL_error(L, "not enough memory");
  return 0;
}

int32_t chunk_compile(lua_State *L, TideState *state, const char *text, size_t count,
                      const char *name, Compiled *compiled, TideFrame *frame) {
  CompileRequest request = {.text = text, .count = count, .name = name};
  int32_t status = frame_protect(L, state, compile, &request, frame);
  *compiled = request.compiled;
  return status;
}

int32_t tide_chunk_compile(TideState *state, const char *text, size_t count, const char *name,
                           char **bytes, size_t *byteCount, TideFrame *frame) {
  *bytes = NULL;
  *byteCount = 0;
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  Compiled compiled;
  int32_t status = chunk_compile(L, state, text, count, name, &compiled, frame);
  *bytes = compiled.bytes;
  *byteCount = compiled.count;
  return status;
}
