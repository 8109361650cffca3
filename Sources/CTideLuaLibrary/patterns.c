#define _GNU_SOURCE

#include "items.h"
#include "patterns.h"

// A backtracking matcher with the semantics, limits and messages of Lua's own. The rest of a
// pattern after an optional or repeated item is matched by a nested call; other items continue in
// the loop. A nested call that fails restores the captures.

enum { DEEPEST_MATCH = 200, BYTES_BETWEEN_TESTS = 1 << 14 };

static const char *match(Matcher *m, const char *s, const char *p);

static inline void test_stop(Matcher *m) {
  if (unlikely(*m->alarm)) clock_check(m->L, m->budget);
}

/// Counts a nesting level where Lua's own matcher makes a nested call. Leaving restores the count.
static inline void nest(Matcher *m) {
  if (unlikely(m->depth-- == 0)) luaL_error(m->L, "pattern too complex");
}

// MARK: Items

static const char *end_of_set(Matcher *m, const char *p) {
  if (*p == '^') p++;
  // The first byte is part of the set even if it is a bracket.
  do {
    if (p == m->patternEnd) luaL_error(m->L, "malformed pattern (missing ']')");
    char c = *p++;
    if (c == '%' && p < m->patternEnd) p++;
  } while (*p != ']');
  return p + 1;
}

static inline const char *end_of_item(Matcher *m, const char *p) {
  char c = *p++;
  if (likely(c != '[' && c != '%')) return p;
  if (c == '[') return end_of_set(m, p);
  if (unlikely(p == m->patternEnd)) luaL_error(m->L, "malformed pattern (ends with '%%')");
  return p + 1;
}

/// Whether the item that ends here is optional.
static inline bool is_optional(const Matcher *m, const char *end) {
  return end < m->patternEnd && (*end == '*' || *end == '?' || *end == '-');
}

/// The byte with which every match of the pattern from `p` on must begin. Returns -1 if that is not
/// certain or an error must be reported first.
static int required_byte(const Matcher *m, const char *p) {
  if (*p == ')' && m->open) p++;
  if (p >= m->patternEnd) return -1;
  if (*p == '(' && m->level < MOST_CAPTURES && p + 1 < m->patternEnd) p += p[1] == ')' ? 2 : 1;
  if (p >= m->patternEnd) return -1;
  int c = byte_at(p);
  switch (c) {
    case '(': case ')': case '.': case '[': case '$': return -1;
    case '%':
      if (++p >= m->patternEnd || isalnum(byte_at(p))) return -1;
      c = byte_at(p);
  }
  return is_optional(m, p + 1) ? -1 : c;
}

// MARK: Repetition

/// The end of the run of bytes that the item matches, or of those that it does not match.
static inline const char *find_end(Matcher *m, const char *s, const char *p, const char *end,
                                   bool isInside) {
  ptrdiff_t most = BYTES_BETWEEN_TESTS;
  // Each byte may be compared with every member of a set.
  if (unlikely(end - p > 8)) most = most > end - p ? most / (end - p) : 1;
  for (;;) {
    const char *stop = m->end - s > most ? s + most : m->end;
    s = run_of_item(s, stop, p, end, isInside);
    if (s < stop || stop == m->end) return s;
    test_stop(m);
  }
}

static const char *match_longest(Matcher *m, const char *s, const char *p, const char *end) {
  const char *at = find_end(m, s, p, end, true), *rest = end + 1;
  const char *found = match(m, at, rest);
  if (found || at == s) return found;
  int needed = required_byte(m, rest);
  while (at > s) {
    if (needed < 0) {
      at--;
    } else if (!(at = memrchr(s, needed, (size_t)(at - s)))) {
      return NULL;
    }
    found = match(m, at, rest);
    if (found) return found;
  }
  return NULL;
}

static const char *match_shortest(Matcher *m, const char *s, const char *p, const char *end) {
  const char *rest = end + 1, *found = match(m, s, rest);
  if (found) return found;
  int needed = required_byte(m, rest);
  for (; s < m->end && item_fits(byte_at(s), p, end); ) {
    s++;
    if (needed >= 0) {
      if (*p == '.' && !(s = memchr(s, needed, (size_t)(m->end - s)))) return NULL;
      if (s == m->end || byte_at(s) != needed) {
        test_stop(m);
        continue;
      }
    }
    found = match(m, s, rest);
    if (found) return found;
  }
  return NULL;
}

// MARK: Captures

