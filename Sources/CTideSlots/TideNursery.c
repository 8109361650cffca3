#define _GNU_SOURCE
#include "TideNursery.h"

#include <stdio.h>
#include <sys/mman.h>

// The memory is divided into stretches, each for runs of one length. A thread holds one stretch per
// length, and takes runs from it without locks or atomic operations. When a stretch has no runs
// left, the thread releases it, and then no thread holds it:
//
//     empty ──▶ held by a thread ──▶ released, in use ──▶ half returned ──▶ all returned
//       ▲               ▲                                       │                │
//       │               └───────────────────────────────────────┘                │
//       └────────────────────────────────────────────────────────────────────────┘
//
// A run that is returned to a stretch of another thread, or of none, goes through one atomic word,
// which holds the number of runs in use and the first of the returned ones. So the thread that
// returns the last run detects that, and the pages are returned to the system: objects that are
// created in bulk and then join a graph need memory only once. Runs longer than LONGEST come from
// another window and are kept in a list.

enum { LONGEST = 32, STRETCH = 1024, EMPTY_KEPT = 4 };

/// A flag in the number of runs in use: a thread holds the stretch, and all its runs count as in
/// use.
static const uint32_t HELD = 1u << 31;

enum Listing { UNLISTED, USABLE, EMPTY };

typedef struct TideStretch {
  _Alignas(64) TideSlot *first;
  // Used only by the thread that holds the stretch.
  TideSlot *free;    // linked through `lo`
  uint32_t begun;    // the number of runs taken so far
  uint32_t runs;     // the number of runs in it
  uint32_t length;   // slots in a run
  // Protected by the lock.
  uint16_t listing;
  bool isResident;   // if empty: whether its pages are still resident
  struct TideStretch *next, *previous;
  // Shared by all threads. The upper half is the number of runs in use. The lower half is 1 plus
  // the distance in bytes from the stretch's beginning to the first returned run; the returned runs
  // are linked through `lo`.
  _Atomic(uint64_t) given;
} TideStretch;

_Static_assert(sizeof(TideStretch) == 64, "one cache line");

typedef struct TideNurseryLists {
  TideStretch *held[LONGEST + 1];
} TideNurseryLists;

static struct {
  pthread_mutex_t lock;
  // The arenas that provide stretches and long runs; full ones are not stored.
  TideArena *arena, *longArena;
  TideStretch *usable[LONGEST + 1];
  TideStretch *empty;
  uint32_t resident;   // the number of empty ones with resident pages
  TideSlot *longRuns;  // linked through `lo`, their lengths in `hi`
} common = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t prepared = PTHREAD_ONCE_INIT;
static pthread_key_t threadEnd;

static TideSlot *next_of(const TideSlot *run) { return (TideSlot *)(uintptr_t)run->lo; }
static void link_before(TideSlot *run, TideSlot *next) { run->lo = (uintptr_t)next; }

// These slots have no edges, so the stretches' records are stored in the place of edges.
static TideStretch *stretch_of(const TideSlot *run) {
  TideArena *arena = tide_arena_of(run);
  size_t distance = (size_t)((const char *)run - (const char *)arena->slots);
  return (TideStretch *)arena->edges + distance / (STRETCH * sizeof *run);
}

static uint32_t out_of(uint64_t given) { return (uint32_t)(given >> 32); }
static uint64_t counting(uint32_t out) { return (uint64_t)out << 32; }

static TideSlot *back_in(const TideStretch *stretch, uint64_t given) {
  uint32_t position = (uint32_t)given;
  return position ? (TideSlot *)((char *)stretch->first + (position - 1)) : NULL;
}

static uint32_t position_in(const TideStretch *stretch, const TideSlot *run) {
  return (uint32_t)((const char *)run - (const char *)stretch->first) + 1;
}

// MARK: Memory, with the lock held

/// Makes room for slots at the end of an arena, or in a new one.
static TideArena *make_room(TideArena **arena, uint32_t count) {
  TideArena *known = *arena;
  if (known && tide_arena_grow_slots(known, (uint64_t)known->slotCount + count)) return known;
  TideArena *made = tide_arena_reserve();
  if (!made || !tide_arena_grow_slots(made, (uint64_t)count + 1)) {
    fputs("tidelock: the system refuses memory for objects (see ulimit -v, and vm.max_map_count)\n",
          stderr);
    abort();
  }
  made->active = 1;
  made->slotCount = 0;
  return *arena = made;
}

static TideStretch *cut_stretch(void) {
  TideArena *arena = make_room(&common.arena, STRETCH);
  TideSlot *first = arena->slots + arena->slotCount;
  TideStretch *stretch = stretch_of(first);
  size_t bytes = (size_t)((char *)(stretch + 1) - (char *)arena->edges);
  if (!tide_arena_grow_edges(arena, (bytes + sizeof(TideEdge) - 1) / sizeof(TideEdge))) {
    common.arena = NULL;
    return cut_stretch();
  }
  arena->slotCount += STRETCH;
  // Single page faults are expensive, but a small program needs few pages.
  if (arena->slotCount > EMPTY_KEPT * STRETCH) tide_prefault(first, STRETCH * sizeof *first);
  stretch->first = first;
  return stretch;
}

