// The latest change of each slot: the value before, the cause, and the location. It explains why a
// value is what it is.
//
// There is one entry per slot, found by the slot's index. A change overwrites the previous one, so
// memory is bounded, and an entry that is written often stays in the cache. The number of entries
// grows with the number of slots up to TIDE_HISTORY_ENTRIES. In larger graphs, slots whose indexes
// collide overwrite each other's entries.
#pragma once

#include "TideProfile.h"
#include "TideSlots.h"

enum { TIDE_HISTORY_ENTRIES = 1 << 16, TIDE_LOG_ENTRIES = 1 << 13, TIDE_OLD_TEXT = 32 };

/// The causes of a change.
enum {
  TIDE_BY_WRITE = 0,    // a statement of a script or of the host
  TIDE_BY_BINDING = 1,  // number: the edge
  TIDE_BY_BODY = 2,     // a write by an effect or observer; number: its slot
  TIDE_BY_FUNCTION = 3, // its own function was evaluated
  TIDE_BY_INPUT = 4,    // a person
  TIDE_BY_MAKING = 5,   // for a header: the object was made
};

/// The cause of a change in detail.
typedef struct TideCauser {
  uint32_t number;
  uint16_t edgeGeneration;
  uint16_t cause;  // TIDE_BY_…
} TideCauser;

typedef struct TideChange {
  uint64_t sequence;  // grows with every change in the graph; 0: none
  uint32_t slot;
  uint32_t generation;  // of the slot's block
  TideCauser causer;
  uint32_t locationID;  // the line that wrote, by the host's number; 0: unknown
  // The previous value.
  uint8_t tag;
  uint8_t count;  // of text; more than TIDE_OLD_TEXT: `text` is its beginning
  uint16_t act;   // the host's number of the current act; 0: unknown
  union {
    uint64_t bits;  // of an object: its header's index and generation, or 0
    char text[TIDE_OLD_TEXT];
  };
} TideChange;

_Static_assert(sizeof(TideChange) == 64, "one cache line");

/// The number of a slot's changes since counting began, and the time spent updating it.
typedef struct TideMeasure {
  uint64_t nanoseconds;
  uint32_t changes;
  uint32_t runs;  // of its binding or function
} TideMeasure;

typedef struct TideHistory {
  uint64_t sequence;
  TideCauser causer;  // the current cause
  /// Copies the text of a slot that holds a Swift string, and returns its length.
  uint32_t (*text)(const TideSlot *slot, char *into, uint32_t room);
  /// Returns the number of the script line that is running.
  uint32_t (*locate)(void *host);
  void *host;
  /// The number of the line of another program whose write is in progress; 0 if none.
  uint32_t foreign;
  /// The number of the action in progress, such as a person's input; 0 if unknown.
  uint16_t act;
  TideSlot *slots;      // the graph's
  TideChange *entries;
  uint32_t mask;        // the number of entries (a power of two) less 1
  /// Records a slot's value for the active journal before it is overwritten; NULL if there is no
  /// journal.
  void (*keep)(void *journal, TideSlot *slot, uint8_t tag, uint64_t bits);
  void *journal;
  uint64_t keptSince;     // the change before the journal's first
  TideMeasure *measures;  // by slot; NULL if changes are not counted
  TideChange *log;        // the latest changes by sequence; NULL if they are not logged
  bool isFollowed;        // whether there are measures or a log
  TideProfile *profile;   // NULL if runs are not measured
  uint32_t *bindingRuns;  // by edge; NULL if runs are not counted
} TideHistory;

/// Starts a graph's history; NULL if memory runs out.
TideHistory *tide_history_keep(TideArena *arena);
void tide_history_forget(TideArena *arena);
/// Makes room for the changes of all slots for which the graph has memory, if it keeps a history.
void tide_history_grow(TideArena *arena);

