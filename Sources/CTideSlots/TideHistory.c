#include "TideHistory.h"

#include <sys/mman.h>
#include <time.h>

TideHistory *tide_history_keep(TideArena *arena) {
  if (arena->history) return arena->history;
  TideHistory *history = calloc(1, sizeof *history);
  if (!history) return NULL;
  // So large that it comes from the system in pages of zeros, which cost nothing until touched.
  history->entries = calloc(TIDE_HISTORY_ENTRIES, sizeof *history->entries);
  if (!history->entries) {
    free(history);
    return NULL;
  }
  history->slots = arena->slots;
  return arena->history = history;
}

static size_t runs_bytes(const TideArena *arena) {
  return arena->edgeCapacity * sizeof(uint32_t);
}

bool tide_history_count_runs(TideArena *arena) {
  if (!arena->history || arena->history->bindingRuns) return arena->history != NULL;
  void *memory = mmap(NULL, runs_bytes(arena), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  arena->history->bindingRuns = memory;
  return true;
}

void tide_history_forget(TideArena *arena) {
  if (!arena->history) return;
  tide_history_stop_measuring(arena);
  if (arena->history->bindingRuns) munmap(arena->history->bindingRuns, runs_bytes(arena));
  if (arena->history->profile) tide_profile_free(arena->history->profile);
  free(arena->history->entries);
  free(arena->history);
  arena->history = NULL;
}

/// For as many slots as a graph can ever have.
static size_t measure_bytes(void) {
  return tide_reservation / sizeof(TideSlot) * sizeof(TideMeasure);
}

bool tide_history_measure(TideArena *arena) {
  if (!arena->history) return false;
  tide_history_stop_measuring(arena);
  // Pages of zeros cost nothing until touched.
  void *memory = mmap(NULL, measure_bytes(), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  arena->history->measures = memory;
  return true;
}

void tide_history_stop_measuring(TideArena *arena) {
  if (!arena->history || !arena->history->measures) return;
  munmap(arena->history->measures, measure_bytes());
  arena->history->measures = NULL;
}

uint64_t tide_history_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void tide_history_keep_payload(TideHistory *history, const TideSlot *slot) {
  TideChange *change = tide_history_entry(history, tide_slot_index(slot));
  if (slot->tag == TIDE_BYTES) {
    tide_change_keep_bytes(change, (const TideBytes *)(uintptr_t)slot->lo);
  } else if (slot->tag == TIDE_STRING) {
    uint32_t count = history->text ? history->text(slot, change->text, TIDE_OLD_TEXT) : 0;
    change->count = count > TIDE_OLD_TEXT ? TIDE_OLD_TEXT + 1 : (uint8_t)count;
  } else {
    const TideSlot *header = (const TideSlot *)(uintptr_t)slot->hi;
    change->bits = header ? (uint64_t)tide_slot_index(header) << 32 | header->generation : 0;
  }
}

void tide_history_move(TideHistory *history, const TideChange *change, const TideSlot *to) {
  TideChange moved = *change;
  moved.slot = tide_slot_index(to);
  moved.generation = tide_block_generation(to);
  *tide_history_entry(history, moved.slot) = moved;
}

const TideChange *tide_history_latest(TideArena *arena, const TideSlot *slot) {
  if (!arena->history) return NULL;
  uint32_t index = tide_slot_index(slot);
  const TideChange *change = tide_history_entry(arena->history, index);
  bool isOurs = change->sequence && change->slot == index &&
                change->generation == tide_block_generation(slot);
  return isOurs ? change : NULL;
}
