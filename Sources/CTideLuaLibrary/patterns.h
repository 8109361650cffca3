// Matching of Lua patterns.
#pragma once

#include "library.h"

enum { MOST_CAPTURES = 32, CAPTURE_POSITION = -2 };

/// A search in one subject. Matching tests again and again whether the turn is over, because no
/// hook runs inside of it.
typedef struct Matcher {
  lua_State *L;
  TideBudget *budget;
  const volatile sig_atomic_t *alarm;  // not 0: the turn may be over
  const char *subject, *end;           // of the subject
  const char *patternEnd;
  int depth;      // how many more steps may nest
  int level;      // captures begun
  uint32_t open;  // those not ended, a bit each
  struct {
    const char *start;
    ptrdiff_t count;  // or CAPTURE_POSITION
  } captures[MOST_CAPTURES];
  // What every match begins with, found when the first attempt has failed.
  bool isPlanned;
  const char *first, *firstEnd;  // an item that takes one byte; NULL: any position may match
} Matcher;

void pattern_open(Matcher *matcher, lua_State *L, const char *subject, size_t count,
                  const char *pattern, size_t patternCount);
/// Goes on in another coroutine, and maybe another turn.
void pattern_resume(Matcher *matcher, lua_State *L);
/// Where a match that starts here ends, or NULL. Begins anew with no captures.
const char *pattern_match(Matcher *matcher, const char *from, const char *pattern);
/// The next position, this one or a later one, where a match could start, or NULL. Only after a
/// match has been tried, which is what reports a malformed pattern.
const char *pattern_skip(Matcher *matcher, const char *from, const char *pattern);
/// Reads a capture, or the whole match when there are none; a position is pushed on the stack.
ptrdiff_t pattern_capture(Matcher *matcher, int index, const char *start, const char *end,
                          const char **text);
void pattern_push_capture(Matcher *matcher, int index, const char *start, const char *end);
/// Pushes all captures, or without any the whole match unless `start` is NULL.
int pattern_push_captures(Matcher *matcher, const char *start, const char *end);
