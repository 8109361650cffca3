// The memory of graphs. Each graph has a window of the address space to itself, and maps only what
// it uses of it: a few kilobytes at first. Regions grow in place, so addresses stay valid.
//
//   window ┬─ arena, slots    16 parts of 32
//          ├─ edges           10
//          ├─ bodies           2
//          ├─ records          3, for the layer above
//          └─ history          1
//
// All windows have the same size and begin at multiples of it, so masking an address gives the
// start of its window. They are apart from the system's own mappings, so that nothing else is
// mapped within them. If the system does not let a program choose addresses, a window is mapped as
// a whole.
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

/// The size of a window in bytes, a power of two; 0 before the first window is taken.
extern uint64_t tide_reservation;
static inline uint64_t tide_window_size(void) { return tide_reservation; }

/// Takes a window, and maps the given number of bytes of its first region. Returns false if the
/// system refuses.
bool tide_window_take(TideRegion *_Nonnull regions, size_t bytes);
/// Releases a window with its contents.
void tide_window_give(const TideRegion *_Nonnull regions);
/// Makes at least the given number of a region's bytes usable; they are zeroed at first. Returns
/// false if the system refuses or the region is full.
bool tide_region_grow(TideRegion *region, size_t bytes);

/// For tests: the number of windows taken, and the number of bytes in use in them.
uint32_t tide_windows_taken(void);
uint64_t tide_window_bytes(void);

#pragma clang assume_nonnull end
