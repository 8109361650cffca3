// Where the memory of a graph lies. Each graph has a window of the address space to itself, and
// maps only what it uses of that: some kilobytes at first. Regions grow in place, so that addresses
// stay good.
//
//   window ┬─ arena, slots    16 parts of 32
//          ├─ edges           10
//          ├─ bodies           2
//          ├─ records          3, for the layer above
//          └─ history          1
//
// All windows have one size, and begin at multiples of it: masking an address gives the start of
// its window. They lie apart from the system's own mappings, so that nothing else is mapped within
// them. Where the system does not let a program choose addresses, a window is mapped as a whole.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum {
  TIDE_REGION_SLOTS,
  TIDE_REGION_EDGES,
  TIDE_REGION_BODIES,
  TIDE_REGION_RECORDS,
  TIDE_REGION_HISTORY,
  TIDE_REGIONS,
};

typedef struct TideRegion {
  char *_Nullable start;
  size_t bytes, limit;
} TideRegion;

/// The bytes of one window, a power of two; 0 before the first.
extern uint64_t tide_reservation;
static inline uint64_t tide_window_size(void) { return tide_reservation; }

/// Takes a window, and maps so many bytes of its first region; false when the system refuses.
bool tide_window_take(TideRegion *_Nonnull regions, size_t bytes);
/// Gives a window back with everything in it.
void tide_window_give(const TideRegion *_Nonnull regions);
/// Makes at least so many bytes of a region usable, 0 at first; false when the system refuses or
/// the region is full.
bool tide_region_grow(TideRegion *region, size_t bytes);

/// For tests: how many windows are taken, and how many bytes are in use in them.
uint32_t tide_windows_taken(void);
uint64_t tide_window_bytes(void);

#pragma clang assume_nonnull end