/// Begins to count changes and discards earlier counts. Returns false if memory runs out.
bool tide_history_measure(TideArena *arena);
void tide_history_stop_measuring(TideArena *arena);
/// Begins to count the runs of each binding, for the life of the graph. Returns false if memory
/// runs out.
bool tide_history_count_runs(TideArena *arena);
/// The time of a monotonic clock, in nanoseconds.
uint64_t tide_history_clock(void);
/// Begins to log the latest TIDE_LOG_ENTRIES changes, for the life of the graph. Returns false if
/// memory runs out.
bool tide_history_log(TideArena *arena);
/// The logged change with a sequence number; NULL if it was overwritten or not logged.
const TideChange *tide_history_logged(const TideHistory *history, uint64_t sequence);
/// Counts and logs a change.
void tide_history_follow(TideHistory *history, const TideChange *change);
static inline void tide_history_spend(TideHistory *history, uint32_t slot, uint64_t since) {
  if (!history->measures) return;
  history->measures[slot].nanoseconds += tide_history_clock() - since;
  history->measures[slot].runs++;
}

static inline TideChange *tide_history_entry(TideHistory *history, uint32_t slot) {
  return &history->entries[slot & history->mask];
}

static inline uint32_t tide_block_generation(const TideSlot *slot) {
  return slot->state & TIDE_INNER ? slot[-(long)slot->generation].generation : slot->generation;
}

/// Records a string written by Lua, with few branches, because most strings are short.
static inline void tide_change_keep_bytes(TideChange *change, const TideBytes *bytes) {
  uint32_t count = bytes->count;
  char *to = change->text;
  const char *from = bytes->bytes;
  change->count = (uint8_t)(count > TIDE_OLD_TEXT ? TIDE_OLD_TEXT + 1 : count);
  if (count >= TIDE_OLD_TEXT) {
    memcpy(to, from, TIDE_OLD_TEXT);
  } else if (count >= 16) {
    memcpy(to, from, 16);
    memcpy(to + count - 16, from + count - 16, 16);
  } else if (count >= 8) {
    memcpy(to, from, 8);
    memcpy(to + count - 8, from + count - 8, 8);
  } else {
    for (uint32_t i = 0; i < count; i++) to[i] = from[i];
  }
}

/// Records a slot's string or object, which is about to be overwritten.
void tide_history_keep_payload(TideHistory *history, const TideSlot *slot);

/// Records the value of a slot in the active journal, if the slot has not changed since the journal
/// began. The journal needs only the value from its beginning.
static inline void tide_history_keep_first(TideHistory *history, TideSlot *slot, uint8_t tag,
                                           uint64_t bits) {
  if (!history->keep) return;
  uint32_t index = (uint32_t)(slot - history->slots);
  const TideChange *change = tide_history_entry(history, index);
  if (change->slot == index && change->sequence > history->keptSince) return;
  history->keep(history->journal, slot, tag, bits);
}

static inline void tide_payload_ends(TideSlot *slot) {
  TideHistory *history = tide_arena_of(slot)->history;
  if (!history) return;
  tide_history_keep_first(history, slot, slot->tag, slot->lo);
  tide_history_keep_payload(history, slot);
}

/// Records a change of a slot whose previous value had the given tag. A scalar is passed here; a
/// string or an object has been recorded before it was overwritten.
static inline void tide_history_note(TideHistory *history, uint32_t slot, uint32_t generation,
                                     uint8_t oldTag, uint64_t oldBits, uint32_t locationID) {
  TideChange *change = tide_history_entry(history, slot);
  // A payload was recorded before it ended.
  if (oldTag < TIDE_STRING)
    tide_history_keep_first(history, &history->slots[slot], oldTag, oldBits);
  change->sequence = ++history->sequence;
  change->slot = slot;
  change->generation = generation;
  change->causer = history->causer;
  change->locationID = locationID;
  change->act = history->act;
  change->tag = oldTag;
  if (oldTag < TIDE_STRING) change->bits = oldBits;
  if (history->isFollowed) tide_history_follow(history, change);
}

/// Sets the cause of the following writes, and returns the previous cause.
static inline TideCauser tide_history_begin(TideHistory *history, uint16_t cause,
                                            uint32_t number) {
  if (!history) return (TideCauser){0};
  TideCauser before = history->causer;
  history->causer = (TideCauser){.number = number, .cause = cause};
  return before;
}

static inline void tide_history_end(TideHistory *history, TideCauser before) {
  if (history) history->causer = before;
}

/// Moves a slot's change to another slot.
void tide_history_move(TideHistory *history, const TideChange *change, const TideSlot *to);
/// The latest change of a slot, or NULL.
const TideChange *tide_history_latest(TideArena *arena, const TideSlot *slot);
