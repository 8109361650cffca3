#include "patterns.h"

#include <ctype.h>

// A backtracking matcher with the meaning, the limits and the messages of Lua's own. What follows
// an optional or repeated item is matched by a nested call; anything else by going on in the loop.

enum { DEEPEST_MATCH = 200 };

static const char *match(Matcher *m, const char *s, const char *p);

static inline int byte_at(const char *p) { return (unsigned char)*p; }

static inline void test_stop(Matcher *m) { clock_check(m->L, m->state); }

// MARK: Items that match one byte

static bool is_in_class(int c, int letter) {
  int inside;
  switch (tolower(letter)) {
    case 'a': inside = isalpha(c); break;
    case 'c': inside = iscntrl(c); break;
    case 'd': inside = isdigit(c); break;
    case 'g': inside = isgraph(c); break;
    case 'l': inside = islower(c); break;
    case 'p': inside = ispunct(c); break;
    case 's': inside = isspace(c); break;
    case 'u': inside = isupper(c); break;
    case 'w': inside = isalnum(c); break;
    case 'x': inside = isxdigit(c); break;
    case 'z': inside = c == 0; break;  // deprecated, but still there
    default: return letter == c;
  }
  return isupper(letter) ? !inside : inside != 0;
}

/// Whether a set has the byte; `last` is its closing bracket.
static bool is_in_set(int c, const char *set, const char *last) {
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

static const char *end_of_set(Matcher *m, const char *p) {
  if (*p == '^') p++;
  // The first byte belongs to the set even if it is a bracket.
  do {
    if (p == m->patternEnd) luaL_error(m->L, "malformed pattern (missing ']')");
    char c = *p++;
    if (c == '%' && p < m->patternEnd) p++;
  } while (*p != ']');
  return p + 1;
}

static const char *end_of_item(Matcher *m, const char *p) {
  char c = *p++;
  if (c == '[') return end_of_set(m, p);
  if (c != '%') return p;
  if (p == m->patternEnd) luaL_error(m->L, "malformed pattern (ends with '%%')");
  return p + 1;
}

static inline bool fits(const Matcher *m, const char *s, const char *p, const char *end) {
  if (s >= m->end) return false;
  int c = byte_at(s);
  switch (*p) {
    case '.': return true;
    case '%': return is_in_class(c, byte_at(p + 1));
    case '[': return is_in_set(c, p, end - 1);
    default: return byte_at(p) == c;
  }
}

// MARK: Repetition

static const char *match_longest(Matcher *m, const char *s, const char *p, const char *end) {
  const char *at = s;
  while (fits(m, at, p, end)) {
    test_stop(m);
    at++;
  }
  for (; at >= s; at--) {
    const char *found = match(m, at, end + 1);
    if (found) return found;
  }
  return NULL;
}

static const char *match_shortest(Matcher *m, const char *s, const char *p, const char *end) {
  for (;; s++) {
    const char *found = match(m, s, end + 1);
    if (found) return found;
    if (!fits(m, s, p, end)) return NULL;
  }
}

// MARK: Captures

static const char *begin_capture(Matcher *m, const char *s, const char *p, ptrdiff_t kind) {
  if (m->level >= MOST_CAPTURES) luaL_error(m->L, "too many captures");
  m->captures[m->level].start = s;
  m->captures[m->level].count = kind;
  m->level++;
  const char *found = match(m, s, p);
  if (!found) m->level--;
  return found;
}

static const char *end_capture(Matcher *m, const char *s, const char *p) {
  int open = m->level - 1;
  while (open >= 0 && m->captures[open].count != CAPTURE_OPEN) open--;
  if (open < 0) luaL_error(m->L, "invalid pattern capture");
  m->captures[open].count = s - m->captures[open].start;
  const char *found = match(m, s, p);
  if (!found) m->captures[open].count = CAPTURE_OPEN;
  return found;
}

static const char *match_capture_again(Matcher *m, const char *s, int digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->level || m->captures[index].count == CAPTURE_OPEN)
    luaL_error(m->L, "invalid capture index %%%d", index + 1);
  ptrdiff_t count = m->captures[index].count;
  if (count < 0 || m->end - s < count) return NULL;
  return memcmp(m->captures[index].start, s, (size_t)count) == 0 ? s + count : NULL;
}

// MARK: Items of several bytes

