import Testing
import TideGraph

@Suite struct `Propagation` {
  let graph = Graph.current

  @Test func `a computed value is evaluated when read and kept until something changes`() {
    let width = graph.signal(2), height = graph.signal(3)
    var runs = 0
    let area = graph.computed {
      runs += 1
      return width.value * height.value
    }
    #expect(runs == 0)
    #expect(area.value == 6)
    #expect(area.value == 6)
    #expect(runs == 1)
    width.value = 4
    height.value = 5
    #expect(runs == 1)
    #expect(area.value == 20)
    #expect(runs == 2)
  }

  @Test func `computed values of any type are evaluated alike`() {
    let source = graph.signal(1)
    var seen: [String] = []
    let whole = graph.computed { source.value + 1 }
    let number = graph.computed { Double(whole.value) / 2 }
    let text = graph.computed { "\(number.value)" }
    let other = graph.computed { Value.string(text.value) }
    let flag: ComputedSignal<Bool> = graph.computed { other.value == "1.5" }
    let effect = graph.effect { seen.append("\(text.value) \(flag.value)") }
    source.value = 2
    source.value = 2
    source.value = 3
    #expect(seen == ["1.0 false", "1.5 true", "2.0 false"])
    withExtendedLifetime(effect) {}
  }

  @Test func `an effect runs once now and once a change, after all that it depends on`() {
    let source = graph.signal(1)
    let doubled = graph.computed { source.value * 2 }
    let tripled = graph.computed { source.value * 3 }
    var seen: [Int] = []
    let effect = graph.effect { seen.append(doubled.value + tripled.value) }
    source.value = 2
    source.value = 2
    source.value = 5
    #expect(seen == [5, 10, 25])
    withExtendedLifetime(effect) {}
  }

  @Test func `a diamond of a hundred computed values runs its effect once an update`() {
    let source = graph.signal(0)
    let middle = (0..<100).map { offset in graph.computed { source.value + offset } }
    var sums = 0
    let sum = graph.computed {
      sums += 1
      return middle.reduce(0) { $0 + $1.value }
    }
    var runs = 0
    let effect = graph.effect {
      runs += 1
      _ = sum.value
    }
    for value in 1...10 { source.value = value }
    #expect(sum.value == 10 * 100 + 4950)
    #expect(runs == 11)
    #expect(sums == 11)
    withExtendedLifetime(effect) {}
  }

  @Test func `what a batch changes through several bindings is evaluated once, with all of it`() {
    let sources = (0..<3).map { _ in graph.signal(0) },
      targets = (0..<3).map { _ in graph.signal(0) }
    for (source, target) in zip(sources, targets) {
      _ = graph.connect(source.slot, to: target.slot)
    }
    var sums: [Int] = []
    let sum = graph.computed {
      let sum = targets.reduce(0) { $0 + $1.value }
      sums.append(sum)
      return sum
    }
    let effect = graph.effect { _ = sum.value }
    graph.batch {
      for source in sources { source.value = 1 }
    }
    #expect(sums == [0, 3])
    withExtendedLifetime(effect) {}
  }

