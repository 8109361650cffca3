// Tables, one access at a time or as a whole (tables.c, copies.c, adoption.c, tape.c).
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

/// Begins an iteration; each step leaves key and value in the frame, or nothing at the end.
int32_t tide_table_begin(TideState *state, uint32_t table, TideFrame *frame);
int32_t tide_table_next(TideState *state, TideFrame *frame);

/// Sets or, with reference 0, takes away a table's metatable.
int32_t tide_table_set_metatable(TideState *state, uint32_t table, uint32_t metatable,
                                 TideFrame *frame);
/// Makes a table read-only for scripts: gives an empty one that reads through.
int32_t tide_table_seal(TideState *state, uint32_t table, const char *name,
                        TideFrame *frame);
/// Makes a table the contents of a copy of what an owner holds under a key: gives an empty table
/// that reads through, and whose assignments change what is held.
int32_t tide_copy_make(TideState *state, uint32_t table, const TideValue *owner,
                       const TideValue *key, TideFrame *frame);
bool tide_table_is_copy(TideState *state, uint32_t table);
/// Gives one table the contents and the metatable of another, and lets the functions that a chunk
/// has put into that other one mean the first where they mean the other.
int32_t tide_table_adopt(TideState *state, uint32_t table, uint32_t other, const char *chunk,
                         TideFrame *frame);
/// Makes `rawset` refuse all tables that have this metatable.
int32_t tide_table_guard(TideState *state, uint32_t metatable, TideFrame *frame);

/// A value with everything in it, laid flat: a table is a header cell, then key and value of each
/// field, then the elements of its sequence. Text is an offset into `text`, in `integer`. What no
/// tape can hold (a function, a coroutine, a userdata) is told by its tag alone when read.
typedef struct TideTape {
  TideValue *_Nullable cells;
  char *_Nullable text;
  size_t count, capacity;
  size_t textCount, textCapacity;
  uint32_t depth;  // how many tables may lie within each other; at most 1000
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

/// Adds a cell; false without memory.
bool tide_tape_put(TideTape *tape, const TideValue *value);
/// Reads a table, without metamethods, into at most so many cells.
int32_t tide_tape_read(TideState *state, uint32_t table, uint32_t limit, TideTape *tape,
                       TideFrame *frame);
/// Makes the value that a tape holds.
int32_t tide_tape_write(TideState *state, const TideTape *tape, TideFrame *frame);
void tide_tape_free(TideTape *tape);

#pragma clang assume_nonnull end
