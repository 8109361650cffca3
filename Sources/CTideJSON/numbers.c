#define _GNU_SOURCE

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "scanner.h"

/// The most bytes of a number. Further digits could not change its value.
enum { LONGEST_NUMBER = 1024 };

static locale_t plainLocale;
static void make_plain_locale(void) { plainLocale = newlocale(LC_ALL_MASK, "C", NULL); }

/// Parses with the C library, whose result is exact. The locale is fixed, because that of the
/// program may have another decimal separator.
static double parse_number(const uint8_t *bytes, size_t count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, make_plain_locale);
  char text[LONGEST_NUMBER + 1];
  memcpy(text, bytes, count);
  text[count] = 0;
  return strtod_l(text, NULL, plainLocale);
}

static inline bool is_digit(const TideJSON *json, size_t i) {
  return i < json->count && (uint8_t)(json->bytes[i] - '0') < 10;
}

TideJSONToken json_number(TideJSON *json) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  const uint8_t *bytes = json->bytes;
  size_t start = json->position, i = start;
  bool negative = bytes[i] == '-';
  if (negative) i++;
  if (!is_digit(json, i)) return json_fault(json, start, "a value");
  size_t first = i;
  uint64_t digits = 0;
  bool whole = true, exact = true;
  if (bytes[i] == '0') {
    i++;
    if (is_digit(json, i)) return json_fault(json, i, "a number without zeros before it");
  }
  for (; is_digit(json, i); i++) {
    uint8_t digit = (uint8_t)(bytes[i] - '0');
    if (i - first >= 18 && (digits > (UINT64_MAX - digit) / 10)) exact = false;
    if (exact) digits = digits * 10 + digit;
    if (i - start > LONGEST_NUMBER) return json_fault(json, start, "a shorter number");
  }
  int64_t exponent = 0;
  if (i < json->count && bytes[i] == '.') {
    whole = false;
    if (!is_digit(json, ++i)) return json_fault(json, i, "a digit after the point");
    for (; is_digit(json, i); i++, exponent--) {
      if (digits > (UINT64_MAX - 9) / 10) exact = false;
      if (exact) digits = digits * 10 + (uint8_t)(bytes[i] - '0');
      if (i - start > LONGEST_NUMBER) return json_fault(json, start, "a shorter number");
    }
  }
  if (i < json->count && (bytes[i] | 0x20) == 'e') {
    whole = false;
    i++;
    bool smaller = i < json->count && bytes[i] == '-';
    if (smaller || (i < json->count && bytes[i] == '+')) i++;
    if (!is_digit(json, i)) return json_fault(json, i, "a digit of the exponent");
    int64_t written = 0;
    for (; is_digit(json, i); i++) {
      if (written < 100000) written = written * 10 + (bytes[i] - '0');
      if (i - start > LONGEST_NUMBER) return json_fault(json, start, "a shorter number");
    }
    exponent += smaller ? -written : written;
  }
  uint64_t most = (uint64_t)INT64_MAX + negative;
  if (whole && exact && digits <= most) {
    json->integer = negative ? (int64_t)(0 - digits) : (int64_t)digits;
    json->position = i;
    finish_value(json);
    return TideJSONInteger;
  }
  double number;
  // Both operands are exact, so the result of the single operation is the nearest double.
  if (exact && digits < 1ull << 53 && exponent >= -22 && exponent <= 22) {
    number = (double)digits;
    number = exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
    if (negative) number = -number;
  } else {
    if (i - start > LONGEST_NUMBER) return json_fault(json, start, "a shorter number");
    number = parse_number(bytes + start, i - start);
  }
  if (isinf(number)) return json_fault(json, start, "a number within ±1.8e308");
  json->number = number;
  json->position = i;
  finish_value(json);
  return TideJSONNumber;
}
