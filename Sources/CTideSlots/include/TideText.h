// The encoding of bytes, and the repair of invalid UTF-8.
#pragma once

#include <stddef.h>

/// The encoding of bytes.
typedef enum TideTextKind { TIDE_TEXT_ASCII, TIDE_TEXT_UTF8, TIDE_TEXT_OTHER } TideTextKind;
TideTextKind tide_text_kind(const void *text, size_t count);

/// Receives a piece of the repaired text. The first call has no text, only the total number of
/// bytes.
typedef void (*TideTextTaker)(void *context, const char *piece, size_t count);

/// The result of a repair. If it was abandoned, only the beginning of the text has been passed on.
typedef enum TideRepair { TIDE_REPAIR_WHOLE, TIDE_REPAIR_TIME, TIDE_REPAIR_MEMORY } TideRepair;

/// Passes on text with U+FFFD for each part that is not UTF-8, as Unicode recommends and Swift
/// does.
///
/// A byte may become three, and a script can create any number of bytes quickly. So the running
/// turn is asked for memory before the first piece, and for time at regular intervals.
TideRepair tide_text_repair(const void *text, size_t count, void *context, TideTextTaker take);
