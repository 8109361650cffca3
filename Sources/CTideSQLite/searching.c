#define _GNU_SOURCE
#include "functions.h"

// MARK: Searching

const Byte *function_find(sqlite3_context *context, const Byte *from, const Byte *end,
                        Bytes part, bool *stopped) {
  // Stretches overlap by the length of the part, so the time for each grows only with its own
  // length.
  size_t stretch = part.count > STRETCH ? 2 * part.count : STRETCH + part.count;
  while ((size_t)(end - from) >= part.count) {
    size_t count = (size_t)(end - from) < stretch ? (size_t)(end - from) : stretch;
    const Byte *found = memmem(from, count, part.start, part.count);
    size_t steps = found ? (size_t)(found - from) : count;
    if (pace_stops(context, steps + 16)) {
      *stopped = true;
      return NULL;
    }
    if (found) return found;
    from += count - part.count + 1;
  }
  return NULL;
}

bool function_count_characters(sqlite3_context *context, const Byte *start, const Byte *end,
                             int64_t *count) {
  *count = 0;
  while (start < end) {
    const Byte *stop = end - start > STRETCH ? start + STRETCH : end;
    int64_t found = 0;
    uint64_t steps = (uint64_t)(stop - start);
    for (; start < stop; start++) found += !is_continuation(*start);
    *count += found;
    if (pace_stops(context, steps)) return false;
  }
  return true;
}

void function_instr(sqlite3_context *context, int count, sqlite3_value **values) {
  if (is_null(values[0]) || is_null(values[1])) return;
  bool isText = !is_blob(values[0]) || !is_blob(values[1]);
  Bytes whole, part;
  if (isText) {
    if (!read_text(context, values[0], &whole) || !read_text(context, values[1], &part)) return;
  } else {
    read_blob(values[0], &whole);
    read_blob(values[1], &part);
  }
  if (!part.count) return sqlite3_result_int(context, 1);
  bool stopped = false;
  const Byte *end = whole.start + whole.count, *from = whole.start, *found;
  while ((found = function_find(context, from, end, part, &stopped))) {
    if (!isText || found == whole.start || !is_continuation(*found)) break;
    from = found + 1;
  }
  if (stopped) return;
  if (!found) return sqlite3_result_int(context, 0);
  int64_t before = found - whole.start;
  if (isText && !function_count_characters(context, whole.start, found, &before)) return;
  sqlite3_result_int64(context, before + 1);
}

void function_replace(sqlite3_context *context, int count, sqlite3_value **values) {
  if (is_null(values[0]) || is_null(values[1])) return;
  Bytes whole, part, by;
  if (!read_text(context, values[0], &whole) || !read_text(context, values[1], &part)) return;
  if (!part.count) return sqlite3_result_value(context, values[0]);
  if (is_null(values[2])) return;
  if (!read_text(context, values[2], &by)) return;
  const Byte *end = whole.start + whole.count;
  bool stopped = false;
  uint64_t places = 0;
  for (const Byte *at = whole.start; (at = function_find(context, at, end, part, &stopped));
       at += part.count)
    places++;
  if (stopped) return;
  uint64_t length = whole.count - places * part.count + places * by.count;
  Byte *text = make_room(context, length), *to = text;
  if (!text) return;
  const Byte *from = whole.start;
  while (places--) {
    const Byte *at = function_find(context, from, end, part, &stopped);
    if (!at) break;
    memcpy(to, from, (size_t)(at - from));
    to += at - from;
    memcpy(to, by.start, by.count);
    to += by.count;
    from = at + part.count;
    if (pace_stops(context, by.count)) stopped = true;
    if (stopped) break;
  }
  if (stopped) return sqlite3_free(text);
  memcpy(to, from, (size_t)(end - from));
  return_text(context, text, length);
}

// MARK: Trimming

enum { MOST_TRIMMED = 64 << 10 };

/// Characters to trim: those of one byte in a table, others in a sorted array.
typedef struct CharacterSet {
  bool single[256];
  uint32_t *others;
  size_t count;
} CharacterSet;

static int compare(const void *a, const void *b) {
  uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;
  return (first > second) - (first < second);
}

static bool set_has(const CharacterSet *set, const Byte *at, const Byte *end, size_t *length) {
  uint32_t bytes = character(at, end, length);
  if (*length == 1) return set->single[bytes];
  return bytes && set->count &&
         bsearch(&bytes, set->others, set->count, sizeof bytes, compare) != NULL;
}

void function_trim(sqlite3_context *context, int count, sqlite3_value **values) {
  enum { FRONT = 1, BACK = 2 };
  uintptr_t sides = (uintptr_t)sqlite3_user_data(context);
  if (is_null(values[0]) || (count > 1 && is_null(values[1]))) return;
  Bytes whole, set = {(const Byte *)" ", 1};
  if (!read_text(context, values[0], &whole)) return;
  if (count > 1 && !read_text(context, values[1], &set)) return;
  if (set.count > MOST_TRIMMED)
    return sqlite3_result_error(context, "too many characters to trim", -1);
  CharacterSet characters = {{false}, NULL, 0};
  if (set.count > 1 && !(characters.others = sqlite3_malloc64(set.count * sizeof(uint32_t))))
    return sqlite3_result_error_nomem(context);
  size_t length;
  for (const Byte *at = set.start, *end = at + set.count; at < end; at += length) {
    uint32_t bytes = character(at, end, &length);
    if (length == 1)
      characters.single[bytes] = true;
    else if (bytes)
      characters.others[characters.count++] = bytes;
  }
  if (characters.count) qsort(characters.others, characters.count, sizeof(uint32_t), compare);
  bool stopped = false;
  const Byte *start = whole.start, *end = start + whole.count;
  while (sides & FRONT && start < end && set_has(&characters, start, end, &length)) {
    start += length;
    if ((stopped = pace_stops(context, 8))) break;
  }
  while (!stopped && sides & BACK && start < end) {
    const Byte *last = end - 1;
    while (last > start && is_continuation(*last) && end - last < 5) last--;
    if (!set_has(&characters, last, end, &length)) break;
    end = last;
    stopped = pace_stops(context, 8);
  }
  sqlite3_free(characters.others);
  if (stopped) return;
  sqlite3_result_text64(context, (const char *)start, (uint64_t)(end - start),
                        SQLITE_TRANSIENT, SQLITE_UTF8);
}

