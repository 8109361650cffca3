import Fuzzing
import Testing
import TideGraph

/// Random operations on a graph, compared after each one with a model that recomputes everything.
@Suite struct `Random graphs` {
  @Test(arguments: 0..<40)
  func `agree with a naive model after every operation`(seed: Int) throws {
    try withOwnGraph { graph in
      var run = Run(on: graph, seed: UInt64(seed))
      for step in 0..<150 {
        run.act()
        let trouble = run.disagreements()
        #expect(trouble == [], "seed \(seed), step \(step)")
        if !trouble.isEmpty { return }
      }
      run.finish()
    }
  }

  final class Node {
    let signal: Signal<Int>?
    let computed: ComputedSignal<Int>?
    /// Which nodes a computed one reads, depending on the first one's value.
    let reads: [Int]
    var effect: Effect?
    var seen: Int?
    var runs = 0
    /// The node that a bound one follows.
    var boundTo: Int?
    var edge: EdgeIndex = 0
    var held = 0

    init(signal: Signal<Int>) { (self.signal, computed, reads) = (signal, nil, []) }
    init(computed: ComputedSignal<Int>, reads: [Int]) {
      (signal, self.computed, self.reads) = (nil, computed, reads)
    }

    var value: Int { signal?.value ?? computed?.value ?? 0 }
    var slot: Slot? { signal?.slot ?? computed?.slot }
  }

  final class Bench {
    var nodes: [Node] = []

    static func combine(_ reads: [Int], _ value: (Int) -> Int) -> Int {
      let first = value(reads[0])
      if reads.count == 1 { return first % 7 }
      // Only some are read, and which changes.
      let chosen = first.isMultiple(of: 2) ? reads.dropFirst().first : reads.last
      return first + value(chosen ?? reads[0])
    }

    func expected(_ index: Int, _ memo: inout [Int: Int]) -> Int {
      if let known = memo[index] { return known }
      let node = nodes[index]
      let value: Int
      if node.signal != nil {
        value = node.boundTo.map { expected($0, &memo) } ?? node.held
      } else {
        value = Self.combine(node.reads) { expected($0, &memo) }
      }
      memo[index] = value
      return value
    }
  }

  struct Run {
    /// One of its own: what other tests left on the thread would have to be checked as well.
    let graph: Graph
    let bench = Bench()
    var random: SeededGenerator

    init(on graph: Graph, seed: UInt64) {
      self.graph = graph
      random = SeededGenerator(seed: seed &* 7919 &+ 17)
      for value in 0..<4 { addSource(value) }
    }

    mutating func addSource(_ value: Int) {
      let node = Node(signal: graph.signal(value))
      node.held = value
      bench.nodes.append(node)
    }

    mutating func act() {
      let count = bench.nodes.count
      for node in bench.nodes { node.runs = 0 }
      switch Int.random(in: 0..<12, using: &random) {
      case 0 where count < 40: addSource(Int.random(in: 0..<9, using: &random))
      case 1 where count < 40, 2 where count < 40: addComputed()
      case 3: toggleEffect()
      case 4: bind()
      case 5: unbind()
      case 6, 7:
        graph.batch {
          for _ in 0..<Int.random(in: 1..<5, using: &random) {
            write()
            if Bool.random(using: &random) {
              _ = bench.nodes[Int.random(in: 0..<count, using: &random)].value
            }
          }
        }
      default: write()
      }
    }

    mutating func addComputed() {
      let count = bench.nodes.count
      let reads = (0..<Int.random(in: 1..<4, using: &random)).map { _ in
        Int.random(in: 0..<count, using: &random)
      }
      let computed = graph.computed { [unowned bench] in
        Bench.combine(reads) { bench.nodes[$0].value }
      }
      bench.nodes.append(Node(computed: computed, reads: reads))
    }

    mutating func toggleEffect() {
      let node = bench.nodes[Int.random(in: 0..<bench.nodes.count, using: &random)]
      if node.effect != nil {
        node.effect = nil
        node.seen = nil
      } else {
        node.effect = graph.effect { [unowned node] in
          node.runs += 1
          node.seen = node.value
        }
        node.runs = 0
      }
    }

    /// Nodes are only bound to earlier ones, so the naive model needs no fixed point.
    mutating func bind() {
      let index = Int.random(in: 1..<bench.nodes.count, using: &random)
      let node = bench.nodes[index]
      guard let target = node.signal?.slot, node.boundTo == nil else { return }
      let sourceIndex = Int.random(in: 0..<index, using: &random)
      guard let source = bench.nodes[sourceIndex].slot else { return }
      _ = bench.nodes[sourceIndex].value
      node.boundTo = sourceIndex
      node.edge = graph.connect(source, to: target)
      graph.fire(node.edge)
    }

    mutating func unbind() {
      let bound = bench.nodes.filter { $0.boundTo != nil }
      guard let node = bound.randomElement(using: &random) else { return }
      graph.disconnect(node.edge)
      node.boundTo = nil
      node.held = node.value
    }

    mutating func write() {
      let free = bench.nodes.filter { $0.signal != nil && $0.boundTo == nil }
      guard let node = free.randomElement(using: &random) else { return }
      node.held = Int.random(in: 0..<9, using: &random)
      node.signal?.value = node.held
    }

    func disagreements() -> [String] {
      var found = graph.brokenInvariants()
      var memo: [Int: Int] = [:]
      for (index, node) in bench.nodes.enumerated() {
        let expected = bench.expected(index, &memo)
        if let seen = node.seen, seen != expected {
          found.append("the effect on \(index) saw \(seen), not \(expected)")
        }
        if node.runs > 1 { found.append("the effect on \(index) ran \(node.runs) times") }
      }
      for index in bench.nodes.indices.shuffled() {
        let expected = bench.expected(index, &memo)
        let value = bench.nodes[index].value
        if value != expected { found.append("node \(index) is \(value), not \(expected)") }
      }
      return found + graph.brokenInvariants()
    }

    func finish() {
      for node in bench.nodes { node.effect = nil }
      #expect(graph.brokenInvariants() == [])
    }
  }
}
