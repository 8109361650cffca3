#include "CTideTest.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

// One line for each module in the table below: its name in `require`, and the file.
#define TIDE_TEST_SOURCES(SOURCE)         \
  SOURCE("tidelock.test.words", words)    \
  SOURCE("tidelock.test.world", world)    \
  SOURCE("tidelock.test.pretty", pretty)  \
  SOURCE("tidelock.test.events", events)  \
  SOURCE("busted", busted)                \
  SOURCE("busted.runner", runner)

static const char words[] = {
#embed "lua/words.lua"
};
static const char world[] = {
#embed "lua/world.lua"
};
static const char pretty[] = {
#embed "lua/pretty.lua"
};
static const char events[] = {
#embed "lua/events.lua"
};
static const char busted[] = {
#embed "lua/busted.lua"
};
static const char runner[] = {
#embed "lua/runner.lua"
};

#define ENTRY(name, text) {name, text, sizeof text},
static const TideTestSource sources[] = {TIDE_TEST_SOURCES(ENTRY)};

size_t tide_test_source_count(void) { return sizeof sources / sizeof *sources; }

TideTestSource tide_test_source(size_t index) { return sources[index]; }