static TideSlot *cut_long(uint32_t count) {
  TideArena *arena = make_room(&common.longArena, count);
  TideSlot *first = arena->slots + arena->slotCount;
  arena->slotCount += count;
  return first;
}

static TideStretch **list_of(const TideStretch *stretch, uint16_t listing) {
  return listing == EMPTY ? &common.empty : &common.usable[stretch->length];
}

static void enlist(TideStretch *stretch, uint16_t listing) {
  TideStretch **list = list_of(stretch, listing);
  stretch->listing = listing;
  stretch->previous = NULL;
  stretch->next = *list;
  if (*list) (*list)->previous = stretch;
  *list = stretch;
}

static void unlist(TideStretch *stretch) {
  if (stretch->listing == UNLISTED) return;
  if (stretch->previous)
    stretch->previous->next = stretch->next;
  else
    *list_of(stretch, stretch->listing) = stretch->next;
  if (stretch->next) stretch->next->previous = stretch->previous;
  stretch->listing = UNLISTED;
}

/// Keeps a stretch whose runs have all been returned. Most such stretches return their pages to the
/// system.
static void keep_empty(TideStretch *stretch) {
  unlist(stretch);
  stretch->isResident = common.resident < EMPTY_KEPT;
  if (stretch->isResident)
    common.resident++;
  else
    madvise(stretch->first, STRETCH * sizeof(TideSlot), MADV_DONTNEED);
  enlist(stretch, EMPTY);
}

/// Prepares an unused stretch for runs of the given length.
static TideStretch *take_empty(uint32_t length) {
  TideStretch *stretch = common.empty;
  if (stretch) {
    unlist(stretch);
    if (stretch->isResident) common.resident--;
  } else {
    stretch = cut_stretch();
  }
  stretch->free = NULL;
  stretch->begun = 0;
  stretch->runs = STRETCH / length;
  stretch->length = length;
  atomic_store_explicit(&stretch->given, counting(HELD | stretch->runs), memory_order_relaxed);
  return stretch;
}

// MARK: Stretches that no thread holds

/// Updates the lists when half or all of a stretch's runs have been returned.
static void settle(TideStretch *stretch, uint32_t out) {
  pthread_mutex_lock(&common.lock);
  if (out == 0) {
    keep_empty(stretch);
  } else {
    // Meanwhile more runs may have been returned, or a thread may have taken the stretch.
    uint32_t now = out_of(atomic_load_explicit(&stretch->given, memory_order_relaxed));
    if (now != 0 && now <= stretch->runs / 2 && stretch->listing == UNLISTED)
      enlist(stretch, USABLE);
  }
  pthread_mutex_unlock(&common.lock);
}

/// Returns a run to a stretch that another thread or none holds.
static void give_from_outside(TideStretch *stretch, TideSlot *run) {
  uint32_t position = position_in(stretch, run), half = stretch->runs / 2;
  uint64_t old = atomic_load_explicit(&stretch->given, memory_order_relaxed), new;
  do {
    link_before(run, back_in(stretch, old));
    new = counting(out_of(old) - 1) | position;
  } while (!atomic_compare_exchange_weak_explicit(&stretch->given, &old, new, memory_order_acq_rel,
                                                  memory_order_relaxed));
  uint32_t out = out_of(new);
  if (out == 0 || out == half) settle(stretch, out);
}

/// Takes the runs that other threads have returned to a stretch that this thread holds. Returns
/// false if there are none.
static bool collect(TideStretch *stretch) {
  uint64_t all = counting(HELD | stretch->runs);
  uint64_t given = atomic_exchange_explicit(&stretch->given, all, memory_order_acquire);
  stretch->free = back_in(stretch, given);
  return stretch->free != NULL;
}

/// Releases a stretch once this thread has returned all runs that it took from the stretch.
static void let_go(TideStretch *stretch) {
  uint32_t runs = stretch->runs, left = runs - stretch->begun;
  uint64_t before = atomic_fetch_sub_explicit(&stretch->given, counting(HELD + left),
                                              memory_order_acq_rel);
  uint32_t out = out_of(before) - HELD - left;
  if (out <= runs / 2) settle(stretch, out);
}

/// Adopts a stretch with many free runs. Returns NULL if no stretch has enough. The caller holds the
/// lock.
static TideStretch *take_up(uint32_t length) {
  for (TideStretch *stretch = common.usable[length]; stretch; stretch = stretch->next) {
    uint64_t left = counting(HELD + stretch->runs - stretch->begun);
    uint64_t old = atomic_load_explicit(&stretch->given, memory_order_relaxed);
    // At 0, the thread that has returned the last run is waiting for the lock.
    while (out_of(old) != 0) {
      if (atomic_compare_exchange_weak_explicit(&stretch->given, &old, old + left,
                                                memory_order_acquire, memory_order_relaxed)) {
        unlist(stretch);
        return stretch;
      }
    }
  }
  return NULL;
}

