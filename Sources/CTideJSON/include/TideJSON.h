// Reads JSON token by token. It takes no memory, keeps no more than a level's kind for each level,
// and goes through a bounded number of bytes at a time, so that whoever reads can stop between.
//
//   TideJSON json = tide_json_begin(bytes, count, 100);
//   for (TideJSONToken token; (token = tide_json_next(&json)) != TideJSONEnd;) …
//
// The grammar is RFC 8259's, and nothing beyond it. Text is checked to be UTF-8.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// What a step found.
typedef enum __attribute__((enum_extensibility(closed))) TideJSONToken {
  TideJSONNull,
  TideJSONFalse,
  TideJSONTrue,
  TideJSONInteger,  // in `integer`
  TideJSONNumber,   // in `number`; whole numbers beyond 64 bits, too
  TideJSONString,   // between `start` and `end`, to be copied by `tide_json_copy`
  TideJSONKey,      // likewise
  TideJSONBeginArray,
  TideJSONEndArray,
  TideJSONBeginObject,
  TideJSONEndObject,
  TideJSONEnd,    // of the whole text
  TideJSONPause,  // nothing yet: much has been gone through; the next step goes on
  TideJSONFault,  // `expected` does not stand at `position`; every further step finds the same
} TideJSONToken;

enum {
  TIDE_JSON_MOST_LEVELS = 1000,
  /// A step goes through hardly more bytes than this.
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
  bool hasEscapes;   // the text between `start` and `end` has some
  uint8_t expects;   // what may come next
  uint8_t continues; // which text goes on, where a step paused in one
  uint8_t kinds[TIDE_JSON_MOST_LEVELS / 8];  // a bit for each level: whether it is an object
} TideJSON;

/// The bytes must stay while they are read. Arrays and objects may nest so deep, at most
/// `TIDE_JSON_MOST_LEVELS`.
TideJSON tide_json_begin(const uint8_t *_Nullable bytes, size_t count, uint32_t deepest);

TideJSONToken tide_json_next(TideJSON *json);

/// Writes the last text with its escapes undone, and gives its length, which is at most
/// `end - start`.
size_t tide_json_copy(const TideJSON *json, uint8_t *out);

/// Where `position` is: lines and columns from 1, columns in bytes.
void tide_json_locate(const TideJSON *json, size_t *line, size_t *column);

enum { TIDE_JSON_MESSAGE = 128 };
/// Writes what was expected and what was found, for people, and gives its length.
size_t tide_json_describe(const TideJSON *json, char message[_Nonnull TIDE_JSON_MESSAGE]);

#pragma clang assume_nonnull end
