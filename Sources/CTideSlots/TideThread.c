#define _GNU_SOURCE
#include "TideThread.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Two words, as in the runtime, which exports these functions although no Swift module declares
// them.
typedef struct {
  const void *identity, *implementation;
} SwiftExecutor;

__attribute__((swiftcall)) SwiftExecutor swift_task_getCurrentExecutor(void);
__attribute__((swiftcall)) bool swift_task_isMainExecutor(SwiftExecutor);
__attribute__((swiftcall)) const void *swift_task_getCurrent(void);
__attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(const void *);

// These use the C calling convention.
void *swift_unownedRetain(void *);
void swift_unownedRelease(void *);
size_t swift_unownedRetainCount(void *);

_Thread_local TideThread tide_thread_state;

bool tide_tasks_are_threads = false;

_Atomic(uint64_t) tide_retirements = 0;

const void *tide_executor_identity(void) { return swift_task_getCurrentExecutor().identity; }

const void *tide_executor_find(bool *isMain) {
  SwiftExecutor executor = swift_task_getCurrentExecutor();
  *isMain = executor.identity && swift_task_isMainExecutor(executor);
  return executor.identity;
}

const void *tide_task_identity(void) { return swift_task_getCurrent(); }

uint64_t tide_task_number(const void *task) { return swift_task_getJobTaskId(task); }

void tide_executor_keep(const void *executor) { swift_unownedRetain((void *)executor); }
void tide_executor_let_go(const void *executor) { swift_unownedRelease((void *)executor); }

// The strong references together hold one unowned reference, which is released at the end of
// `deinit`. The graph holds another one. If more are left, their holders also keep the graph.
bool tide_executor_is_gone(const void *executor) {
  bool isGone = swift_unownedRetainCount((void *)executor) <= 1;
  if (isGone) atomic_thread_fence(memory_order_acquire);
  return isGone;
}

// The reference counts follow the class pointer. A task without reference counting has a lower half
// of all ones. A task with weak references has both upper bits set, and its counts elsewhere.
bool tide_task_is_counted(const void *task) {
  uint64_t counts = atomic_load_explicit((_Atomic(uint64_t) *)task + 1, memory_order_relaxed);
  return counts >> 62 == 3 || (counts >> 63 == 0 && (uint32_t)counts != UINT32_MAX);
}

bool tide_thread_is_main(void) {
  TideThread *thread = tide_thread();
  if (!thread->isMain) {
#if defined(__linux__)
    thread->isMain = syscall(SYS_gettid) == getpid() ? 1 : 2;
#else
    thread->isMain = pthread_main_np() ? 1 : 2;
#endif
  }
  return thread->isMain == 1;
}

void tide_arena_disown(TideArena *arena) {
  __atomic_store_n(&arena->owningID, NULL, __ATOMIC_RELAXED);
}

bool tide_arena_owner_is_here(const TideArena *arena) {
  SwiftExecutor executor = swift_task_getCurrentExecutor();
  // Another thread may disown the arena at this moment.
  const void *owner = __atomic_load_n(&arena->owningID, __ATOMIC_RELAXED);
  switch (arena->owning) {
    case TIDE_OWNER_EXECUTOR:
      // No other executor is created at its address while the graph exists.
      if (executor.identity) return executor.identity == owner;
      return owner && tide_thread()->pinned == owner && !swift_task_getCurrent();
    case TIDE_OWNER_MAIN:
      if (executor.identity) return swift_task_isMainExecutor(executor);
      return tide_thread_is_main() && (!swift_task_getCurrent() || tide_tasks_are_threads);
    case TIDE_OWNER_TASK: {
      const void *task = swift_task_getCurrent();
      return task == owner && task && tide_task_number(task) == arena->owningMark;
    }
    default:
      if (executor.identity) return false;
      // A test that was suspended may continue on another thread.
      if (swift_task_getCurrent()) return tide_tasks_are_threads;
      return (const void *)tide_thread_identity() == owner;
  }
}
