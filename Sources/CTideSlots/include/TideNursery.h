// Slots that belong to no graph, of an object that has not joined one. The owner of the object may
// use them on any thread, so they have no edges and affect no other slots.
//
// Their arena has no owner, and its `active` is never 0. So each read takes the slow path, which
// determines whether it must be recorded. A slot's body, if any, is stored in the place of its
// edges.
#pragma once

#include "TideThread.h"

#pragma clang assume_nonnull begin

/// Allocates a run of empty slots, which are sources.
TideSlot *tide_nursery_take(uint32_t count);
/// Frees such a run, on any thread. The slots' contents must have been released already.
void tide_nursery_give(TideSlot *run, uint32_t count);
/// Moves a block to its slots in a graph, whose generation is already set, updates the object's
/// wrappers, and frees the former slots. Returns false if the block has functions or objects among
/// its values, which the graph must take over.
bool tide_nursery_move(TideSlot *from, TideSlot *to);
/// A free slot, in place of a missing block.
TideSlot *tide_nursery_nothing(void);

static inline bool tide_slot_is_nobodys(const TideSlot *slot) {
  return tide_arena_of(slot)->owner == NULL;
}

/// The body of such a slot, a retained Swift object, or NULL.
static inline void *_Nullable *_Nonnull tide_nursery_body(TideSlot *slot) {
  return (void **)&slot->firstOut;
}

/// The same field of such a block's header: the positions of the object's property wrappers, which
/// contain the addresses of its values, in bytes from the object's beginning. NULL if there are
/// none.
static inline const uint32_t *_Nullable *_Nonnull tide_nursery_wrappers(TideSlot *header) {
  return (const uint32_t **)&header->firstOut;
}

_Static_assert(offsetof(TideSlot, firstOut) % sizeof(void *) == 0, "room for a pointer");
_Static_assert(offsetof(TideSlot, firstIn) == offsetof(TideSlot, firstOut) + 4, "room for a pointer");

#pragma clang assume_nonnull end