static const char *match_balanced(Matcher *m, const char *s, const char *p) {
  if (p + 1 >= m->patternEnd)
    luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= m->end || *s != *p) return NULL;
  char opening = p[0], closing = p[1];
  ptrdiff_t nested = 1;
  while (++s < m->end) {
    test_stop(m);
    if (*s == closing) {
      if (--nested == 0) return s + 1;
    } else if (*s == opening) {
      nested++;
    }
  }
  return NULL;
}

static bool is_frontier(Matcher *m, const char *s, const char *set, const char *end) {
  int before = s == m->subject ? 0 : byte_at(s - 1);
  int here = s == m->end ? 0 : byte_at(s);
  return !is_in_set(before, set, end - 1) && is_in_set(here, set, end - 1);
}

/// Goes over an escape that is more than a class; false when it is none.
static bool match_escape(Matcher *m, const char **s, const char **p) {
  const char *at = *p + 1;
  switch (at < m->patternEnd ? *at : 0) {
    case 'b':
      *s = match_balanced(m, *s, at + 1);
      *p = at + 3;
      return true;
    case 'f': {
      if (at[1] != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
      const char *end = end_of_item(m, at + 1);
      if (!is_frontier(m, *s, at + 1, end)) *s = NULL;
      *p = end;
      return true;
    }
    case '0': case '1': case '2': case '3': case '4':
    case '5': case '6': case '7': case '8': case '9':
      *s = match_capture_again(m, *s, *at);
      *p = at + 1;
      return true;
    default: return false;
  }
}

static const char *match_steps(Matcher *m, const char *s, const char *p) {
  while (p < m->patternEnd) {
    test_stop(m);
    switch (*p) {
      case '(':
        if (p[1] == ')') return begin_capture(m, s, p + 2, CAPTURE_POSITION);
        return begin_capture(m, s, p + 1, CAPTURE_OPEN);
      case ')': return end_capture(m, s, p + 1);
      case '$':
        if (p + 1 == m->patternEnd) return s == m->end ? s : NULL;
        break;
      case '%':
        if (!match_escape(m, &s, &p)) break;
        if (!s) return NULL;
        continue;
    }
    const char *end = end_of_item(m, p);
    char repetition = end < m->patternEnd ? *end : 0;
    if (repetition == '*') return match_longest(m, s, p, end);
    if (repetition == '-') return match_shortest(m, s, p, end);
    bool fit = fits(m, s, p, end);
    if (repetition == '?') {
      const char *found = fit ? match(m, s + 1, end + 1) : NULL;
      if (found) return found;
      p = end + 1;
      continue;
    }
    if (!fit) return NULL;
    if (repetition == '+') return match_longest(m, s + 1, p, end);
    s++;
    p = end;
  }
  return s;
}

static const char *match(Matcher *m, const char *s, const char *p) {
  if (m->depth-- == 0) luaL_error(m->L, "pattern too complex");
  const char *found = match_steps(m, s, p);
  m->depth++;
  return found;
}

// MARK: Searches

void pattern_open(Matcher *m, lua_State *L, const char *subject, size_t count,
                  const char *pattern, size_t patternCount) {
  m->L = L;
  m->state = state_of(L);
  m->subject = subject;
  m->end = subject + count;
  m->patternEnd = pattern + patternCount;
}

const char *pattern_match(Matcher *m, const char *from, const char *pattern) {
  m->depth = DEEPEST_MATCH;
  m->level = 0;
  return match(m, from, pattern);
}

ptrdiff_t pattern_capture(Matcher *m, int index, const char *start, const char *end,
                          const char **text) {
  if (index >= m->level) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    *text = start;
    return end - start;
  }
  ptrdiff_t count = m->captures[index].count;
  *text = m->captures[index].start;
  if (count == CAPTURE_OPEN) luaL_error(m->L, "unfinished capture");
  if (count == CAPTURE_POSITION) lua_pushinteger(m->L, *text - m->subject + 1);
  return count;
}

void pattern_push_capture(Matcher *m, int index, const char *start, const char *end) {
  const char *text;
  ptrdiff_t count = pattern_capture(m, index, start, end, &text);
  if (count != CAPTURE_POSITION) lua_pushlstring(m->L, text, (size_t)count);
}

int pattern_push_captures(Matcher *m, const char *start, const char *end) {
  int count = m->level == 0 && start ? 1 : m->level;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) pattern_push_capture(m, i, start, end);
  return count;
}
