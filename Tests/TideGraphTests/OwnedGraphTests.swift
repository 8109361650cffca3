import CTideSlots
import Fuzzing
import OwnThread
import Testing
import TideGraph

/// Graphs of actors and tasks, whose tests are tasks on no actor themselves.
@Suite(.serialized) struct `An actor's graph` {
  private final class Object: Block {
    init(_ value: Int) {
      super.init(valueCount: 1)
      _ = (header + 1).store(.integer(value))
    }

    var value: Value { (header + 1).load() }
  }

  /// Crosses actors and threads to be released there.
  private struct Sent: @unchecked Sendable {
    var objects: [Object] = []
  }

  private actor Owner {
    private var objects: [Object] = []

    func make(_ count: Int) { objects += (0..<count).map { Object($0) } }

    func sum() -> Int { objects.reduce(0) { $0 + ($1.value.integer ?? 0) } }

    func send() -> Sent {
      defer { objects = [] }
      return Sent(objects: objects)
    }

    func openBatch() { Graph.current.beginBatch() }

    func isInWave() -> Bool { Graph.current.isInWave }

    func graph() -> ObjectIdentifier { ObjectIdentifier(Graph.current) }
  }

  @Test func `goes after its actor, so that memory stays flat`() async {
    func cycle(_ count: Int) async {
      for number in 0..<count {
        let owner = Owner()
        await owner.make(3)
        #expect(await owner.sum() == 3, "actor \(number)")
      }
    }
    await cycle(1000)
    let windows = tide_windows_taken(), bytes = tide_window_bytes()
    await cycle(5000)
    // Other tests make graphs at the same time.
    #expect(tide_windows_taken() < windows + 1000)
    #expect(tide_window_bytes() < bytes + 100 << 20)
  }

  @Test func `takes little at first, so that thousands fit beside each other`() async {
    let before = tide_window_bytes()
    var owners: [Owner] = []
    for _ in 0..<1000 {
      let owner = Owner()
      await owner.make(3)
      owners.append(owner)
    }
    #expect(tide_window_bytes() - before < 1000 * (256 << 10))
    for owner in owners { #expect(await owner.sum() == 3) }
  }

  @Test func `stays as long as its objects, which outlive the actor`() async {
    let seed = UInt64.random(in: 1...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var kept: [Sent] = []
    for _ in 0..<500 {
      let owner = Owner()
      await owner.make(Int.random(in: 1...20, using: &random))
      if Int.random(in: 0..<4, using: &random) == 0 { kept.append(await owner.send()) }
      if kept.count > 20 { kept.remove(at: Int.random(in: 0..<kept.count, using: &random)) }
    }
    for sent in kept {
      for (number, object) in sent.objects.enumerated() {
        let first = object.firstSlot
        #expect((first + 1).load() == .integer(number), "seed \(seed)")
      }
    }
  }

  @Test func `is not that of an earlier actor, whose batch was left open`() async {
    for _ in 0..<300 {
      let owner = Owner()
      #expect(await owner.isInWave() == false)
      await owner.openBatch()
      #expect(await owner.isInWave())
    }
  }

  @Test func `stays the same on whatever thread the actor runs`() async {
    let owner = Owner()
    let graph = await owner.graph()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            #expect(await owner.graph() == graph)
            await Owner().make(1)
          }
        }
      }
    }
  }
}

extension Value {
  fileprivate var integer: Int? {
    if case .integer(let number) = self { return number }
    return nil
  }
}
