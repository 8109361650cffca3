// What bytes are as text, and repairing those that are none.
#pragma once

#include <stddef.h>

/// What bytes are as text.
typedef enum TideTextKind { TIDE_TEXT_ASCII, TIDE_TEXT_UTF8, TIDE_TEXT_OTHER } TideTextKind;
TideTextKind tide_text_kind(const void *text, size_t count);

/// Takes a piece of the repaired text. The first call has no text: it says how many bytes there will
/// be in all.
typedef void (*TideTextTaker)(void *context, const char *piece, size_t count);

/// How a repair ended. Where it was given up, the beginning of the text has been given.
typedef enum TideRepair { TIDE_REPAIR_WHOLE, TIDE_REPAIR_TIME, TIDE_REPAIR_MEMORY } TideRepair;

/// Gives text with U+FFFD for each part that is not UTF-8, as Unicode recommends and Swift does it.
///
/// A byte may become three, and a script makes any number of them in no time: the turn that runs is
/// asked for the memory before the first piece, and for time every so many bytes.
TideRepair tide_text_repair(const void *text, size_t count, void *context, TideTextTaker take);
