#include <stdio.h>
#include <string.h>

#include "scanner.h"

enum { CONTINUES_NOTHING, CONTINUES_STRING, CONTINUES_KEY };

TideJSON tide_json_begin(const uint8_t *bytes, size_t count, uint32_t deepest) {
  return (TideJSON){
      .bytes = bytes ? bytes : (const uint8_t *)"",
      .count = count,
      .deepest = deepest < TIDE_JSON_MOST_LEVELS ? deepest : TIDE_JSON_MOST_LEVELS,
      .expects = EXPECTS_VALUE,
  };
}

TideJSONToken json_fault(TideJSON *json, size_t position, const char *expected) {
  json->position = position;
  json->expected = expected;
  json->expects = EXPECTS_NO_MORE;
  json->continues = CONTINUES_NOTHING;
  return TideJSONFault;
}

// MARK: Levels

static inline bool is_object(const TideJSON *json) {
  uint32_t level = json->depth - 1;
  return json->kinds[level >> 3] >> (level & 7) & 1;
}

static TideJSONToken enter(TideJSON *json, bool object) {
  if (json->depth == json->deepest) return json_fault(json, json->position, "fewer levels");
  uint32_t level = json->depth++;
  uint8_t bit = (uint8_t)(1 << (level & 7));
  if (object)
    json->kinds[level >> 3] |= bit;
  else
    json->kinds[level >> 3] &= (uint8_t)~bit;
  json->position++;
  json->expects = object ? EXPECTS_KEY_OR_END : EXPECTS_ELEMENT_OR_END;
  return object ? TideJSONBeginObject : TideJSONBeginArray;
}

static TideJSONToken leave(TideJSON *json) {
  bool object = is_object(json);
  json->depth--;
  json->position++;
  finish_value(json);
  return object ? TideJSONEndObject : TideJSONEndArray;
}

// MARK: Texts

enum { PLAIN, QUOTE, BACKSLASH, CONTROL, MULTIBYTE };

/// Skips bytes without a special meaning, eight at a time.
static inline size_t skip_plain(const uint8_t *bytes, size_t i, size_t end) {
  const uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
  while (i + 8 <= end) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    uint64_t quotes = word ^ (ones * '"'), slashes = word ^ (ones * '\\');
    uint64_t found = ((quotes - ones) & ~quotes) | ((slashes - ones) & ~slashes) |
                     ((word - ones * 0x20) & ~word) | word;
    if (found & highs) return i;
    i += 8;
  }
  return i;
}

/// The length of the UTF-8 sequence at `bytes`, which does not begin with ASCII; 0 if it is
/// invalid.
static size_t utf8_length(const uint8_t *bytes, size_t count) {
  uint8_t first = bytes[0];
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || count < length) return 0;
  for (size_t i = 1; i < length; i++)
    if ((bytes[i] & 0xC0) != 0x80) return 0;
  uint8_t second = bytes[1];
  // Overlong forms, halves of surrogate pairs, and values beyond Unicode.
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

static int digit_value(uint8_t byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  byte |= 0x20;
  return byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
}

/// The value of four hexadecimal digits, or -1.
static int32_t code_unit(const uint8_t *bytes, size_t count) {
  if (count < 4) return -1;
  int32_t unit = 0;
  for (int i = 0; i < 4; i++) {
    int value = digit_value(bytes[i]);
    if (value < 0) return -1;
    unit = unit << 4 | value;
  }
  return unit;
}

