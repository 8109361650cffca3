// The limit of memory (memory.c).
#pragma once

#include "TideValue.h"

#pragma clang assume_nonnull begin

uint64_t tide_memory_used(const TideState *state);
/// The most that has ever been used at once.
uint64_t tide_memory_peak(const TideState *state);
/// Where the bytes of all requests so far are counted, for who measures.
const uint64_t *tide_memory_granted(const TideState *state);
void tide_memory_set_limit(TideState *state, uint64_t bytes);
/// By how much the limit is too low for so many bytes more, of Lua's or of the engine's.
uint64_t tide_memory_shortage(const TideState *state, uint64_t bytes);
/// For tests: refuses an allocation, where 1 is the next one, and if `forever` also all that
/// follow. 0 refuses none any more.
void tide_memory_refuse(TideState *state, uint64_t allocation, bool forever);
uint64_t tide_memory_allocations(const TideState *state);

/// A whole cycle of the collector.
void tide_memory_collect(TideState *state);

/// Notes that a script makes the host hold so many bytes more, outside of the interpreter; false
/// when the limit leaves no room for them. Their end need not be told: the hook `measure` says now
/// and then what is held in all. May let go of what scripts have dropped.
bool tide_memory_charge(TideState *state, uint64_t bytes);
/// Whether the limit leaves room for so many bytes, which the host takes for a short time.
bool tide_memory_fits(TideState *state, uint64_t bytes);
/// Like `tide_memory_charge` where nothing may be let go of, in the middle of a change.
bool tide_memory_note(TideState *state, uint64_t bytes);
/// Counts bytes that are held from now on, and refuses nothing: that is left to the next charge.
void tide_memory_owe(TideState *state, uint64_t bytes);
/// Has the bytes count that another allocator holds for this state, from now on; NULL: none.
void tide_memory_count(TideState *state, const uint64_t *_Nullable bytes);
/// How many bytes more the host may hold now.
uint64_t tide_memory_room(TideState *state);
/// What the interpreter holds, and by the latest estimate the host for it.
uint64_t tide_memory_held(TideState *state);

/// Counts bytes in flight, whose number is at an address and changes on any thread, towards the
/// limit; NULL to end that.
void tide_memory_follow(TideState *state, const void *_Nullable inFlight);
/// All that counts towards the limit beside what is in flight, by the latest estimate, and what is
/// kept free for Lua.
uint64_t tide_memory_settled(const TideState *state);

/// From here on the copies of texts that are read count together; returns the value to pass to the
/// end.
uint64_t tide_gather_begin(TideState *state);
/// Counts bytes of another kind that the host gathers, which have been charged.
void tide_gather_note(TideState *state, uint64_t bytes);
void tide_gather_end(TideState *state, uint64_t before);

#pragma clang assume_nonnull end
