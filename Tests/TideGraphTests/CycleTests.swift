import Testing
import TideGraph

@Suite struct `Cycles` {
  /// One of its own, whose host the tests may be.
  let graph: Graph

  init() throws { graph = try Graph() }

  final class Listener: GraphHost {
    var loops: [[Slot]] = []
    var errors: [any Error] = []
    func graph(_ graph: Graph, body slot: Slot, failed error: any Error) { errors.append(error) }
    func graph(_ graph: Graph, recovered slot: Slot) {}
    func graph(_ graph: Graph, foundCycle loop: [Slot]) { loops.append(loop) }
    func graph(_ graph: Graph, edgeEnded owner: UInt32) {}
  }

  final class PlusOne: TransformBody {
    override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
      Int.store(Int.load(source) + 1, in: target)
    }
  }

  @Test func `bindings that never settle stop with their loop, and the graph goes on`() {
    let listener = Listener()
    graph.host = listener
    let slots = (0..<3).map { _ in graph.makeSource(0) }
    let body = PlusOne()
    for i in 0..<3 { _ = graph.connect(slots[i], to: slots[(i + 1) % 3], through: body) }
    graph.write(slots[0], 1)
    #expect(listener.loops.count == 1)
    #expect(Set(listener.loops.first?.map(\.index) ?? []) == Set(slots.map(\.index)))
    #expect(listener.loops.first?.count == 4)
    let other = graph.makeSource(0), follower = graph.makeSource(0)
    _ = graph.connect(other, to: follower)
    graph.write(other, 7)
    #expect(follower.load() == 7)
    for slot in slots + [other, follower] { graph.dispose(slot) }
    #expect(graph.brokenInvariants() == [])
  }

  @Test func `a two-way pair settles`() {
    let a = graph.makeSource(1), b = graph.makeSource(0)
    _ = graph.connect(a, to: b)
    _ = graph.connect(b, to: a, isReverse: true)
    graph.write(a, 3)
    #expect(b.load() == 3)
    graph.write(b, 4)
    #expect(a.load() == 4)
    graph.dispose(a)
    graph.dispose(b)
  }

  @Test func `computed values that read each other report it and keep their values`() {
    let listener = Listener()
    graph.host = listener
    var second: ComputedSignal<Int>?
    let first = graph.computed { (second?.value ?? 0) + 1 }
    second = graph.computed { first.value + 1 }
    _ = second?.value
    #expect(listener.errors.contains { $0 is CycleError })
    second = nil
  }

  @Test func `computed values that come to read each other in a wave stop with their loop`() {
    let listener = Listener()
    graph.host = listener
    let closes = graph.signal(false)
    var third: ComputedSignal<Int>?
    let first = graph.computed { closes.value ? (third?.value ?? 0) + 1 : 0 }
    let second = graph.computed { first.value + 1 }
    third = graph.computed { second.value + 1 }
    var seen = 0
    let effect = graph.effect { seen = third?.value ?? 0 }
    #expect(seen == 2)
    closes.value = true
    #expect((listener.errors.first as? CycleError)?.loop.count == 4)
    #expect(listener.loops.isEmpty)
    #expect(seen == 2)
    closes.value = false
    #expect(seen == 2 && third?.value == 2)
    third = nil
    withExtendedLifetime(effect) {}
  }

  @Test func `what settles ahead of a value that it needs is no loop`() {
    let listener = Listener()
    graph.host = listener
    let isOn = graph.signal(false), base = graph.signal(1)
    let far = graph.computed { base.value * 10 }
    let farther = graph.computed { far.value + 1 }
    // Comes to read `farther`, which lifts it, while `late`, lower until now, waits to read it.
    let early = graph.computed { isOn.value ? farther.value : 0 }
    let late = graph.computed { isOn.value ? early.value + base.value : 0 }
    var seen: [Int] = []
    let effects = [graph.effect { _ = early.value }, graph.effect { seen.append(late.value) }]
    graph.batch {
      isOn.value = true
      base.value = 2
    }
    #expect(seen == [0, 23])
    #expect(listener.errors.isEmpty && listener.loops.isEmpty)
    withExtendedLifetime(effects) {}
  }

  @Test func `an effect that writes a bound value again and again is no loop`() {
    let listener = Listener()
    graph.host = listener
    let start = graph.signal(0), source = graph.signal(0), target = graph.signal(0)
    _ = graph.connect(source.slot, to: target.slot, through: PlusOne())
    let effect = graph.effect {
      for value in 0..<start.value { source.value = value }
    }
    start.value = 1000
    #expect(target.value == 1000)
    #expect(listener.loops.isEmpty)
    withExtendedLifetime(effect) {}
  }

  @Test func `an effect that wakes itself is stopped after a hundred rounds`() {
    let listener = Listener()
    graph.host = listener
    let count = graph.signal(0)
    var runs = 0
    let effect = graph.effect {
      runs += 1
      count.value += 1
    }
    count.value = 1000
    #expect(runs <= 202)
    #expect(!listener.loops.isEmpty)
    let other = graph.signal(0)
    var seen = 0
    let reader = graph.effect { seen = other.value }
    other.value = 5
    #expect(seen == 5)
    withExtendedLifetime((effect, reader)) {}
  }
}
