#include "frames.h"
#include "sandbox.h"
#include "values.h"

// A value with all its contents, flattened into C memory, so that a table of any shape crosses the
// border in one protected call:
//
//   { 10, 20, name = "fig", at = { x = 1 } }
//
//   FIELDS(8 cells: 2 fields, 2 elements)  "name" "fig"  "at" FIELDS(2 cells: 1, 0) "x" 1  10 20
//
// Metamethods do not run, so no script can change a table while it is being read.

enum { DEEPEST = 1000 };

typedef struct Reader {
  TideState *state;
  TideTape *tape;
  uint32_t depth, limit;
  const void *inside[DEEPEST];
} Reader;

static void *grow(void *block, size_t *capacity, size_t needed, size_t size) {
  size_t larger = *capacity ? *capacity * 2 : 64;
  if (larger < needed) larger = needed;
  void *grown = realloc(block, larger * size);
  if (grown) *capacity = larger;
  return grown;
}

static TideValue *add_cell(TideTape *tape) {
  if (unlikely(tape->count == tape->capacity)) {
    TideValue *grown = grow(tape->cells, &tape->capacity, 0, sizeof *grown);
    if (!grown) return NULL;
    tape->cells = grown;
  }
  TideValue *cell = &tape->cells[tape->count++];
  *cell = (TideValue){.tag = TIDE_LUA_NIL};
  return cell;
}

static bool add_text(TideTape *tape, TideValue *cell, const char *text, size_t count) {
  if (unlikely(tape->textCapacity - tape->textCount < count)) {
    char *grown = grow(tape->text, &tape->textCapacity, tape->textCount + count, 1);
    if (!grown) return false;
    tape->text = grown;
  }
  if (count) memcpy(tape->text + tape->textCount, text, count);
  cell->tag = TIDE_LUA_TEXT;
  cell->integer = (int64_t)tape->textCount;
  cell->count = (uint32_t)count;
  tape->textCount += count;
  return true;
}

bool tide_tape_put(TideTape *tape, const TideValue *value) {
  TideValue *cell = add_cell(tape);
  if (!cell) return false;
  if (value->tag == TIDE_LUA_TEXT) return add_text(tape, cell, value->bytes, value->count);
  *cell = *value;
  return true;
}

void tide_tape_free(TideTape *tape) {
  free(tape->cells);
  free(tape->text);
  *tape = (TideTape){0};
}

// MARK: Reading

static void read_table(lua_State *L, Reader *reader);

/// Writes the value on top of the stack to the tape; the value stays on the stack.
static void read_value(lua_State *L, Reader *reader) {
  TideTape *tape = reader->tape;
  clock_check(L, &reader->state->budget);
  if (unlikely(tape->count >= reader->limit)) luaL_error(L, "the value has too many parts");
  if (lua_type(L, -1) == LUA_TTABLE) {
    read_table(L, reader);
    return;
  }
  TideValue *cell = add_cell(tape);
  if (unlikely(!cell)) luaL_error(L, "not enough memory");
  TideValue value;
  value_peek(L, reader->state, -1, &value);
  if (value.tag != TIDE_LUA_TEXT) {
    *cell = value;
    return;
  }
  uint64_t most = reader->state->budget.limits.textBytes;
  if (unlikely(value.count > most || tape->textCount > most - value.count))
    luaL_error(L, "the value has too much text");
  if (unlikely(!memory_admits_copy(reader->state, value.count)))
    luaL_error(L, "not enough memory");
  if (unlikely(!add_text(tape, cell, value.bytes, value.count)))
    luaL_error(L, "not enough memory");
}

/// Whether a table contains itself; then only its tag is written.
static bool is_inside(Reader *reader, const void *table) {
  for (uint32_t i = 0; i < reader->depth; i++)
    if (reader->inside[i] == table) return true;
  return false;
}

/// Writes all entries except the elements to the tape, and returns their number.
static uint32_t read_fields(lua_State *L, Reader *reader, lua_Integer elements) {
  uint32_t fields = 0;
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (lua_isinteger(L, -2)) {
      lua_Integer key = lua_tointegerx(L, -2, NULL);
      if (key >= 1 && key <= elements) {
        lua_pop(L, 1);
        continue;
      }
    }
    lua_pushvalue(L, -2);
    // For a key that is a table, only the tag is written.
    if (lua_type(L, -1) == LUA_TTABLE) {
      TideValue *cell = add_cell(reader->tape);
      if (!cell) luaL_error(L, "not enough memory");
      cell->tag = TIDE_LUA_TABLE;
    } else {
      read_value(L, reader);
    }
    lua_pop(L, 1);
    read_value(L, reader);
    lua_pop(L, 1);
    fields++;
  }
  return fields;
}

