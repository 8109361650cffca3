#define _GNU_SOURCE
#include <limits.h>

#include "functions.h"

// SQLite asks whether to continue only between the steps of its machine, and a function call is one
// step. So functions whose cost may grow faster than their input, or that process long strings, are
// reimplemented here with checks of the clock.

_Thread_local uint64_t function_steps;

// MARK: Long texts

static void length(sqlite3_context *context, int count, sqlite3_value **values) {
  if (is_null(values[0])) return;
  if (is_blob(values[0])) return sqlite3_result_int(context, sqlite3_value_bytes(values[0]));
  Bytes text;
  if (!read_text(context, values[0], &text)) return;
  // For SQLite's own function, a string ends at its first zero byte.
  const Byte *zero = text.count ? memchr(text.start, 0, text.count) : NULL;
  int64_t characters;
  if (function_count_characters(context, text.start, zero ? zero : text.start + text.count, &characters))
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
  // The shorter form, if it is parsed as the same number.
  char text[64];
  sqlite3_snprintf(sizeof text, text, "%!.15g", number);
  if (strtod(text, NULL) != number) sqlite3_snprintf(sizeof text, text, "%!.20e", number);
  sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void quote_text(sqlite3_context *context, sqlite3_value *value) {
  Bytes whole;
  if (!read_text(context, value, &whole)) return;
  // A literal ends at a zero byte.
  const Byte *zero = whole.count ? memchr(whole.start, 0, whole.count) : NULL;
  if (zero) whole.count = (size_t)(zero - whole.start);
  bool stopped = false;
  uint64_t quotes = 0;
  const Byte *end = whole.start + whole.count;
  Bytes mark = {(const Byte *)"'", 1};
  for (const Byte *at = whole.start; (at = function_find(context, at, end, mark, &stopped)); at++)
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
    // SQLite returns NULL for a part of an empty blob.
    if (!whole.count) return;
  }
  // The position of the part's beginning, counted from the start, and its length; both are clamped
  // to prevent overflow.
  int64_t start = sqlite3_value_int(values[1]);
  int64_t wanted = count > 2 ? sqlite3_value_int(values[2]) : INT_MAX;
  bool isBackwards = wanted < 0;
  if (isBackwards) wanted = -wanted;
  const Byte *end = whole.start + whole.count;
  if (start < 0) {
    int64_t all = (int64_t)whole.count;
    if (!isBlob && !function_count_characters(context, whole.start, end, &all)) return;
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

// MARK: Registering

int functions_register(sqlite3 *database) {
  static const struct {
    const char *name;
    int count;
    uintptr_t kind;
    void (*function)(sqlite3_context *, int, sqlite3_value **);
  } FUNCTIONS[] = {
      {"instr", 2, 0, function_instr},         {"replace", 3, 0, function_replace},
      {"ltrim", 1, 1, function_trim},          {"ltrim", 2, 1, function_trim},
      {"rtrim", 1, 2, function_trim},          {"rtrim", 2, 2, function_trim},
      {"trim", 1, 3, function_trim},           {"trim", 2, 3, function_trim},
      {"like", 2, 0, function_match},  {"like", 3, 0, function_match},
      {"glob", 2, 1, function_match},  {"length", 1, 0, length},
      {"upper", 1, 1, change_case},   {"lower", 1, 0, change_case},
      {"hex", 1, 0, hex},             {"quote", 1, 0, quote},
      {"substr", 2, 0, substring},    {"substr", 3, 0, substring},
      {"substring", 2, 0, substring}, {"substring", 3, 0, substring},
      {"printf", -1, 0, function_format},      {"format", -1, 0, function_format},
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
