// Declarations that the files of the scanner share.
#pragma once

#include "TideJSON.h"

/// The tokens that may follow.
enum {
  EXPECTS_VALUE,
  EXPECTS_ELEMENT_OR_END,
  EXPECTS_KEY_OR_END,
  EXPECTS_KEY,
  EXPECTS_COLON,
  EXPECTS_COMMA_OR_END,
  EXPECTS_NOTHING,
  EXPECTS_NO_MORE,  // a fault was found
};

/// Records a syntax error at a position. No token follows it.
TideJSONToken json_fault(TideJSON *json, size_t position, const char *expected);
/// Reads the number at the position (numbers.c).
TideJSONToken json_number(TideJSON *json);

static inline void finish_value(TideJSON *json) {
  json->expects = json->depth ? EXPECTS_COMMA_OR_END : EXPECTS_NOTHING;
}
