// References, by which Swift holds Lua's values (references.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

/// Gives up a reference, which is freed when the state is next entered; any thread may call it.
void tide_reference_drop(TideState *state, uint32_t reference);
/// For tests: how many references are held.
uint32_t tide_reference_count(TideState *state);
/// Compares what two references stand for, without metamethods.
bool tide_reference_equal(TideState *state, uint32_t left, uint32_t right);
/// An address that is the same for equal values as long as they live.
uintptr_t tide_reference_identity(TideState *state, uint32_t reference);

#pragma clang assume_nonnull end
