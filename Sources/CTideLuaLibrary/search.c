#define _GNU_SOURCE
#include <ctype.h>

#include "patterns.h"

// string.find, match, gmatch and gsub, over the matcher of patterns.c.

enum { MOST_TRIES = 16, PIECE = 1 << 20, LONGEST_NEEDLE = PIECE / 4 };

static size_t start_position(lua_Integer position, size_t count) {
  if (position > 0) return (size_t)position;
  if (position == 0 || position < -(lua_Integer)count) return 1;
  return count + (size_t)position + 1;
}

static bool is_plain(const char *pattern, size_t count) {
  static const bool isSpecial[256] = {
      ['^'] = true, ['$'] = true, ['*'] = true, ['+'] = true, ['?'] = true,
      ['.'] = true, ['('] = true, ['['] = true, ['%'] = true, ['-'] = true,
  };
  for (size_t i = 0; i < count; i++)
    if (isSpecial[(unsigned char)pattern[i]]) return false;
  return true;
}

/// Like memcmp, but piece by piece.
static bool is_same(lua_State *L, const char *bytes, const char *others, size_t count) {
  for (size_t done = 0, part; done < count; done += part) {
    clock_look(L, budget_of(L));
    part = count - done > PIECE ? PIECE : count - done;
    if (memcmp(bytes + done, others + done, part) != 0) return false;
  }
  return true;
}

/// Like memmem, but piece by piece. For a long needle, searches for its prefix and then compares
/// the rest.
static const char *find_bytes(lua_State *L, const char *at, const char *end, const char *text,
                              size_t count) {
  TideBudget *budget = budget_of(L);
  size_t first = count > LONGEST_NEEDLE ? LONGEST_NEEDLE : count;
  while ((size_t)(end - at) >= count) {
    clock_look(L, budget);
    size_t rest = (size_t)(end - at) - (count - first), part = rest > PIECE ? PIECE : rest;
    const char *found = memmem(at, part, text, first);
    if (found && is_same(L, found + first, text + first, count - first)) return found;
    if (!found && part == rest) return NULL;
    at = found ? found + 1 : at + (part - first + 1);
  }
  return NULL;
}

/// Finds a string in another. Searching for its first byte is fastest, unless that finds too many
/// false candidates.
static const char *find_text(lua_State *L, const char *at, const char *end, const char *text,
                             size_t count) {
  if (count == 0) return at;
  for (int tries = 0; (size_t)(end - at) >= count; at++) {
    if (++tries > MOST_TRIES) return find_bytes(L, at, end, text, count);
    at = memchr(at, *text, (size_t)(end - at) - count + 1);
    if (!at || memcmp(at + 1, text + 1, count - 1) == 0) return at;
  }
  return NULL;
}

/// The arguments of find and match.
typedef struct Query {
  const char *subject, *pattern;
  size_t count, patternCount, from;
} Query;

static inline Query read_query(lua_State *L) {
  Query q;
  q.subject = luaL_checklstring(L, 1, &q.count);
  q.pattern = luaL_checklstring(L, 2, &q.patternCount);
  q.from = start_position(luaL_optinteger(L, 3, 1), q.count) - 1;
  return q;
}

static int fail(lua_State *L) {
  luaL_pushfail(L);
  return 1;
}

static __attribute__((noinline)) int search(lua_State *L, const Query *q, bool finds) {
  Matcher matcher;
  const char *start = q->subject + q->from, *pattern = q->pattern, *end;
  pattern_open(&matcher, L, q->subject, q->count, pattern, q->patternCount);
  bool isAnchored = q->patternCount > 0 && *pattern == '^';
  if (isAnchored) pattern++;
  while (!(end = pattern_match(&matcher, start, pattern))) {
    if (isAnchored) return fail(L);
    start = pattern_skip(&matcher, start + 1, pattern);
    if (!start) return fail(L);
  }
  if (!finds) return pattern_push_captures(&matcher, start, end);
  lua_pushinteger(L, start - q->subject + 1);
  lua_pushinteger(L, end - q->subject);
  return 2 + pattern_push_captures(&matcher, NULL, NULL);
}

static int string_find(lua_State *L) {
  Query q = read_query(L);
  if (q.from > q.count) return fail(L);
  if (!lua_toboolean(L, 4) && !is_plain(q.pattern, q.patternCount)) return search(L, &q, true);
  const char *found =
      find_text(L, q.subject + q.from, q.subject + q.count, q.pattern, q.patternCount);
  if (!found) return fail(L);
  lua_pushinteger(L, found - q.subject + 1);
  lua_pushinteger(L, found - q.subject + (lua_Integer)q.patternCount);
  return 2;
}

static int string_match(lua_State *L) {
  Query q = read_query(L);
  return q.from > q.count ? fail(L) : search(L, &q, false);
}

// MARK: gmatch

/// The state of an iteration; its subject and pattern are the closure's first two upvalues.
typedef struct Iteration {
  const char *pattern, *next, *last;
  Matcher matcher;
} Iteration;

static int next_match(lua_State *L) {
  Iteration *iteration = lua_touserdata(L, lua_upvalueindex(3));
  Matcher *matcher = &iteration->matcher;
  // The iterator may be called from a coroutine other than the one that created it.
  pattern_resume(matcher, L);
  const char *start = iteration->next;
  while (start && start <= matcher->end) {
    const char *end = pattern_match(matcher, start, iteration->pattern);
    if (end && end != iteration->last) {
      iteration->next = iteration->last = end;
      return pattern_push_captures(matcher, start, end);
    }
    start = pattern_skip(matcher, start + 1, iteration->pattern);
  }
  return 0;
}

