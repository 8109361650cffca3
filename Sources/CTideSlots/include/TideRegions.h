// Where the memory of a graph lies. Each graph has a window of the address space to itself, of which
// only what is used is taken: a few kilobytes at first. What lies in it grows in place, so that its
// addresses stay good.
//
//   window ┬─ arena, slots    16 parts of 32
//          ├─ edges           10
//          ├─ bodies           2
//          ├─ records          3, of what the layer above keeps there
//          └─ history          1
//
// Windows begin at multiples of their size, which is the same for all: so masking an address in one
// gives its beginning. They lie apart from where the system puts what it is asked for, so that
// nothing else comes to lie in them. Where the system does not let a program choose its addresses,
// a window is taken as a whole.
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

/// Takes a window with nothing in it but what is asked for of its first region; false where the
/// system refuses that.
bool tide_window_take(TideRegion *_Nonnull regions, size_t bytes);
/// Gives it back with all that is in it.
void tide_window_give(const TideRegion *_Nonnull regions);
/// Makes at least so many bytes of a region usable, all of them 0 at first; false where the system
/// refuses them, or the window has no room.
bool tide_region_grow(TideRegion *region, size_t bytes);

/// For tests: how many windows are taken, and bytes in them.
uint32_t tide_windows_taken(void);
uint64_t tide_window_bytes(void);

#pragma clang assume_nonnull end
