import Fuzzing
import OwnThread
import Testing

@testable import TideSystem

@Suite struct `Waits for a loop` {
  /// An actor whose jobs a test runs one by one, and whose callers wait for its loop as those of a
  /// runtime do.
  actor Stage {
    /// In seconds: a task that goes on comes by way of the concurrency pool, whose threads other
    /// tests may hold for minutes.
    static let patience = 600
    nonisolated let executor = SteppedExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let loop: EventLoop
    /// The waits that have begun, by number.
    private(set) var waits: [Int: LoopWait] = [:]
    private(set) var done: Set<Int> = []
    private(set) var cancelled: Set<Int> = []
    private(set) var ended: Set<Int> = []
    private(set) var begun = 0
    private var leader: Int?
    /// Tasks that run on the actor and wait for `begin`.
    private var idle: [CheckedContinuation<Bool, Never>] = []

    init(callers: Int) throws {
      loop = try EventLoop(clock: VirtualClock())
      for _ in 0..<callers { Task { await call() } }
      // The concurrency pool hands on a task at any time.
      while assumeIsolated({ $0.idle.count }) < callers { _ = executor.step(within: Self.patience) }
    }

    func begin(leads: Bool = false) -> Int {
      let number = begun
      begun += 1
      if leads { leader = number }
      idle[number].resume(returning: leads)
      return number
    }

    private func call() async {
      let number = idle.count
      await wait(number, leads: await withCheckedContinuation { idle.append($0) })
    }

    /// Ends the tasks that have not begun.
    func close() {
      while begun < idle.count { cancel(begin()) }
    }

    private func wait(_ number: Int, leads: Bool) async {
      let wait = loop.beginWait(leads: leads)
      waits[number] = wait
      defer {
        loop.endWait(wait)
        waits[number] = nil
        ended.insert(number)
      }
      while !done.contains(number), !cancelled.contains(number) {
        await loop.untilDue(wait)
        let isOver = done.contains(number) || cancelled.contains(number)
        let mayTurn = leads || loop.isDriven(by: wait) && !loop.isTurning
        if !isOver, mayTurn { loop.turn(timeout: loop.driverTimeout) }
      }
    }

    /// Provides what a wait is for.
    func finish(_ number: Int) {
      done.insert(number)
      waits[number]?.wake()
    }

    func cancel(_ number: Int) {
      cancelled.insert(number)
      waits[number]?.wake()
    }

    /// Ends the leader, which notices only when it is woken.
    func stopLeader() {
      guard let leader else { return }
      done.insert(leader)
      self.leader = nil
      loop.endTurn()
    }

    var hasLeader: Bool { leader != nil }
    var unfinished: [Int] {
      (0..<begun).filter { !done.contains($0) && !cancelled.contains($0) && $0 != leader }
    }
    var left: [Int] { (0..<begun).filter { !ended.contains($0) } }

    /// Runs jobs until all waits that began have ended, or no job arrives for some seconds: they may
    /// take a way through the concurrency pool.
    nonisolated func runToEnd() {
      while assumeIsolated({ !$0.left.isEmpty }), executor.step(within: Self.patience) {}
    }

    /// Runs jobs until so many callers wait, and until the loop's driver sleeps.
    nonisolated func runUntilWaiting(_ count: Int) {
      while assumeIsolated({ $0.waits.count < count || !$0.loop.isDriverAsleep }),
        executor.step(within: Stage.patience)
      {}
    }

    nonisolated func posted(_ number: Int) -> @Sendable () -> Void {
      { self.assumeIsolated { $0.finish(number) } }
    }

    func after(_ seconds: Double, finish number: Int) {
      loop.after(seconds, posted(number))
    }

    /// Runs jobs within a turn, as a function of the loop does that waits by a loop of its own.
    func runJobs(after seconds: Double) {
      loop.after(seconds) { [executor] in while executor.step() {} }
    }
  }

  @Test func `keep a wake that comes before`() async throws {
    try await onOwnThread {
      let stage = try Stage(callers: 1)
      let number = stage.assumeIsolated { $0.begin() }
      stage.assumeIsolated { $0.finish(number) }
      stage.runToEnd()
      #expect(stage.assumeIsolated { $0.left } == [])
    }
  }

  @Test func `go on when somebody else has taken what was posted`() async throws {
    try await onOwnThread {
      let stage = try Stage(callers: 3)
      let numbers = stage.assumeIsolated { stage in (0..<3).map { _ in stage.begin() } }
      let inbox = stage.assumeIsolated { $0.loop.inbox }
      for number in numbers {
        stage.runUntilWaiting(3 - number)
        inbox.post {}
        stage.assumeIsolated { stage in _ = stage.loop.drain() }
        stage.runUntilWaiting(3 - number)
        inbox.post(stage.posted(number))
        while stage.assumeIsolated({ !$0.ended.contains(number) }),
          stage.executor.step(within: Stage.patience)
        {
        }
        #expect(stage.assumeIsolated { $0.ended.contains(number) })
      }
    }
  }

