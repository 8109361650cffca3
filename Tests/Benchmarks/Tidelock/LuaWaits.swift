import Driver
import Tidelock

/// What an asynchronous function does before it returns.
enum Wait {
  /// Nothing: what is measured is the way out of the coroutine and back.
  case ready
  /// It lets its actor do other things first.
  case suspending
}

/// A script calls an asynchronous Swift function, over and over, in one run.
func callAndWait(_ driver: Driver, _ wait: Wait) throws {
  let actor = Waiter()
  try actor.assumeIsolated { try $0.open(wait) }
  driver.measure("operation", units: 1) { count in
    actor.thread.run { await actor.call(count) }
  }
  let isRight = actor.assumeIsolated { actor in
    defer { actor.close() }
    return actor.sum == actor.expected
  }
  driver.check(isRight, "the sum")
}

/// The same suspensions without any script, to tell Swift's part.
func suspendAlone(_ driver: Driver) {
  let actor = Waiter()
  driver.measure("operation", units: 1) { count in
    actor.thread.run { await actor.suspend(count) }
  }
}

/// Owns a state, on the thread that measures.
private actor Waiter {
  nonisolated let thread = OwnThread()
  private var state: LuaState?
  private var loop: LuaFunction?
  private(set) var sum = 0
  private(set) var expected = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(_ wait: Wait) throws {
    let state = try LuaState()
    switch wait {
    case .ready: try state.register("step") { (n: Int) in n + 1 }
    case .suspending:
      try state.register("step") { (n: Int) in
        await Task.yield()
        return n + 1
      }
    }
    loop = try state.load(
      "local step, sum = step, 0 for i = 1, ... do sum = sum + step(i) - i end return sum",
      name: "=loop")
    self.state = state
  }

  func call(_ count: Int) async {
    expected += count
    sum += (try? await loop?.run(count, as: Int.self)) ?? 0
  }

  func suspend(_ count: Int) async {
    for _ in 0..<count { await Task.yield() }
  }

  func close() { state?.close() }
}

/// Runs an actor's jobs on the calling thread, without the pool's: what a runtime pays that has a
/// thread of its own.
private final class OwnThread: SerialExecutor, TaskExecutor {
  // One thread alone touches them.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var isDone = false

  func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

  func checkIsolated() {}

  /// Runs the body to its end.
  func run(_ body: @escaping @Sendable () async -> Void) {
    isDone = false
    Task(executorPreference: self) {
      await body()
      self.isDone = true
    }
    while !isDone, let job = jobs.popLast() {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }
}