static int string_gmatch(lua_State *L) {
  size_t count, patternCount;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &patternCount);
  size_t from = start_position(luaL_optinteger(L, 3, 1), count) - 1;
  if (from > count) from = count + 1;
  lua_settop(L, 2);
  Iteration *iteration = lua_newuserdatauv(L, sizeof *iteration, 0);
  pattern_open(&iteration->matcher, L, subject, count, pattern, patternCount);
  iteration->pattern = pattern;
  iteration->next = subject + from;
  iteration->last = NULL;
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

// MARK: gsub

typedef struct Replacement {
  Matcher matcher;
  luaL_Buffer buffer;
  int type;
  const char *text, *textEnd;  // of a template
  bool isLiteral;              // a template without escapes
  const char *copied;          // the end of the part of the subject that was handled
} Replacement;

static inline void add_bytes(luaL_Buffer *buffer, const char *bytes, size_t count) {
  if (likely(count <= buffer->size - buffer->n)) {
    memcpy(buffer->b + buffer->n, bytes, count);
    luaL_addsize(buffer, count);
  } else {
    luaL_addlstring(buffer, bytes, count);
  }
}

static void add_template(Replacement *r, const char *start, const char *end) {
  const char *text = r->text, *escape;
  while ((escape = memchr(text, '%', (size_t)(r->textEnd - text)))) {
    add_bytes(&r->buffer, text, (size_t)(escape - text));
    char what = escape[1];
    if (what == '%') {
      luaL_addchar(&r->buffer, '%');
    } else if (what == '0') {
      add_bytes(&r->buffer, start, (size_t)(end - start));
    } else if (isdigit((unsigned char)what)) {
      const char *capture;
      ptrdiff_t length = pattern_capture(&r->matcher, what - '1', start, end, &capture);
      if (length == CAPTURE_POSITION)
        luaL_addvalue(&r->buffer);
      else
        add_bytes(&r->buffer, capture, (size_t)length);
    } else {
      luaL_error(r->matcher.L, "invalid use of '%c' in replacement string", '%');
    }
    text = escape + 2;
  }
  add_bytes(&r->buffer, text, (size_t)(r->textEnd - text));
}

/// Adds the replacement of a match. Returns false if it is the match itself.
static bool add_replacement(Replacement *r, const char *start, const char *end) {
  lua_State *L = r->matcher.L;
  add_bytes(&r->buffer, r->copied, (size_t)(start - r->copied));
  r->copied = start;
  if (r->type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, pattern_push_captures(&r->matcher, start, end), 1);
  } else if (r->type == LUA_TTABLE) {
    pattern_push_capture(&r->matcher, 0, start, end);
    lua_gettable(L, 3);
  } else {
    if (r->isLiteral)
      add_bytes(&r->buffer, r->text, (size_t)(r->textEnd - r->text));
    else
      add_template(r, start, end);
    r->copied = end;
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(&r->buffer);
  r->copied = end;
  return true;
}

/// Replaces up to `most` matches, and returns their number.
static lua_Integer replace(Replacement *r, const char *pattern, lua_Integer most, bool isAnchored,
                           bool *changed) {
  uint64_t longest = r->matcher.budget->limits.textBytes;
  const char *at = r->copied, *last = NULL;
  lua_Integer replaced = 0;
  while (at && replaced < most) {
    const char *end = pattern_match(&r->matcher, at, pattern);
    if (end && end != last) {
      replaced++;
      *changed |= add_replacement(r, at, end);
      if (unlikely(longest && luaL_bufflen(&r->buffer) > longest))
        luaL_error(r->matcher.L, "resulting string too large");
      last = end;
      at = pattern_skip(&r->matcher, end, pattern);
    } else {
      at = pattern_skip(&r->matcher, at + 1, pattern);
    }
    if (isAnchored) break;
  }
  return replaced;
}

static int string_gsub(lua_State *L) {
  size_t count, patternCount;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &patternCount);
  Replacement r;
  r.type = lua_type(L, 3);
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1);
  luaL_argexpected(L, r.type == LUA_TNUMBER || r.type == LUA_TSTRING ||
                          r.type == LUA_TFUNCTION || r.type == LUA_TTABLE,
                   3, "string/function/table");
  if (r.type == LUA_TNUMBER || r.type == LUA_TSTRING) {
    size_t length;
    r.text = lua_tolstring(L, 3, &length);
    r.textEnd = r.text + length;
    r.isLiteral = !memchr(r.text, '%', length);
  }
  bool isAnchored = patternCount > 0 && *pattern == '^', changed = false;
  pattern_open(&r.matcher, L, subject, count, pattern, patternCount);
  luaL_buffinit(L, &r.buffer);
  r.copied = subject;
  lua_Integer replaced = replace(&r, pattern + isAnchored, most, isAnchored, &changed);
  if (changed) {
    luaL_addlstring(&r.buffer, r.copied, (size_t)(r.matcher.end - r.copied));
    luaL_pushresult(&r.buffer);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, replaced);
  return 2;
}

void search_open(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"find", string_find},   {"match", string_match}, {"gmatch", string_gmatch},
      {"gsub", string_gsub},   {NULL, NULL},
  };
  luaL_setfuncs(L, functions, 0);
}
