// The memory limit (memory.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

uint64_t tide_memory_used(const TideState *state);
/// The maximum number of bytes that have been in use at once.
uint64_t tide_memory_peak(const TideState *state);
/// The counter of the bytes of all requests so far, for profiling.
const uint64_t *tide_memory_granted(const TideState *state);
void tide_memory_set_limit(TideState *state, uint64_t bytes);
/// The number of bytes by which the limit is too low for the given number of additional bytes, of
/// Lua's or of the engine's.
uint64_t tide_memory_shortage(const TideState *state, uint64_t bytes);
/// For tests: refuses the allocation with the given number, where 1 is the next one, and also all
/// that follow if `forever` is true. 0 stops refusing.
void tide_memory_refuse(TideState *state, uint64_t allocation, bool forever);
uint64_t tide_memory_allocations(const TideState *state);

/// Runs a full garbage collection.
void tide_memory_collect(TideState *state);

/// Charges bytes that a script makes the host allocate outside of the interpreter. Returns false if
/// they exceed the limit. Their release need not be reported, because the hook `measure` reports
/// the total from time to time. May release objects that scripts have dropped.
bool tide_memory_charge(TideState *state, uint64_t bytes);
/// Whether the limit leaves room for bytes that the host uses temporarily.
bool tide_memory_fits(TideState *state, uint64_t bytes);
/// Like `tide_memory_charge`, but releases nothing. For use in the middle of a change.
bool tide_memory_note(TideState *state, uint64_t bytes);
/// Counts bytes from now on without refusing any; the next charge may be refused instead.
void tide_memory_owe(TideState *state, uint64_t bytes);
/// Makes the limit include the bytes that another allocator has allocated for this state; NULL ends
/// that.
void tide_memory_count(TideState *state, const uint64_t *_Nullable bytes);
/// The number of bytes that the host may still allocate.
uint64_t tide_memory_room(TideState *state);
/// The number of bytes held by the interpreter and, by the latest estimate, by the host on its
/// behalf.
uint64_t tide_memory_held(TideState *state);

/// Makes the limit include bytes in flight, which are counted at an address that any thread may
/// change; NULL ends that.
void tide_memory_follow(TideState *state, const void *_Nullable inFlight);
/// All bytes that count towards the limit except those in flight, by the latest estimate, plus the
/// reserve for Lua.
uint64_t tide_memory_settled(const TideState *state);

/// From here on, the copies of strings that are read count together. Returns the value to pass to
/// `tide_gather_end`.
uint64_t tide_gather_begin(TideState *state);
/// Counts other bytes that the host gathers and that have already been charged.
void tide_gather_note(TideState *state, uint64_t bytes);
void tide_gather_end(TideState *state, uint64_t before);

#pragma clang assume_nonnull end
