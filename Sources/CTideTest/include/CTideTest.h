// The parts of the test runner that are written in Lua, as texts in the program itself, so that no
// installed file is needed.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A module by the name that `require` knows it by; not every one is for specs.
typedef struct TideTestSource {
  const char *name;
  const char *bytes;
  size_t count;
} TideTestSource;

/// How many there are.
size_t tide_test_source_count(void);
/// The one at an index below the count.
TideTestSource tide_test_source(size_t index);

#pragma clang assume_nonnull end
