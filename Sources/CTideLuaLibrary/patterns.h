// Matching of Lua patterns.
#pragma once

#include "library.h"

enum { MOST_CAPTURES = 32, CAPTURE_POSITION = -2 };

/// A search in one subject. Matching regularly checks whether the turn is over, because no hook
/// runs inside of it.
typedef struct Matcher {
  lua_State *L;
  TideBudget *budget;
  const volatile sig_atomic_t *alarm;  // not 0: the turn may be over
  const char *subject, *end;           // the end of the subject
  const char *patternEnd;
  int depth;      // the remaining nesting depth
  int level;      // captures begun
  uint32_t open;  // one bit for each capture that has not ended
  struct {
    const char *start;
    ptrdiff_t count;  // or CAPTURE_POSITION
  } captures[MOST_CAPTURES];
  // The beginning of every match, determined after the first failed attempt.
  bool isPlanned;
  const char *first, *firstEnd;  // an item that takes one byte; NULL: any position may match
} Matcher;

void pattern_open(Matcher *matcher, lua_State *L, const char *subject, size_t count,
                  const char *pattern, size_t patternCount);
/// Continues in another coroutine, and possibly in another turn.
void pattern_resume(Matcher *matcher, lua_State *L);
/// The end of a match that starts here, or NULL. Resets the captures.
const char *pattern_match(Matcher *matcher, const char *from, const char *pattern);
/// The first position from here on where a match could start, or NULL. Call it only after a match
/// has been attempted, because that reports a malformed pattern.
const char *pattern_skip(Matcher *matcher, const char *from, const char *pattern);
/// Reads a capture, or the whole match if the pattern has no captures. Pushes a position capture on the
/// stack.
ptrdiff_t pattern_capture(Matcher *matcher, int index, const char *start, const char *end,
                          const char **text);
void pattern_push_capture(Matcher *matcher, int index, const char *start, const char *end);
/// Pushes all captures. If there are none, pushes the whole match unless `start` is NULL.
int pattern_push_captures(Matcher *matcher, const char *start, const char *end);
