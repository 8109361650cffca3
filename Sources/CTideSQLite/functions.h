// Declarations that the files with SQL functions share.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "account.h"

typedef unsigned char Byte;

/// The number of bytes processed between two checks of the clock.
enum { STRETCH = 1 << 18 };

static inline bool stops(sqlite3_context *context) {
  if (!tide_sqlite_is_over()) return false;
  sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  return true;
}

/// Counts steps and checks the clock at intervals. Steps of earlier calls count, too, because a
/// statement may make thousands of calls with shorter strings.
extern _Thread_local uint64_t function_steps;

static inline bool pace_stops(sqlite3_context *context, uint64_t steps) {
  function_steps += steps;
  if (function_steps < STRETCH) return false;
  function_steps = 0;
  return stops(context);
}

static inline bool is_continuation(Byte byte) { return (byte & 0xc0) == 0x80; }

/// A string or a blob.
typedef struct Bytes {
  const Byte *start;
  size_t count;
} Bytes;

/// Reads a value as a string. Returns false if memory runs out.
static inline bool read_text(sqlite3_context *context, sqlite3_value *value, Bytes *bytes) {
  bytes->start = sqlite3_value_text(value);
  bytes->count = (size_t)sqlite3_value_bytes(value);
  if (bytes->start) return true;
  sqlite3_result_error_nomem(context);
  return false;
}

static inline bool read_blob(sqlite3_value *value, Bytes *bytes) {
  bytes->start = sqlite3_value_blob(value);
  bytes->count = (size_t)sqlite3_value_bytes(value);
  if (!bytes->start) {
    bytes->start = (const Byte *)"";
    bytes->count = 0;
  }
  return true;
}

static inline bool is_null(sqlite3_value *value) { return sqlite3_value_type(value) == SQLITE_NULL; }
static inline bool is_blob(sqlite3_value *value) { return sqlite3_value_type(value) == SQLITE_BLOB; }

/// The number of bytes from which a number is parsed.
static inline uint64_t length_of(sqlite3_value *value) {
  int type = sqlite3_value_type(value);
  return type == SQLITE_TEXT || type == SQLITE_BLOB ? (uint64_t)sqlite3_value_bytes(value) : 0;
}

/// Allocates a result; NULL, with the error set, if it is too long or memory runs out.
static inline Byte *make_room(sqlite3_context *context, uint64_t count) {
  int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
  if (count > (uint64_t)most) {
    sqlite3_result_error_toobig(context);
    return NULL;
  }
  Byte *room = sqlite3_malloc64(count + 1);
  if (room) return room;
  if (!stops(context)) sqlite3_result_error_nomem(context);
  return NULL;
}

static inline void return_text(sqlite3_context *context, Byte *text, uint64_t count) {
  sqlite3_result_text64(context, (char *)text, count, sqlite3_free, SQLITE_UTF8);
}

/// The bytes of the character at `at` as one number, and its length; 0 for a sequence longer than
/// any character.
static inline uint32_t character(const Byte *at, const Byte *end, size_t *length) {
  uint32_t bytes = *at;
  size_t count = 1;
  if (*at >= 0xc0)
    while (at + count < end && is_continuation(at[count]) && count < 5)
      bytes = bytes << 8 | at[count++];
  *length = count;
  return count > 4 ? 0 : bytes;
}

/// Finds the first occurrence of a part at or after `from`; NULL if there is none or the time is
/// over.
const Byte *function_find(sqlite3_context *context, const Byte *from, const Byte *end, Bytes part,
                          bool *stopped);
/// Counts characters. Returns false if the time is over.
bool function_count_characters(sqlite3_context *context, const Byte *start, const Byte *end,
                               int64_t *count);

typedef void Function(sqlite3_context *context, int count, sqlite3_value **values);

Function function_instr, function_replace, function_trim, function_match, function_format;
