// Access to tables, by single fields or as a whole (tables.c, copies.c, adoption.c, tape.c).
#pragma once

#include "TideCalls.h"

#pragma clang assume_nonnull begin

int32_t tide_table_make(TideState *state, uint32_t array, uint32_t fields,
                        TideFrame *frame);
int32_t tide_table_get(TideState *state, uint32_t table, const TideValue *key,
                       bool raw, TideFrame *frame);
int32_t tide_table_set(TideState *state, uint32_t table, const TideValue *key,
                       const TideValue *value, bool raw, TideFrame *frame);
int32_t tide_table_length(TideState *state, uint32_t table, bool raw,
                          TideFrame *frame);

/// Begins an iteration. Each step leaves a key and a value in the frame, or nothing at the end.
int32_t tide_table_begin(TideState *state, uint32_t table, TideFrame *frame);
int32_t tide_table_next(TideState *state, TideFrame *frame);

/// Sets a table's metatable, or removes it for the reference 0.
int32_t tide_table_set_metatable(TideState *state, uint32_t table, uint32_t metatable,
                                 TideFrame *frame);
/// Makes a table read-only for scripts: returns an empty table that reads through to it.
int32_t tide_table_seal(TideState *state, uint32_t table, const char *name,
                        TideFrame *frame);
/// Makes a table the contents of a copy of the value that an owner holds under a key. Returns an
/// empty table that reads through to it, and whose assignments change the owner's value.
int32_t tide_copy_make(TideState *state, uint32_t table, const TideValue *owner,
                       const TideValue *key, TideFrame *frame);
bool tide_table_is_copy(TideState *state, uint32_t table);
/// Replaces a table's contents and metatable by those of another. In the functions that a chunk has
/// stored in the other table, references to it are replaced by references to the first.
int32_t tide_table_adopt(TideState *state, uint32_t table, uint32_t other, const char *chunk,
                         TideFrame *frame);
/// Makes `rawset` refuse all tables that have this metatable.
int32_t tide_table_guard(TideState *state, uint32_t metatable, TideFrame *frame);

/// A value with its contents, flattened: a table is a header cell, then the key and value of each
/// field, then the elements of its sequence. A string is an offset into `text`, in `integer`. For a
/// value that a tape cannot hold (a function, a coroutine, a userdata), reading stores only the
/// tag.
typedef struct TideTape {
  TideValue *_Nullable cells;
  char *_Nullable text;
  size_t count, capacity;
  size_t textCount, textCapacity;
  uint32_t depth;  // the most nested tables; at most 1000
} TideTape;

static inline TideValue tide_tape_header(uint32_t fields, uint32_t elements, uint32_t cells) {
  TideValue header = {.tag = TIDE_LUA_FIELDS, .count = cells};
  header.integer = (int64_t)((uint64_t)fields << 32 | elements);
  return header;
}

static inline uint32_t tide_tape_fields(const TideValue *header) {
  return (uint32_t)((uint64_t)header->integer >> 32);
}

static inline uint32_t tide_tape_elements(const TideValue *header) {
  return (uint32_t)header->integer;
}

/// Adds a cell. Returns false if memory runs out.
bool tide_tape_put(TideTape *tape, const TideValue *value);
/// Reads a table, without metamethods, into at most the given number of cells.
int32_t tide_tape_read(TideState *state, uint32_t table, uint32_t limit, TideTape *tape,
                       TideFrame *frame);
/// Creates the value on a tape.
int32_t tide_tape_write(TideState *state, const TideTape *tape, TideFrame *frame);
void tide_tape_free(TideTape *tape);

#pragma clang assume_nonnull end
