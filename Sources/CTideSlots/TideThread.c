#define _GNU_SOURCE
#include "TideThread.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

// Two words, as the runtime's; it exports these functions, though no Swift module declares them.
typedef struct {
  const void *identity, *implementation;
} SwiftExecutor;

__attribute__((swiftcall)) SwiftExecutor swift_task_getCurrentExecutor(void);
__attribute__((swiftcall)) bool swift_task_isMainExecutor(SwiftExecutor);
__attribute__((swiftcall)) const void *swift_task_getCurrent(void);
__attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(const void *);

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

// What is not counted has all of the lower half set; what weak references share has the upper bits.
bool tide_task_is_counted(const void *task) {
  uint64_t mark = tide_executor_mark(task);
  return mark >> 62 == 3 || (mark >> 63 == 0 && (uint32_t)mark != UINT32_MAX);
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

bool tide_arena_owner_is_here(const TideArena *arena) {
  SwiftExecutor executor = swift_task_getCurrentExecutor();
  switch (arena->owning) {
    case TIDE_OWNER_EXECUTOR:
      if (executor.identity)
        return executor.identity == arena->owningID &&
               tide_executor_has_mark(executor.identity, arena->owningMark);
      return tide_thread()->pinned == arena->owningID && !swift_task_getCurrent();
    case TIDE_OWNER_MAIN:
      if (executor.identity) return swift_task_isMainExecutor(executor);
      return tide_thread_is_main() && (!swift_task_getCurrent() || tide_tasks_are_threads);
    case TIDE_OWNER_TASK: {
      const void *task = swift_task_getCurrent();
      return task == arena->owningID && task && tide_task_number(task) == arena->owningMark;
    }
    default:
      if (executor.identity) return false;
      // A test that has waited may go on on another thread.
      if (swift_task_getCurrent()) return tide_tasks_are_threads;
      return (const void *)tide_thread_identity() == arena->owningID;
  }
}
