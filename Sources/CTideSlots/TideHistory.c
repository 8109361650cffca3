#include "TideHistory.h"

#include <sys/mman.h>
#include <time.h>

TideHistory *tide_history_keep(TideArena *arena) {
  if (arena->history) return arena->history;
  TideHistory *history = calloc(1, sizeof *history);
  if (!history) return NULL;
  history->entries = (TideChange *)arena->regions[TIDE_REGION_HISTORY].start;
  history->slots = arena->slots;
  arena->history = history;
  tide_history_grow(arena);
  if (history->mask == 0) {
    arena->history = NULL;
    free(history);
  }
  return arena->history;
}

void tide_history_grow(TideArena *arena) {
  TideHistory *history = arena->history;
  if (!history) return;
  uint32_t count = history->mask + 1;
  while (count < arena->slotCapacity && count < TIDE_HISTORY_ENTRIES) count *= 2;
  // Every existing slot keeps its entry. If memory runs out, new slots share entries.
  size_t bytes = count * sizeof *history->entries;
  TideRegion *region = &arena->regions[TIDE_REGION_HISTORY];
  while (bytes > region->limit) bytes /= 2, count /= 2;
  if (count > history->mask + 1 && tide_region_grow(region, bytes)) history->mask = count - 1;
}

static size_t runs_bytes(const TideArena *arena) {
  return arena->edgeLimit * sizeof(uint32_t);
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
  free(arena->history->log);
  // The next history begins with zeroed pages.
  const TideRegion *region = &arena->regions[TIDE_REGION_HISTORY];
  if (region->bytes) madvise(region->start, region->bytes, MADV_DONTNEED);
  free(arena->history);
  arena->history = NULL;
}

/// The size for the maximum number of slots of a graph.
static size_t measure_bytes(const TideArena *arena) {
  return (size_t)arena->slotLimit * sizeof(TideMeasure);
}

bool tide_history_measure(TideArena *arena) {
  if (!arena->history) return false;
  tide_history_stop_measuring(arena);
  // Zeroed pages cost nothing until they are touched.
  void *memory = mmap(NULL, measure_bytes(arena), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return false;
  arena->history->measures = memory;
  arena->history->isFollowed = true;
  return true;
}

void tide_history_stop_measuring(TideArena *arena) {
  if (!arena->history || !arena->history->measures) return;
  munmap(arena->history->measures, measure_bytes(arena));
  arena->history->measures = NULL;
  arena->history->isFollowed = arena->history->log != NULL;
}

bool tide_history_log(TideArena *arena) {
  TideHistory *history = arena->history;
  if (!history) return false;
  if (!history->log) history->log = calloc(TIDE_LOG_ENTRIES, sizeof *history->log);
  if (!history->log) return false;
  history->isFollowed = true;
  return true;
}

const TideChange *tide_history_logged(const TideHistory *history, uint64_t sequence) {
  if (!history->log) return NULL;
  const TideChange *change = &history->log[sequence % TIDE_LOG_ENTRIES];
  return change->sequence == sequence ? change : NULL;
}

void tide_history_follow(TideHistory *history, const TideChange *change) {
  if (history->measures) history->measures[change->slot].changes++;
  if (history->log) history->log[change->sequence % TIDE_LOG_ENTRIES] = *change;
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
  if (tide_history_logged(history, moved.sequence))
    history->log[moved.sequence % TIDE_LOG_ENTRIES] = moved;
}

const TideChange *tide_history_latest(TideArena *arena, const TideSlot *slot) {
  if (!arena->history) return NULL;
  uint32_t index = tide_slot_index(slot);
  const TideChange *change = tide_history_entry(arena->history, index);
  bool isOurs = change->sequence && change->slot == index &&
                change->generation == tide_block_generation(slot);
  return isOurs ? change : NULL;
}
