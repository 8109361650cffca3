// References, by which Swift retains Lua values (references.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// Drops a reference, which is freed when the state is next entered. Any thread may call it.
void tide_reference_drop(TideState *state, uint32_t reference);
/// For tests: the number of existing references.
uint32_t tide_reference_count(TideState *state);
/// Compares the values of two references, without metamethods.
bool tide_reference_equal(TideState *state, uint32_t left, uint32_t right);
/// An address that is the same for equal values as long as they exist.
uintptr_t tide_reference_identity(TideState *state, uint32_t reference);

#pragma clang assume_nonnull end