static inline bool is_high_half(int32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
static inline bool is_low_half(int32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// The length of the escape at `bytes`, or 0, with the expected text and its position.
static size_t escape_length(const uint8_t *bytes, size_t count, const char **expected,
                            size_t *where) {
  *where = 1;
  if (count < 2) {
    *expected = "the rest of an escape";
    return 0;
  }
  switch (bytes[1]) {
    case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': return 2;
    case 'u': break;
    default: *expected = "one of \" \\ / b f n r t u after \\"; return 0;
  }
  int32_t unit = code_unit(bytes + 2, count - 2);
  *where = 2;
  *expected = "four hexadecimal digits";
  if (unit < 0) return 0;
  bool paired = is_high_half(unit) && count >= 12 && bytes[6] == '\\' && bytes[7] == 'u' &&
                is_low_half(code_unit(bytes + 8, count - 8));
  return paired ? 12 : 6;
}

static TideJSONToken finish_text(TideJSON *json);

/// Continues with a string, up to its closing quote or the end of the step.
static TideJSONToken scan_text(TideJSON *json) {
  const uint8_t *bytes = json->bytes;
  size_t i = json->position, count = json->count;
  size_t stop = count - i > TIDE_JSON_STEP ? i + TIDE_JSON_STEP : count;
  while (i < stop) {
    uint8_t byte = bytes[i];
    if (byte == '"') {
      json->end = i;
      json->position = i + 1;
      return finish_text(json);
    }
    if (byte == '\\') {
      const char *expected;
      size_t where, length = escape_length(bytes + i, count - i, &expected, &where);
      if (!length) return json_fault(json, i + where, expected);
      json->hasEscapes = true;
      i += length;
    } else if (byte >= 0x80) {
      size_t length = utf8_length(bytes + i, count - i);
      if (!length) return json_fault(json, i, "text in UTF-8");
      i += length;
    } else if (byte < 0x20) {
      return json_fault(json, i, "the end of the text; control characters are written as escapes");
    } else {
      i = skip_plain(bytes, i + 1, stop);
    }
  }
  if (i >= count) return json_fault(json, count, "the end of the text");
  json->position = i;
  return TideJSONPause;
}

static TideJSONToken begin_text(TideJSON *json, int continues) {
  json->start = ++json->position;
  json->hasEscapes = false;
  json->continues = (uint8_t)continues;
  return scan_text(json);
}

/// Skips white space. Returns false at the end of the step.
static inline bool skip_space(TideJSON *json) {
  size_t i = json->position, count = json->count;
  if (i < count && json->bytes[i] > 0x20) return true;
  size_t stop = count - i > TIDE_JSON_STEP ? i + TIDE_JSON_STEP : count;
  while (i < stop) {
    uint8_t byte = json->bytes[i];
    if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') break;
    i++;
  }
  json->position = i;
  return i < stop || i == count;
}

static TideJSONToken scan_colon(TideJSON *json) {
  if (!skip_space(json)) return TideJSONPause;
  if (json->position == json->count || json->bytes[json->position] != ':')
    return json_fault(json, json->position, "\":\" after the key");
  json->position++;
  json->expects = EXPECTS_VALUE;
  return TideJSONKey;
}

static TideJSONToken finish_text(TideJSON *json) {
  bool key = json->continues == CONTINUES_KEY;
  json->continues = CONTINUES_NOTHING;
  if (!key) {
    finish_value(json);
    return TideJSONString;
  }
  json->expects = EXPECTS_COLON;
  return scan_colon(json);
}

/// Replaces an unpaired half of a surrogate pair.
enum { REPLACEMENT = 0xFFFD };

static size_t put_scalar(uint8_t *out, uint32_t scalar) {
  if (scalar < 0x80) {
    out[0] = (uint8_t)scalar;
    return 1;
  }
  int more = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3;
  static const uint8_t marks[] = {0, 0xC0, 0xE0, 0xF0};
  out[0] = (uint8_t)(marks[more] | scalar >> (6 * more));
  for (int i = 1; i <= more; i++)
    out[i] = (uint8_t)(0x80 | (scalar >> (6 * (more - i)) & 0x3F));
  return (size_t)more + 1;
}

size_t tide_json_copy(const TideJSON *json, uint8_t *out) {
  const uint8_t *in = json->bytes + json->start, *end = json->bytes + json->end;
  if (!json->hasEscapes) {
    memcpy(out, in, (size_t)(end - in));
    return (size_t)(end - in);
  }
  uint8_t *first = out;
  while (in < end) {
    const uint8_t *escape = memchr(in, '\\', (size_t)(end - in));
    size_t plain = (size_t)((escape ? escape : end) - in);
    memcpy(out, in, plain);
    out += plain;
    in += plain;
    if (!escape) break;
    in += 2;
    switch (in[-1]) {
      case 'b': *out++ = '\b'; break;
      case 'f': *out++ = '\f'; break;
      case 'n': *out++ = '\n'; break;
      case 'r': *out++ = '\r'; break;
      case 't': *out++ = '\t'; break;
      case 'u': {
        const char *expected;
        size_t where, length = escape_length(in - 2, (size_t)(end - in) + 2, &expected, &where);
        int32_t unit = code_unit(in, 4);
        uint32_t scalar = (uint32_t)unit;
        if (length == 12)
          scalar = 0x10000 + ((uint32_t)(unit - 0xD800) << 10) +
                   (uint32_t)(code_unit(in + 6, 4) - 0xDC00);
        else if (is_high_half(unit) || is_low_half(unit))
          scalar = REPLACEMENT;
        in += length - 2;
        out += put_scalar(out, scalar);
        break;
      }
      default: *out++ = in[-1];
    }
  }
  return (size_t)(out - first);
}

// MARK: Tokens

static TideJSONToken scan_word(TideJSON *json, const char *word, size_t length,
                               TideJSONToken token) {
  if (json->count - json->position < length ||
      memcmp(json->bytes + json->position, word, length) != 0)
    return json_fault(json, json->position, "a value");
  json->position += length;
  finish_value(json);
  return token;
}

static TideJSONToken scan_value(TideJSON *json) {
  if (json->position == json->count) return json_fault(json, json->position, "a value");
  switch (json->bytes[json->position]) {
    case '"': return begin_text(json, CONTINUES_STRING);
    case '{': return enter(json, true);
    case '[': return enter(json, false);
    case 't': return scan_word(json, "true", 4, TideJSONTrue);
    case 'f': return scan_word(json, "false", 5, TideJSONFalse);
    case 'n': return scan_word(json, "null", 4, TideJSONNull);
    default: return json_number(json);
  }
}

static TideJSONToken scan_key(TideJSON *json) {
  if (json->position == json->count || json->bytes[json->position] != '"')
    return json_fault(json, json->position, "a key in quotation marks");
  return begin_text(json, CONTINUES_KEY);
}

TideJSONToken tide_json_next(TideJSON *json) {
  if (json->continues) return scan_text(json);
  if (json->expects == EXPECTS_NO_MORE) return TideJSONFault;
  if (!skip_space(json)) return TideJSONPause;
  int next = json->position < json->count ? json->bytes[json->position] : -1;
  switch (json->expects) {
    case EXPECTS_VALUE: return scan_value(json);
    case EXPECTS_ELEMENT_OR_END: return next == ']' ? leave(json) : scan_value(json);
    case EXPECTS_KEY_OR_END: return next == '}' ? leave(json) : scan_key(json);
    case EXPECTS_KEY: return scan_key(json);
    case EXPECTS_COLON: return scan_colon(json);
    case EXPECTS_COMMA_OR_END: {
      bool object = is_object(json);
      if (next == (object ? '}' : ']')) return leave(json);
      if (next != ',')
        return json_fault(json, json->position, object ? "\",\" or \"}\"" : "\",\" or \"]\"");
      json->position++;
      json->expects = object ? EXPECTS_KEY : EXPECTS_VALUE;
      if (!skip_space(json)) return TideJSONPause;
      return object ? scan_key(json) : scan_value(json);
    }
    default:
      if (next >= 0) return json_fault(json, json->position, "nothing after the end of the value");
      return TideJSONEnd;
  }
}

// MARK: Faults

void tide_json_locate(const TideJSON *json, size_t *line, size_t *column) {
  size_t end = json->position < json->count ? json->position : json->count, start = 0;
  *line = 1;
  for (size_t i = 0; i < end; i++)
    if (json->bytes[i] == '\n') {
      ++*line;
      start = i + 1;
    }
  *column = end - start + 1;
}

size_t tide_json_describe(const TideJSON *json, char message[TIDE_JSON_MESSAGE]) {
  const char *expected = json->expected ? json->expected : "something else";
  int length;
  if (json->position >= json->count)
    length = snprintf(message, TIDE_JSON_MESSAGE, "expected %s, found the end", expected);
  else if (json->bytes[json->position] > 0x20 && json->bytes[json->position] < 0x7F)
    length = snprintf(message, TIDE_JSON_MESSAGE, "expected %s, found \"%c\"", expected,
                      json->bytes[json->position]);
  else
    length = snprintf(message, TIDE_JSON_MESSAGE, "expected %s, found byte %d", expected,
                      json->bytes[json->position]);
  return length < TIDE_JSON_MESSAGE ? (size_t)length : TIDE_JSON_MESSAGE - 1;
}
