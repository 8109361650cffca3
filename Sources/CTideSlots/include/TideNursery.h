// Slots that belong to nobody: those of an object that no graph has yet. Whoever has the object may
// use them on any thread, so they have no edges and change nothing but themselves.
//
// Their arena has no owner, and its `active` is never 0: so a read takes the slow way, which finds
// out whether it is one that is recorded. A slot's function, if it has any, is in place of its
// edges.
#pragma once

#include "TideThread.h"

#pragma clang assume_nonnull begin

/// Takes a run of empty slots, which are sources.
TideSlot *tide_nursery_take(uint32_t count);
/// Gives such a run back, on any thread; what the slots held is gone already.
void tide_nursery_give(TideSlot *run, uint32_t count);
/// Moves a block to its slots in a graph, whose generation stands there already, lets the object's
/// wrappers follow, and gives the former slots back. False where there are functions or objects
/// among its values, which the graph is to take over.
bool tide_nursery_move(TideSlot *from, TideSlot *to);
/// A free slot, in place of a block that is not there.
TideSlot *tide_nursery_nothing(void);

static inline bool tide_slot_is_nobodys(const TideSlot *slot) {
  return tide_arena_of(slot)->owner == NULL;
}

/// What runs for such a slot: a retained body of Swift's, or NULL.
static inline void *_Nullable *_Nonnull tide_nursery_body(TideSlot *slot) {
  return (void **)&slot->firstOut;
}

/// In the same field of such a block's header: where in the object its wrappers are, which are the
/// addresses of its values, in bytes from the object's beginning; or NULL where it has none.
static inline const uint32_t *_Nullable *_Nonnull tide_nursery_wrappers(TideSlot *header) {
  return (const uint32_t **)&header->firstOut;
}

_Static_assert(offsetof(TideSlot, firstOut) % sizeof(void *) == 0, "room for a pointer");
_Static_assert(offsetof(TideSlot, firstIn) == offsetof(TideSlot, firstOut) + 4, "room for a pointer");

#pragma clang assume_nonnull end
