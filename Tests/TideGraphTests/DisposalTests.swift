import Fuzzing
import Testing
import TideGraph

/// What is disposed of while something that depends on it runs.
@Suite struct `Disposal while running` {
  @Test(arguments: 0..<4, [false, true])
  func `a source may go before or after an effect reads it again`(
    source: Int, isRead: Bool
  ) throws {
    try withOwnGraph { graph in
      let trigger = graph.signal(0)
      var sources: [Signal<Int>?] = (0..<4).map { graph.signal($0) }
      var read: [Int] = []
      let effect = graph.effect {
        read = []
        if trigger.value == 1 && !isRead { sources[source] = nil }
        for source in sources { if let source { read.append(source.value) } }
        if trigger.value == 1 && isRead { sources[source] = nil }
      }
      trigger.value = 1
      #expect(graph.brokenInvariants() == [])
      trigger.value = 2
      #expect(read == [0, 1, 2, 3].filter { $0 != source })
      #expect(graph.brokenInvariants() == [])
      // Every record is given out once.
      let others = (0..<20).map { graph.signal($0) }
      let sums = others.map { other in graph.effect { _ = other.value + trigger.value } }
      #expect(graph.brokenInvariants() == [])
      trigger.value = 3
      #expect(graph.brokenInvariants() == [])
      withExtendedLifetime((effect, sums)) {}
    }
  }

  @Test func `a body may dispose of others' slots when it goes with its graph`() throws {
    final class Body: ComputedBody {
      let onEnd: () -> Void
      init(_ onEnd: @escaping () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    var ends = 0
    let first = Body { ends += 1 }
    try withOwnGraph { graph in
      let slots = (0..<3).map { _ in graph.makeComputed(first) }
      _ = graph.makeComputed(Body { for slot in slots { Graph.of(slot).dispose(slot) } })
    }
    #expect(ends == 0)
    withExtendedLifetime(first) {}
  }

  @Test func `a source of an outer evaluation may go in an inner one`() throws {
    try withOwnGraph { graph in
      let trigger = graph.signal(0)
      var lost: Signal<Int>? = graph.signal(1)
      let kept = graph.signal(2)
      let inner = graph.computed {
        if trigger.value == 1 { lost = nil }
        return trigger.value
      }
      var seen = 0
      let effect = graph.effect { seen = inner.value + (lost?.value ?? 0) + kept.value }
      #expect(seen == 3)
      trigger.value = 1
      #expect(seen == 3)
      #expect(graph.brokenInvariants() == [])
      kept.value = 5
      #expect(seen == 6)
      #expect(graph.brokenInvariants() == [])
      withExtendedLifetime(effect) {}
    }
  }

  @Test func `an effect may go while it runs, and reads on`() throws {
    try withOwnGraph { graph in
      let trigger = graph.signal(0), other = graph.signal(0)
      var effect: Effect?
      var runs = 0
      effect = graph.effect {
        runs += 1
        if trigger.value == 1 {
          effect?.cancel()
          effect = nil
        }
        _ = other.value
        _ = graph.computed { other.value + trigger.value }.value
      }
      trigger.value = 1
      #expect(graph.brokenInvariants() == [])
      let after = graph.signal(7)
      other.value = 1
      trigger.value = 2
      #expect(runs == 2)
      #expect(after.value == 7)
      #expect(graph.brokenInvariants() == [])
    }
  }

  @Test func `random disposal leaves nothing crossed`() throws {
    try withOwnGraph { graph in
      var random = SystemRandomNumberGenerator()
      let seed = UInt64.random(in: 0...UInt64.max, using: &random)
      var numbers = SeededGenerator(seed: seed)
      let trigger = graph.signal(0)
      var sources: [Signal<Int>?] = (0..<12).map { graph.signal($0) }
      var derived: [ComputedSignal<Int>?] = []
      for _ in 0..<6 {
        derived.append(
          graph.computed {
            var sum = trigger.value
            for source in sources where Bool.random(using: &numbers) { sum += source?.value ?? 0 }
            return sum
          })
      }
      let effects = (0..<6).map { index in
        graph.effect {
          _ = trigger.value
          for source in sources.indices {
            switch Int.random(in: 0..<10, using: &numbers) {
            case 0: sources[source] = nil
            case 1: sources[source] = graph.signal(source)
            case 2: derived[index] = nil
            case 3:
              derived[index] = graph.computed { (sources[source]?.value ?? 0) + trigger.value }
            default: _ = sources[source]?.value
            }
            _ = derived[index]?.value
          }
        }
      }
      for step in 1...200 {
        trigger.value = step
        let broken = graph.brokenInvariants()
        #expect(broken == [], "seed \(seed), step \(step)")
        if !broken.isEmpty { return }
      }
      withExtendedLifetime(effects) {}
    }
  }
}
