import OwnThread
import TideGraph
import TideScript

/// Worlds in ordinary actors, in actors with a thread of their own, on the main actor and on plain
/// threads, at the same time.
enum RandomRun {
  actor OrdinaryHost {
    private let world: World
    init(_ make: @Sendable () throws -> World) rethrows { world = try make() }
    func step() { world.step() }
    func finish() { world.finish() }
  }

  /// Has its world made in the actor, because a runtime belongs to who makes it.
  actor LateHost {
    private let executor: TideExecutor?
    private var world: World?

    init(_ executor: TideExecutor?) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      executor?.asUnownedSerialExecutor() ?? fallback.asUnownedSerialExecutor()
    }
    private nonisolated let fallback = TideExecutor()

    func begin(_ make: @Sendable () throws -> World) rethrows { world = try make() }
    func step() { world?.step() }
    func finish() { world?.finish() }
  }

  actor RuntimeHost {
    private var world: World?
    func begin(_ make: @Sendable () throws -> World) rethrows { world = try make() }
    func step() { world?.step() }
    func finish() {
      world?.finish()
      world = nil
    }
  }

  // Apart, because a text that is made within an asynchronous function lives in its frame, where
  // the sanitizer misses it.
  private static func announce(seed: UInt64, steps: Int) { print("seed \(seed), \(steps) steps") }

  static func run(seed: UInt64, steps: Int, _ report: Report) async throws {
    announce(seed: seed, steps: steps)
    let mail = Mail(worlds: 8)
    let make: @Sendable (Int, Bool) throws -> World = {
      try World($0, seed: seed, mail, report, hasRuntime: $1)
    }
    let first = try OrdinaryHost { try make(0, false) }
    let second = try OrdinaryHost { try make(1, false) }
    let third = RuntimeHost(), fourth = RuntimeHost()
    try await third.begin { try make(2, true) }
    try await fourth.begin { try make(3, true) }
    let fifth = LateHost(TideExecutor())
    try await fifth.begin { try make(4, true) }
    let threads = (5...6).map { number in
      JoinedThread {
        do {
          let world = try make(number, number == 6)
          for _ in 0..<steps { world.step() }
          world.finish()
        } catch {
          report.fail("thread \(number): \(error)")
        }
      }
    }
    let onMain = Task { @MainActor in
      let world = try make(7, true)
      for step in 0..<steps {
        world.step()
        if step % 16 == 0 { await Task.yield() }
      }
      world.finish()
    }
    await withTaskGroup(of: Void.self) { group in
      // Several tasks for each, so that they hop from thread to thread.
      for _ in 0..<4 {
        group.addTask { for _ in 0..<steps / 4 { await first.step() } }
        group.addTask { for _ in 0..<steps / 4 { await second.step() } }
        group.addTask { for _ in 0..<steps / 4 { await third.step() } }
        group.addTask { for _ in 0..<steps / 4 { await fourth.step() } }
        group.addTask { for _ in 0..<steps / 4 { await fifth.step() } }
      }
    }
    await first.finish()
    await second.finish()
    await third.finish()
    await fourth.finish()
    await fifth.finish()
    for thread in threads { thread.join() }
    try await onMain.value
  }
}
