import Fuzzing
import CTideSlots
import Glibc
import OwnThread
import TideGraph
import Testing

/// Memory of objects that have joined no graph.
@Suite(.serialized) struct `The nursery` {
  /// A run that is taken, each of whose slots holds the number under which it was taken.
  private struct Run: @unchecked Sendable {
    let first: Slot
    let length: UInt32
    let number: UInt64

    init(_ length: UInt32, _ number: UInt64) {
      self.length = length
      self.number = number
      first = tide_nursery_take(length)
      for index in 0..<Int(length) { first[index].hi = number }
    }

    /// Whether nobody else has had the memory meanwhile.
    var isUntouched: Bool {
      (0..<Int(length)).allSatisfy { first[$0].hi == number && first[$0].generation == $0 }
    }

    func give() { tide_nursery_give(first, length) }
  }

  /// Runs on their way from one thread to another.
  private final class Mail: @unchecked Sendable {
    private let runs = Guarded<[Run]>([])
    private let broken = Guarded<[UInt64]>([])

    func post(_ run: Run) { runs.withLock { $0.append(run) } }

    func take() -> Run? { runs.withLock { $0.popLast() } }

    func note(_ seed: UInt64) { broken.withLock { $0.append(seed) } }

    var seeds: [UInt64] { broken.withLock { $0 } }
  }

  @Test func `hands no slot out twice, whichever threads take and give`() async throws {
    let mail = Mail()
    for _ in 0..<4 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          let seed = UInt64.random(in: 0...UInt64.max)
          group.addTask { try await onOwnThread { Self.work(seed, mail) } }
        }
        try await group.waitForAll()
      }
    }
    while let run = mail.take() {
      if !run.isUntouched { mail.note(run.number) }
      run.give()
    }
    #expect(mail.seeds == [], "seeds, or numbers of runs, where memory was given out twice")
  }

  /// Takes runs, keeps some, posts some to other threads, and gives back its own and others'.
  private static func work(_ seed: UInt64, _ mail: Mail) {
    var random = SeededGenerator(seed: seed)
    var kept: [Run] = []
    for step in 0..<20_000 {
      // Bulks that grow and shrink, so that whole stretches come back.
      let isGrowing = step / 2500 % 2 == 0
      if kept.isEmpty || Int.random(in: 0..<10, using: &random) < (isGrowing ? 7 : 3) {
        let length: UInt32 = [1, 2, 2, 3, 10, 32, 33].randomElement(using: &random) ?? 1
        kept.append(Run(length, random.next()))
        continue
      }
      let index = Int.random(in: 0..<kept.count, using: &random)
      kept.swapAt(index, kept.count - 1)
      let run = kept.removeLast()
      if !run.isUntouched { mail.note(seed) }
      if Bool.random(using: &random) {
        run.give()
      } else {
        mail.post(run)
        if let other = mail.take() {
          if !other.isUntouched { mail.note(seed) }
          other.give()
        }
      }
    }
    for run in kept { run.give() }
  }

  private final class Object: Block {
    init(unjoined value: Int) {
      super.init(valueCount: 1, isUnjoined: true)
      _ = (firstSlot + 1).store(.integer(value))
    }

    var value: Value { (firstSlot + 1).load() }
  }

  private static func bytesInMemory(of runs: [Slot]) -> Int {
    var pages: Set<UInt> = []
    for run in runs { pages.insert(UInt(bitPattern: run) / 4096) }
    return pages.reduce(0) { sum, page in
      var isThere: UInt8 = 0
      mincore(UnsafeMutableRawPointer(bitPattern: page * 4096), 4096, &isThere)
      return sum + Int(isThere & 1) * 4096
    }
  }

  @Test func `returns the memory of a bulk of objects that have joined`() throws {
    try withOwnGraph { graph in
      let objects = (0..<50_000).map { Object(unjoined: $0) }
      let before = objects.map(\.firstSlot)
      let taken = Self.bytesInMemory(of: before)
      for object in objects { object.join(graph) }
      #expect(objects.indices.allSatisfy { objects[$0].value == .integer($0) })
      #expect(objects.allSatisfy { !$0.isUnjoined })
      #expect(taken > 4_000_000)
      // Other tests may have been given some of it meanwhile.
      #expect(Self.bytesInMemory(of: before) < taken / 4)
    }
  }

  @Test func `returns the memory of objects that were made on another thread`() async throws {
    struct Sent: @unchecked Sendable { var objects: [Object] }
    var sent = try await onOwnThread { Sent(objects: (0..<50_000).map { Object(unjoined: $0) }) }
    try withOwnGraph { graph in
      // They go before their graph does.
      let objects = sent.objects
      sent.objects = []
      let before = objects.map(\.firstSlot)
      let taken = Self.bytesInMemory(of: before)
      for object in objects { object.join(graph) }
      #expect(objects.indices.allSatisfy { objects[$0].value == .integer($0) })
      #expect(Self.bytesInMemory(of: before) < taken / 4)
    }
  }

  @Test func `uses the room between objects that stay for others`() throws {
    try withOwnGraph { graph in
      var staying: [Object] = []
      var ends: [UInt32] = []
      for _ in 0..<20 {
        let objects = (0..<20_000).map { Object(unjoined: $0) }
        for (number, object) in objects.enumerated() {
          // One of a thousand belongs to nobody for good.
          if number % 1000 == 500 { staying.append(object) } else { object.join(graph) }
        }
        ends.append(tide_arena_of(tide_nursery_nothing()).pointee.slotCount)
      }
      #expect(staying.allSatisfy { $0.isUnjoined })
      // A round takes 40,000 slots.
      #expect(Int(ends[19]) - Int(ends[0]) < 4 * 40_000)
    }
  }
}
