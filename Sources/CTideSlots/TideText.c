#include "TideText.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "TideWork.h"

// The number of bytes that are repaired between two checks of the clock. Shorter text is not
// checked at all.
enum { STRETCH = 64 << 10 };

static bool is_ascii(const uint8_t *bytes, size_t count) {
  uint64_t seen = 0, word;
  if (count < 8) {
    for (size_t i = 0; i < count; i++) seen |= bytes[i];
    return seen < 0x80;
  }
  for (size_t i = 0; i + 8 <= count; i += 8) {
    memcpy(&word, bytes + i, 8);
    seen |= word;
  }
  // The last eight bytes, which may overlap the previous ones.
  memcpy(&word, bytes + count - 8, 8);
  return ((seen | word) & 0x8080808080808080) == 0;
}

// The length of a code point, or of the bytes that one replacement character stands for: the
// longest prefix of a well-formed sequence, or otherwise a single byte.
static size_t part(const uint8_t *text, size_t left, bool *isSound) {
  uint8_t first = text[0], low = 0x80, high = 0xbf;
  size_t count;
  *isSound = true;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) {
    count = 2;
  } else if (first >= 0xe0 && first <= 0xef) {
    count = 3;
    if (first == 0xe0) low = 0xa0;
    if (first == 0xed) high = 0x9f;
  } else if (first >= 0xf0 && first <= 0xf4) {
    count = 4;
    if (first == 0xf0) low = 0x90;
    if (first == 0xf4) high = 0x8f;
  } else {
    *isSound = false;
    return 1;
  }
  for (size_t index = 1; index < count; index++) {
    if (index == left || text[index] < low || text[index] > high) {
      *isSound = false;
      return index;
    }
    low = 0x80;
    high = 0xbf;
  }
  return count;
}

TideTextKind tide_text_kind(const void *text, size_t count) {
  const uint8_t *bytes = text;
  if (is_ascii(bytes, count)) return TIDE_TEXT_ASCII;
  for (size_t position = 0; position < count;) {
    bool isSound;
    position += part(bytes + position, count - position, &isSound);
    if (!isSound) return TIDE_TEXT_OTHER;
  }
  return TIDE_TEXT_UTF8;
}

// Repairs a stretch of text, writes the result to `target` unless that is NULL, and returns its
// length. Ends between two parts, and updates the position.
static size_t repair(const uint8_t *text, size_t count, size_t *position, size_t stretch,
                     char *target) {
  size_t made = 0, end = count - *position < stretch ? count : *position + stretch;
  while (*position < end) {
    bool isSound;
    size_t taken = part(text + *position, count - *position, &isSound);
    const void *source = isSound ? (const void *)(text + *position) : "\xef\xbf\xbd";
    size_t given = isSound ? taken : 3;
    if (target) memcpy(target + made, source, given);
    made += given;
    *position += taken;
  }
  return made;
}

TideRepair tide_text_repair(const void *text, size_t count, void *context, TideTextTaker take) {
  // A part that begins within a stretch may extend up to three bytes beyond it.
  enum { PIECE = 2 << 10 };
  char piece[3 * PIECE + 4];
  size_t total = 0;
  for (size_t position = 0; position < count;) {
    if (position && tide_work_is_over()) return TIDE_REPAIR_TIME;
    total += repair(text, count, &position, STRETCH, NULL);
  }
  if (total > STRETCH && !tide_work_admits(total)) return TIDE_REPAIR_MEMORY;
  take(context, NULL, total);
  size_t asked = 0;
  for (size_t position = 0; position < count;) {
    if (position - asked >= STRETCH) {
      if (tide_work_is_over()) return TIDE_REPAIR_TIME;
      asked = position;
    }
    size_t made = repair(text, count, &position, PIECE, piece);
    take(context, piece, made);
  }
  return TIDE_REPAIR_WHOLE;
}