  @Test func `hear of a timer that the owner makes meanwhile`() async throws {
    try await onOwnThread {
      let stage = try Stage(callers: 1)
      let number = stage.assumeIsolated { $0.begin() }
      stage.runUntilWaiting(1)
      stage.assumeIsolated { $0.after(5, finish: number) }
      stage.runToEnd()
      #expect(stage.assumeIsolated { $0.left } == [])
    }
  }

  @Test func `are driven by one who leads, and by another when it ends`() async throws {
    try await onOwnThread {
      let stage = try Stage(callers: 2)
      let first = stage.assumeIsolated { $0.begin() }
      stage.runUntilWaiting(1)
      let leader = stage.assumeIsolated { $0.begin(leads: true) }
      stage.runUntilWaiting(2)
      stage.assumeIsolated { #expect($0.loop.isLed) }
      stage.assumeIsolated { $0.stopLeader() }
      while stage.assumeIsolated({ !$0.ended.contains(leader) }),
        stage.executor.step(within: Stage.patience)
      {}
      stage.assumeIsolated { stage in
        #expect(!stage.loop.isLed && stage.left == [first])
      }
      stage.assumeIsolated { $0.loop.inbox }.post(stage.posted(first))
      stage.runToEnd()
      #expect(stage.assumeIsolated { $0.left } == [])
    }
  }

  @Test func `look again when nothing is left to do, also where they may not drive`() async throws {
    try await onOwnThread {
      let stage = try Stage(callers: 1)
      let number = stage.assumeIsolated { $0.begin() }
      let inbox = stage.assumeIsolated { $0.loop.inbox }
      inbox.runJobs {
        while stage.assumeIsolated({ $0.waits.isEmpty }),
          stage.executor.step(within: Stage.patience)
        {}
      }
      #expect(!stage.executor.step())
      stage.assumeIsolated { stage in _ = stage.loop.turn(timeout: 0) }
      #expect(stage.executor.step(within: Stage.patience))
      stage.assumeIsolated { $0.finish(number) }
      stage.runToEnd()
      #expect(stage.assumeIsolated { $0.left } == [])
    }
  }

  @Test func `sleep until the end of a turn in which they run`() async throws {
    try await onOwnThread {
      let stage = try Stage(callers: 1)
      let number = stage.assumeIsolated { $0.begin() }
      stage.runUntilWaiting(1)
      stage.assumeIsolated { stage in
        stage.runJobs(after: 1)
        // Due while those run.
        stage.after(1, finish: number)
        stage.loop.advance(by: 1)
      }
      stage.runToEnd()
      #expect(stage.assumeIsolated { $0.left } == [])
    }
  }

  @Test func `all end, in whatever order posts, turns, timers, cancellations and ends come`()
    async throws
  {
    let seed = FuzzRun.seed(of: "waits")
    try await onOwnThread {
      for run in 0..<400 {
        var random = SeededGenerator(seed: seed &+ UInt64(run))
        try Self.runSchedule(&random, "run \(run) of seed \(seed)")
      }
    }
  }

  private static func runSchedule(
    _ random: inout SeededGenerator, _ name: Comment
  ) throws {
    let stage = try Stage(callers: 40)
    let inbox = stage.assumeIsolated { $0.loop.inbox }
    func pick() -> Int? { stage.assumeIsolated { $0.unfinished }.randomElement(using: &random) }
    for _ in 0..<Int.random(in: 5...60, using: &random) {
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2:
        if stage.assumeIsolated({ $0.begun < 40 }) { _ = stage.assumeIsolated { $0.begin() } }
      case 3:
        let leads = stage.assumeIsolated { !$0.hasLeader && $0.begun < 40 }
        if leads { _ = stage.assumeIsolated { $0.begin(leads: true) } }
      case 4, 5: if let number = pick() { inbox.post(stage.posted(number)) }
      case 6: stage.assumeIsolated { stage in _ = stage.loop.drain() }
      case 7: stage.assumeIsolated { stage in _ = stage.loop.turn(timeout: 0) }
      case 8: if let number = pick() { stage.assumeIsolated { $0.cancel(number) } }
      case 9:
        let seconds = Double.random(in: 0...2, using: &random)
        if let number = pick() { stage.assumeIsolated { $0.after(seconds, finish: number) } }
      case 10: stage.assumeIsolated { $0.stopLeader() }
      default: break
      }
      for _ in 0..<Int.random(in: 0...3, using: &random) { _ = stage.executor.step() }
      #expect(stage.assumeIsolated { $0.loop.waits.brokenInvariant } == nil, name)
    }
    stage.assumeIsolated { $0.stopLeader() }
    while let number = pick() {
      inbox.post(stage.posted(number))
      while stage.assumeIsolated({ !$0.ended.contains(number) }),
        stage.executor.step(within: Stage.patience)
      {}
      if stage.assumeIsolated({ !$0.ended.contains(number) }) { break }
    }
    stage.runToEnd()
    #expect(stage.assumeIsolated { $0.left } == [], name)
    stage.assumeIsolated { $0.close() }
    stage.runToEnd()
    #expect(stage.assumeIsolated { $0.loop.waits.count } == 0, name)
  }
}
