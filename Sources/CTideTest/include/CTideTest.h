// The parts of the test runner that are written in Lua. They are embedded in the program, which
// therefore needs no installed files.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

/// A module and its name for `require`. Some modules are not available to specs.
typedef struct TideTestSource {
  const char *name;
  const char *bytes;
  size_t count;
} TideTestSource;

/// The number of modules.
size_t tide_test_source_count(void);
/// The module at an index less than the count.
TideTestSource tide_test_source(size_t index);

#pragma clang assume_nonnull end
