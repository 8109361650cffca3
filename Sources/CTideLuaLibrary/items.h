// The items of Lua patterns that match one byte: letters, classes and sets.
#pragma once

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static inline int byte_at(const char *p) { return (unsigned char)*p; }

// The letter of each class, the letter of its complement, and the test of a byte `c`.
#define CLASSES(X)         \
  X('a', 'A', isalpha(c))  \
  X('c', 'C', iscntrl(c))  \
  X('d', 'D', isdigit(c))  \
  X('g', 'G', isgraph(c))  \
  X('l', 'L', islower(c))  \
  X('p', 'P', ispunct(c))  \
  X('s', 'S', isspace(c))  \
  X('u', 'U', isupper(c))  \
  X('w', 'W', isalnum(c))  \
  X('x', 'X', isxdigit(c)) \
  X('z', 'Z', c == 0)  // deprecated, but still supported

static inline bool is_in_class(int c, int letter) {
  switch (letter) {
#define TEST(lower, upper, test) \
  case lower: return test;       \
  case upper: return !(test);
    CLASSES(TEST)
#undef TEST
    default: return letter == c;
  }
}

/// Whether a set contains the byte; `last` is the set's closing bracket.
static inline bool is_in_set(int c, const char *set, const char *last) {
  const char *p = set + 1;
  bool found = true;
  if (*p == '^') {
    found = false;
    p++;
  }
  for (; p < last; p++) {
    if (*p == '%') {
      p++;
      if (is_in_class(c, byte_at(p))) return found;
    } else if (p[1] == '-' && p + 2 < last) {
      if (byte_at(p) <= c && c <= byte_at(p + 2)) return found;
      p += 2;
    } else if (byte_at(p) == c) {
      return found;
    }
  }
  return !found;
}

/// Whether the item between `p` and `end` matches the byte.
static inline bool item_fits(int c, const char *p, const char *end) {
  switch (*p) {
    case '.': return true;
    case '%': return is_in_class(c, byte_at(p + 1));
    case '[': return is_in_set(c, p, end - 1);
    default: return byte_at(p) == c;
  }
}

/// The end of the run of bytes from `s` on that match a class, or a literal letter that is not a
/// class.
static inline const char *run_of_class(const char *s, const char *stop, int letter, bool isInside) {
#define RUN(test)                                   \
  for (; s < stop; s++) {                           \
    int c = byte_at(s);                             \
    if (!(test)) break;                             \
  }                                                 \
  return s;
  switch (letter) {
#define RUNS(lower, upper, test)     \
  case lower:                        \
    if (isInside) { RUN(test) } else { RUN(!(test)) } \
  case upper:                        \
    if (isInside) { RUN(!(test)) } else { RUN(test) }
    CLASSES(RUNS)
#undef RUNS
    default: RUN((c == letter) == isInside)
  }
#undef RUN
}

/// The end of the run of bytes that the item matches, or, if `isInside` is false, of those that it
/// does not match.
static inline const char *run_of_item(const char *s, const char *stop, const char *p,
                                      const char *end, bool isInside) {
  switch (*p) {
    case '.': return isInside ? stop : s;
    case '%': return run_of_class(s, stop, byte_at(p + 1), isInside);
    case '[':
      while (s < stop && is_in_set(byte_at(s), p, end - 1) == isInside) s++;
      return s;
    default: break;
  }
  if (isInside) {
    while (s < stop && *s == *p) s++;
    return s;
  }
  const char *found = memchr(s, *p, (size_t)(stop - s));
  return found ? found : stop;
}
