#include "frames.h"
#include "loading.h"

// Finds the lines of a chunk that can run. Lua reports them only for an existing function, not for
// the inner functions that have not been created, so they are read from the compiled chunk in the
// format of `lua_dump`.

typedef struct DumpReader {
  const char *next, *end;
  bool isBad;
  uint8_t *lines;
  size_t lineCount;
} DumpReader;

static const char *skip(DumpReader *reader, size_t count) {
  const char *start = reader->next;
  if (reader->isBad || (size_t)(reader->end - start) < count) {
    reader->isBad = true;
    return NULL;
  }
  reader->next += count;
  return start;
}

static uint8_t read_byte(DumpReader *reader) {
  const char *byte = skip(reader, 1);
  return byte ? (uint8_t)*byte : 0;
}

/// Seven bits per byte; the last byte has the highest bit set.
static size_t read_size(DumpReader *reader) {
  size_t size = 0;
  while (!reader->isBad) {
    uint8_t byte = read_byte(reader);
    size = size << 7 | (byte & 0x7f);
    if (byte & 0x80) break;
  }
  return size;
}

static void skip_string(DumpReader *reader) {
  size_t size = read_size(reader);
  if (size) skip(reader, size - 1);
}

static void skip_constants(DumpReader *reader) {
  enum { INTEGER = 3, FLOAT = 19, SHORT_STRING = 4, LONG_STRING = 20 };
  for (size_t left = read_size(reader); left && !reader->isBad; left--) {
    uint8_t tag = read_byte(reader);
    if (tag == INTEGER || tag == FLOAT) skip(reader, 8);
    if (tag == SHORT_STRING || tag == LONG_STRING) skip_string(reader);
  }
}

/// Marks the lines of a function's instructions, except those that every function has: the
/// preparation of variadic arguments, and the final return.
static void mark_lines(DumpReader *reader, int firstLine, bool isVariadic) {
  enum { ABSOLUTE = -128 };
  size_t count = read_size(reader);
  const char *steps = skip(reader, count);
  size_t anchors = read_size(reader);
  size_t anchor = 0;
  int anchorLine = 0, line = firstLine;
  bool hasAnchor = false;
  for (size_t i = 0; i < count && !reader->isBad; i++) {
    signed char step = (signed char)steps[i];
    if (step == ABSOLUTE) {
      while (anchors && (!hasAnchor || anchor < i)) {
        anchor = read_size(reader);
        anchorLine = (int)read_size(reader);
        hasAnchor = true;
        anchors--;
      }
      line = anchorLine;
    } else {
      line += step;
    }
    if ((i == 0 && isVariadic) || i + 1 == count) continue;
    if (line > 0 && (size_t)line < reader->lineCount) reader->lines[line] = 1;
  }
  for (; anchors && !reader->isBad; anchors--) {
    read_size(reader);
    read_size(reader);
  }
}

static void read_function(DumpReader *reader, int depth) {
  enum { INSTRUCTION = 4, UPVALUE = 3, DEEPEST = 220 };
  if (depth > DEEPEST) reader->isBad = true;
  if (reader->isBad) return;
  skip_string(reader);
  int firstLine = (int)read_size(reader);
  read_size(reader);
  read_byte(reader);
  bool isVariadic = read_byte(reader);
  read_byte(reader);
  skip(reader, read_size(reader) * INSTRUCTION);
  skip_constants(reader);
  skip(reader, read_size(reader) * UPVALUE);
  for (size_t left = read_size(reader); left && !reader->isBad; left--)
    read_function(reader, depth + 1);
  mark_lines(reader, firstLine, isVariadic);
  for (size_t left = read_size(reader); left && !reader->isBad; left--) {
    skip_string(reader);
    read_size(reader);
    read_size(reader);
  }
  for (size_t left = read_size(reader); left && !reader->isBad; left--) skip_string(reader);
}

int32_t tide_chunk_lines(TideState *state, const char *text, size_t count, const char *name,
                         uint8_t *lines, size_t lineCount, TideFrame *frame) {
  enum { HEADER = 32 };
  lua_State *L = frame_enter(state, frame);
  if (!L) return TIDE_FAILED;
  Compiled compiled;
  int32_t status = chunk_compile(L, state, text, count, name, &compiled, frame);
  if (status == TIDE_OK) {
    DumpReader reader = {.next = compiled.bytes,
                         .end = compiled.bytes + compiled.count,
                         .lines = lines,
                         .lineCount = lineCount};
    skip(&reader, HEADER);
    read_function(&reader, 0);
  }
  free(compiled.bytes);
  return status;
}
