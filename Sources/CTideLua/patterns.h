// Matching of Lua patterns.
#pragma once

#include "host.h"

enum { MOST_CAPTURES = 32, CAPTURE_OPEN = -1, CAPTURE_POSITION = -2 };

/// A search in one subject. Matching tests at every step whether the turn is over, because no hook
/// runs inside of it.
typedef struct Matcher {
  lua_State *L;
  TideState *state;
  const char *subject, *end;  // of the subject
  const char *patternEnd;
  int depth;  // how many more steps may nest
  int level;  // captures begun
  struct {
    const char *start;
    ptrdiff_t count;  // or CAPTURE_…
  } captures[MOST_CAPTURES];
} Matcher;

void pattern_open(Matcher *matcher, lua_State *L, const char *subject, size_t count,
                  const char *pattern, size_t patternCount);
/// Where a match that starts here ends, or NULL. Begins anew with no captures.
const char *pattern_match(Matcher *matcher, const char *from, const char *pattern);
/// Reads a capture, or the whole match when there are none; a position is pushed on the stack.
ptrdiff_t pattern_capture(Matcher *matcher, int index, const char *start, const char *end,
                          const char **text);
void pattern_push_capture(Matcher *matcher, int index, const char *start, const char *end);
/// Pushes all captures, or without any the whole match unless `start` is NULL.
int pattern_push_captures(Matcher *matcher, const char *start, const char *end);