// MARK: Patterns

/// Reads a character; 0 at the end.
static uint32_t next_character(const Byte **at, const Byte *end) {
  if (*at >= end) return 0;
  uint32_t value = *(*at)++;
  if (value < 0xc0) return value;
  value &= value < 0xe0 ? 0x1f : value < 0xf0 ? 0x0f : 0x07;
  while (*at < end && is_continuation(**at)) value = value << 6 | (*(*at)++ & 0x3f);
  return value ? value : 0xfffd;
}

static uint32_t lower_case(uint32_t value) {
  return value >= 'A' && value <= 'Z' ? value + 32 : value;
}

typedef struct Pattern {
  uint32_t many, one, escape;
  bool hasSets, ignoresCase;
} Pattern;

/// Whether a character is in the set that begins at `at`, after its bracket. Moves `at` past the
/// set's end. A set without an end matches nothing.
static bool set_matches(const Byte **at, const Byte *end, uint32_t value) {
  bool isInverted = false, isFound = false;
  uint32_t before = 0, one = next_character(at, end);
  if (one == '^') {
    isInverted = true;
    one = next_character(at, end);
  }
  if (one == ']') {
    isFound = value == ']';
    one = next_character(at, end);
  }
  for (; one && one != ']'; one = next_character(at, end)) {
    function_steps++;
    if (one == '-' && before && *at < end && **at != ']') {
      one = next_character(at, end);
      if (value >= before && value <= one) isFound = true;
      before = 0;
    } else {
      if (value == one) isFound = true;
      before = one;
    }
  }
  return one && isFound != isInverted;
}

/// Whether a pattern matches a whole string. If the rest does not match, the last wildcard is
/// extended by one character; extending an earlier one could not help.
static bool matches(sqlite3_context *context, const Pattern *kind, Bytes pattern, Bytes text,
                    bool *stopped) {
  const Byte *at = pattern.start, *patternEnd = at + pattern.count;
  const Byte *from = text.start, *end = from + text.count;
  const Byte *resumed = NULL, *retried = NULL;
  for (;;) {
    if (pace_stops(context, 8)) {
      *stopped = true;
      return false;
    }
    const Byte *before = at;
    uint32_t wanted = next_character(&at, patternEnd);
    if (wanted && wanted == kind->many && wanted != kind->escape) {
      resumed = at;
      retried = from;
      continue;
    }
    bool isMatch;
    if (before == patternEnd) {
      if (from == end) return true;
      isMatch = false;
    } else if (from == end) {
      return false;
    } else {
      const Byte *start = from;
      uint32_t value = next_character(&from, end);
      if (wanted && wanted == kind->escape) {
        bool isWhole = at < patternEnd;
        wanted = next_character(&at, patternEnd);
        isMatch = isWhole && (wanted == value || (kind->ignoresCase &&
                                                  lower_case(wanted) == lower_case(value)));
      } else if (wanted == kind->one) {
        isMatch = true;
      } else if (kind->hasSets && wanted == '[') {
        isMatch = set_matches(&at, patternEnd, value);
      } else {
        isMatch = wanted == value ||
                  (kind->ignoresCase && lower_case(wanted) == lower_case(value));
      }
      if (!isMatch) from = start;
    }
    if (isMatch) continue;
    if (!resumed || retried == end) return false;
    next_character(&retried, end);
    from = retried;
    at = resumed;
  }
}

void function_match(sqlite3_context *context, int count, sqlite3_value **values) {
  bool isGlob = sqlite3_user_data(context) != NULL;
  Pattern kind = isGlob ? (Pattern){'*', '?', 0, true, false} : (Pattern){'%', '_', 0, false, true};
  if (is_blob(values[0]) || is_blob(values[1])) return sqlite3_result_int(context, 0);
  Bytes pattern, text, escape;
  sqlite3 *database = sqlite3_context_db_handle(context);
  int most = sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1);
  if (sqlite3_value_bytes(values[0]) > most)
    return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
  if (count == 3) {
    if (is_null(values[2])) return;
    if (!read_text(context, values[2], &escape)) return;
    const Byte *at = escape.start, *end = at + escape.count;
    kind.escape = next_character(&at, end);
    if (!escape.count || at != end)
      return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
  }
  if (is_null(values[0]) || is_null(values[1])) return;
  if (!read_text(context, values[0], &pattern) || !read_text(context, values[1], &text)) return;
  bool stopped = false;
  bool isMatch = matches(context, &kind, pattern, text, &stopped);
  if (!stopped) sqlite3_result_int(context, isMatch);
}
