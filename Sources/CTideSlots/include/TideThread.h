// The current owner: a graph belongs to a serial executor, or to a thread that runs no task.
#pragma once

#include "TideSlots.h"

#pragma clang assume_nonnull begin

/// The kinds of owners of a graph.
enum {
  TIDE_OWNER_THREAD = 0,    // `owningID`: the thread's identity
  TIDE_OWNER_MAIN = 1,      // the main actor, on any thread, and the initial thread
  TIDE_OWNER_EXECUTOR = 2,  // `owningID`: the address of the actor, or of its custom executor
  TIDE_OWNER_TASK = 3,      // `owningID`: the task, which is on no actor
};

typedef struct TideThread {
  TideArena *_Nullable entered;    // the graph whose turn runs here; NULL outside of turns
  const void *_Nullable executor;  // the executor that this thread looked up last,
  TideArena *_Nullable found;      // its graph,
  uint64_t retirements;            // and the number of ownerless graphs at that time
  TideArena *_Nullable own;        // the graph of code that runs here outside of any task
  const void *_Nullable pinned;    // the executor that has this thread to itself
  int isMain;            // 0: not known yet; 1: the initial thread; 2: another one

  const void *_Nullable latestClass;  // the class of the object that was made last, and its layout
  const void *_Nullable latestLayout;

  struct TideNurseryLists *_Nullable nursery;
  TideSlot *_Nullable deriving;  // the slot without a graph that is evaluated, innermost
  void *_Nullable passedOn;      // the failure that it has read and cannot throw, retained
} TideThread;

extern _Thread_local TideThread tide_thread_state;

static inline TideThread *tide_thread(void) { return &tide_thread_state; }

/// Whether code in a task that is on no actor counts as code of its thread. Only for tests, whose
/// functions are such tasks and stay on one thread unless they are suspended.
extern bool tide_tasks_are_threads;
static inline bool tide_counts_tasks_as_threads(void) { return tide_tasks_are_threads; }

/// The number of graphs that have lost their owner. A thread's cached graph is valid until it
/// changes.
extern _Atomic(uint64_t) tide_retirements;

/// The graph of an executor, if it was the last one to be looked up on this thread.
static inline TideArena *_Nullable tide_thread_found(const void *executor) {
  TideThread *thread = tide_thread();
  bool isSame =
      thread->executor == executor &&
      thread->retirements == atomic_load_explicit(&tide_retirements, memory_order_acquire);
  return isSame ? thread->found : NULL;
}

/// Caches the graph of an executor. `retirements` was read before the lookup.
static inline void tide_thread_note_found(const void *executor, TideArena *arena,
                                          uint64_t retirements) {
  TideThread *thread = tide_thread();
  thread->executor = executor;
  thread->found = arena;
  thread->retirements = retirements;
}

static inline uint64_t tide_count_retirements(void) {
  return atomic_load_explicit(&tide_retirements, memory_order_acquire);
}
static inline void tide_note_retirement(void) {
  atomic_fetch_add_explicit(&tide_retirements, 1, memory_order_acq_rel);
}

/// The address of the current actor, or of its custom executor; NULL if there is none.
const void *_Nullable tide_executor_identity(void);
/// The current executor's address, and whether it is the main actor's.
const void *_Nullable tide_executor_find(bool *isMain);
/// The current task; NULL outside of tasks.
const void *_Nullable tide_task_identity(void);
/// Retains the memory of an actor or executor, but not the object, until it is released. Meanwhile
/// no other one is created at its address.
void tide_executor_keep(const void *executor);
void tide_executor_let_go(const void *executor);
/// Whether a retained executor no longer exists and has run its `deinit`.
bool tide_executor_is_gone(const void *executor);
/// The number of a task, which is never reused.
uint64_t tide_task_number(const void *task);
/// Whether a task is reference counted, so that weak references to it become nil at its end. A task
/// of `async let` is not.
bool tide_task_is_counted(const void *task);
/// Whether the calling thread is the program's initial thread.
bool tide_thread_is_main(void);

bool tide_arena_owner_is_here(const TideArena *arena);
/// Detaches an arena from its owner, which no longer exists, so that no later owner is mistaken for
/// it. Its objects are then released as on another thread.
void tide_arena_disown(TideArena *arena);

/// Whether the current executor or thread may use a graph.
static inline bool tide_arena_is_here(const TideArena *arena) {
  return tide_thread_state.entered == arena || tide_arena_owner_is_here(arena);
}

#pragma clang assume_nonnull end