  @Test func `a binding's function may read what is stale while other edges are still to follow`() {
    final class Reading: TransformBody {
      let other: ComputedSignal<Int>
      init(_ other: ComputedSignal<Int>) { self.other = other }
      override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
        Int.store(Int.load(source) + other.value, in: target)
      }
    }
    let source = graph.signal(0), middle = graph.signal(0)
    let far = graph.signal(0), last = graph.signal(0)
    var other = graph.computed { source.value * 10 }
    for _ in 0..<5 {
      let before = other
      other = graph.computed { before.value }
    }
    _ = other.value
    _ = graph.connect(source.slot, to: middle.slot)
    _ = graph.connect(source.slot, to: last.slot)
    _ = graph.connect(middle.slot, to: far.slot, through: Reading(other))
    for value in 1...3 {
      source.value = value
      #expect(far.value == 11 * value)
      #expect(last.value == value)
    }
  }

  @Test(arguments: [false, true])
  func `what comes to be read in the middle of a wave is current`(isFirst: Bool) {
    let source = graph.signal(0)
    let isOpen = graph.computed { source.value % 2 == 1 }
    var deep = graph.computed { 100 }
    for _ in 1...5 {
      let last = deep
      deep = graph.computed { last.value }
    }
    let goesDeep = deep
    // Reads what is far up, and the other one reads what depends on that, both for the first time.
    let near = graph.computed { isOpen.value ? source.value + goesDeep.value : source.value }
    let after = graph.computed { near.value }
    var seen: [Int] = []
    let late = graph.computed {
      let value = isOpen.value ? after.value : -1
      seen.append(value)
      return value
    }
    var effects: [Effect] = []
    for value in isFirst ? [deep, near, after, late] : [late, deep, near, after] {
      effects.append(graph.effect { _ = value.value })
    }
    source.value = 1
    source.value = 2
    source.value = 3
    #expect(seen == [-1, 101, -1, 103])
    withExtendedLifetime(effects) {}
  }

  @Test func `an equal value stops there`() {
    let source = graph.signal(1)
    let isOdd = graph.computed { source.value % 2 == 1 }
    var runs = 0
    let effect = graph.effect {
      runs += 1
      _ = isOdd.value
    }
    source.value = 3
    source.value = 5
    #expect(runs == 1)
    source.value = 6
    #expect(runs == 2)
    withExtendedLifetime(effect) {}
  }

  @Test func `two NaNs count as equal`() {
    let source = graph.signal(Double.nan)
    var runs = 0
    let effect = graph.effect {
      runs += 1
      _ = source.value
    }
    source.value = .nan
    #expect(runs == 1)
    withExtendedLifetime(effect) {}
  }

  @Test func `dependencies that are no longer read are let go`() {
    let flag = graph.signal(true), a = graph.signal(1), b = graph.signal(10)
    var runs = 0
    let effect = graph.effect {
      runs += 1
      _ = flag.value ? a.value : b.value
    }
    flag.value = false
    #expect(runs == 2)
    a.value = 2
    #expect(runs == 2)
    b.value = 20
    #expect(runs == 3)
    withExtendedLifetime(effect) {}
    #expect(graph.brokenInvariants() == [])
  }

  @Test func `a value read for the first time in the middle of a wave is up to date`() {
    let source = graph.signal(0)
    let near = graph.computed { source.value }
    let far = graph.computed { near.value * 10 }
    let deep1 = graph.computed { far.value + 1 }
    let deep2 = graph.computed { deep1.value + 1 }
    var seen: [Int] = []
    let keep = graph.effect { _ = deep2.value }
    let late = graph.computed { source.value > 0 ? deep2.value : -1 }
    let effect = graph.effect { seen.append(late.value) }
    source.value = 1
    source.value = 2
    #expect(seen == [-1, 12, 22])
    withExtendedLifetime((keep, effect)) {}
  }

  @Test func `what an effect writes is settled before anyone else looks`() {
    let a = graph.signal(1), b = graph.signal(0)
    var seen: [Int] = []
    let writer = graph.effect { b.value = a.value * 2 }
    let reader = graph.effect { seen.append(b.value) }
    a.value = 5
    #expect(seen == [2, 10])
    withExtendedLifetime((writer, reader)) {}
  }

  @Test func `untracked reads make no dependency`() {
    let a = graph.signal(1), b = graph.signal(1)
    var runs = 0
    let effect = graph.effect {
      runs += 1
      _ = a.value + graph.untracked { b.value }
    }
    b.value = 2
    #expect(runs == 1)
    withExtendedLifetime(effect) {}
  }

  @Test func `a cancelled effect runs no more, also when it cancels itself`() {
    let source = graph.signal(0)
    var runs = 0
    var effect: Effect?
    effect = graph.effect {
      runs += 1
      if source.value == 1 { effect?.cancel() }
    }
    source.value = 1
    source.value = 2
    #expect(runs == 2)
    #expect(graph.brokenInvariants() == [])
  }
}