// MARK: Threads

static void end_thread(void *value) {
  TideNurseryLists *lists = value;
  tide_thread()->nursery = NULL;
  for (uint32_t length = 1; length <= LONGEST; length++) {
    TideStretch *stretch = lists->held[length];
    if (!stretch) continue;
    TideSlot *run = stretch->free;
    stretch->free = NULL;
    while (run) {
      TideSlot *next = next_of(run);
      give_from_outside(stretch, run);
      run = next;
    }
    let_go(stretch);
  }
  free(lists);
}

static void prepare(void) { pthread_key_create(&threadEnd, end_thread); }

static TideNurseryLists *make_lists(void) {
  pthread_once(&prepared, prepare);
  TideNurseryLists *lists = calloc(1, sizeof *lists);
  if (!lists) {
    fputs("tidelock: the system refuses memory for objects\n", stderr);
    abort();
  }
  tide_thread()->nursery = lists;
  pthread_setspecific(threadEnd, lists);
  return lists;
}

/// Takes a run from a stretch that the thread holds, if it has one left.
static TideSlot *take_from(TideStretch *stretch, uint32_t length) {
  TideSlot *run = stretch->free;
  if (run)
    stretch->free = next_of(run);
  else if (stretch->begun < stretch->runs)
    run = stretch->first + stretch->begun++ * length;
  return run;
}

/// Takes a run if the stretch that the thread holds has none left.
static TideSlot *take_elsewhere(TideNurseryLists *lists, uint32_t length) {
  TideStretch *stretch = lists->held[length];
  if (stretch) {
    if (collect(stretch)) return take_from(stretch, length);
    let_go(stretch);
  }
  pthread_mutex_lock(&common.lock);
  stretch = take_up(length);
  if (!stretch) stretch = take_empty(length);
  pthread_mutex_unlock(&common.lock);
  lists->held[length] = stretch;
  collect(stretch);
  return take_from(stretch, length);
}

static TideSlot *take_long(uint32_t count) {
  pthread_mutex_lock(&common.lock);
  TideSlot **link = &common.longRuns, *run = *link;
  while (run && run->hi != count) {
    link = (TideSlot **)&run->lo;
    run = *link;
  }
  if (run)
    *link = next_of(run);
  else
    run = cut_long(count);
  pthread_mutex_unlock(&common.lock);
  return run;
}

static void give_long(TideSlot *run, uint32_t count) {
  pthread_mutex_lock(&common.lock);
  run->hi = count;
  link_before(run, common.longRuns);
  common.longRuns = run;
  pthread_mutex_unlock(&common.lock);
}

// MARK: For Swift

TideSlot *tide_nursery_take(uint32_t count) {
  TideSlot *run = NULL;
  if (count > LONGEST) {
    run = take_long(count);
  } else {
    TideNurseryLists *lists = tide_thread()->nursery;
    if (!lists) lists = make_lists();
    if (lists->held[count]) run = take_from(lists->held[count], count);
    if (!run) run = take_elsewhere(lists, count);
  }
  for (uint32_t i = 0; i < count; i++) run[i] = (TideSlot){.kind = TIDE_SOURCE, .generation = i};
  return run;
}

static inline void give_back(TideSlot *run, uint32_t count) {
  if (count > LONGEST) return give_long(run, count);
  TideNurseryLists *lists = tide_thread()->nursery;
  TideStretch *stretch = stretch_of(run);
  if (!lists || lists->held[count] != stretch) return give_from_outside(stretch, run);
  link_before(run, stretch->free);
  stretch->free = run;
}

void tide_nursery_give(TideSlot *run, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) run[i].kind = TIDE_FREE;
  give_back(run, count);
}

bool tide_nursery_move(TideSlot *from, TideSlot *to) {
  uint32_t count = (uint32_t)from->hi, generation = to->generation;
  char *object = (char *)(uintptr_t)from->lo;
  const uint32_t *wrappers = tide_nursery_wrappers(from)[0];
  *to = *from;
  to->generation = generation;
  tide_nursery_wrappers(to)[0] = NULL;
  from->kind = TIDE_FREE;
  bool isPlain = true;
  for (uint32_t i = 1; i < count; i++) {
    to[i] = from[i];
    isPlain &= !tide_nursery_body(to + i)[0] & (to[i].tag != TIDE_OBJECT);
    from[i].kind = TIDE_FREE;
    if (wrappers) *(TideSlot **)(object + wrappers[i - 1]) = to + i;
  }
  give_back(from, count);
  return isPlain;
}

TideSlot *tide_nursery_nothing(void) {
  static _Atomic(TideSlot *) nothing;
  TideSlot *known = atomic_load_explicit(&nothing, memory_order_acquire);
  if (known) return known;
  pthread_mutex_lock(&common.lock);
  TideSlot *made = cut_long(1);
  pthread_mutex_unlock(&common.lock);
  TideSlot *none = NULL;
  return atomic_compare_exchange_strong(&nothing, &none, made) ? made : none;
}
