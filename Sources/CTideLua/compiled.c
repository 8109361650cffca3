#include "host.h"

// What many interpreters load is compiled once. Lua does not check compiled code, so this is for
// texts of the program's own, and nothing that a script gives is ever loaded so.

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
  int status = load_text(L, state_of(L), request->text, request->count, request->name, "t");
  if (status != LUA_OK) return lua_error(L);
  if (lua_dump(L, write_bytes, &request->compiled, 0)) return luaL_error(L, "not enough memory");
  return 0;
}

int32_t chunk_compile(TideState *state, lua_State *L, const char *text, size_t count,
                      const char *name, Compiled *compiled, TideFrame *frame) {
  CompileRequest request = {.text = text, .count = count, .name = name};
  int32_t status = state_protect(state, L, compile, &request, frame);
  *compiled = request.compiled;
  return status;
}

int32_t tide_chunk_compile(TideState *state, const char *text, size_t count, const char *name,
                           char **bytes, size_t *byteCount, TideFrame *frame) {
  *bytes = NULL;
  *byteCount = 0;
  lua_State *L = state_enter(state, frame);
  if (!L) return TIDE_FAILED;
  Compiled compiled;
  int32_t status = chunk_compile(state, L, text, count, name, &compiled, frame);
  *bytes = compiled.bytes;
  *byteCount = compiled.count;
  return status;
}
