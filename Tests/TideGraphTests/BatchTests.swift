import Testing
import TideGraph

@Suite struct `Batches` {
  let graph = Graph.current

  @Test func `effects wait for the end of the outermost batch`() {
    let a = graph.signal(1), b = graph.signal(2)
    var seen: [Int] = []
    let effect = graph.effect { seen.append(a.value + b.value) }
    graph.batch {
      a.value = 10
      graph.batch { b.value = 20 }
      #expect(seen == [3])
    }
    #expect(seen == [3, 30])
    withExtendedLifetime(effect) {}
  }

  @Test func `computed values read fresh inside a batch and run once more only when needed`() {
    let a = graph.signal(1)
    var runs = 0
    let double = graph.computed {
      runs += 1
      return a.value * 2
    }
    let plusOne = graph.computed { double.value + 1 }
    var seen: [Int] = []
    let effect = graph.effect { seen.append(plusOne.value) }
    #expect(runs == 1)
    graph.batch {
      a.value = 2
      #expect(plusOne.value == 5)
      #expect(plusOne.value == 5)
    }
    #expect(runs == 2)
    #expect(seen == [3, 5])
    graph.batch {
      a.value = 3
      #expect(plusOne.value == 7)
      a.value = 4
    }
    #expect(runs == 4)
    #expect(seen == [3, 5, 9])
    #expect(graph.brokenInvariants() == [])
    withExtendedLifetime(effect) {}
  }

  @Test func `several writes settle in one wave`() {
    let inputs = (0..<10).map { graph.signal($0) }
    var runs = 0
    let sum = graph.computed {
      runs += 1
      return inputs.reduce(0) { $0 + $1.value }
    }
    var seen: [Int] = []
    let effect = graph.effect { seen.append(sum.value) }
    graph.batch { for input in inputs { input.value += 1 } }
    #expect(runs == 2)
    #expect(seen == [45, 55])
    withExtendedLifetime(effect) {}
  }

  @Test func `bound slots wait, and are written once`() {
    let a = graph.makeSource(1), b = graph.makeSource(0)
    _ = graph.connect(a, to: b)
    graph.batch {
      graph.write(a, 5)
      #expect(b.load() == 0)
      graph.write(a, 6)
    }
    #expect(b.load() == 6)
    graph.dispose(a)
    graph.dispose(b)
  }
}