static inline void begin_capture(Matcher *m, const char *s, bool isPosition) {
  if (unlikely(m->level >= MOST_CAPTURES)) luaL_error(m->L, "too many captures");
  m->captures[m->level].start = s;
  m->captures[m->level].count = CAPTURE_POSITION;
  if (!isPosition) m->open |= 1u << m->level;
  m->level++;
  nest(m);
}

static inline void end_capture(Matcher *m, const char *s) {
  if (unlikely(!m->open)) luaL_error(m->L, "invalid pattern capture");
  int last = 31 - __builtin_clz(m->open);
  m->open &= ~(1u << last);
  m->captures[last].count = s - m->captures[last].start;
  nest(m);
}

static const char *match_capture_again(Matcher *m, const char *s, int digit) {
  int index = digit - '1';
  if (index < 0 || index >= m->level || (m->open >> index & 1))
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

/// Matches an escape that is not a class. Returns false for any other.
static inline bool match_escape(Matcher *m, const char **s, const char **p) {
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

// MARK: The loop

static inline const char *match_steps(Matcher *m, const char *s, const char *p) {
  while (p < m->patternEnd) {
    test_stop(m);
    switch (*p) {
      case '(': {
        bool isPosition = p[1] == ')';
        begin_capture(m, s, isPosition);
        p += isPosition ? 2 : 1;
        continue;
      }
      case ')':
        end_capture(m, s);
        p++;
        continue;
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
    if (s >= m->end || !item_fits(byte_at(s), p, end)) {
      if (repetition != '*' && repetition != '?' && repetition != '-') return NULL;
      // As in Lua's own matcher, this does not count as a level.
      p = end + 1;
      continue;
    }
    switch (repetition) {
      case '*': return match_longest(m, s, p, end);
      case '+': return match_longest(m, s + 1, p, end);
      case '-': return match_shortest(m, s, p, end);
      case '?': {
        const char *found = match(m, s + 1, end + 1);
        if (found) return found;
        p = end + 1;
        continue;
      }
    }
    s++;
    p = end;
  }
  return s;
}

static const char *match(Matcher *m, const char *s, const char *p) {
  int depth = m->depth, level = m->level;
  uint32_t open = m->open;
  nest(m);
  const char *found = match_steps(m, s, p);
  m->depth = depth;
  if (!found) {
    m->level = level;
    m->open = open;
  }
  return found;
}

// MARK: Searches

void pattern_resume(Matcher *m, lua_State *L) {
  static const volatile sig_atomic_t always = 1;
  m->L = L;
  // If steps are counted, each of them must be.
  m->alarm = m->budget->limits.countsSteps ? &always : &m->budget->expired;
}

void pattern_open(Matcher *m, lua_State *L, const char *subject, size_t count,
                  const char *pattern, size_t patternCount) {
  m->budget = budget_of(L);
  pattern_resume(m, L);
  m->subject = subject;
  m->end = subject + count;
  m->patternEnd = pattern + patternCount;
  m->isPlanned = false;
}

const char *pattern_match(Matcher *m, const char *from, const char *pattern) {
  m->depth = DEEPEST_MATCH;
  m->level = 0;
  m->open = 0;
  return match(m, from, pattern);
}

/// Finds the first item of every match.
static void plan(Matcher *m, const char *p) {
  m->isPlanned = true;
  m->first = NULL;
  while (p < m->patternEnd && *p == '(') p += p[1] == ')' ? 2 : 1;
  if (p >= m->patternEnd || *p == ')' || *p == '$') return;
  if (*p == '%' && (p[1] == 'b' || p[1] == 'f' || isdigit(byte_at(p + 1)))) return;
  const char *end = end_of_item(m, p);
  if (is_optional(m, end)) return;
  m->first = p;
  m->firstEnd = end;
}

const char *pattern_skip(Matcher *m, const char *from, const char *pattern) {
  if (unlikely(!m->isPlanned)) plan(m, pattern);
  if (!m->first) return from <= m->end ? from : NULL;
  if (from >= m->end) return NULL;
  from = find_end(m, from, m->first, m->firstEnd, false);
  return from < m->end ? from : NULL;
}

ptrdiff_t pattern_capture(Matcher *m, int index, const char *start, const char *end,
                          const char **text) {
  if (index >= m->level) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    *text = start;
    return end - start;
  }
  if (unlikely(m->open >> index & 1)) luaL_error(m->L, "unfinished capture");
  ptrdiff_t count = m->captures[index].count;
  *text = m->captures[index].start;
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
