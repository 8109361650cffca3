#define _GNU_SOURCE

#include "patterns.h"

#include <ctype.h>

// string.find, match, gmatch and gsub, over the matcher of patterns.c.

static size_t start_position(lua_Integer position, size_t count) {
  if (position > 0) return (size_t)position;
  if (position == 0 || position < -(lua_Integer)count) return 1;
  return count + (size_t)position + 1;
}

static bool is_plain(const char *pattern, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (pattern[i] && strchr("^$*+?.([%-", pattern[i])) return false;
  return true;
}

static int find_text(lua_State *L, const char *subject, size_t count, size_t from,
                     const char *text, size_t textCount) {
  const char *found = memmem(subject + from, count - from, text, textCount);
  if (!found) {
    luaL_pushfail(L);
    return 1;
  }
  lua_pushinteger(L, found - subject + 1);
  lua_pushinteger(L, found - subject + (lua_Integer)textCount);
  return 2;
}

static int search(lua_State *L, bool finds) {
  size_t count, patternCount;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &patternCount);
  size_t from = start_position(luaL_optinteger(L, 3, 1), count) - 1;
  if (from > count) {
    luaL_pushfail(L);
    return 1;
  }
  if (finds && (lua_toboolean(L, 4) || is_plain(pattern, patternCount)))
    return find_text(L, subject, count, from, pattern, patternCount);
  Matcher matcher;
  pattern_open(&matcher, L, subject, count, pattern, patternCount);
  bool isAnchored = patternCount > 0 && *pattern == '^';
  if (isAnchored) pattern++;
  const char *start = subject + from;
  do {
    const char *end = pattern_match(&matcher, start, pattern);
    if (!end) continue;
    if (!finds) return pattern_push_captures(&matcher, start, end);
    lua_pushinteger(L, start - subject + 1);
    lua_pushinteger(L, end - subject);
    return 2 + pattern_push_captures(&matcher, NULL, NULL);
  } while (start++ < matcher.end && !isAnchored);
  luaL_pushfail(L);
  return 1;
}

static int string_find(lua_State *L) { return search(L, true); }
static int string_match(lua_State *L) { return search(L, false); }

// MARK: gmatch

/// Where an iteration stands; its subject and pattern are the closure's first two upvalues.
typedef struct Iteration {
  const char *pattern, *next, *last;
  Matcher matcher;
} Iteration;

static int next_match(lua_State *L) {
  Iteration *iteration = lua_touserdata(L, lua_upvalueindex(3));
  // The iterator may be called from another coroutine than the one that made it.
  iteration->matcher.L = L;
  for (const char *start = iteration->next; start <= iteration->matcher.end; start++) {
    const char *end = pattern_match(&iteration->matcher, start, iteration->pattern);
    if (!end || end == iteration->last) continue;
    iteration->next = iteration->last = end;
    return pattern_push_captures(&iteration->matcher, start, end);
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
} Replacement;

static void add_template(Replacement *r, const char *start, const char *end) {
  lua_State *L = r->matcher.L;
  size_t count;
  const char *text = lua_tolstring(L, 3, &count), *last = text + count;
  const char *escape;
  while ((escape = memchr(text, '%', (size_t)(last - text)))) {
    luaL_addlstring(&r->buffer, text, (size_t)(escape - text));
    char what = escape[1];
    if (what == '%') {
      luaL_addchar(&r->buffer, '%');
    } else if (what == '0') {
      luaL_addlstring(&r->buffer, start, (size_t)(end - start));
    } else if (isdigit((unsigned char)what)) {
      const char *capture;
      ptrdiff_t length = pattern_capture(&r->matcher, what - '1', start, end, &capture);
      if (length == CAPTURE_POSITION)
        luaL_addvalue(&r->buffer);
      else
        luaL_addlstring(&r->buffer, capture, (size_t)length);
    } else {
      luaL_error(L, "invalid use of '%c' in replacement string", '%');
    }
    text = escape + 2;
  }
  luaL_addlstring(&r->buffer, text, (size_t)(last - text));
}

/// Adds what stands in for a match; false when that is the match itself.
static bool add_replacement(Replacement *r, const char *start, const char *end) {
  lua_State *L = r->matcher.L;
  if (r->type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    lua_call(L, pattern_push_captures(&r->matcher, start, end), 1);
  } else if (r->type == LUA_TTABLE) {
    pattern_push_capture(&r->matcher, 0, start, end);
    lua_gettable(L, 3);
  } else {
    add_template(r, start, end);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    luaL_addlstring(&r->buffer, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1))
    luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(&r->buffer);
  return true;
}

static int string_gsub(lua_State *L) {
  size_t count, patternCount;
  const char *subject = luaL_checklstring(L, 1, &count);
  const char *pattern = luaL_checklstring(L, 2, &patternCount);
  Replacement r = {.type = lua_type(L, 3)};
  lua_Integer most = luaL_optinteger(L, 4, (lua_Integer)count + 1), replaced = 0;
  luaL_argexpected(L, r.type == LUA_TNUMBER || r.type == LUA_TSTRING ||
                          r.type == LUA_TFUNCTION || r.type == LUA_TTABLE,
                   3, "string/function/table");
  bool isAnchored = patternCount > 0 && *pattern == '^', changed = false;
  pattern_open(&r.matcher, L, subject, count, pattern, patternCount);
  if (isAnchored) pattern++;
  luaL_buffinit(L, &r.buffer);
  const char *at = subject, *last = NULL;
  while (replaced < most) {
    const char *end = pattern_match(&r.matcher, at, pattern);
    if (end && end != last) {
      replaced++;
      changed |= add_replacement(&r, at, end);
      at = last = end;
    } else if (at < r.matcher.end) {
      luaL_addchar(&r.buffer, *at++);
    } else {
      break;
    }
    if (isAnchored) break;
  }
  if (changed) {
    luaL_addlstring(&r.buffer, at, (size_t)(r.matcher.end - at));
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
