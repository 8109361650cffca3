// Reads JSON token by token. It allocates no memory: the state of each level is one bit. Each step
// reads a bounded number of bytes, so that the caller can stop between steps.
//
//   TideJSON json = tide_json_begin(bytes, count, 100);
//   for (TideJSONToken token; (token = tide_json_next(&json)) != TideJSONEnd;) …
//
// The grammar is that of RFC 8259, without extensions. Text must be valid UTF-8.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The result of a step.
typedef enum __attribute__((enum_extensibility(closed))) TideJSONToken {
  TideJSONNull,
  TideJSONFalse,
  TideJSONTrue,
  TideJSONInteger,  // the value is in `integer`
  TideJSONNumber,   // the value is in `number`; also integers beyond 64 bits
  TideJSONString,   // between `start` and `end`, to be copied by `tide_json_copy`
  TideJSONKey,      // likewise
  TideJSONBeginArray,
  TideJSONEndArray,
  TideJSONBeginObject,
  TideJSONEndObject,
  TideJSONEnd,    // the end of the whole text
  TideJSONPause,  // a step's bytes were read without a token; call again
  TideJSONFault,  // a syntax error at `position`, which every further step repeats
} TideJSONToken;

enum {
  TIDE_JSON_MOST_LEVELS = 1000,
  /// A step reads hardly more bytes than this.
  TIDE_JSON_STEP = 1 << 16,
};

typedef struct TideJSON {
  const uint8_t *bytes;
  size_t count;
  size_t position;
  size_t start, end;
  int64_t integer;
  double number;
  const char *_Nullable expected;
  uint32_t depth, deepest;
  bool hasEscapes;   // the string between `start` and `end` has escapes
  uint8_t expects;   // the tokens that may follow
  uint8_t continues; // the kind of text in which a step has paused
  uint8_t kinds[TIDE_JSON_MOST_LEVELS / 8];  // one bit per level: whether it is an object
} TideJSON;

/// Starts reading. The bytes must stay valid while they are read. `deepest` limits the nesting of
/// arrays and objects, and is at most `TIDE_JSON_MOST_LEVELS`.
TideJSON tide_json_begin(const uint8_t *_Nullable bytes, size_t count, uint32_t deepest);

TideJSONToken tide_json_next(TideJSON *json);

/// Copies the last string, with its escapes decoded, and returns its length, which is at most `end
/// - start`.
size_t tide_json_copy(const TideJSON *json, uint8_t *out);

/// The line and the column of `position`, both from 1. Columns count bytes.
void tide_json_locate(const TideJSON *json, size_t *line, size_t *column);

enum { TIDE_JSON_MESSAGE = 128 };
/// Writes a message for people about the expected and the actual text, and returns its length.
size_t tide_json_describe(const TideJSON *json, char message[_Nonnull TIDE_JSON_MESSAGE]);

#pragma clang assume_nonnull end