static void read_table(lua_State *L, Reader *reader) {
  TideTape *tape = reader->tape;
  luaL_checkstack(L, 8, "the value is too deep");
  // A sealed table, and a copy of a Swift value, is an empty table in front of the real one.
  bool isSealed = sandbox_is_sealed(L, -1);
  if (isSealed)
    luaL_getmetafield(L, -1, "__index");
  else
    isSealed = copy_contents(L, -1);
  const void *table = lua_topointer(L, -1);
  bool isCycle = is_inside(reader, table);
  size_t header = tape->count;
  TideValue *cell = add_cell(tape);
  if (!cell) luaL_error(L, "not enough memory");
  if (isCycle || reader->depth == tape->depth) {
    cell->tag = isCycle ? TIDE_LUA_CYCLE : TIDE_LUA_TOO_DEEP;
  } else {
    reader->inside[reader->depth++] = table;
    lua_Integer elements = 0;
    while (lua_rawgeti(L, -1, elements + 1) != LUA_TNIL) {
      clock_check(L, &reader->state->budget);
      lua_pop(L, 1);
      elements++;
    }
    lua_pop(L, 1);
    uint32_t fields = read_fields(L, reader, elements);
    for (lua_Integer i = 1; i <= elements; i++) {
      lua_rawgeti(L, -1, i);
      read_value(L, reader);
      lua_pop(L, 1);
    }
    reader->depth--;
    cell = &tape->cells[header];
    *cell = tide_tape_header(fields, (uint32_t)elements, (uint32_t)(tape->count - header - 1));
  }
  if (isSealed) lua_pop(L, 1);
}

typedef struct TapeRequest {
  uint32_t table;
  uint32_t limit;
  TideTape *tape;
  const char *text;
  TideValue *cells;
} TapeRequest;

static int read_tape(lua_State *L) {
  TapeRequest *request = lua_touserdata(L, 1);
  Reader reader;
  reader.state = state_of(L);
  reader.tape = request->tape;
  reader.depth = 0;
  reader.limit = request->limit;
  if (reader.tape->depth > DEEPEST) reader.tape->depth = DEEPEST;
  reference_push(L, reader.state, request->table);
  read_value(L, &reader);
  return 0;
}

int32_t tide_tape_read(TideState *state, uint32_t table, uint32_t limit, TideTape *tape,
                       TideFrame *frame) {
  TapeRequest request = {.table = table, .limit = limit, .tape = tape};
  return frame_run(state, read_tape, &request, frame);
}

// MARK: Writing

/// Creates the value that begins at a cell, and returns the cell after it.
static const TideValue *write_value(lua_State *L, TideState *state, const TideValue *cell,
                                    const char *text) {
  clock_check(L, &state->budget);
  if (cell->tag == TIDE_LUA_TEXT) {
    lua_pushlstring(L, text + cell->integer, cell->count);
    return cell + 1;
  }
  if (cell->tag != TIDE_LUA_FIELDS) {
    value_push(L, state, cell);
    return cell + 1;
  }
  luaL_checkstack(L, 8, "the value is too deep");
  uint32_t fields = tide_tape_fields(cell), elements = tide_tape_elements(cell);
  lua_createtable(L, (int)(elements & 0x7ffffff), (int)(fields & 0x7ffffff));
  cell++;
  for (uint32_t i = 0; i < fields; i++) {
    cell = write_value(L, state, cell, text);
    cell = write_value(L, state, cell, text);
    lua_rawset(L, -3);
  }
  for (uint32_t i = 1; i <= elements; i++) {
    cell = write_value(L, state, cell, text);
    lua_rawseti(L, -2, i);
  }
  return cell;
}

static int write_tape(lua_State *L) {
  TapeRequest *request = lua_touserdata(L, 1);
  write_value(L, state_of(L), request->cells, request->text);
  return 1;
}

int32_t tide_tape_write(TideState *state, const TideTape *tape, TideFrame *frame) {
  TapeRequest request = {.cells = tape->cells, .text = tape->text};
  return frame_run(state, write_tape, &request, frame);
}
