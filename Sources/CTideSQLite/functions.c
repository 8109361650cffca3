#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"

// SQLite asks whether to go on between the steps of its machine, and a function is one step. So the
// functions whose cost may grow faster than what they read, or that go through long texts, are
// written here anew: they look at the clock.

typedef unsigned char Byte;

/// Goes through so many bytes between two looks at the clock.
enum { STRETCH = 1 << 18 };

static bool stops(sqlite3_context *context) {
  if (!tide_sqlite_is_over()) return false;
  sqlite3_result_error_code(context, SQLITE_INTERRUPT);
  return true;
}

/// Looks at the clock every so many steps, those of earlier calls included: a statement may have
/// thousands of calls, each with a text that is not that long.
static _Thread_local uint64_t steps_since_look;

static bool pace_stops(sqlite3_context *context, uint64_t steps) {
  steps_since_look += steps;
  if (steps_since_look < STRETCH) return false;
  steps_since_look = 0;
  return stops(context);
}

static bool is_continuation(Byte byte) { return (byte & 0xc0) == 0x80; }

/// A text or a blob.
typedef struct Bytes {
  const Byte *start;
  size_t count;
} Bytes;

/// A value as text; false where there is no memory for it.
static bool read_text(sqlite3_context *context, sqlite3_value *value, Bytes *bytes) {
  bytes->start = sqlite3_value_text(value);
  bytes->count = (size_t)sqlite3_value_bytes(value);
  if (bytes->start) return true;
  sqlite3_result_error_nomem(context);
  return false;
}

static bool read_blob(sqlite3_value *value, Bytes *bytes) {
  bytes->start = sqlite3_value_blob(value);
  bytes->count = (size_t)sqlite3_value_bytes(value);
  if (!bytes->start) {
    bytes->start = (const Byte *)"";
    bytes->count = 0;
  }
  return true;
}

static bool is_null(sqlite3_value *value) { return sqlite3_value_type(value) == SQLITE_NULL; }
static bool is_blob(sqlite3_value *value) { return sqlite3_value_type(value) == SQLITE_BLOB; }

/// How many bytes a number is read from.
static uint64_t length_of(sqlite3_value *value) {
  int type = sqlite3_value_type(value);
  return type == SQLITE_TEXT || type == SQLITE_BLOB ? (uint64_t)sqlite3_value_bytes(value) : 0;
}

/// Room for a result; NULL, with the error set, where it is too long or there is no memory.
static Byte *make_room(sqlite3_context *context, uint64_t count) {
  int most = sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
  if (count > (uint64_t)most) {
    sqlite3_result_error_toobig(context);
    return NULL;
  }
  Byte *room = sqlite3_malloc64(count + 1);
  if (room) return room;
  if (!stops(context)) sqlite3_result_error_nomem(context);
  return NULL;
}

static void return_text(sqlite3_context *context, Byte *text, uint64_t count) {
  sqlite3_result_text64(context, (char *)text, count, sqlite3_free, SQLITE_UTF8);
}

// MARK: Searching

