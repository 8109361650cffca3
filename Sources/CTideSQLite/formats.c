#define _GNU_SOURCE
#include "functions.h"

// The functions printf and format.

enum { WIDEST = 1000, LONGEST_DIRECTIVE = 64 };

/// The arguments that a format has not used yet.
typedef struct Arguments {
  sqlite3_value **next;
  int count;
} Arguments;

static sqlite3_value *next_argument(Arguments *arguments) {
  if (!arguments->count) return NULL;
  arguments->count--;
  return *arguments->next++;
}

/// Reads a width or a precision: digits, or `*` for an argument. Returns false if it is too large.
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
    // SQLite writes special text for NULL in %q, %Q and %w.
    if (!string && kind == 's') string = "";
    sqlite3_str_appendf(text, directive, string);
  }
  }
}

/// Writes a directive; `at` points to the character after its percent sign. Returns false if it is
/// invalid or too wide.
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
    // The first character of a string; a precision repeats it.
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
  // `i` is written as C's `d`, and `z` as `s`; SQLite's own functions would free the string of a
  // `z`.
  directive[used++] = kind == 'i' ? 'd' : kind == 'z' ? 's' : kind;
  directive[used] = 0;
  append_value(text, directive, kind == 'z' ? 's' : kind, value);
  return true;
}

void function_format(sqlite3_context *context, int count, sqlite3_value **values) {
  const char *at = count ? (const char *)sqlite3_value_text(values[0]) : NULL;
  if (!at) return;
  Arguments arguments = {values + 1, count - 1};
  sqlite3_str *text = sqlite3_str_new(sqlite3_context_db_handle(context));
  const char *failure = NULL;
  while (*at && !sqlite3_str_errcode(text)) {
    const char *mark = strchrnul(at, '%');
    // A percent sign at the end is written literally.
    if (*mark && !mark[1]) mark++;
    if (mark > at) sqlite3_str_append(text, at, (int)(mark - at));
    if (!*mark) break;
    at = mark + 1;
    uint64_t steps = 2000 + (arguments.count ? length_of(*arguments.next) : 0);
    // An unknown directive ends the text, as in SQLite's own function.
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
    // SQLite returns NULL for an empty string.
    if (made) sqlite3_result_text(context, made, length, sqlite3_free);
    return;
  }
  sqlite3_free(made);
  if (failure) return sqlite3_result_error(context, failure, -1);
  sqlite3_result_error_code(context, code);
}