/// Finds the first place of a part, at or behind `from`; NULL for none, or where the time is over.
static const Byte *find(sqlite3_context *context, const Byte *from, const Byte *end,
                        Bytes part, bool *stopped) {
  // Stretches overlap by the part, so that each takes time that grows with its own length alone.
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

/// How many characters there are; false where the time is over.
static bool count_characters(sqlite3_context *context, const Byte *start, const Byte *end,
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

static void instr(sqlite3_context *context, int count, sqlite3_value **values) {
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
  while ((found = find(context, from, end, part, &stopped))) {
    if (!isText || found == whole.start || !is_continuation(*found)) break;
    from = found + 1;
  }
  if (stopped) return;
  if (!found) return sqlite3_result_int(context, 0);
  int64_t before = found - whole.start;
  if (isText && !count_characters(context, whole.start, found, &before)) return;
  sqlite3_result_int64(context, before + 1);
}

static void replace(sqlite3_context *context, int count, sqlite3_value **values) {
  if (is_null(values[0]) || is_null(values[1])) return;
  Bytes whole, part, by;
  if (!read_text(context, values[0], &whole) || !read_text(context, values[1], &part)) return;
  if (!part.count) return sqlite3_result_value(context, values[0]);
  if (is_null(values[2])) return;
  if (!read_text(context, values[2], &by)) return;
  const Byte *end = whole.start + whole.count;
  bool stopped = false;
  uint64_t places = 0;
  for (const Byte *at = whole.start; (at = find(context, at, end, part, &stopped));
       at += part.count)
    places++;
  if (stopped) return;
  uint64_t length = whole.count - places * part.count + places * by.count;
  Byte *text = make_room(context, length), *to = text;
  if (!text) return;
  const Byte *from = whole.start;
  while (places--) {
    const Byte *at = find(context, from, end, part, &stopped);
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

/// Characters that are trimmed: those of one byte in a table, others in order.
typedef struct CharacterSet {
  bool single[256];
  uint32_t *others;
  size_t count;
} CharacterSet;

/// The bytes of the character at `at` as one number, and its length; 0 for what is longer than any.
static uint32_t character(const Byte *at, const Byte *end, size_t *length) {
  uint32_t bytes = *at;
  size_t count = 1;
  if (*at >= 0xc0)
    while (at + count < end && is_continuation(at[count]) && count < 5)
      bytes = bytes << 8 | at[count++];
  *length = count;
  return count > 4 ? 0 : bytes;
}

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

static void trim(sqlite3_context *context, int count, sqlite3_value **values) {
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

/// Whether a character is in the set that begins at `at`, behind its bracket; moves behind the
/// set's end. One without an end has nothing in it.
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
    steps_since_look++;
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

/// Whether a pattern matches all of a text. Where a part does not match, the last wildcard takes
/// one character more: no earlier one can make up for that.
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

static void match_pattern(sqlite3_context *context, int count, sqlite3_value **values) {
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

// MARK: Long texts

static void length(sqlite3_context *context, int count, sqlite3_value **values) {
  if (is_null(values[0])) return;
  if (is_blob(values[0])) return sqlite3_result_int(context, sqlite3_value_bytes(values[0]));
  Bytes text;
  if (!read_text(context, values[0], &text)) return;
  // A text ends for SQLite's own function where it holds a zero.
  const Byte *zero = text.count ? memchr(text.start, 0, text.count) : NULL;
  int64_t characters;
  if (count_characters(context, text.start, zero ? zero : text.start + text.count, &characters))
    sqlite3_result_int64(context, characters);
}

static void change_case(sqlite3_context *context, int count, sqlite3_value **values) {
  bool isUpper = sqlite3_user_data(context) != NULL;
  if (is_null(values[0])) return;
  Bytes text;
  if (!read_text(context, values[0], &text)) return;
  Byte *to = make_room(context, text.count);
  if (!to) return;
  Byte first = isUpper ? 'a' : 'A';
  for (size_t index = 0; index < text.count; index++) {
    Byte byte = text.start[index];
    to[index] = byte >= first && byte < first + 26 ? byte ^ 0x20 : byte;
    if (index % STRETCH == STRETCH - 1 && stops(context)) return sqlite3_free(to);
  }
  return_text(context, to, text.count);
}

static const char DIGITS[] = "0123456789ABCDEF";

static bool write_hex(sqlite3_context *context, Byte *to, Bytes bytes) {
  for (size_t index = 0; index < bytes.count; index++) {
    *to++ = (Byte)DIGITS[bytes.start[index] >> 4];
    *to++ = (Byte)DIGITS[bytes.start[index] & 15];
    if (index % STRETCH == STRETCH - 1 && stops(context)) return false;
  }
  return true;
}

static void hex(sqlite3_context *context, int count, sqlite3_value **values) {
  Bytes bytes;
  read_blob(values[0], &bytes);
  Byte *text = make_room(context, 2 * (uint64_t)bytes.count);
  if (!text) return;
  if (!write_hex(context, text, bytes)) return sqlite3_free(text);
  return_text(context, text, 2 * (uint64_t)bytes.count);
}

static void quote_number(sqlite3_context *context, double number) {
  // The shorter form, where it is read as the same number.
  char text[64];
  sqlite3_snprintf(sizeof text, text, "%!.15g", number);
  if (strtod(text, NULL) != number) sqlite3_snprintf(sizeof text, text, "%!.20e", number);
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void quote_text(sqlite3_context *context, sqlite3_value *value) {
  Bytes whole;
  if (!read_text(context, value, &whole)) return;
  // A literal ends where it holds a zero.
  const Byte *zero = whole.count ? memchr(whole.start, 0, whole.count) : NULL;
  if (zero) whole.count = (size_t)(zero - whole.start);
  bool stopped = false;
  uint64_t quotes = 0;
  const Byte *end = whole.start + whole.count;
  Bytes mark = {(const Byte *)"'", 1};
  for (const Byte *at = whole.start; (at = find(context, at, end, mark, &stopped)); at++)
    quotes++;
  if (stopped) return;
  uint64_t length = whole.count + quotes + 2;
  Byte *text = make_room(context, length), *to = text;
  if (!text) return;
  *to++ = '\'';
  for (const Byte *at = whole.start; at < end; at++) {
    *to++ = *at;
    if (*at == '\'') *to++ = '\'';
    if (pace_stops(context, 1)) return sqlite3_free(text);
  }
  *to = '\'';
  return_text(context, text, length);
}

static void quote(sqlite3_context *context, int count, sqlite3_value **values) {
  switch (sqlite3_value_type(values[0])) {
  case SQLITE_INTEGER: {
    char text[24];
    sqlite3_snprintf(sizeof text, text, "%lld", sqlite3_value_int64(values[0]));
    return sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
  }
  case SQLITE_FLOAT: return quote_number(context, sqlite3_value_double(values[0]));
  case SQLITE_TEXT: return quote_text(context, values[0]);
  case SQLITE_BLOB: {
    Bytes bytes;
    read_blob(values[0], &bytes);
    uint64_t length = 2 * (uint64_t)bytes.count + 3;
    Byte *text = make_room(context, length);
    if (!text) return;
    memcpy(text, "X'", 2);
    if (!write_hex(context, text + 2, bytes)) return sqlite3_free(text);
    text[length - 1] = '\'';
    return return_text(context, text, length);
  }
  default: sqlite3_result_text(context, "NULL", 4, SQLITE_STATIC);
  }
}

static void random_blob(sqlite3_context *context, int count, sqlite3_value **values) {
  int64_t wanted = sqlite3_value_int64(values[0]);
  uint64_t length = wanted < 1 ? 1 : (uint64_t)wanted;
  Byte *bytes = make_room(context, length);
  if (!bytes) return;
  enum { AT_ONCE = 1 << 16 };
  for (uint64_t done = 0; done < length; done += AT_ONCE) {
    sqlite3_randomness((int)(length - done < AT_ONCE ? length - done : AT_ONCE), bytes + done);
    if (stops(context)) return sqlite3_free(bytes);
  }
  sqlite3_result_blob64(context, bytes, length, sqlite3_free);
}

static void substring(sqlite3_context *context, int count, sqlite3_value **values) {
  if (is_null(values[0]) || is_null(values[1]) || (count > 2 && is_null(values[2]))) return;
  bool isBlob = is_blob(values[0]);
  Bytes whole;
  if (!isBlob) {
    if (!read_text(context, values[0], &whole)) return;
  } else {
    read_blob(values[0], &whole);
    // A part of an empty blob is NULL for SQLite.
    if (!whole.count) return;
  }
  // Where the part begins, from the start, and how many there are in it; both clamped so that no
  // sum passes the range.
  int64_t start = sqlite3_value_int(values[1]);
  int64_t wanted = count > 2 ? sqlite3_value_int(values[2]) : INT_MAX;
  bool isBackwards = wanted < 0;
  if (isBackwards) wanted = -wanted;
  const Byte *end = whole.start + whole.count;
  if (start < 0) {
    int64_t all = (int64_t)whole.count;
    if (!isBlob && !count_characters(context, whole.start, end, &all)) return;
    start += all;
    if (start < 0) {
      wanted = wanted + start < 0 ? 0 : wanted + start;
      start = 0;
    }
  } else if (start > 0) {
    start--;
  } else if (wanted > 0) {
    wanted--;
  }
  if (isBackwards) {
    start -= wanted;
    if (start < 0) {
      wanted += start;
      start = 0;
    }
  }
  if (isBlob) {
    if (start > (int64_t)whole.count) start = (int64_t)whole.count;
    if (wanted > (int64_t)whole.count - start) wanted = (int64_t)whole.count - start;
    return sqlite3_result_blob64(context, whole.start + start, (uint64_t)wanted, SQLITE_TRANSIENT);
  }
  const Byte *from = whole.start;
  for (; start > 0 && from < end; start--) {
    for (from++; from < end && is_continuation(*from); from++) {}
    if (pace_stops(context, 2)) return;
  }
  const Byte *to = from;
  for (; wanted > 0 && to < end; wanted--) {
    for (to++; to < end && is_continuation(*to); to++) {}
    if (pace_stops(context, 2)) return;
  }
  sqlite3_result_text64(context, (const char *)from, (uint64_t)(to - from), SQLITE_TRANSIENT,
                        SQLITE_UTF8);
}

// MARK: Formats

enum { WIDEST = 1000, LONGEST_DIRECTIVE = 64 };

/// The values that a format has not used yet.
typedef struct Arguments {
  sqlite3_value **next;
  int count;
} Arguments;

static sqlite3_value *next_argument(Arguments *arguments) {
  if (!arguments->count) return NULL;
  arguments->count--;
  return *arguments->next++;
}

/// A width or a precision: digits, or `*` for a value. False where it is too large.
static bool read_size(const char **at, Arguments *arguments, int64_t *size, bool *isGiven) {
  *size = 0;
  *isGiven = false;
  if (**at == '*') {
    ++*at;
    sqlite3_value *value = next_argument(arguments);
    *size = value ? sqlite3_value_int64(value) : 0;
    *isGiven = true;
  } else {
    for (; **at >= '0' && **at <= '9'; ++*at) {
      *isGiven = true;
      if (*size <= WIDEST) *size = *size * 10 + (**at - '0');
    }
  }
  return *size <= WIDEST && *size >= -WIDEST;
}

static void append_value(sqlite3_str *text, const char *directive, char kind,
                         sqlite3_value *value) {
  switch (kind) {
  case 'd': case 'i': case 'u': case 'x': case 'X': case 'o':
    return sqlite3_str_appendf(text, directive, value ? sqlite3_value_int64(value) : 0);
  case 'f': case 'e': case 'E': case 'g': case 'G':
    return sqlite3_str_appendf(text, directive, value ? sqlite3_value_double(value) : 0.0);
  default: {
    const char *string = value ? (const char *)sqlite3_value_text(value) : NULL;
    // SQLite has words of its own for NULL in %q, %Q and %w.
    if (!string && kind == 's') string = "";
    sqlite3_str_appendf(text, directive, string);
  }
  }
}

/// Writes a directive, which `at` points behind the percent sign of. False where it is not one, or
/// too wide.
static bool append_directive(sqlite3_str *text, const char **at, Arguments *arguments,
                             const char **failure) {
  char directive[LONGEST_DIRECTIVE] = "%";
  size_t used = 1;
  while (**at && strchr("-+ #!0,", **at)) {
    if (!memchr(directive, **at, used)) directive[used++] = **at;
    ++*at;
  }
  int64_t width, precision = 0;
  bool hasWidth, hasPrecision = false;
  bool fits = read_size(at, arguments, &width, &hasWidth);
  if (**at == '.') {
    ++*at;
    fits = read_size(at, arguments, &precision, &hasPrecision) && fits;
    hasPrecision = true;
    if (precision < 0) precision = -precision;
  }
  if (!fits) {
    *failure = "a width or precision of a format is more than 1000";
    return false;
  }
  while (**at == 'l') ++*at;
  char kind = **at;
  if (!kind) return false;
  ++*at;
  if (kind == '%') {
    sqlite3_str_appendchar(text, 1, '%');
    return true;
  }
  if (!strchr("diuxXofeEgGsqQwzc", kind)) return false;
  if (hasWidth && width < 0) {
    if (!memchr(directive, '-', used)) directive[used++] = '-';
    width = -width;
  }
  if (hasWidth) {
    sqlite3_snprintf((int)(sizeof directive - used), directive + used, "%lld", width);
    used = strlen(directive);
  }
  if (hasPrecision) {
    sqlite3_snprintf((int)(sizeof directive - used), directive + used, ".%lld", precision);
    used = strlen(directive);
  }
  sqlite3_value *value = next_argument(arguments);
  if (kind == 'c') {
    // The first character of a text; a precision repeats it.
    const char *string = value ? (const char *)sqlite3_value_text(value) : NULL;
    Bytes all = {(const Byte *)(string ? string : ""), string ? strlen(string) : 0};
    size_t length = 0;
    if (all.count) character(all.start, all.start + all.count, &length);
    int64_t times = hasPrecision && precision > 1 ? precision : 1;
    int64_t padding = width - times > 0 ? width - times : 0;
    bool isLeft = memchr(directive, '-', used) != NULL;
    if (!isLeft && padding) sqlite3_str_appendchar(text, (int)padding, ' ');
    while (length && times--) sqlite3_str_append(text, string, (int)length);
    if (isLeft && padding) sqlite3_str_appendchar(text, (int)padding, ' ');
    return true;
  }
  bool isWhole = strchr("diuxXo", kind) != NULL;
  if (isWhole) {
    memcpy(directive + used, "ll", 2);
    used += 2;
  }
  // An i is the d of C; a z the s, whose text SQLite's own functions free.
  directive[used++] = kind == 'i' ? 'd' : kind == 'z' ? 's' : kind;
  directive[used] = 0;
  append_value(text, directive, kind == 'z' ? 's' : kind, value);
  return true;
}

static void format(sqlite3_context *context, int count, sqlite3_value **values) {
  const char *at = count ? (const char *)sqlite3_value_text(values[0]) : NULL;
  if (!at) return;
  Arguments arguments = {values + 1, count - 1};
  sqlite3_str *text = sqlite3_str_new(sqlite3_context_db_handle(context));
  const char *failure = NULL;
  while (*at && !sqlite3_str_errcode(text)) {
    const char *mark = strchrnul(at, '%');
    // A percent sign at the end stands for itself.
    if (*mark && !mark[1]) mark++;
    if (mark > at) sqlite3_str_append(text, at, (int)(mark - at));
    if (!*mark) break;
    at = mark + 1;
    uint64_t steps = 2000 + (arguments.count ? length_of(*arguments.next) : 0);
    // What is no directive ends the text, as in SQLite's own function.
    if (!append_directive(text, &at, &arguments, &failure)) break;
    if (pace_stops(context, steps)) {
      sqlite3_free(sqlite3_str_finish(text));
      return;
    }
  }
  int code = sqlite3_str_errcode(text);
  int length = sqlite3_str_length(text);
  char *made = sqlite3_str_finish(text);
  if (!code && !failure) {
    // An empty text is NULL for SQLite.
    if (made) sqlite3_result_text(context, made, length, sqlite3_free);
    return;
  }
  sqlite3_free(made);
  if (failure) return sqlite3_result_error(context, failure, -1);
  sqlite3_result_error_code(context, code);
}

// MARK: Registering

int functions_register(sqlite3 *database) {
  static const struct {
    const char *name;
    int count;
    uintptr_t kind;
    void (*function)(sqlite3_context *, int, sqlite3_value **);
  } FUNCTIONS[] = {
      {"instr", 2, 0, instr},         {"replace", 3, 0, replace},
      {"ltrim", 1, 1, trim},          {"ltrim", 2, 1, trim},
      {"rtrim", 1, 2, trim},          {"rtrim", 2, 2, trim},
      {"trim", 1, 3, trim},           {"trim", 2, 3, trim},
      {"like", 2, 0, match_pattern},  {"like", 3, 0, match_pattern},
      {"glob", 2, 1, match_pattern},  {"length", 1, 0, length},
      {"upper", 1, 1, change_case},   {"lower", 1, 0, change_case},
      {"hex", 1, 0, hex},             {"quote", 1, 0, quote},
      {"substr", 2, 0, substring},    {"substr", 3, 0, substring},
      {"substring", 2, 0, substring}, {"substring", 3, 0, substring},
      {"printf", -1, 0, format},      {"format", -1, 0, format},
      {"randomblob", 1, 0, random_blob},
  };
  for (size_t index = 0; index < sizeof FUNCTIONS / sizeof *FUNCTIONS; index++) {
    int flags = SQLITE_UTF8 | SQLITE_INNOCUOUS;
    if (FUNCTIONS[index].function != random_blob) flags |= SQLITE_DETERMINISTIC;
    int code = sqlite3_create_function_v2(
        database, FUNCTIONS[index].name, FUNCTIONS[index].count, flags,
        (void *)FUNCTIONS[index].kind, FUNCTIONS[index].function, NULL, NULL, NULL);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}
